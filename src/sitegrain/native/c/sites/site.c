/* What was learned of a site: its tables, the paths of rows, scores at paths. */
#include "site.h"

static const char TABLE[] = "sitegrain.site";

static void known_free(Known *k) {
    PyMem_RawFree(k->slot);
    PyMem_RawFree(k->value);
}

static void site_free(SiteTable *t) {
    if (!t) return;
    Known *all[] = {&t->names, &t->texts, &t->masked, &t->words, t->paths, t->paths + 1, &t->rows, t->edges, t->edges + 1};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) known_free(all[k]);
    Py_XDECREF(t->known);
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

const SiteTable *site_of(PyObject *capsule) { return PyCapsule_GetPointer(capsule, TABLE); }

/* Room for the numbers of one more key; of keys that come twice the first counts. */
static double *known_add(Known *k, uint64_t salt, uint64_t key) {
    Slot *slot = slot_of(k, salt, key ? key : 1);
    if (slot->key) return NULL;
    slot->key = key ? key : 1;
    slot->row = k->n++;
    return k->width == 1 ? &slot->value : k->value + slot->row * k->width;
}

/* A text with its number if that is more than `above`, or (with `is_crc`) with the crc32 of the text itself. */
static int known_text(Known *k, size_t room_for, uint64_t salt, PyObject *text, PyObject *number, double above, int is_crc) {
    if (!PyUnicode_Check(text) || k->n >= room_for) { misfit("a dict of texts"); return -1; }
    double value = PyFloat_AsDouble(number);
    if (value == -1.0 && PyErr_Occurred()) return -1;
    if (value <= above) return 0;
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
    return 0;
}

/* The same of all items of a mapping that is no dict: one that makes its texts when they are asked for. */
static int known_items(Known *k, size_t room_for, uint64_t salt, PyObject *mapping, double above, int is_crc) {
    PyObject *items = PyObject_CallMethod(mapping, "items", NULL), *each = items ? PyObject_GetIter(items) : NULL, *pair;
    int failed = !each;
    if (failed) {
        PyErr_Clear();
        misfit("a dict of texts");
    }
    while (!failed && (pair = PyIter_Next(each))) {
        if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2) {
            misfit("a dict of texts");
            failed = 1;
        } else
            failed = known_text(k, room_for, salt, PyTuple_GET_ITEM(pair, 0), PyTuple_GET_ITEM(pair, 1), above, is_crc);
        Py_DECREF(pair);
    }
    Py_XDECREF(each);
    Py_XDECREF(items);
    return failed || PyErr_Occurred() ? -1 : 0;
}

static int known_texts(Known *k, uint64_t salt, PyObject *texts, double above, int is_crc) {
    Py_ssize_t size = PyDict_Check(texts) ? PyDict_GET_SIZE(texts) : PyMapping_Size(texts);
    if (size < 0) { misfit("a dict of texts"); return -1; }
    if (known_make(k, (size_t)size, 1)) return -1;
    if (!PyDict_Check(texts)) return known_items(k, (size_t)size, salt, texts, above, is_crc);
    PyObject *text, *number;
    for (Py_ssize_t at = 0; PyDict_Next(texts, &at, &text, &number);)
        if (known_text(k, (size_t)size, salt, text, number, above, is_crc)) return -1;
    return 0;
}

/* Columns of keys and `width` numbers each. */
static int known_columns(Known *k, uint64_t salt, const Column *columns, int width) {
    if (known_make(k, (size_t)columns[0].n, (size_t)width)) return -1;
    for (Py_ssize_t i = 0; i < columns[0].n; i++) {
        double *room = known_add(k, salt, ((const uint64_t *)columns[0].buffer.buf)[i]);
        for (int c = 0; room && c < width; c++) room[c] = ((const double *)columns[1 + c].buffer.buf)[i];
    }
    return 0;
}

static int known_paths(Known *k, uint64_t salt, PyObject *tuple) {
    Paths in;
    int failed = paths_get(&in, tuple) || known_columns(k, salt, in.column, N_STATS - 1);
    TABLE_RELEASE(in);
    return failed;
}

static int known_counts(Known *k, uint64_t salt, PyObject *tuple) {
    Counts in;
    int failed = counts_get(&in, tuple) || known_columns(k, salt, in.column, 1);
    TABLE_RELEASE(in);
    return failed;
}

/* site_table(known) -> what the functions below look things up in; known: see SiteFacts. */
PyObject *native_site_table(PyObject *self, PyObject *args) {
    double n_pages;
    PyObject *known, *o[9], *capsule = NULL;
    if (!PyArg_ParseTuple(args, "O!", &PyTuple_Type, &known) ||
        !PyArg_ParseTuple(known, "dOOOOOOOOO", &n_pages, &o[0], &o[1], &o[2], &o[3], &o[4], &o[5], &o[6], &o[7], &o[8]))
        return NULL;
    SiteTable *t = PyMem_RawCalloc(1, sizeof *t);
    if (t) t->remembered = PyMem_RawCalloc(REMEMBERED, sizeof *t->remembered);
    if (!t || !t->remembered) {
        PyMem_RawFree(t);
        return PyErr_NoMemory();
    }
    crc_init();
    t->known = Py_NewRef(known);
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
        known_paths(&t->paths[0], t->salt, o[4]) || known_paths(&t->paths[1], t->salt, o[5]) || known_counts(&t->rows, t->salt, o[6]) ||
        known_counts(&t->edges[0], t->salt, o[7]) || known_counts(&t->edges[1], t->salt, o[8]) ||
        !(capsule = PyCapsule_New(t, TABLE, capsule_free)))
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

/* site_paths(table, tag, parent, attrs, strings) -> two times uint64 per row: hashes of the path with known class names and
 * without. */
PyObject *native_site_paths(PyObject *self, PyObject *args) {
    PyObject *capsule, *strings, *attr_columns, *o[2], *keys = NULL, *tag_keys = NULL, *result = NULL;
    if (!PyArg_ParseTuple(args, "OOOOO!", &capsule, &o[0], &o[1], &attr_columns, &PyTuple_Type, &strings)) return NULL;
    const SiteTable *t = site_of(capsule);
    if (!t) return NULL;
    Attrs attrs;
    Column in[2];
    memset(in, 0, sizeof in);
    uint64_t *sums = NULL; /* per string: its sum and a bit that says it is known */
    uint32_t *stamp = NULL;
    if (attrs_get(&attrs, attr_columns) || column_get(&in[0], o[0], 2) || column_get(&in[1], o[1], 4)) goto done;
    Py_ssize_t n = in[0].n, n_strings = PyTuple_GET_SIZE(strings);
    const int16_t *tag = in[0].buffer.buf;
    const int32_t *parent = in[1].buffer.buf;
    if (in[1].n != n) { misfit("columns of rows do not fit"); goto done; }
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
    for (Py_ssize_t i = 0; i < attrs.n; i++) {
        if (attrs.name[i] != ATTR_class) continue;
        int32_t at = attrs.node[i], v = attrs.value[i];
        if (at < 0 || at >= n || v < 0 || v >= n_strings) { misfit("an attribute is out of range"); goto done; }
        if (!sums[v]) {
            PyObject *string = PyTuple_GET_ITEM(strings, v);
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
    TABLE_RELEASE(attrs);
    columns_release(in, 2);
    return result;
}

/* site_scores(table, box, keys, tag_keys) -> two times float64 per block: the mean first score at its path, by names and by
 * tags; NaN where it is not known. */
PyObject *native_site_scores(PyObject *self, PyObject *args) {
    PyObject *capsule, *o[3], *out[2] = {NULL, NULL}, *result = NULL;
    if (!PyArg_ParseTuple(args, "OOOO", &capsule, &o[0], &o[1], &o[2])) return NULL;
    const SiteTable *t = site_of(capsule);
    if (!t) return NULL;
    Column in[3];
    memset(in, 0, sizeof in);
    for (int k = 0; k < 3; k++)
        if (column_get(&in[k], o[k], k ? 8 : 4)) goto done;
    const int32_t *box = in[0].buffer.buf;
    for (Py_ssize_t i = 0; i < in[0].n; i++)
        if (box[i] < 0 || box[i] >= in[1].n || box[i] >= in[2].n) { misfit("a block is out of range"); goto done; }
    for (int k = 0; k < 2; k++) {
        if (!(out[k] = PyBytes_FromStringAndSize(NULL, in[0].n * 8))) goto done;
        double *score = (double *)PyBytes_AS_STRING(out[k]);
        for (Py_ssize_t i = 0; i < in[0].n; i++) {
            const double *found = known_get(&t->paths[k], t->salt, ((const uint64_t *)in[1 + k].buffer.buf)[box[i]]);
            score[i] = found ? found[STAT_score - 1] : NAN;
        }
    }
    result = PyTuple_Pack(2, out[0], out[1]);
done:
    Py_XDECREF(out[0]);
    Py_XDECREF(out[1]);
    columns_release(in, 3);
    return result;
}
