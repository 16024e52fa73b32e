/* What the blocks of pages say: keys of their texts, how long they are, and on how many pages texts and words are. Texts and words are told
 * apart by a 64-bit hash that is keyed anew in each process, as in site.c. */
#include "strings/interned.h"
#include "site.h"
#include <stdlib.h>

enum { LONGEST_KEY = TEXT_KEY_CHARS + 24, LONGEST_LOWER = 3 * LONGEST_KEY }; /* one character has three at most in lower case */

/* Characters by kind, for those below 256. */
typedef struct {
    uint64_t salt;
    uint32_t lower[256];
    uint8_t bits[256];
} Chars;

static void chars_init(Chars *c) {
    crc_init();
    c->salt = process_key();
    for (uint32_t k = 0; k < 256; k++) {
        c->bits[k] = bits_of(k);
        c->lower[k] = Py_UNICODE_TOLOWER(k);
    }
}

static uint64_t hash_chars(uint64_t salt, const Py_UCS4 *s, Py_ssize_t n) {
    uint64_t h = salt;
    for (Py_ssize_t i = 0; i < n; i++) h = hash_step(h, s[i]);
    return h;
}

/* ---------------------------------------------------------------- keys of texts */

/* Keys of the first and the last word, by the reference where C cannot tell lower case or UTF-8. */
static int edges_of(const Chars *c, const Py_UCS4 *key, Py_ssize_t n, uint64_t *first, uint64_t *last) {
    int is_odd = 0;
    for (Py_ssize_t i = 0; i < n; i++) is_odd |= key[i] == 0x130 || key[i] == 0x3A3 || (key[i] >= 0xD800 && key[i] < 0xE000);
    if (!is_odd) {
        edge_words(c->lower, c->bits, key, n, first, last);
        return 0;
    }
    PyObject *text = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, key, n), *args = text ? PyTuple_Pack(1, text) : NULL;
    PyObject *found = args ? ask_reference("edge_words", args) : NULL;
    unsigned long long a, b;
    int is_fine = found && PyArg_ParseTuple(found, "KK", &a, &b);
    if (is_fine) {
        *first = a;
        *last = b;
    }
    Py_XDECREF(text);
    Py_XDECREF(args);
    Py_XDECREF(found);
    return is_fine ? 0 : -1;
}

/* The spans of a text: whether all lie in it. */
static int spans_fit(const Column *in, Py_ssize_t size) {
    const int32_t *start = in[0].buffer.buf, *end = in[1].buffer.buf;
    if (in[1].n != in[0].n) return bad("columns of spans do not fit");
    for (Py_ssize_t i = 0; i < in[0].n; i++)
        if (start[i] < 0 || end[i] < start[i] || end[i] > size) return bad("a span is out of range");
    return 0;
}

/* text_keys(text, start, end) -> int64 per span: which text; and uint64 per text: its hash, keys of its first and of its last word */
PyObject *native_text_keys(PyObject *self, PyObject *args) {
    PyObject *text, *o[2], *out[4] = {NULL}, *result = NULL;
    if (!PyArg_ParseTuple(args, "UOO", &text, &o[0], &o[1])) return NULL;
    Column in[2];
    memset(in, 0, sizeof in);
    Interned raw = {0}, texts = {0};
    uint64_t *found[3] = {NULL};
    size_t room[3] = {0}, n_texts = 0;
    Chars chars;
    Hashes hashes;
    chars_init(&chars);
    hashes_begin(&hashes, &found[0]);
    if (column_get(&in[0], o[0], 4) || column_get(&in[1], o[1], 4) || spans_fit(in, PyUnicode_GET_LENGTH(text))) goto done;
    const int32_t *start = in[0].buffer.buf, *end = in[1].buffer.buf;
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    if (!(out[0] = PyBytes_FromStringAndSize(NULL, in[0].n * 8))) goto done;
    int64_t *which = (int64_t *)PyBytes_AS_STRING(out[0]);
    for (Py_ssize_t i = 0; i < in[0].n; i++) {
        int32_t *own = number_of(&raw, piece_hash(chars.salt, kind, data, start[i], end[i]));
        if (!own) goto done;
        if (*own < 0) {
            Py_UCS4 key[LONGEST_KEY];
            Py_ssize_t n = fold_text(chars.bits, kind, data, start[i], end[i], key);
            int32_t *number = number_of(&texts, hash_chars(chars.salt, key, n));
            if (!number) goto done;
            if (*number < 0) {
                for (int k = 0; k < 3; k++)
                    if (make_room(&found[k], n_texts, &room[k], 8, 1)) goto done;
                uint8_t bytes[4 * LONGEST_KEY];
                hashes_add(&hashes, bytes, utf8_of(key, n, bytes), n_texts);
                if (edges_of(&chars, key, n, &found[1][n_texts], &found[2][n_texts])) goto done;
                *number = (int32_t)n_texts++;
            }
            *own = *number;
        }
        which[i] = *own;
    }
    hashes_end(&hashes);
    for (int k = 0; k < 3; k++)
        if (!(out[1 + k] = PyBytes_FromStringAndSize(n_texts ? (const char *)found[k] : "", (Py_ssize_t)n_texts * 8))) goto done;
    result = PyTuple_Pack(4, out[0], out[1], out[2], out[3]);
done:
    for (int k = 0; k < 3; k++) PyMem_RawFree(found[k]);
    for (int k = 0; k < 4; k++) Py_XDECREF(out[k]);
    interned_free(&raw);
    interned_free(&texts);
    columns_release(in, 2);
    return result;
}

/* ---------------------------------------------------------------- pages of texts and words */

/* Strings, and on how many pages each is. */
typedef struct {
    Interned known;
    size_t n, key_room, times_room, page_room, offset_room, data_room;
    uint64_t *key;
    int64_t *times, *offset; /* the bytes of string k end at offset[k] */
    int32_t *page;           /* the last that has it */
    uint8_t *data;
    Hashes hashes; /* of the keys, which are there when all strings are */
} Strings;

static void strings_begin(Strings *s) { hashes_begin(&s->hashes, &s->key); }

static void strings_free(Strings *s) {
    interned_free(&s->known);
    PyMem_RawFree(s->key);
    PyMem_RawFree(s->times);
    PyMem_RawFree(s->offset);
    PyMem_RawFree(s->page);
    PyMem_RawFree(s->data);
}

/* The number of a string, -1 without memory. */
static int32_t string_of(Strings *s, uint64_t hash, const Py_UCS4 *chars, Py_ssize_t n) {
    int32_t *number = number_of(&s->known, hash);
    if (!number) return -1;
    if (*number >= 0) return *number;
    size_t size = s->n ? (size_t)s->offset[s->n - 1] : 0;
    if (make_room(&s->key, s->n, &s->key_room, 8, 1) || make_room(&s->times, s->n, &s->times_room, 8, 1) ||
        make_room(&s->offset, s->n, &s->offset_room, 8, 1) || make_room(&s->page, s->n, &s->page_room, 4, 1) ||
        make_room(&s->data, size, &s->data_room, 1, 4 * (size_t)n))
        return -1;
    size_t own = utf8_of(chars, n, s->data + size);
    hashes_add(&s->hashes, s->data + size, own, s->n);
    s->offset[s->n] = (int64_t)(size + own);
    s->times[s->n] = 0;
    s->page[s->n] = -1;
    return *number = (int32_t)s->n++;
}

/* Whether a string is on a page for the first time. */
static inline int is_first_on(Strings *s, int32_t number, int32_t page) {
    if (s->page[number] == page) return 0;
    s->page[number] = page;
    s->times[number]++;
    return 1;
}

typedef struct {
    uint64_t key;
    size_t at;
} Keyed;

static int by_key(const void *a, const void *b) {
    uint64_t x = ((const Keyed *)a)->key, y = ((const Keyed *)b)->key;
    return (x > y) - (x < y);
}

/* Keys, pages, bytes and where the bytes of each begin, by key. */
static PyObject *strings_by_key(Strings *s) {
    hashes_end(&s->hashes);
    size_t size = s->n ? (size_t)s->offset[s->n - 1] : 0;
    PyObject *out[4], *result = NULL;
    Keyed *order = PyMem_RawMalloc((s->n + 1) * sizeof *order);
    for (int k = 0; k < 4; k++)
        out[k] = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(k == 2 ? size : (s->n + (k == 3)) * 8));
    if (!order) PyErr_NoMemory();
    if (order && out[0] && out[1] && out[2] && out[3]) {
        uint64_t *key = (uint64_t *)PyBytes_AS_STRING(out[0]);
        int64_t *times = (int64_t *)PyBytes_AS_STRING(out[1]), *offset = (int64_t *)PyBytes_AS_STRING(out[3]), at = 0;
        char *data = PyBytes_AS_STRING(out[2]);
        for (size_t k = 0; k < s->n; k++) order[k] = (Keyed){s->key[k], k};
        if (s->n) qsort(order, s->n, sizeof *order, by_key);
        offset[0] = 0;
        for (size_t k = 0; k < s->n; k++) {
            size_t from = order[k].at;
            int64_t start = from ? s->offset[from - 1] : 0, own = s->offset[from] - start;
            key[k] = order[k].key;
            times[k] = s->times[from];
            if (own) memcpy(data + at, s->data + start, (size_t)own);
            offset[k + 1] = at += own;
        }
        result = PyTuple_Pack(4, out[0], out[1], out[2], out[3]);
    }
    for (int k = 0; k < 4; k++) Py_XDECREF(out[k]);
    PyMem_RawFree(order);
    return result;
}

/* What is known of each text: its masked form and its words. */
typedef struct {
    Strings texts, masked, words;
    size_t mask_room, end_room, word_room, n_words;
    int32_t *mask, *word;
    size_t *end; /* the words of text k end at end[k] */
} Said;

static void said_free(Said *s) {
    strings_free(&s->texts);
    strings_free(&s->masked);
    strings_free(&s->words);
    PyMem_RawFree(s->mask);
    PyMem_RawFree(s->word);
    PyMem_RawFree(s->end);
}

/* A text in lower case; its length, or -1. */
static Py_ssize_t lower_of(const Chars *c, const Py_UCS4 *key, Py_ssize_t n, Py_UCS4 *out) {
    int is_odd = 0; /* lower case of more characters than one, or by its neighbours */
    for (Py_ssize_t i = 0; i < n; i++) {
        out[i] = key[i] < 256 ? c->lower[key[i]] : lower_char(key[i]);
        is_odd |= key[i] == 0x130 || key[i] == 0x3A3;
    }
    if (!is_odd) return n;
    PyObject *text = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, key, n);
    PyObject *low = text ? PyObject_CallMethod(text, "lower", NULL) : NULL;
    Py_ssize_t size = low && PyUnicode_GET_LENGTH(low) <= LONGEST_LOWER ? PyUnicode_GET_LENGTH(low) : -1;
    if (low && size < 0) misfit("a text is longer in lower case than can be");
    for (Py_ssize_t i = 0; i < size; i++) out[i] = PyUnicode_READ_CHAR(low, i);
    Py_XDECREF(text);
    Py_XDECREF(low);
    return size;
}

static int add_word(Said *s, uint64_t hash, const Py_UCS4 *chars, Py_ssize_t n) {
    int32_t word = string_of(&s->words, hash, chars, n);
    if (word < 0 || make_room(&s->word, s->n_words, &s->word_room, 4, 1)) return -1;
    s->word[s->n_words++] = word;
    return 0;
}

/* The words of a text that is new: letters, and single characters of scripts without spaces; see SITE_WORD. */
static int add_words(Said *s, const Chars *c, const Py_UCS4 *low, Py_ssize_t n) {
    Py_ssize_t first = -1;
    uint64_t hash = 0;
    for (Py_ssize_t i = 0; i <= n; i++) {
        int is_letter = i < n && (low[i] < 256 ? c->bits[low[i]] : bits_of(low[i])) & LETTER;
        if (first >= 0 && is_letter) {
            hash = hash_step(hash, low[i]);
            continue;
        }
        if (first >= 0 && add_word(s, hash, low + first, i - first)) return -1;
        first = -1;
        if (i == n) break;
        if (is_sign_alone(low[i])) {
            if (add_word(s, hash_step(c->salt, low[i]), low + i, 1)) return -1;
        } else if (is_letter) {
            first = i;
            hash = hash_step(c->salt, low[i]);
        }
    }
    return 0;
}

/* The number of the text of a span, whose white space is folded here. */
static int32_t add_text(Said *s, const Chars *c, int kind, const void *data, Py_ssize_t start, Py_ssize_t end) {
    Py_UCS4 key[LONGEST_KEY], masked[LONGEST_KEY], low[LONGEST_LOWER];
    Py_ssize_t n = fold_text(c->bits, kind, data, start, end, key), n_masked = 0;
    size_t before = s->texts.n;
    int32_t number = string_of(&s->texts, hash_chars(c->salt, key, n), key, n);
    if (number < 0 || (size_t)number < before) return number;
    int in_number = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        int is_decimal = (key[i] < 256 ? c->bits[key[i]] : bits_of(key[i])) & DECIMAL;
        if (!is_decimal) masked[n_masked++] = key[i];
        else if (!in_number) masked[n_masked++] = '0';
        in_number = is_decimal;
    }
    if (make_room(&s->mask, before, &s->mask_room, 4, 1) || make_room(&s->end, before, &s->end_room, sizeof *s->end, 1)) return -1;
    s->mask[number] = string_of(&s->masked, hash_chars(c->salt, masked, n_masked), masked, n_masked);
    Py_ssize_t n_low = s->mask[number] < 0 ? -1 : lower_of(c, key, n, low);
    if (n_low < 0 || add_words(s, c, low, n_low)) return -1;
    s->end[number] = s->n_words;
    return number;
}

/* said_pages(text, start, end, page) -> of texts, texts with every number as 0, and words: (uint64 keys ascending, int64 pages, their UTF-8,
 * int64 where each begins) */
PyObject *native_said_pages(PyObject *self, PyObject *args) {
    PyObject *text, *o[3], *out[3] = {NULL}, *result = NULL;
    if (!PyArg_ParseTuple(args, "UOOO", &text, &o[0], &o[1], &o[2])) return NULL;
    Column in[3];
    memset(in, 0, sizeof in);
    Interned raw = {0};
    Said said = {0};
    Chars chars;
    chars_init(&chars);
    strings_begin(&said.texts);
    strings_begin(&said.masked);
    strings_begin(&said.words);
    for (int k = 0; k < 3; k++)
        if (column_get(&in[k], o[k], 4)) goto done;
    if (spans_fit(in, PyUnicode_GET_LENGTH(text))) goto done;
    const int32_t *start = in[0].buffer.buf, *end = in[1].buffer.buf, *page = in[2].buffer.buf;
    if (in[2].n != in[0].n) { misfit("columns of spans do not fit"); goto done; }
    for (Py_ssize_t i = 0; i < in[0].n; i++)
        if (page[i] < (i ? page[i - 1] : 0)) { misfit("spans are not by page"); goto done; }
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    for (Py_ssize_t i = 0; i < in[0].n; i++) {
        int32_t *own = number_of(&raw, piece_hash(chars.salt, kind, data, start[i], end[i]));
        if (!own || (*own < 0 && (*own = add_text(&said, &chars, kind, data, start[i], end[i])) < 0)) goto done;
        if (!is_first_on(&said.texts, *own, page[i])) continue;
        is_first_on(&said.masked, said.mask[*own], page[i]);
        for (size_t k = *own ? said.end[*own - 1] : 0; k < said.end[*own]; k++) is_first_on(&said.words, said.word[k], page[i]);
    }
    if ((out[0] = strings_by_key(&said.texts)) && (out[1] = strings_by_key(&said.masked)) && (out[2] = strings_by_key(&said.words)))
        result = PyTuple_Pack(3, out[0], out[1], out[2]);
done:
    for (int k = 0; k < 3; k++) Py_XDECREF(out[k]);
    interned_free(&raw);
    said_free(&said);
    columns_release(in, 3);
    return result;
}

/* ---------------------------------------------------------------- lengths */

/* text_sizes(text, start, end, char_kinds) -> per span: int32 characters that are seen, float64 words */
PyObject *native_text_sizes(PyObject *self, PyObject *args) {
    PyObject *text, *o[3], *out[2] = {NULL}, *result = NULL;
    if (!PyArg_ParseTuple(args, "UOOO", &text, &o[0], &o[1], &o[2])) return NULL;
    Column in[3];
    memset(in, 0, sizeof in);
    for (int k = 0; k < 3; k++)
        if (column_get(&in[k], o[k], k < 2 ? 4 : 1)) goto done;
    if (spans_fit(in, PyUnicode_GET_LENGTH(text))) goto done;
    if (in[2].n < 0x10000) { misfit("a kind for each character of the basic plane"); goto done; }
    const int32_t *start = in[0].buffer.buf, *end = in[1].buffer.buf;
    const uint8_t *kinds = in[2].buffer.buf;
    const void *data = PyUnicode_DATA(text);
    out[0] = PyBytes_FromStringAndSize(NULL, in[0].n * 4);
    out[1] = PyBytes_FromStringAndSize(NULL, in[0].n * 8);
    if (!out[0] || !out[1]) goto done;
    int32_t *visible = (int32_t *)PyBytes_AS_STRING(out[0]);
    double *words = (double *)PyBytes_AS_STRING(out[1]);
    BY_KIND(PyUnicode_KIND(text), for (Py_ssize_t i = 0; i < in[0].n; i++) {
        int32_t n_seen = 0, n_begun = 0, n_wide = 0;
        int in_word = 0;
        for (Py_ssize_t k = start[i]; k < end[i]; k++) {
            Py_UCS4 c = PyUnicode_READ(KIND, data, k);
            int bits = c < 0x10000 ? kinds[c] : astral_kind(c), is_wide = (bits & CHAR_WIDE) != 0;
            int is_narrow = (bits & CHAR_WORD) && !is_wide;
            n_seen += !(bits & CHAR_SPACE);
            n_wide += is_wide;
            n_begun += is_narrow && !in_word;
            in_word = is_narrow;
        }
        visible[i] = n_seen;
        words[i] = n_begun + n_wide / 2.0; /* two wide characters count as one word */
    })
    result = PyTuple_Pack(2, out[0], out[1]);
done:
    Py_XDECREF(out[0]);
    Py_XDECREF(out[1]);
    columns_release(in, 3);
    return result;
}
