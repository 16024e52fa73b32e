/* Every different text of pages, and every different word of texts, in the order in which they come first. */
#include "interned.h"
#include "sites/site.h"

/* A list of strings as a tuple, and NULL without memory; the list is let go. */
static PyObject *as_tuple(PyObject *list) {
    PyObject *tuple = list ? PyList_AsTuple(list) : NULL;
    Py_XDECREF(list);
    return tuple;
}

/* ---------------------------------------------------------------- texts */

/* A piece of a text whose white space is folded. */
typedef struct {
    uint64_t hash; /* keyed, and the same for all widths of characters */
    Py_ssize_t n;
    Py_UCS4 most;
    int is_plain; /* it is folded as it stands */
} Folded;

/* Three characters of 21 bits, as `piece_hash` takes eight bytes. */
static inline uint64_t hash_three(uint64_t h, uint64_t three, uint64_t factor) {
    h ^= three;
    h = (h << 32 | h >> 32) * factor;
    return h ^ h >> 32;
}

/* Reads a piece; where it is to be written, as characters of a width, too. */
static ALWAYS_INLINE Folded fold(int kind, const void *data, Py_ssize_t start, Py_ssize_t end, uint64_t salt, int own, void *out) {
    Folded f = {salt, 0, 0, 1};
    uint64_t three = 0, factor = salt | 1;
    int shift = 0, is_gap = 0;
    Py_UCS4 most = 0;
    Py_ssize_t n = 0;
    for (Py_ssize_t i = start; i < end; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (is_white(c)) {
            f.is_plain &= c == ' ' && !is_gap && n > 0;
            is_gap = 1;
            continue;
        }
        for (int is_space = is_gap && n > 0; is_space >= 0; is_space--) {
            Py_UCS4 next = is_space ? ' ' : c;
            if (out) PyUnicode_WRITE(own, out, n, next);
            else {
                three |= (uint64_t)next << shift;
                shift += 21;
                if (shift == 63) {
                    f.hash = hash_three(f.hash, three, factor);
                    three = 0;
                    shift = 0;
                }
            }
            n++;
        }
        most |= c; /* as wide as the widest */
        is_gap = 0;
    }
    f.is_plain &= !is_gap;
    f.hash = (f.hash ^ three) * 0xC4CEB9FE1A85EC53ull;
    f.hash = (f.hash ^ f.hash >> 29 ^ (uint64_t)n) * 0x9FB21C651E98DF25ull;
    f.hash ^= f.hash >> 32;
    f.n = n;
    f.most = most;
    return f;
}

static Folded folded(int kind, const void *data, Py_ssize_t start, Py_ssize_t end, uint64_t salt) {
    Folded f = {0, 0, 0, 0};
    BY_KIND(kind, f = fold(KIND, data, start, end, salt, 0, NULL))
    return f;
}

/* The same as a string. */
static PyObject *folded_string(PyObject *text, Py_ssize_t start, Py_ssize_t end, const Folded *f) {
    if (f->is_plain) return PyUnicode_Substring(text, start, end);
    PyObject *string = PyUnicode_New(f->n, f->most > 0x10FFFF ? 0x10FFFF : f->most);
    if (!string) return NULL;
    const int own = PyUnicode_KIND(string);
    void *out = PyUnicode_DATA(string);
    const void *data = PyUnicode_DATA(text);
    if (f->n) BY_KIND(PyUnicode_KIND(text), fold(KIND, data, start, end, 0, own, out))
    return string;
}

/* intern_texts(texts, page, start, end) -> int32 per span of the text of its page: which of the different ones; and those, white space folded */
PyObject *native_intern_texts(PyObject *self, PyObject *args) {
    PyObject *pages, *o[3], *ids = NULL, *found = NULL, *result = NULL;
    if (!PyArg_ParseTuple(args, "O!OOO", &PyTuple_Type, &pages, &o[0], &o[1], &o[2])) return NULL;
    Column in[3];
    memset(in, 0, sizeof in);
    Interned raw = {0}, texts = {0};
    for (int k = 0; k < 3; k++)
        if (column_get(&in[k], o[k], 4)) goto done;
    Py_ssize_t n = in[0].n, n_pages = PyTuple_GET_SIZE(pages);
    if (in[1].n != n || in[2].n != n) { misfit("columns of spans do not fit"); goto done; }
    const int32_t *page = in[0].buffer.buf, *start = in[1].buffer.buf, *end = in[2].buffer.buf;
    ids = PyBytes_FromStringAndSize(NULL, n * 4);
    found = PyList_New(0);
    if (!ids || !found) goto done;
    int32_t *id = (int32_t *)PyBytes_AS_STRING(ids);
    uint64_t salt = process_key();
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *text = page[i] >= 0 && page[i] < n_pages ? PyTuple_GET_ITEM(pages, page[i]) : NULL;
        if (!text || !PyUnicode_Check(text) || start[i] < 0 || end[i] < start[i] || end[i] > PyUnicode_GET_LENGTH(text)) {
            misfit("a span is out of range");
            goto done;
        }
        int kind = PyUnicode_KIND(text);
        const void *data = PyUnicode_DATA(text);
        int32_t *own = number_of(&raw, piece_hash(salt, kind, data, start[i], end[i]));
        if (!own) goto done;
        if (*own < 0) { /* texts of other white space, or of characters of another width, may be the same */
            Folded piece = folded(kind, data, start[i], end[i], salt);
            int32_t *number = number_of(&texts, piece.hash);
            if (!number) goto done;
            if (*number < 0) {
                PyObject *string = folded_string(text, start[i], end[i], &piece);
                if (!string) goto done;
                *number = (int32_t)PyList_GET_SIZE(found);
                int failed = PyList_Append(found, string);
                Py_DECREF(string);
                if (failed) goto done;
            }
            *own = *number;
        }
        id[i] = *own;
    }
    found = as_tuple(found);
    if (found) result = PyTuple_Pack(2, ids, found);
done:
    Py_XDECREF(ids);
    Py_XDECREF(found);
    interned_free(&raw);
    interned_free(&texts);
    columns_release(in, 3);
    return result;
}

/* ---------------------------------------------------------------- values */

/* The pieces of one text, which end at `ends`: the numbers of all, those of strings that are new behind the list of strings. */
static int values_add(Interned *known, PyObject *found, PyObject *text, const Column *ends, int32_t *id, uint64_t salt) {
    const int32_t *end = ends->buffer.buf;
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    for (Py_ssize_t k = 0; k < ends->n; k++) {
        int32_t start = k ? end[k - 1] : 0;
        if (start < 0 || end[k] < start || end[k] > PyUnicode_GET_LENGTH(text)) return bad("the end of a piece is out of range");
        uint64_t hash = salt;
        for (int32_t i = start; i < end[k]; i++) hash = hash_step(hash, PyUnicode_READ(kind, data, i));
        int32_t *number = number_of(known, hash);
        if (!number) return -1;
        if (*number < 0) {
            PyObject *string = PyUnicode_Substring(text, start, end[k]);
            if (!string) return -1;
            *number = (int32_t)PyList_GET_SIZE(found);
            int failed = PyList_Append(found, string);
            Py_DECREF(string);
            if (failed) return -1;
        }
        id[k] = *number;
    }
    return 0;
}

/* intern_values(texts, ends) -> int32 per piece of all texts: which of the different ones; and those */
PyObject *native_intern_values(PyObject *self, PyObject *args) {
    PyObject *texts, *ends, *ids = NULL, *found = PyList_New(0), *result = NULL;
    Column *in = NULL;
    Interned known = {0};
    Py_ssize_t n = 0, total = 0, at = 0;
    if (!found || !PyArg_ParseTuple(args, "O!O!", &PyList_Type, &texts, &PyList_Type, &ends)) goto done;
    n = PyList_GET_SIZE(texts);
    if (PyList_GET_SIZE(ends) != n) { misfit("columns of ends do not fit"); n = 0; goto done; }
    if (!(in = PyMem_RawCalloc((size_t)n + 1, sizeof *in))) { PyErr_NoMemory(); goto done; }
    for (Py_ssize_t i = 0; i < n; i++) {
        if (!PyUnicode_Check(PyList_GET_ITEM(texts, i))) { misfit("a list of texts"); goto done; }
        if (column_get(&in[i], PyList_GET_ITEM(ends, i), 4)) goto done;
        total += in[i].n;
    }
    if (!(ids = PyBytes_FromStringAndSize(NULL, total * 4))) goto done;
    uint64_t salt = process_key();
    for (Py_ssize_t i = 0; i < n; at += in[i++].n)
        if (values_add(&known, found, PyList_GET_ITEM(texts, i), &in[i], (int32_t *)PyBytes_AS_STRING(ids) + at, salt)) goto done;
    found = as_tuple(found);
    if (found) result = PyTuple_Pack(2, ids, found);
done:
    if (in) columns_release(in, (int)n);
    PyMem_RawFree(in);
    Py_XDECREF(ids);
    Py_XDECREF(found);
    interned_free(&known);
    return result;
}

/* ---------------------------------------------------------------- words */

enum { IS_LETTER = 1, IS_MARK = 2, IS_SIGN = 4 };

typedef struct {
    Interned known;
    PyObject *words;
    int32_t *id;
    size_t n, room;
} Words;

static int word_add(Words *w, PyObject *text, Py_ssize_t start, Py_ssize_t end, uint64_t hash) {
    int32_t *number = number_of(&w->known, hash);
    if (!number || make_room(&w->id, w->n, &w->room, sizeof *w->id, 1)) return -1;
    if (*number < 0) {
        PyObject *word = PyUnicode_Substring(text, start, end);
        if (!word) return -1;
        *number = (int32_t)PyList_GET_SIZE(w->words);
        int failed = PyList_Append(w->words, word);
        Py_DECREF(word);
        if (failed) return -1;
    }
    w->id[w->n++] = *number;
    return 0;
}

/* Words are letters with their marks; of signs without spaces each pair that stands together is one, and one that stands alone. */
static int words_add(Words *w, PyObject *text, const uint8_t *kinds, uint64_t salt) {
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t n = PyUnicode_GET_LENGTH(text), first = -1, sign = -1; /* where the word began; the sign before this, and how many */
    Py_ssize_t n_signs = 0;
    uint64_t hash = 0;
    for (Py_ssize_t i = 0; i <= n; i++) {
        Py_UCS4 c = i < n ? PyUnicode_READ(kind, data, i) : ' ';
        int bits = i < n ? kinds[c] : 0;
        int in_word = bits == IS_LETTER || (bits & IS_MARK && first >= 0);
        int in_run = !in_word && bits & IS_SIGN;
        if (first >= 0 && !in_word) {
            if (word_add(w, text, first, i, hash)) return -1;
            first = -1;
        }
        if (in_word) {
            if (first < 0) {
                first = i;
                hash = salt;
            }
            hash = hash_step(hash, c);
        }
        if (in_run && n_signs) {
            Py_UCS4 before = PyUnicode_READ(kind, data, sign);
            if (word_add(w, text, sign, i + 1, hash_step(hash_step(salt, before), c))) return -1;
        }
        if (!in_run && n_signs == 1 && word_add(w, text, sign, sign + 1, hash_step(salt, PyUnicode_READ(kind, data, sign)))) return -1;
        n_signs = in_run ? n_signs + 1 : 0;
        sign = i;
    }
    return 0;
}

/* number_words(texts, kinds) -> int32 per word of all texts: which of the different ones; int64 per text: where its words end; and those */
PyObject *native_number_words(PyObject *self, PyObject *args) {
    PyObject *texts, *kinds, *ends = NULL, *ids = NULL, *result = NULL;
    if (!PyArg_ParseTuple(args, "O!O", &PyList_Type, &texts, &kinds)) return NULL;
    Column in[1];
    memset(in, 0, sizeof in);
    Words words = {.words = PyList_New(0)};
    if (!words.words || column_get(in, kinds, 1)) goto done;
    if (in[0].n <= 0x10FFFF) { misfit("a kind for each character"); goto done; }
    Py_ssize_t n = PyList_GET_SIZE(texts);
    if (!(ends = PyBytes_FromStringAndSize(NULL, n * 8))) goto done;
    int64_t *end = (int64_t *)PyBytes_AS_STRING(ends);
    uint64_t salt = process_key();
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *text = PyList_GET_ITEM(texts, i);
        if (!PyUnicode_Check(text)) { PyErr_SetString(PyExc_TypeError, "strings have words, and nothing else"); goto done; }
        if (words_add(&words, text, in[0].buffer.buf, salt)) goto done;
        end[i] = (int64_t)words.n;
    }
    ids = PyBytes_FromStringAndSize(words.n ? (const char *)words.id : "", (Py_ssize_t)(words.n * sizeof *words.id));
    words.words = as_tuple(words.words);
    if (ids && words.words) result = PyTuple_Pack(3, ids, ends, words.words);
done:
    Py_XDECREF(ends);
    Py_XDECREF(ids);
    Py_XDECREF(words.words);
    interned_free(&words.known);
    PyMem_RawFree(words.id);
    columns_release(in, 1);
    return result;
}
