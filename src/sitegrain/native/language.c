/* How much a text looks like each language: an automaton finds features in its bytes, and each has a weight for each language. */
#include "native.h"
#include <math.h>
#include <string.h>

enum { N_BYTES = 256 };

/* A number of 16 bits (IEEE 754) that is neither infinite nor NaN. */
static inline float half(uint16_t bits) {
    uint32_t wide = (uint32_t)(bits & 0x8000) << 16 | (uint32_t)(bits & 0x7FFF) << 13;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value * 0x1p112f; /* the bias of its exponent is 15 and not 127 */
}

/* class_scores(moves, row, output, weights, n_classes, data) -> per class (float32) the sum of log(1 + n) * weights[f, class] over the
 * features f that stand n times in data, in the order in which they are first seen; no number if there is none. From a state, a
 * byte leads to moves[256 * row[state] + byte]; output[state] is its feature, or below 0; state 0 is the first. */
PyObject *native_class_scores(PyObject *self, PyObject *args) {
    PyObject *object[4], *scores = NULL;
    Py_ssize_t n_classes;
    Py_buffer data;
    if (!PyArg_ParseTuple(args, "OOOOny*", &object[0], &object[1], &object[2], &object[3], &n_classes, &data)) return NULL;
    static const Py_ssize_t ITEM[4] = {4, 2, 4, 2};
    Column in[4];
    memset(in, 0, sizeof in);
    int32_t *slot = NULL, *feature = NULL, *often = NULL;
    int is_done = 0;
    for (int k = 0; k < 4; k++)
        if (column_get(&in[k], object[k], ITEM[k])) goto done;
    const uint32_t *moves = in[0].buffer.buf;
    const uint16_t *row = in[1].buffer.buf, *weights = in[3].buffer.buf;
    const int32_t *output = in[2].buffer.buf;
    const uint8_t *byte = data.buf;
    const Py_ssize_t n_states = in[1].n;
    if (in[2].n != n_states || n_classes < 1 || data.len > INT32_MAX / 4) { misfit("one row and one output for each state"); goto done; }
    /* a hash table of places in the list of features, at most half full */
    size_t size = 16;
    while (size < 2 * (size_t)data.len) size *= 2;
    slot = PyMem_Malloc(size * sizeof *slot);
    feature = PyMem_Malloc(((size_t)data.len + 1) * sizeof *feature);
    often = PyMem_Malloc(((size_t)data.len + 1) * sizeof *often);
    if (!slot || !feature || !often) { PyErr_NoMemory(); goto done; }
    memset(slot, 0xFF, size * sizeof *slot);
    Py_ssize_t n = 0, state = 0;
    for (Py_ssize_t i = 0; i < data.len; i++) {
        Py_ssize_t at = state < n_states ? (Py_ssize_t)row[state] * N_BYTES + byte[i] : -1;
        if (at < 0 || at >= in[0].n || (state = moves[at]) >= n_states) { misfit("a move leads to no state"); goto done; }
        int32_t found = output[state];
        if (found < 0) continue;
        if ((found + (Py_ssize_t)1) * n_classes > in[3].n) { misfit("the feature of a state has no weights"); goto done; }
        size_t k = (uint32_t)found * 0x9E3779B1u & (size - 1);
        while (slot[k] >= 0 && feature[slot[k]] != found) k = (k + 1) & (size - 1);
        if (slot[k] < 0) {
            slot[k] = (int32_t)n;
            feature[n] = found;
            often[n++] = 0;
        }
        often[slot[k]]++;
    }
    if (!(scores = PyByteArray_FromStringAndSize(NULL, n ? n_classes * (Py_ssize_t)sizeof(float) : 0))) goto done;
    float *restrict score = (float *)PyByteArray_AS_STRING(scores);
    for (Py_ssize_t c = 0; n && c < n_classes; c++) score[c] = 0.0f;
    for (Py_ssize_t k = 0; k < n; k++) {
        const float times = (float)log1p(often[k]);
        const uint16_t *restrict weight = weights + feature[k] * n_classes;
        for (Py_ssize_t c = 0; c < n_classes; c++) score[c] += times * half(weight[c]);
    }
    is_done = 1;
done:
    if (!is_done) Py_CLEAR(scores);
    PyMem_Free(slot);
    PyMem_Free(feature);
    PyMem_Free(often);
    columns_release(in, 4);
    PyBuffer_Release(&data);
    return scores;
}
