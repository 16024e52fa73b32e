/* What a site says of the blocks of a page: second body of extractor/knowledge.py and of `site_columns` in
 * extractor/stages.py, which say the rules. What was learned of a site is put into hash tables once; a text or word is known by
 * a 64-bit hash that is keyed anew in each process. */
#include "native.h"
#include <math.h>
#include <string.h>

enum { REMEMBERED = 8192, REMEMBERED_CHARS = 240 }; /* texts; longer ones are prose, and do not come again */
enum { KEY_CHARS = 120, TAIL_CHARS = 40, LEVELS = 4, SITE_COLUMNS = 44 };
#ifdef __GNUC__
#define PREFETCH(at) __builtin_prefetch(at)
#else
#define PREFETCH(at) ((void)0)
#endif
enum { SPACE = 1, DECIMAL = 2, LETTER = 4 };
enum { PAGES, BLOCKS, DISTINCT, WORDS, LINKS, SCORE, PATH_WIDTH }; /* the columns of PathStats after the key */

static PyObject *misfit(const char *what) {
    PyErr_SetString(PyExc_ValueError, what);
    return NULL;
}

/* ---------------------------------------------------------------- tables */

typedef struct {
    uint64_t key; /* 0: empty; a key that is 0 counts as 1 */
    union {
        double value; /* of tables with one number per key: no second place in memory to fetch */
        size_t row;   /* of others */
    };
} Slot;

/* Rows of `width` numbers by key; at most half of the slots are used. */
typedef struct {
    Slot *slot;
    double *value; /* only where a key has several */
    size_t mask, n, width;
} Known;

typedef struct {
    double same, masked, rare, common;
    uint64_t first, last;
} Facts;

/* What was looked up for a text: menus and footers come again on every page. */
typedef struct {
    uint64_t hash; /* 0: nothing yet */
    Facts facts;
} Remembered;

typedef struct {
    double n_pages, few, most; /* a word on so few pages is rare, on so many it is common */
    uint64_t salt;
    Remembered *remembered; /* each place holds the last text that fell on it */
    Known names, texts, masked, words, paths[2], rows, edges[2];
    uint32_t lower[256];
    uint8_t bits[256];
} SiteTable;

static const char TABLE[] = "sitegrain.site";

static void known_free(Known *k) {
    PyMem_RawFree(k->slot);
    PyMem_RawFree(k->value);
}

static void site_free(SiteTable *t) {
    if (!t) return;
    Known *all[] = {&t->names, &t->texts, &t->masked, &t->words, t->paths, t->paths + 1, &t->rows, t->edges, t->edges + 1};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) known_free(all[k]);
    PyMem_RawFree(t->remembered);
    PyMem_RawFree(t);
}

static void capsule_free(PyObject *capsule) { site_free(PyCapsule_GetPointer(capsule, TABLE)); }

static int known_make(Known *k, size_t n, size_t width) {
    size_t places = 16;
    if (n > SIZE_MAX / 256) { PyErr_NoMemory(); return -1; }
    while (places < 2 * n) places *= 2;
    k->slot = PyMem_RawCalloc(places, sizeof *k->slot);
    k->value = PyMem_RawMalloc(width > 1 ? (n * width + 1) * sizeof *k->value : 1);
    k->mask = places - 1;
    k->width = width;
    if (k->slot && k->value) return 0;
    PyErr_NoMemory();
    return -1;
}

/* The slot of a key, or the empty one where it would stand. */
static Slot *slot_of(const Known *k, uint64_t salt, uint64_t key) {
    uint64_t h = (key ^ salt) * 0x9FB21C651E98DF25ull;
    size_t i = (size_t)(h ^ h >> 32) & k->mask;
    while (k->slot[i].key && k->slot[i].key != key) i = (i + 1) & k->mask;
    return k->slot + i;
}

/* The numbers at a key; NULL where there are none. */
static const double *known_get(const Known *k, uint64_t salt, uint64_t key) {
    const Slot *slot = slot_of(k, salt, key ? key : 1);
    return !slot->key ? NULL : k->width == 1 ? &slot->value : k->value + slot->row * k->width;
}

/* The same for keys that come several times in a row, as those of siblings do. */
typedef struct {
    uint64_t key;
    const double *found;
    int is_set;
} Last;

static const double *known_again(const Known *k, uint64_t salt, uint64_t key, Last *last) {
    if (!last->is_set || last->key != key) *last = (Last){key, known_get(k, salt, key), 1};
    return last->found;
}

/* Room for the numbers of one more key; of keys that come twice the first counts. */
static double *known_add(Known *k, uint64_t salt, uint64_t key) {
    Slot *slot = slot_of(k, salt, key ? key : 1);
    if (slot->key) return NULL;
    slot->key = key ? key : 1;
    slot->row = k->n++;
    return k->width == 1 ? &slot->value : k->value + slot->row * k->width;
}

static uint64_t hash_step(uint64_t h, Py_UCS4 c) {
    h = (h ^ c) * 0xFF51AFD7ED558CCDull;
    return h ^ h >> 32;
}

/* The crc32 of zlib, byte by byte. */
uint32_t crc_table[256];

void crc_init(void) {
    if (crc_table[1]) return;
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
        crc_table[i] = c;
    }
}

static int is_surrogate(Py_UCS4 c) { return c >= 0xD800 && c < 0xE000; }

/* What regular expressions call a space, \d, a letter. */
static uint8_t bits_of(Py_UCS4 c) {
    int decimal = Py_UNICODE_ISDECIMAL(c);
    return (uint8_t)((Py_UNICODE_ISSPACE(c) ? SPACE : 0) | (decimal ? DECIMAL : 0) |
                     (Py_UNICODE_ISALNUM(c) && !decimal ? LETTER : 0));
}

/* A dict of texts: the number of each if it is more than `above`, or (with `is_crc`) the crc32 of the text itself. */
static int known_texts(Known *k, uint64_t salt, PyObject *dict, double above, int is_crc) {
    if (!PyDict_Check(dict)) { misfit("a dict of texts"); return -1; }
    size_t room_for = (size_t)PyDict_GET_SIZE(dict);
    if (known_make(k, room_for, 1)) return -1;
    PyObject *text, *number;
    for (Py_ssize_t at = 0; PyDict_Next(dict, &at, &text, &number);) {
        if (!PyUnicode_Check(text) || k->n >= room_for) { misfit("a dict of texts"); return -1; }
        double value = PyFloat_AsDouble(number);
        if (value == -1.0 && PyErr_Occurred()) return -1;
        if (value <= above) continue;
        uint64_t h = salt;
        uint32_t crc = 0xFFFFFFFFu;
        int kind = PyUnicode_KIND(text);
        const void *data = PyUnicode_DATA(text);
        for (Py_ssize_t i = 0, n = PyUnicode_GET_LENGTH(text); i < n; i++) {
            Py_UCS4 c = PyUnicode_READ(kind, data, i);
            h = hash_step(h, c);
            crc = crc_char(crc, c);
        }
        double *room = known_add(k, salt, h);
        if (room) *room = is_crc ? (double)(crc ^ 0xFFFFFFFFu) : value;
    }
    return 0;
}

/* A tuple of columns: keys, then `width` times numbers. */
static int known_columns(Known *k, uint64_t salt, PyObject *columns, int width) {
    Column in[1 + PATH_WIDTH];
    memset(in, 0, sizeof in);
    int is_fine = 0;
    if (!PyTuple_Check(columns) || PyTuple_GET_SIZE(columns) != 1 + width) { misfit("columns of a site do not fit"); goto done; }
    for (int c = 0; c <= width; c++) {
        if (column_get(&in[c], PyTuple_GET_ITEM(columns, c), 8, 0)) goto done;
        if (in[c].n != in[0].n) { misfit("columns of a site do not fit"); goto done; }
    }
    if (known_make(k, (size_t)in[0].n, (size_t)width)) goto done;
    for (Py_ssize_t i = 0; i < in[0].n; i++) {
        double *room = known_add(k, salt, ((const uint64_t *)in[0].buffer.buf)[i]);
        for (int c = 0; room && c < width; c++) room[c] = ((const double *)in[1 + c].buffer.buf)[i];
    }
    is_fine = 1;
done:
    columns_release(in, 1 + PATH_WIDTH);
    return is_fine ? 0 : -1;
}

/* site_table(n_pages, names, text_pages, masked_pages, word_pages, paths, tag_paths, row_pages, first, last) -> what the
 * functions below look things up in. The first four of the others are dicts of texts, then come columns: uint64 keys and float64
 * numbers. */
PyObject *native_site_table(PyObject *self, PyObject *args) {
    double n_pages;
    PyObject *o[9], *capsule = NULL;
    if (!PyArg_ParseTuple(args, "dOOOOOOOOO", &n_pages, &o[0], &o[1], &o[2], &o[3], &o[4], &o[5], &o[6], &o[7], &o[8]))
        return NULL;
    SiteTable *t = PyMem_RawCalloc(1, sizeof *t);
    if (t) t->remembered = PyMem_RawCalloc(REMEMBERED, sizeof *t->remembered);
    if (!t || !t->remembered) {
        PyMem_RawFree(t);
        return PyErr_NoMemory();
    }
    crc_init();
    t->n_pages = n_pages;
    t->salt = process_key();
    for (uint32_t c = 0; c < 256; c++) {
        t->bits[c] = bits_of(c);
        t->lower[c] = Py_UNICODE_TOLOWER(c);
    }
    t->few = 0.01 * n_pages > 2.0 ? 0.01 * n_pages : 2.0;
    t->most = 0.6 * n_pages;
    /* A rare word is as one that is not known. */
    if (known_texts(&t->names, t->salt, o[0], -INFINITY, 1) || known_texts(&t->texts, t->salt, o[1], -INFINITY, 0) ||
        known_texts(&t->masked, t->salt, o[2], -INFINITY, 0) ||
        known_texts(&t->words, t->salt, o[3], t->few < t->most ? t->few : -INFINITY, 0) ||
        known_columns(&t->paths[0], t->salt, o[4], PATH_WIDTH) || known_columns(&t->paths[1], t->salt, o[5], PATH_WIDTH) ||
        known_columns(&t->rows, t->salt, o[6], 1) || known_columns(&t->edges[0], t->salt, o[7], 1) ||
        known_columns(&t->edges[1], t->salt, o[8], 1) || !(capsule = PyCapsule_New(t, TABLE, capsule_free)))
        site_free(t);
    return capsule;
}

/* ---------------------------------------------------------------- paths */

/* Sum of the numbers of the known names in a class attribute, each once. `stamp` has one place per slot, and `turn` is
 * another for each attribute. */
static uint64_t name_sum(const SiteTable *t, PyObject *value, uint32_t *stamp, uint32_t turn) {
    int kind = PyUnicode_KIND(value);
    const void *data = PyUnicode_DATA(value);
    Py_ssize_t n = PyUnicode_GET_LENGTH(value);
    uint64_t sum = 0;
    for (Py_ssize_t i = 0; i < n;) {
        uint64_t h = t->salt;
        int is_name = 0;
        for (; i < n; i++) {
            Py_UCS4 c = PyUnicode_READ(kind, data, i);
            int bits = c < 256 ? t->bits[c] : bits_of(c);
            if (bits & SPACE) break;
            is_name = 1;
            h = hash_step(h, c);
        }
        i++;
        if (!is_name) continue;
        const Slot *slot = slot_of(&t->names, t->salt, h ? h : 1);
        if (slot->key && stamp[slot - t->names.slot] != turn) {
            stamp[slot - t->names.slot] = turn;
            sum += (uint64_t)slot->value;
        }
    }
    return sum & 0xFFFFFFFFFFFFull;
}

/* site_paths(table, strings, class_code, start, tag, parent, node, name, value) -> two times uint64 per row: hashes of
 * the path with known class names and without. Attribute i is `name[i]` of row `node[i] - start` and has the value
 * strings[value[i]]. */
PyObject *native_site_paths(PyObject *self, PyObject *args) {
    PyObject *capsule, *names, *o[5], *strings = NULL, *keys = NULL, *tag_keys = NULL, *result = NULL;
    int class_code;
    long long start;
    if (!PyArg_ParseTuple(args, "OOiLOOOOO", &capsule, &names, &class_code, &start, &o[0], &o[1], &o[2], &o[3], &o[4])) return NULL;
    const SiteTable *t = PyCapsule_GetPointer(capsule, TABLE);
    if (!t) return NULL;
    static const Py_ssize_t ITEM[5] = {2, 4, 4, 2, 4};
    Column in[5];
    memset(in, 0, sizeof in);
    uint64_t *sums = NULL; /* per string: its sum and a bit that says it is known */
    uint32_t *stamp = NULL;
    for (int k = 0; k < 5; k++)
        if (column_get(&in[k], o[k], ITEM[k], 0)) goto done;
    if (!(strings = PySequence_Fast(names, "a sequence of names"))) goto done;
    Py_ssize_t n = in[0].n, n_attrs = in[2].n, n_strings = PySequence_Fast_GET_SIZE(strings);
    const int16_t *tag = in[0].buffer.buf, *name = in[3].buffer.buf;
    const int32_t *parent = in[1].buffer.buf, *node = in[2].buffer.buf, *value = in[4].buffer.buf;
    if (in[1].n != n || in[3].n != n_attrs || in[4].n != n_attrs) { misfit("columns of rows do not fit"); goto done; }
    keys = PyBytes_FromStringAndSize(NULL, n * 8);
    tag_keys = PyBytes_FromStringAndSize(NULL, n * 8);
    sums = PyMem_RawCalloc((size_t)n_strings + 1, sizeof *sums);
    stamp = PyMem_RawCalloc(t->names.mask + 1, sizeof *stamp);
    if (!keys || !tag_keys || !sums || !stamp) { PyErr_NoMemory(); goto done; }
    uint64_t *key = (uint64_t *)PyBytes_AS_STRING(keys), *tag_key = (uint64_t *)PyBytes_AS_STRING(tag_keys);
    for (Py_ssize_t i = 0; i < n; i++) {
        key[i] = tag_key[i] = (uint64_t)(int64_t)tag[i];
        if (parent[i] >= i) { misfit("a parent comes before its children"); goto done; }
    }
    const uint64_t is_known = 1ull << 63;
    uint32_t turn = 0;
    for (Py_ssize_t i = 0; i < n_attrs; i++) {
        if (name[i] != class_code) continue;
        long long at = node[i] - start;
        int32_t v = value[i];
        if (at < 0 || at >= n || v < 0 || v >= n_strings) { misfit("an attribute is out of range"); goto done; }
        if (!sums[v]) {
            PyObject *string = PySequence_Fast_GET_ITEM(strings, v);
            if (!PyUnicode_Check(string)) { misfit("a sequence of names"); goto done; }
            sums[v] = name_sum(t, string, stamp, ++turn) | is_known;
        }
        key[at] = tag_key[at] + ((sums[v] & ~is_known) << 9);
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        int32_t up = parent[i];
        key[i] = path_key(up >= 0 ? key[up] : 0, key[i]);
        tag_key[i] = path_key(up >= 0 ? tag_key[up] : 0, tag_key[i]);
    }
    result = PyTuple_Pack(2, keys, tag_keys);
done:
    PyMem_RawFree(sums);
    PyMem_RawFree(stamp);
    Py_XDECREF(keys);
    Py_XDECREF(tag_keys);
    Py_XDECREF(strings);
    columns_release(in, 5);
    return result;
}

/* site_scores(table, box, keys, tag_keys) -> two times float64 per block: the mean first score at its path, by names and by
 * tags; NaN where it is not known. */
PyObject *native_site_scores(PyObject *self, PyObject *args) {
    PyObject *capsule, *o[3], *out[2] = {NULL, NULL}, *result = NULL;
    if (!PyArg_ParseTuple(args, "OOOO", &capsule, &o[0], &o[1], &o[2])) return NULL;
    const SiteTable *t = PyCapsule_GetPointer(capsule, TABLE);
    if (!t) return NULL;
    Column in[3];
    memset(in, 0, sizeof in);
    for (int k = 0; k < 3; k++)
        if (column_get(&in[k], o[k], k ? 8 : 4, 0)) goto done;
    const int32_t *box = in[0].buffer.buf;
    for (Py_ssize_t i = 0; i < in[0].n; i++)
        if (box[i] < 0 || box[i] >= in[1].n || box[i] >= in[2].n) { misfit("a block is out of range"); goto done; }
    for (int k = 0; k < 2; k++) {
        if (!(out[k] = PyBytes_FromStringAndSize(NULL, in[0].n * 8))) goto done;
        double *score = (double *)PyBytes_AS_STRING(out[k]);
        for (Py_ssize_t i = 0; i < in[0].n; i++) {
            const double *found = known_get(&t->paths[k], t->salt, ((const uint64_t *)in[1 + k].buffer.buf)[box[i]]);
            score[i] = found ? found[SCORE] : NAN;
        }
    }
    result = PyTuple_Pack(2, out[0], out[1]);
done:
    Py_XDECREF(out[0]);
    Py_XDECREF(out[1]);
    columns_release(in, 3);
    return result;
}

/* ---------------------------------------------------------------- texts */

static uint32_t word_crc(const SiteTable *t, const Py_UCS4 *key, Py_ssize_t from, Py_ssize_t to) {
    uint32_t crc = 0xFFFFFFFFu;
    int in_number = 0;
    for (Py_ssize_t i = from; i < to; i++) {
        Py_UCS4 c = key[i] < 256 ? t->lower[key[i]] : Py_UNICODE_TOLOWER(key[i]);
        int is_decimal = (c < 256 ? t->bits[c] : bits_of(c)) & DECIMAL;
        if (!is_decimal) crc = crc_char(crc, c);
        else if (!in_number) crc = crc_byte(crc, '0');
        in_number = is_decimal;
    }
    return crc ^ 0xFFFFFFFFu;
}

/* What the site knows of a text; -1 where lower case is not one character for one, or depends on its neighbours: then
 * Python must do it. */
static int facts_of(const SiteTable *t, int kind, const void *data, Py_ssize_t start, Py_ssize_t end, Facts *out) {
    Py_UCS4 key[KEY_CHARS + 24];
    Py_ssize_t n = 0;
    int gap = 0;
    for (Py_ssize_t i = start; i < end; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (c < 256 ? t->bits[c] & SPACE : Py_UNICODE_ISSPACE(c)) {
            gap = n > 0;
            continue;
        }
        if (gap) {
            if (n < KEY_CHARS) key[n] = ' ';
            n++;
            gap = 0;
        }
        if (n < KEY_CHARS) key[n] = c;
        n++;
    }
    if (n > KEY_CHARS) { /* the rest is told by the length */
        char digits[24];
        int n_digits = 0;
        for (Py_ssize_t rest = n; rest; rest /= 10) digits[n_digits++] = (char)('0' + rest % 10);
        n = KEY_CHARS;
        key[n++] = 0x2026;
        while (n_digits) key[n++] = (Py_UCS4)digits[--n_digits];
    }
    uint64_t text = t->salt, masked = t->salt, word = 0;
    int in_word = 0, in_number = 0;
    long n_words = 0, n_rare = 0, n_common = 0;
    for (Py_ssize_t i = 0; i <= n; i++) { /* one step past the end closes the last word */
        Py_UCS4 c = i < n ? key[i] : ' ', low = c < 256 ? t->lower[c] : Py_UNICODE_TOLOWER(c);
        if (c == 0x130 || c == 0x3A3 || is_surrogate(c)) return -1;
        int bits = low < 256 ? t->bits[low] : bits_of(low);
        if (i < n) {
            text = hash_step(text, c);
            if (!(bits & DECIMAL)) masked = hash_step(masked, c);
            else if (!in_number) masked = hash_step(masked, '0');
            in_number = bits & DECIMAL;
        }
        if (in_word && bits & LETTER) {
            word = hash_step(word, low);
            continue;
        }
        /* a script without spaces: each character is a word */
        int is_alone = low >= 0xE00 && (low <= 0xEFF || (low >= 0x3040 && low <= 0x30FF) || (low >= 0x3400 && low <= 0x9FFF));
        uint64_t done[2];
        int n_done = 0;
        if (in_word) done[n_done++] = word;
        if (is_alone) done[n_done++] = hash_step(t->salt, low);
        in_word = !is_alone && bits & LETTER;
        if (in_word) word = hash_step(t->salt, low);
        for (int k = 0; k < n_done; k++) {
            const double *found = known_get(&t->words, t->salt, done[k]);
            double pages = found ? *found : 1.0;
            n_words++;
            n_rare += pages <= t->few;
            n_common += pages >= t->most;
        }
    }
    const double *found = known_get(&t->texts, t->salt, text);
    out->same = found ? *found : 1.0;
    found = known_get(&t->masked, t->salt, masked);
    out->masked = found ? *found : 1.0;
    out->rare = n_words ? (double)n_rare / (double)n_words : NAN;
    out->common = n_words ? (double)n_common / (double)n_words : NAN;
    Py_ssize_t to = 0, from = n, least = n > TAIL_CHARS ? n - TAIL_CHARS : 0;
    while (to < n && to < KEY_CHARS && key[to] != ' ') to++;
    while (from > least && key[from - 1] != ' ') from--;
    out->first = n ? word_crc(t, key, 0, to) : 0;
    out->last = n ? (uint64_t)word_crc(t, key, from, n) + 1 : 0;
    return 0;
}

/* A hash of a piece of a text as it stands in memory, which is other for other widths of characters. */
static uint64_t piece_hash(uint64_t salt, int kind, const void *data, Py_ssize_t start, Py_ssize_t end) {
    const char *s = (const char *)data + start * kind;
    size_t n = (size_t)(end - start) * (size_t)kind;
    uint64_t h = salt + (uint64_t)kind, w;
    for (; n >= 8; s += 8, n -= 8) {
        memcpy(&w, s, 8);
        h = (h ^ w) * 0xFF51AFD7ED558CCDull;
        h ^= h >> 32;
    }
    w = 0;
    memcpy(&w, s, n);
    h = (h ^ w) * 0xC4CEB9FE1A85EC53ull;
    h = (h ^ h >> 29 ^ (uint64_t)(end - start)) * 0x9FB21C651E98DF25ull;
    return h ^ h >> 32;
}

/* What the site knows of a text, by a Python function where C cannot tell. */
static int facts_slow(PyObject *slow, PyObject *text, Py_ssize_t start, Py_ssize_t end, Facts *out) {
    PyObject *part = PyUnicode_Substring(text, start, end), *found = part ? PyObject_CallOneArg(slow, part) : NULL;
    unsigned long long first, last;
    int is_fine = found && PyTuple_Check(found) &&
                  PyArg_ParseTuple(found, "ddddKK", &out->same, &out->masked, &out->rare, &out->common, &first, &last);
    if (is_fine) {
        out->first = first;
        out->last = last;
    } else if (!PyErr_Occurred()) misfit("six facts of a text");
    Py_XDECREF(part);
    Py_XDECREF(found);
    return is_fine ? 0 : -1;
}

/* The same from memory, where it is: `hash` is the `piece_hash`, or 0 for a text that is not to be remembered. */
static int facts_get(const SiteTable *t, PyObject *slow, PyObject *text, Py_ssize_t start, Py_ssize_t end, uint64_t hash, Facts *out) {
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Remembered *place = t->remembered + hash % REMEMBERED;
    if (hash && place->hash == hash) {
        *out = place->facts;
        return 0;
    }
    if (facts_of(t, kind, data, start, end, out) && facts_slow(slow, text, start, end, out)) return -1;
    if (hash) *place = (Remembered){hash, *out};
    return 0;
}

/* ---------------------------------------------------------------- columns */

static double ratio(double a, double b) { return b > 0 ? a / b : 0; }

/* np.maximum and np.minimum: NaN stays. */
static double at_least(double a, double b) { return a < b ? b : a; }
static double at_most(double a, double b) { return a > b ? b : a; }

enum { PAGE, FIRST, BOX, TEXT_START, TEXT_END, ROW_END, ROW_PAGE, BLOCK_WORDS, IS_SENTENCE, KEYS, TAG_KEYS, CHAIN, OUT = CHAIN + LEVELS, N_IN };

static int blocks_fit(const Column *in, PyObject *text, Py_ssize_t n_pages) {
    Py_ssize_t n = in[PAGE].n, n_rows = in[ROW_END].n, size = PyUnicode_GET_LENGTH(text);
    int fits = n < INT32_MAX && n_rows < INT32_MAX && in[OUT].n == n * SITE_COLUMNS && in[ROW_PAGE].n == n_rows &&
               in[KEYS].n == n_rows && in[TAG_KEYS].n == n_rows;
    for (int k = 0; k < OUT; k++)
        if (k < ROW_END || k == BLOCK_WORDS || k == IS_SENTENCE || k >= CHAIN) fits &= in[k].n == n;
    const int32_t *row_end = in[ROW_END].buffer.buf, *row_page = in[ROW_PAGE].buffer.buf;
    for (Py_ssize_t r = 0; fits && r < n_rows; r++)
        fits = row_end[r] > r && row_end[r] <= n_rows && row_page[r] >= 0 && row_page[r] < n_pages;
    const int32_t *page = in[PAGE].buffer.buf, *first = in[FIRST].buffer.buf, *box = in[BOX].buffer.buf;
    const int32_t *start = in[TEXT_START].buffer.buf, *end = in[TEXT_END].buffer.buf;
    for (Py_ssize_t i = 0; fits && i < n; i++)
        fits = page[i] >= 0 && page[i] < n_pages && (!i || (page[i] >= page[i - 1] && first[i] > first[i - 1])) && first[i] >= 0 &&
               first[i] < n_rows && box[i] >= 0 && box[i] < n_rows && start[i] >= 0 && start[i] <= end[i] && end[i] <= size;
    for (int k = CHAIN; k < OUT; k++)
        for (Py_ssize_t i = 0; fits && i < n; i++) {
            int32_t at = ((const int32_t *)in[k].buffer.buf)[i];
            fits = at >= 0 && at < n_rows;
        }
    return fits;
}

typedef struct {
    double fresh, words, cover[LEVELS]; /* new words, all words, most pages that have an ancestor of new prose */
    int32_t holder[2];                  /* the smallest subtree that holds most of the new words */
} PageSums;

/* site_columns(table, text, columns, chain, n_pages, slow, out): out (float32) gets SITE_COLUMNS numbers per block. `columns`
 * is the tuple of what is called PAGE ... TAG_KEYS above; `slow` does a text that C cannot. */
PyObject *native_site_columns(PyObject *self, PyObject *args) {
    PyObject *capsule, *text, *columns, *chain, *slow, *out_object;
    Py_ssize_t n_pages;
    if (!PyArg_ParseTuple(args, "OUO!O!nOO", &capsule, &text, &PyTuple_Type, &columns, &PyTuple_Type, &chain, &n_pages, &slow, &out_object))
        return NULL;
    const SiteTable *t = PyCapsule_GetPointer(capsule, TABLE);
    if (!t) return NULL;
    if (PyTuple_GET_SIZE(columns) != CHAIN || PyTuple_GET_SIZE(chain) < LEVELS || n_pages < 0 || n_pages >= INT32_MAX)
        return misfit("columns of blocks do not fit");
    static const Py_ssize_t ITEM[CHAIN] = {4, 4, 4, 4, 4, 4, 4, 8, 1, 8, 8};
    Column in[N_IN];
    memset(in, 0, sizeof in);
    double *run_new = NULL, *masked = NULL, *cover = NULL;
    uint64_t *hash = NULL;
    int32_t *before = NULL;
    PageSums *pages = NULL;
    int is_fine = 0;
    for (int k = 0; k < OUT; k++)
        if (column_get(&in[k], k < CHAIN ? PyTuple_GET_ITEM(columns, k) : PyTuple_GET_ITEM(chain, k - CHAIN), k < CHAIN ? ITEM[k] : 4, 0))
            goto done;
    if (column_get(&in[OUT], out_object, 4, 1)) goto done;
    if (!blocks_fit(in, text, n_pages)) { misfit("columns of blocks do not fit"); goto done; }
    Py_ssize_t n = in[PAGE].n, n_rows = in[ROW_END].n;
    const int32_t *page = in[PAGE].buffer.buf, *first = in[FIRST].buffer.buf, *box = in[BOX].buffer.buf;
    const int32_t *text_start = in[TEXT_START].buffer.buf, *text_end = in[TEXT_END].buffer.buf;
    const int32_t *row_end = in[ROW_END].buffer.buf, *row_page = in[ROW_PAGE].buffer.buf;
    const double *words = in[BLOCK_WORDS].buffer.buf;
    const uint8_t *is_sentence = in[IS_SENTENCE].buffer.buf;
    const uint64_t *key = in[KEYS].buffer.buf, *tag_key = in[TAG_KEYS].buffer.buf;
    float *out = in[OUT].buffer.buf;
    /* Running sums over blocks; that before row r is at the number of blocks before r. */
    run_new = PyMem_RawMalloc(2 * ((size_t)n + 1) * sizeof *run_new);
    masked = PyMem_RawMalloc(((size_t)n + 1) * sizeof *masked);
    cover = PyMem_RawMalloc(LEVELS * ((size_t)n + 1) * sizeof *cover);
    hash = PyMem_RawMalloc(((size_t)n + 1) * sizeof *hash);
    before = PyMem_RawMalloc(((size_t)n_rows + 1) * sizeof *before);
    pages = PyMem_RawCalloc((size_t)n_pages + 1, sizeof *pages);
    if (!run_new || !masked || !cover || !hash || !before || !pages) { PyErr_NoMemory(); goto done; }
    double *run_words = run_new + n + 1;
    const double new_below = at_least(1.5 / t->n_pages, 0.1), log_pages = log1p(t->n_pages);
    for (Py_ssize_t i = 0; i < n; i++) { /* ahead of their use, so that memory is fetched meanwhile */
        int is_short = text_end[i] - text_start[i] <= REMEMBERED_CHARS;
        hash[i] = is_short ? piece_hash(t->salt, PyUnicode_KIND(text), PyUnicode_DATA(text), text_start[i], text_end[i]) : 0;
        PREFETCH(t->remembered + hash[i] % REMEMBERED);
    }
    Last last_path[2] = {{0}}, last_row[LEVELS] = {{0}};
    run_new[0] = run_words[0] = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        float *x = out + i * SITE_COLUMNS;
        Facts facts;
        if (facts_get(t, slow, text, text_start[i], text_end[i], hash[i], &facts)) goto done;
        masked[i] = facts.masked / t->n_pages;
        x[0] = (float)log_pages;
        x[1] = (float)(facts.same / t->n_pages);
        x[2] = (float)masked[i];
        x[3] = (float)log1p(facts.same);
        double blocks_here = 1.0;
        for (int k = 0; k < 2; k++) {
            float *y = x + 4 + 6 * k;
            const double *path = known_again(&t->paths[k], t->salt, (k ? tag_key : key)[box[i]], &last_path[k]);
            double n_here = path ? path[PAGES] : 1.0, some = at_least(n_here, 1.0);
            if (!k && path) blocks_here = at_least(path[BLOCKS], 1.0);
            y[0] = (float)(n_here / t->n_pages);
            y[1] = (float)at_most(facts.same / some, 1.0);
            y[2] = path ? (float)path[DISTINCT] : NAN;
            y[3] = path ? (float)path[WORDS] : NAN;
            y[4] = path ? (float)path[LINKS] : NAN;
            y[5] = path ? (float)(path[BLOCKS] / some) : NAN;
        }
        for (int k = 0; k < 2; k++) {
            uint64_t edge = key[box[i]] * 0x9E3779B97F4A7C15ull + (k ? facts.last : facts.first);
            const double *found = known_get(&t->edges[k], t->salt, edge);
            x[24 + k] = (float)at_most((found ? *found : 1.0) / blocks_here, 1.0);
        }
        x[26] = (float)facts.rare;
        x[27] = (float)facts.common;
        int is_new = masked[i] <= new_below;
        PageSums *p = pages + page[i];
        double fresh = is_new ? words[i] : 0;
        run_new[i + 1] = run_new[i] + fresh;
        run_words[i + 1] = run_words[i] + words[i];
        p->fresh += fresh;
        p->words += words[i];
        for (int k = 0; k < LEVELS; k++) {
            uint64_t above = key[((const int32_t *)in[CHAIN + k].buffer.buf)[i]];
            const double *found = known_again(&t->rows, t->salt, above, &last_row[k]);
            double share = cover[i * LEVELS + k] = (found ? *found : 1.0) / t->n_pages;
            if (is_new && is_sentence[i] && !(share <= p->cover[k])) p->cover[k] = share;
        }
    }
    for (Py_ssize_t r = 0, k = 0; r <= n_rows; r++) {
        while (k < n && first[k] < r) k++;
        before[r] = (int32_t)k;
    }
    static const double PART[2] = {0.5, 0.85};
    for (Py_ssize_t r = 0; r < n_rows; r++) {
        PageSums *p = pages + row_page[r];
        if (!r || row_page[r] != row_page[r - 1]) p->holder[0] = p->holder[1] = (int32_t)r;
        double held = run_new[before[row_end[r]]] - run_new[before[r]];
        for (int k = 0; k < 2; k++) /* the last one in document order is the deepest */
            if (held >= PART[k] * at_least(p->fresh, 1e-9)) p->holder[k] = (int32_t)r;
    }
    for (Py_ssize_t lo = 0, hi; lo < n; lo = hi) { /* one page */
        for (hi = lo; hi < n && page[hi] == page[lo];) hi++;
        const PageSums *p = pages + page[lo];
        for (Py_ssize_t i = lo; i < hi; i++) {
            float *x = out + i * SITE_COLUMNS;
            for (int k = 0; k < LEVELS; k++) {
                int32_t at = ((const int32_t *)in[CHAIN + k].buffer.buf)[i], a = before[at], b = before[row_end[at]];
                double fresh = run_new[b] - run_new[a];
                if (k) x[15 + k] = (float)ratio(fresh, run_words[b] - run_words[a]);
                x[28 + k] = (float)ratio(fresh, p->fresh);
                double share = cover[i * LEVELS + k];
                x[36 + 2 * k] = (float)share;
                x[37 + 2 * k] = p->cover[k] > 0 ? (float)(share / at_least(p->cover[k], 1e-9)) : NAN;
            }
            Py_ssize_t a = i - 5 > lo ? i - 5 : lo, b = i + 6 < hi ? i + 6 : hi;
            x[19] = (float)ratio(run_new[b] - run_new[a], run_words[b] - run_words[a]);
            static const int BY[4] = {-2, -1, 1, 2};
            for (int k = 0; k < 4; k++) x[20 + k] = i + BY[k] >= lo && i + BY[k] < hi ? (float)masked[i + BY[k]] : NAN;
            for (int k = 0; k < 2; k++) {
                int32_t root = p->holder[k];
                x[32 + k] = first[i] < root ? -1 : first[i] < row_end[root] ? 1 : 0;
            }
            x[34] = (float)ratio(run_new[i] - run_new[lo], p->fresh);
            x[35] = (float)ratio(p->fresh, p->words);
        }
    }
    is_fine = 1;
done:
    PyMem_RawFree(run_new);
    PyMem_RawFree(masked);
    PyMem_RawFree(cover);
    PyMem_RawFree(hash);
    PyMem_RawFree(before);
    PyMem_RawFree(pages);
    columns_release(in, N_IN);
    if (!is_fine) return NULL;
    Py_RETURN_NONE;
}
