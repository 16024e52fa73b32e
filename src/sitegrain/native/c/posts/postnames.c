/* What makes rows of different posts the same part of a post; see reference/posts/posts.py. */
#include "native.h"
#include "strings/numbers.h"
#include <string.h>

enum { MOST_NAMES = 8 };

typedef struct {
    int32_t name[MOST_NAMES]; /* as they were numbered */
    int n;
} Names;

/* The first words of a value, by the crc32 of each; -1 where a value is no text. */
static int read_names(PyObject *value, int most, Numbers *known, uint32_t *hash, Names *names) {
    names->n = 0;
    if (!PyUnicode_Check(value)) return bad("attributes are text");
    int kind = PyUnicode_KIND(value);
    const void *data = PyUnicode_DATA(value);
    Py_ssize_t i = 0, n = PyUnicode_GET_LENGTH(value);
    while (names->n < most) {
        while (i < n && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, i))) i++;
        if (i == n) break;
        uint32_t crc = CRC_START;
        for (; i < n; i++) {
            Py_UCS4 c = PyUnicode_READ(kind, data, i);
            if (Py_UNICODE_ISSPACE(c)) break;
            crc = crc_char(crc, c >= 0xD800 && c < 0xE000 ? '?' : c); /* half of a pair, as it is replaced */
        }
        int32_t id = number_of(known, ~crc);
        hash[id] = ~crc;
        names->name[names->n++] = id;
    }
    return 0;
}

/* Per value, of the post `post`: the hash, eight bits up, of the first of its first `most` names that this share of the posts have; 0 for none. -1 with an
 * exception. */
static int names_of_posts(const int32_t *value, const int32_t *post, Py_ssize_t n, int n_posts, PyObject *strings, double share, int most, uint64_t *out) {
    RowNumbers distinct;
    Numbers known = {0}, pairs = {0};
    size_t room = (size_t)n * (size_t)most;
    Names *names = PyMem_RawMalloc(((size_t)n + 1) * sizeof *names);
    uint32_t *hash = PyMem_RawMalloc((room + 1) * sizeof *hash);
    int32_t *times = PyMem_RawCalloc(room + 1, sizeof *times);
    int failed = 1;
    memset(&distinct, 0, sizeof distinct);
    if (!names || !hash || !times || row_numbers_init(&distinct, (size_t)PyTuple_GET_SIZE(strings), (size_t)n) || numbers_init(&known, room) || numbers_init(&pairs, room)) {
        PyErr_NoMemory();
        goto done;
    }
    crc_init();
    for (Py_ssize_t i = 0; i < n; i++) {
        int is_new;
        int32_t k = row_number(&distinct, value[i], &is_new);
        if (is_new && read_names(PyTuple_GET_ITEM(strings, value[i]), most, &known, hash, names + k)) goto done;
        for (int m = 0; m < names[k].n; m++) {
            int32_t seen = pairs.n, name = names[k].name[m];
            times[name] += number_of(&pairs, (uint64_t)name << 32 | (uint32_t)post[i]) == seen;
        }
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        int is_new, m = 0;
        const Names *own = names + row_number(&distinct, value[i], &is_new);
        while (m < own->n && times[own->name[m]] < share * n_posts) m++;
        out[i] = m < own->n ? (uint64_t)hash[own->name[m]] << 8 : 0;
    }
    failed = 0;
done:
    PyMem_RawFree(names);
    PyMem_RawFree(hash);
    PyMem_RawFree(times);
    row_numbers_free(&distinct);
    numbers_free(&known);
    numbers_free(&pairs);
    return failed ? -1 : 0;
}

/* part_keys(tag, parent, owner, n_posts, row, value, strings, share, most) -> uint64 per row: a key of the way down to it from where its post begins, by tags and by
 * the names that this share of the posts have; `owner` is the post of each row or -1, row row[i] has the names strings[value[i]]. */
PyObject *native_part_keys(PyObject *self, PyObject *args) {
    enum { TAG, PARENT, OWNER, ROW, VALUE, N_IN };
    PyObject *o[N_IN], *strings, *result = NULL;
    int n_posts, most;
    double share;
    if (!PyArg_ParseTuple(args, "OOOiOOO!di", &o[TAG], &o[PARENT], &o[OWNER], &n_posts, &o[ROW], &o[VALUE], &PyTuple_Type, &strings, &share, &most)) return NULL;
    static const Py_ssize_t ITEM[N_IN] = {2, 4, 4, 4, 4};
    Column in[N_IN];
    memset(in, 0, sizeof in);
    int32_t *value = NULL, *n_tops = NULL;
    uint64_t *named = NULL;
    for (int k = 0; k < N_IN; k++)
        if (column_get(&in[k], o[k], ITEM[k])) goto done;
    const int16_t *tag = in[TAG].buffer.buf;
    const int32_t *parent = in[PARENT].buffer.buf, *owner = in[OWNER].buffer.buf, *row = in[ROW].buffer.buf, *of_row = in[VALUE].buffer.buf;
    Py_ssize_t n = in[TAG].n, n_names = in[ROW].n, n_mine = 0;
    int fits = in[PARENT].n == n && in[OWNER].n == n && in[VALUE].n == n_names && n_names < INT32_MAX / MOST_NAMES && n_posts >= 0 && most > 0 && most <= MOST_NAMES;
    for (Py_ssize_t i = 0; fits && i < n; i++) fits = parent[i] >= -1 && parent[i] < i && owner[i] >= -1 && owner[i] < n_posts;
    for (Py_ssize_t i = 0; fits && i < n_names; i++) fits = row[i] >= 0 && row[i] < n && of_row[i] >= 0 && of_row[i] < PyTuple_GET_SIZE(strings);
    if (!fits) {
        bad("names do not fit the posts");
        goto done;
    }
    value = PyMem_RawMalloc((2 * (size_t)n_names + 1) * sizeof *value);
    named = PyMem_RawMalloc(((size_t)n_names + 1) * sizeof *named);
    n_tops = PyMem_RawCalloc((size_t)n_posts + 1, sizeof *n_tops);
    if (!value || !named || !n_tops) { PyErr_NoMemory(); goto done; }
    int32_t *post = value + n_names;
    for (Py_ssize_t i = 0; i < n_names; i++) {
        if (owner[row[i]] < 0) continue;
        value[n_mine] = of_row[i];
        post[n_mine++] = owner[row[i]];
    }
    if (names_of_posts(value, post, n_mine, n_posts, strings, share, most, named) || !(result = PyByteArray_FromStringAndSize(NULL, n * 8))) goto done;
    uint64_t *key = (uint64_t *)PyByteArray_AS_STRING(result);
    for (Py_ssize_t i = 0; i < n; i++) key[i] = (uint64_t)tag[i];
    for (Py_ssize_t i = 0, k = 0; i < n_names; i++)
        if (owner[row[i]] >= 0) key[row[i]] = (uint64_t)tag[row[i]] + named[k++];
    for (Py_ssize_t i = 0; i < n; i++) {
        const int32_t up = parent[i];
        /* Where a post begins names do not count: it is the first, second ... element of its post. */
        if (owner[i] >= 0 && (up < 0 || owner[up] != owner[i])) key[i] = path_key(0, (uint64_t)tag[i] + ((uint64_t)n_tops[owner[i]]++ << 8));
        else key[i] = path_key(up < 0 ? 0 : key[up], key[i]);
    }
done:
    PyMem_RawFree(value);
    PyMem_RawFree(named);
    PyMem_RawFree(n_tops);
    columns_release(in, N_IN);
    return result;
}
