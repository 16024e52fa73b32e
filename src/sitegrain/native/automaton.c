/* What an automaton finds in bytes: the features that a language is told by. */
#include "native.h"
#include <string.h>

enum { N_BYTES = 256 };

/* features(moves, row, output, data) -> (which, how often), int32, of the features that bytes go through, in the order in which
 * they are first seen. From a state, a byte leads to moves[256 * row[state] + byte]; output[state] is its feature, or below 0. */
PyObject *native_features(PyObject *self, PyObject *args) {
    PyObject *object[3], *which = NULL, *times = NULL, *result = NULL;
    Py_buffer data;
    if (!PyArg_ParseTuple(args, "OOOy*", &object[0], &object[1], &object[2], &data)) return NULL;
    static const Py_ssize_t ITEM[3] = {4, 2, 4};
    Column in[3];
    memset(in, 0, sizeof in);
    int32_t *slot = NULL;
    for (int k = 0; k < 3; k++)
        if (column_get(&in[k], object[k], ITEM[k])) goto done;
    const uint32_t *moves = in[0].buffer.buf;
    const uint16_t *row = in[1].buffer.buf;
    const int32_t *output = in[2].buffer.buf;
    const uint8_t *byte = data.buf;
    const Py_ssize_t n_states = in[1].n;
    if (in[2].n != n_states || data.len > INT32_MAX / 4) { misfit("one row and one output for each state"); goto done; }
    /* a hash table of places in the answer, at most half full */
    size_t size = 16;
    while (size < 2 * (size_t)data.len) size *= 2;
    if (!(slot = PyMem_Malloc(size * sizeof *slot)) || !(which = PyBytes_FromStringAndSize(NULL, 4 * data.len)) ||
        !(times = PyBytes_FromStringAndSize(NULL, 4 * data.len))) {
        if (!PyErr_Occurred()) PyErr_NoMemory();
        goto done;
    }
    memset(slot, 0xFF, size * sizeof *slot);
    int32_t *feature = (int32_t *)PyBytes_AS_STRING(which), *often = (int32_t *)PyBytes_AS_STRING(times);
    Py_ssize_t n = 0, state = 0;
    for (Py_ssize_t i = 0; i < data.len; i++) {
        Py_ssize_t at = state < n_states ? (Py_ssize_t)row[state] * N_BYTES + byte[i] : -1;
        if (at < 0 || at >= in[0].n || (state = moves[at]) >= n_states) { misfit("a move leads to no state"); goto done; }
        if (output[state] < 0) continue;
        size_t k = (uint32_t)output[state] * 0x9E3779B1u & (size - 1);
        while (slot[k] >= 0 && feature[slot[k]] != output[state]) k = (k + 1) & (size - 1);
        if (slot[k] < 0) {
            slot[k] = (int32_t)n;
            feature[n] = output[state];
            often[n++] = 0;
        }
        often[slot[k]]++;
    }
    if (!_PyBytes_Resize(&which, 4 * n) && !_PyBytes_Resize(&times, 4 * n)) result = PyTuple_Pack(2, which, times);
done:
    PyMem_Free(slot);
    Py_XDECREF(which);
    Py_XDECREF(times);
    columns_release(in, 3);
    PyBuffer_Release(&data);
    return result;
}
