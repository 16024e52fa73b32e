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

/* Ask for a row of weights before it is needed: the model is larger than any cache, and to wait for it took most of the time. */
static inline void fetch_early(const uint16_t *weight, Py_ssize_t n) {
#ifdef __GNUC__
    for (Py_ssize_t c = 0; c < n; c += 32) __builtin_prefetch(weight + c); /* 64 bytes are fetched at once */
#else
    (void)weight, (void)n;
#endif
}

typedef struct {
    const uint32_t *moves;
    const uint16_t *row;
    const int32_t *output;
    Py_ssize_t n_moves, n_states;
} Automaton;

/* The state after a byte, or -1: the move leads to none. */
static inline Py_ssize_t moved(const Automaton *a, Py_ssize_t state, uint8_t byte) {
    Py_ssize_t at = (Py_ssize_t)a->row[state] * N_BYTES + byte;
    return at < a->n_moves && (Py_ssize_t)a->moves[at] < a->n_states ? (Py_ssize_t)a->moves[at] : -1;
}

/* The feature after each byte of data[start:stop], from a state on; returns the last state, or -1. */
static Py_ssize_t walk(const Automaton *a, Py_ssize_t state, const uint8_t *data, Py_ssize_t start, Py_ssize_t stop, int32_t *found) {
    for (Py_ssize_t i = start; i < stop && state >= 0; i++)
        if ((state = moved(a, state, data[i])) >= 0) found[i] = a->output[state];
    return state;
}

/* The same for all data. Every move waits for memory and for the one before, so four parts are walked side by side. A part does not know
 * the state that it begins in; but what was read a while ago hardly ever counts, so it begins a little earlier, in the first state. Where
 * the part before ends in another state than it came to, it is walked again. */
static Py_ssize_t walk_all(const Automaton *a, const uint8_t *data, Py_ssize_t n, int32_t *found) {
    enum { PARTS = 4, EARLIER = 16 };
    if (n < 4 * PARTS * EARLIER) return walk(a, 0, data, 0, n, found);
    Py_ssize_t size = n / PARTS, state[PARTS] = {0}, began[PARTS] = {0};
    for (Py_ssize_t t = -EARLIER; t < size; t++)
        for (int k = 0; k < PARTS; k++) {
            Py_ssize_t i = k * size + t;
            if (i < 0 || state[k] < 0) continue;
            if (t == 0) began[k] = state[k];
            if ((state[k] = moved(a, state[k], data[i])) >= 0 && t >= 0) found[i] = a->output[state[k]];
        }
    for (int k = 1; k < PARTS; k++)
        if (state[k - 1] < 0 || state[k] < 0 || began[k] != state[k - 1])
            state[k] = state[k - 1] < 0 ? -1 : walk(a, state[k - 1], data, k * size, (k + 1) * size, found);
    return state[PARTS - 1] < 0 ? -1 : walk(a, state[PARTS - 1], data, PARTS * size, n, found);
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
    int32_t *slot = NULL, *feature = NULL, *often = NULL, *all = NULL;
    int is_done = 0;
    for (int k = 0; k < 4; k++)
        if (column_get(&in[k], object[k], ITEM[k])) goto done;
    const uint16_t *weights = in[3].buffer.buf;
    const Automaton automaton = {in[0].buffer.buf, in[1].buffer.buf, in[2].buffer.buf, in[0].n, in[1].n};
    if (in[2].n != automaton.n_states || n_classes < 1 || data.len > INT32_MAX / 4) { misfit("one row and one output for each state"); goto done; }
    /* a hash table of places in the list of features, at most half full */
    size_t size = 16;
    while (size < 2 * (size_t)data.len) size *= 2;
    slot = PyMem_Malloc(size * sizeof *slot);
    feature = PyMem_Malloc(((size_t)data.len + 1) * sizeof *feature);
    often = PyMem_Malloc(((size_t)data.len + 1) * sizeof *often);
    all = PyMem_Malloc(((size_t)data.len + 1) * sizeof *all);
    if (!slot || !feature || !often || !all) { PyErr_NoMemory(); goto done; }
    memset(slot, 0xFF, size * sizeof *slot);
    Py_ssize_t n = 0;
    if (data.len && (!automaton.n_states || walk_all(&automaton, data.buf, data.len, all) < 0)) {
        misfit("a move leads to no state");
        goto done;
    }
    for (Py_ssize_t i = 0; i < data.len; i++) {
        int32_t found = all[i];
        if (found < 0) continue;
        if ((found + (Py_ssize_t)1) * n_classes > in[3].n) { misfit("the feature of a state has no weights"); goto done; }
        size_t k = (uint32_t)found * 0x9E3779B1u & (size - 1);
        while (slot[k] >= 0 && feature[slot[k]] != found) k = (k + 1) & (size - 1);
        if (slot[k] < 0) {
            fetch_early(weights + found * n_classes, n_classes);
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
    PyMem_Free(all);
    columns_release(in, 4);
    PyBuffer_Release(&data);
    return scores;
}
