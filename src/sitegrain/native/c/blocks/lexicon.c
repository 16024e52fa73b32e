/* Words as numbers, and the mean weights of the words of texts and of class names. */
#include "strings/numbers.h"
#include "scoring.h"
#include <math.h>
#include <string.h>

enum { MAX_HASHES = MAX_WORDS + PAIR_WORDS + 1 };

static const uint32_t BASIS = 2166136261u, PRIME = 16777619u, MIX_A = 0x9E3779B1u, MIX_B = 0x85EBCA6Bu;

static inline int kind_of(const uint8_t *kinds, Py_UCS4 c) {
    if (c < 0x10000) return kinds[c];
    return astral_kind(c);
}

static uint32_t pair_hash(uint32_t a, uint32_t b) { return ((a * MIX_A) ^ b) * MIX_B; }

static uint32_t whole_hash(const uint32_t *h, int n) {
    uint32_t out = BASIS;
    for (int i = 0; i < n; i++) out = (out ^ h[i]) * MIX_A;
    return out ^ (uint32_t)n;
}

static ALWAYS_INLINE int hash_words_of(int kind, const void *data, Py_ssize_t start, Py_ssize_t end, const uint8_t *kinds, uint32_t *out) {
    int n = 0;
    if (end > start + MAX_CHARS) end = start + MAX_CHARS;
    Py_ssize_t i = start;
    while (i < end && n < MAX_WORDS) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        int bits = kind_of(kinds, c);
        if (bits & CHAR_DIGIT) {
            Py_ssize_t from = i;
            while (i < end && kind_of(kinds, PyUnicode_READ(kind, data, i)) & CHAR_DIGIT) i++;
            uint32_t h = BASIS;
            for (int k = i - from < 4 ? 1 : 4; k > 0; k--) h = (h ^ '0') * PRIME;
            out[n++] = h;
        } else if (bits & CHAR_WIDE) {
            Py_UCS4 last = c;
            Py_ssize_t from = i++;
            for (; i < end && n < MAX_WORDS; i++) {
                c = PyUnicode_READ(kind, data, i);
                if ((kind_of(kinds, c) & (CHAR_WIDE | CHAR_DIGIT)) != CHAR_WIDE) break;
                out[n++] = (((BASIS ^ last) * PRIME) ^ c) * PRIME;
                last = c;
            }
            if (i == from + 1 && n < MAX_WORDS) out[n++] = (BASIS ^ last) * PRIME;
        } else if (bits & CHAR_WORD) {
            uint32_t h = BASIS;
            for (; i < end; i++) {
                c = PyUnicode_READ(kind, data, i);
                if ((kind_of(kinds, c) & (CHAR_WORD | CHAR_DIGIT | CHAR_WIDE)) != CHAR_WORD) break;
                h = (h ^ lower_char(c)) * PRIME;
            }
            out[n++] = h;
        } else {
            if (c == '$' || c == 0xA9 || c == 0x20AC || c == 0xA3 || c == 0xA5) out[n++] = (BASIS ^ c) * PRIME;
            i++;
        }
    }
    return n;
}

int hash_words(int kind, const void *data, Py_ssize_t start, Py_ssize_t end, const uint8_t *kinds, uint32_t *out) {
    BY_KIND(kind, return hash_words_of(KIND, data, start, end, kinds, out))
}

/* The hashes of pairs of words and of the whole after those of the words; at most MAX_HASHES. */
static int hash_pairs(uint32_t *out, int words) {
    int n = words;
    if (words <= PAIR_WORDS)
        for (int k = 0; k + 1 < words; k++) out[n++] = pair_hash(out[k], out[k + 1]);
    if (words > 0 && words <= WHOLE_WORDS) out[n++] = whole_hash(out, words);
    return n;
}

/* The hashes of text[start:end]; at most MAX_HASHES. */
static int hash_text(int kind, const void *data, Py_ssize_t start, Py_ssize_t end, const uint8_t *kinds, uint32_t *out) {
    return hash_pairs(out, hash_words(kind, data, start, end, kinds, out));
}

static int is_lower(char c) { return c >= 'a' && c <= 'z'; }
static int is_upper(char c) { return c >= 'A' && c <= 'Z'; }

/* The hashes of a class or id value: its words, and pairs of words of one name; at most 2 * MAX_WORDS. */
static int hash_name(const char *s, Py_ssize_t size, uint32_t *out) {
    int n = 0;
    uint32_t last = 0;
    int has_last = 0;
    if (size > MAX_NAME_BYTES) size = MAX_NAME_BYTES;
    Py_ssize_t i = 0;
    while (i < size && n + 2 <= 2 * MAX_WORDS) {
        char c = s[i];
        if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f') has_last = 0;
        if (!is_lower(c) && !is_upper(c)) { i++; continue; }
        Py_ssize_t from = i;
        uint32_t h = BASIS;
        if (is_upper(c)) {
            while (i < size && is_upper(s[i])) i++;
            if (i < size && is_lower(s[i])) {
                if (i - from > 1) i--; /* "HTMLPage": HTML, Page */
                else while (i < size && is_lower(s[i])) i++;
            }
            for (Py_ssize_t k = from; k < i; k++) h = (h ^ (uint32_t)(uint8_t)(s[k] | 32)) * PRIME;
        } else /* nearly all: where a word ends is looked for while its letters are multiplied */
            for (; i < size && is_lower(s[i]); i++) h = (h ^ (uint32_t)(uint8_t)s[i]) * PRIME;
        if (i - from < 2 || i - from > 19) continue;
        out[n++] = h;
        if (has_last) out[n++] = pair_hash(last, h);
        last = h;
        has_last = 1;
    }
    return n;
}

/* Open addressing, key 0 is empty. The table has a power of two of places and at least one is empty. */
typedef struct {
    uint32_t key;
    float weight;
} Word;

typedef struct {
    const Word *word;
    size_t mask;
} Table;

static int table_of(const Py_buffer *words, Table *t) {
    size_t n = (size_t)words->len / sizeof(Word);
    int has_empty = 0;
    t->word = words->buf;
    for (size_t i = 0; i < n && !has_empty; i++) has_empty = t->word[i].key == 0;
    if (!n || (n & (n - 1)) || !has_empty) {
        PyErr_SetString(PyExc_ValueError, "a table of a power of two of places, one of them empty");
        return -1;
    }
    t->mask = n - 1;
    return 0;
}

#ifdef __GNUC__
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)0)
#endif

static const float *table_get_word(const Table *t, uint32_t h) {
    if (!h) return NULL;
    for (size_t i = h & t->mask; t->word[i].key; i = (i + 1) & t->mask)
        if (t->word[i].key == h) return &t->word[i].weight;
    return NULL;
}

static int spans_fit(PyObject *text, const int32_t *start, const int32_t *end, Py_ssize_t n, const Py_buffer *kinds) {
    int ok = kinds->len >= 0x10000;
    for (Py_ssize_t i = 0; ok && i < n; i++) ok = start[i] >= 0 && start[i] <= end[i] && end[i] <= PyUnicode_GET_LENGTH(text);
    if (!ok) PyErr_SetString(PyExc_ValueError, "spans do not fit the text");
    return ok;
}

/* text_hashes(text, starts, ends, kinds) -> (uint32 hashes, int64 offsets) */
PyObject *native_text_hashes(PyObject *self, PyObject *args) {
    PyObject *text, *result = NULL;
    Py_buffer starts, ends, kinds;
    if (!PyArg_ParseTuple(args, "Uy*y*y*", &text, &starts, &ends, &kinds)) return NULL;
    PyObject *hashes = NULL, *offsets = NULL;
    uint32_t *all = NULL;
    Py_ssize_t n = starts.len / 4, total = 0;
    if (ends.len / 4 != n) { misfit("spans do not fit the text"); goto done; }
    if (!spans_fit(text, starts.buf, ends.buf, n, &kinds)) goto done;
    if (!(offsets = PyBytes_FromStringAndSize(NULL, (n + 1) * 8))) goto done;
    if (!(all = PyMem_RawMalloc((size_t)(n ? n : 1) * MAX_HASHES * 4))) { PyErr_NoMemory(); goto done; }
    int64_t *offset = (int64_t *)PyBytes_AS_STRING(offsets);
    offset[0] = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        total += hash_text(PyUnicode_KIND(text), PyUnicode_DATA(text), ((const int32_t *)starts.buf)[i],
                           ((const int32_t *)ends.buf)[i], kinds.buf, all + total);
        offset[i + 1] = total;
    }
    if ((hashes = PyBytes_FromStringAndSize((const char *)all, total * 4))) result = PyTuple_Pack(2, hashes, offsets);
done:
    PyMem_RawFree(all);
    Py_XDECREF(hashes);
    Py_XDECREF(offsets);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&ends);
    PyBuffer_Release(&kinds);
    return result;
}

int text_weights_into(PyObject *text, const Blocks *blocks, const float *since, Py_ssize_t since_stride, const Column *char_kinds,
                      const Column *words, const uint32_t *hash, const uint8_t *n_hash, float *out, Py_ssize_t stride) {
    Table t;
    Py_ssize_t n = blocks->n;
    if (!spans_fit(text, blocks->text_start, blocks->text_end, n, &char_kinds->buffer) || table_of(&words->buffer, &t)) return -1;
    /* The hashes of a block and of the next one, whose places are fetched meanwhile: the table is larger than the caches near by. */
    uint32_t hashes[2][MAX_HASHES];
    int n_hashes[2] = {0, 0};
    for (Py_ssize_t i = -1; i < n; i++) {
        if (i + 1 < n) {
            uint32_t *next = hashes[(i + 1) & 1];
            int m;
            if (hash) {
                memcpy(next, hash, n_hash[i + 1] * sizeof *next);
                hash += n_hash[i + 1];
                m = hash_pairs(next, n_hash[i + 1]);
            } else m = hash_text(PyUnicode_KIND(text), PyUnicode_DATA(text), blocks->text_start[i + 1], blocks->text_end[i + 1], char_kinds->buffer.buf, next);
            for (int k = 0; k < m; k++) PREFETCH(&t.word[next[k] & t.mask]);
            n_hashes[(i + 1) & 1] = m;
        }
        if (i < 0) continue;
        const uint32_t *h = hashes[i & 1];
        const int m = n_hashes[i & 1];
        float *own = out + W_lex; /* mean, least, greatest */
        double sum = 0;
        int known = 0;
        own[0] = own[1] = own[2] = NAN;
        for (int k = 0; k < m; k++) {
            const float *w = table_get_word(&t, h[k]);
            if (!w) continue;
            sum += *w;
            if (!known || *w < own[1]) own[1] = *w;
            if (!known || *w > own[2]) own[2] = *w;
            known++;
        }
        if (known) own[0] = (float)(sum / known);
        float ago = since[i * since_stride];
        const float *heading = ago >= 0 && ago <= (float)i ? own - (Py_ssize_t)ago * stride : NULL;
        out[W_lex_heading] = heading ? heading[0] : NAN;
        out[W_lex_heading_min] = heading ? heading[1] : NAN;
        out[W_lex_around] = out[W_lex_around + 1] = NAN;
        if (i && blocks->page[i] == blocks->page[i - 1]) {
            out[W_lex_around] = own[-stride];
            out[W_lex_around + 1 - stride] = own[0];
        }
        out += stride;
    }
    return 0;
}

/* text_weights(text, blocks, since_heading, char_kinds, words) -> float32 [blocks x TEXT_WEIGHTS]. */
PyObject *native_text_weights(PyObject *self, PyObject *args) {
    PyObject *text, *block_columns, *o[3], *result = NULL;
    if (!PyArg_ParseTuple(args, "UOOOO", &text, &block_columns, &o[0], &o[1], &o[2])) return NULL;
    Blocks blocks;
    Column in[3];
    memset(in, 0, sizeof in);
    if (blocks_get(&blocks, block_columns)) goto done;
    for (int k = 0; k < 3; k++)
        if (column_get(&in[k], o[k], k == 0 ? 4 : 1)) goto done;
    Py_ssize_t n = blocks.n;
    if (in[0].n != n) { misfit("one heading for each block"); goto done; }
    if (!(result = new_matrix(n, N_TEXT_WEIGHTS))) goto done;
    if (text_weights_into(text, &blocks, in[0].buffer.buf, 1, &in[1], &in[2], NULL, NULL, (float *)PyByteArray_AS_STRING(result), N_TEXT_WEIGHTS) ||
        matrix_is_set(result, n, N_TEXT_WEIGHTS, "TEXT_WEIGHTS"))
        Py_CLEAR(result);
done:
    TABLE_RELEASE(blocks);
    columns_release(in, 3);
    return result;
}

/* name_hashes(names) -> (uint32 hashes, int64 offsets) */
PyObject *native_name_hashes(PyObject *self, PyObject *args) {
    PyObject *names;
    if (!PyArg_ParseTuple(args, "O!", &PyList_Type, &names)) return NULL;
    Py_ssize_t n = PyList_GET_SIZE(names), total = 0;
    PyObject *result = NULL, *hashes = NULL, *offsets = PyBytes_FromStringAndSize(NULL, (n + 1) * 8);
    uint32_t *all = PyMem_RawMalloc((size_t)(n ? n : 1) * 2 * MAX_WORDS * 4);
    if (!offsets || !all) { PyErr_NoMemory(); goto done; }
    int64_t *offset = (int64_t *)PyBytes_AS_STRING(offsets);
    offset[0] = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_ssize_t size;
        const char *s = PyUnicode_AsUTF8AndSize(PyList_GET_ITEM(names, i), &size);
        if (!s) goto done;
        offset[i + 1] = total += hash_name(s, size, all + total);
    }
    if ((hashes = PyBytes_FromStringAndSize((const char *)all, total * 4))) result = PyTuple_Pack(2, hashes, offsets);
done:
    PyMem_RawFree(all);
    Py_XDECREF(hashes);
    Py_XDECREF(offsets);
    return result;
}

typedef struct {
    double sum;
    float count, least, most;
} Stat;

static void stat_add(Stat *q, const Stat *a) {
    if (!a->count) return;
    if (!q->count || a->least < q->least) q->least = a->least;
    if (!q->count || a->most > q->most) q->most = a->most;
    q->sum += a->sum;
    q->count += a->count;
}

/* Names that were looked up: each once. */
typedef struct {
    Stat *stat;
    RowNumbers numbers;
} Memo;

/* What the words of strings[value] weigh; NULL with an exception. */
static const Stat *memo_get(Memo *memo, PyObject *strings, int32_t value, const Table *t) {
    if (value < 0 || value >= PySequence_Fast_GET_SIZE(strings)) {
        PyErr_SetString(PyExc_ValueError, "a name is out of range");
        return NULL;
    }
    int is_new;
    Stat *stat = memo->stat + row_number(&memo->numbers, value, &is_new);
    if (!is_new) return stat;
    Py_ssize_t size;
    const char *s = utf8_and_size(PySequence_Fast_GET_ITEM(strings, value), &size);
    if (!s) return NULL;
    uint32_t h[2 * MAX_WORDS];
    int m = hash_name(s, size, h);
    for (int k = 0; k < m; k++) PREFETCH(&t->word[h[k] & t->mask]);
    memset(stat, 0, sizeof *stat);
    for (int k = 0; k < m; k++) {
        const float *w = table_get_word(t, h[k]);
        if (w) stat_add(stat, &(Stat){*w, 1, *w, *w});
    }
    return stat;
}

int name_weights_into(PyObject *names, const int32_t *parent, Py_ssize_t n_rows, const int32_t *at, Py_ssize_t n,
                      const int32_t *row, const int16_t *which, const int32_t *value, Py_ssize_t n_marks, const Column *words,
                      float *out, Py_ssize_t stride) {
    static const int LEVEL_END[3] = {NAME_LEVEL_0, NAME_LEVEL_1, NAME_LEVEL_2};
    Memo memo = {PyMem_RawMalloc((size_t)(n_marks + 1) * sizeof(Stat)), {{0}, NULL, 0}};
    Stat *of_row = PyMem_RawCalloc((size_t)(n_rows ? n_rows : 1), sizeof(Stat));
    PyObject *strings = NULL;
    Table t;
    int failed = -1;
    if (!of_row || !memo.stat) { PyErr_NoMemory(); goto done; }
    if (!(strings = PySequence_Fast(names, "a sequence of names"))) goto done;
    if (row_numbers_init(&memo.numbers, (size_t)PySequence_Fast_GET_SIZE(strings), (size_t)n_marks)) { PyErr_NoMemory(); goto done; }
    if (table_of(&words->buffer, &t)) goto done;
    for (Py_ssize_t i = 0; i < n_marks; i++) {
        if (which && which[i] != ATTR_class && which[i] != ATTR_id) continue;
        if (row[i] < 0 || row[i] >= n_rows) {
            PyErr_SetString(PyExc_ValueError, "a marked row is out of range");
            goto done;
        }
        const Stat *a = memo_get(&memo, strings, value[i], &t);
        if (!a) goto done;
        stat_add(of_row + row[i], a);
    }
    int32_t group_from[3] = {-1, -1, -1}; /* the row from which each group of the block before was counted */
    for (Py_ssize_t i = 0; i < n; i++, out += stride) {
        int32_t r = at[i] >= 0 && at[i] < n_rows ? parent[at[i]] : -1;
        int level = 0;
        for (int k = 0; k < 3; k++) { /* mean, least, greatest of each group */
            if (i && r >= 0 && r == group_from[k]) { /* this group and those above it as of the one before */
                memcpy(out + W_name + 3 * k, out + W_name + 3 * k - stride, (size_t)(3 * (3 - k)) * sizeof *out);
                break;
            }
            group_from[k] = r;
            Stat all = {0, 0, NAN, NAN};
            for (; level < LEVEL_END[k] && r >= 0 && r < n_rows; level++, r = parent[r]) stat_add(&all, of_row + r);
            out[W_name + 3 * k] = all.count ? (float)(all.sum / all.count) : NAN;
            out[W_name + 3 * k + 1] = all.least;
            out[W_name + 3 * k + 2] = all.most;
        }
    }
    failed = 0;
done:
    PyMem_RawFree(of_row);
    PyMem_RawFree(memo.stat);
    row_numbers_free(&memo.numbers);
    Py_XDECREF(strings);
    return failed;
}

/* name_weights(strings, parent, at, row, value, words) -> float32 [n x NAME_WEIGHTS]: of the names of the
 * elements above each of the n rows `at`, group of levels by group. Row row[i] has
 * the name strings[value[i]]. */
PyObject *native_name_weights(PyObject *self, PyObject *args) {
    enum { PARENT, AT, ROW, VALUE, WORDS, N_IN };
    PyObject *names, *o[N_IN], *result = NULL;
    if (!PyArg_ParseTuple(args, "OOOOOO", &names, &o[PARENT], &o[AT], &o[ROW], &o[VALUE], &o[WORDS])) return NULL;
    Column in[N_IN];
    memset(in, 0, sizeof in);
    for (int k = 0; k < N_IN; k++)
        if (column_get(&in[k], o[k], k == WORDS ? 1 : 4)) goto done;
    Py_ssize_t n = in[AT].n;
    if (in[VALUE].n != in[ROW].n) { misfit("one value per marked row"); goto done; }
    if (!(result = new_matrix(n, N_NAME_WEIGHTS))) goto done;
    if (name_weights_into(names, in[PARENT].buffer.buf, in[PARENT].n, in[AT].buffer.buf, n, in[ROW].buffer.buf, NULL, in[VALUE].buffer.buf,
                          in[ROW].n, &in[WORDS], (float *)PyByteArray_AS_STRING(result), N_NAME_WEIGHTS) ||
        matrix_is_set(result, n, N_NAME_WEIGHTS, "NAME_WEIGHTS"))
        Py_CLEAR(result);
done:
    columns_release(in, N_IN);
    return result;
}
