/* Class names that most posts of a page have; see reference/posts/posts.py. */
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

/* post_names(values, owner, n_posts, strings, share, most) -> uint64 per value: the hash, eight bits up, of the first of its first `most` names that this
 * share of the posts have; 0 for none. `owner` is the post of each value. */
PyObject *native_post_names(PyObject *self, PyObject *args) {
    PyObject *of_values, *of_owner, *strings, *result = NULL;
    int n_posts, most;
    double share;
    if (!PyArg_ParseTuple(args, "OOiO!di", &of_values, &of_owner, &n_posts, &PyTuple_Type, &strings, &share, &most)) return NULL;
    Column values = {{0}, 0}, owner = {{0}, 0};
    RowNumbers distinct;
    Numbers known = {0}, pairs = {0};
    Names *names = NULL;
    uint32_t *hash = NULL;
    int32_t *times = NULL;
    memset(&distinct, 0, sizeof distinct);
    if (column_get(&values, of_values, 4) || column_get(&owner, of_owner, 4)) goto done;
    Py_ssize_t n = values.n, n_strings = PyTuple_GET_SIZE(strings);
    const int32_t *value = values.buffer.buf, *post = owner.buffer.buf;
    int fits = n == owner.n && n < INT32_MAX / MOST_NAMES && most > 0 && most <= MOST_NAMES;
    for (Py_ssize_t i = 0; fits && i < n; i++) fits = value[i] >= 0 && value[i] < n_strings && post[i] >= 0 && post[i] < n_posts;
    if (!fits) {
        bad("names do not fit the posts");
        goto done;
    }
    size_t room = (size_t)n * (size_t)most;
    names = PyMem_RawMalloc(((size_t)n + 1) * sizeof *names);
    hash = PyMem_RawMalloc((room + 1) * sizeof *hash);
    times = PyMem_RawCalloc(room + 1, sizeof *times);
    if (!names || !hash || !times || row_numbers_init(&distinct, (size_t)n_strings, (size_t)n) || numbers_init(&known, room) || numbers_init(&pairs, room)) {
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
    if (!(result = PyBytes_FromStringAndSize(NULL, n * 8))) goto done;
    uint64_t *out = (uint64_t *)PyBytes_AS_STRING(result);
    for (Py_ssize_t i = 0; i < n; i++) {
        int is_new, m = 0;
        const Names *own = names + row_number(&distinct, value[i], &is_new);
        while (m < own->n && times[own->name[m]] < share * n_posts) m++;
        out[i] = m < own->n ? (uint64_t)hash[own->name[m]] << 8 : 0;
    }
done:
    PyMem_RawFree(names);
    PyMem_RawFree(hash);
    PyMem_RawFree(times);
    row_numbers_free(&distinct);
    numbers_free(&known);
    numbers_free(&pairs);
    columns_release(&values, 1);
    columns_release(&owner, 1);
    return result;
}
