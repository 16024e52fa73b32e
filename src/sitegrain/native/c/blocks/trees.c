/* Adding up trees. Sums are in the order of the Python body, so that the results are the same to the last bit. */
#include "scoring.h"
#include <float.h>
#include <math.h>
#include <string.h>
#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#endif

/* Children stand side by side, so a step needs no branch: `left` and the outcome of one test give the next node. A
 * leaf leads to itself. What a missing value does is not tested: a feature has up to two slots, one where NaN is
 * below and one where it is above everything, and a node reads the one that sends NaN its way. */
typedef struct {
    float threshold;
    uint16_t slot;
    uint16_t left; /* from the start of the tree */
} Node;
enum { MAX_TREE = 0xFFFF, MAX_SLOTS = 0xFFFF, LANES = 32, HALF = 8, STRIDE = 4, MAX_LEAVES = 32 };

/* The same for trees of few leaves, which are a bit each, from left to right: every node is tested, one that sends a row
 * right rules out the leaves under its left child, and the first leaf that is left is the row's (QuickScorer: Lucchese et al.,
 * SIGIR 2015). More tests than steps down the tree, but none waits for another and many rows go at once. */
typedef struct {
    float threshold;
    uint32_t slot;
    uint32_t leaves;
} Test;

struct Trees {
    Py_ssize_t n_trees, n_nodes;
    int n_features, n_slots;
    int32_t *slot; /* per slot: 2 * feature, + 1 where NaN is above everything */
    int32_t *start, *depth; /* per tree: its first node, and steps to its deepest leaf */
    Node *node;
    double *value;
    int32_t *first_test; /* per tree and one more; NULL where a tree has too many leaves */
    Test *test;
    double *leaf; /* MAX_LEAVES per tree */
};

/* Per slot: its column in row 0, and how far the next row is. */
typedef struct {
    const float **from;
    int64_t *stride;
} Slots;

static const char TREES_NAME[] = "sitegrain.trees";

static void trees_free(Trees *t) {
    if (!t) return;
    PyMem_RawFree(t->slot);
    PyMem_RawFree(t->start);
    PyMem_RawFree(t->depth);
    PyMem_RawFree(t->node);
    PyMem_RawFree(t->value);
    PyMem_RawFree(t->first_test);
    PyMem_RawFree(t->test);
    PyMem_RawFree(t->leaf);
    PyMem_RawFree(t);
}

static void capsule_free(PyObject *capsule) { trees_free(PyCapsule_GetPointer(capsule, TREES_NAME)); }

#ifdef __GNUC__
/* Write the trees as tests, if all of them have few leaves. -1: no memory. */
static int make_tests(Trees *t) {
    int32_t *under = PyMem_RawMalloc(2 * ((size_t)MAX_TREE + 1) * sizeof *under), *before = under + MAX_TREE + 1;
    t->first_test = PyMem_RawCalloc((size_t)t->n_trees + 1, sizeof *t->first_test);
    t->test = PyMem_RawMalloc(((size_t)t->n_nodes + 1) * sizeof *t->test);
    t->leaf = PyMem_RawCalloc(((size_t)t->n_trees + 1) * MAX_LEAVES, sizeof *t->leaf);
    int is_small = 1, is_fine = under && t->first_test && t->test && t->leaf;
    int32_t n_tests = 0;
    for (Py_ssize_t k = 0; is_fine && is_small && k < t->n_trees; k++) {
        const Node *node = t->node + t->start[k];
        int32_t n = (int32_t)((k + 1 < t->n_trees ? t->start[k + 1] : t->n_nodes) - t->start[k]);
        for (int32_t i = n - 1; i >= 0; i--) under[i] = node[i].left == i ? 1 : under[node[i].left] + under[node[i].left + 1];
        if (!(is_small = under[0] <= MAX_LEAVES)) break;
        before[0] = 0;
        for (int32_t i = 0; i < n; i++) {
            int32_t left = node[i].left;
            if (left == i) {
                t->leaf[k * MAX_LEAVES + before[i]] = t->value[t->start[k] + i];
                continue;
            }
            before[left] = before[i];
            before[left + 1] = before[i] + under[left];
            t->test[n_tests++] = (Test){node[i].threshold, node[i].slot, ((1u << under[left]) - 1) << before[i]};
        }
        t->first_test[k + 1] = n_tests;
    }
    PyMem_RawFree(under);
    if (!is_small) {
        PyMem_RawFree(t->first_test);
        t->first_test = NULL;
    }
    return is_fine ? 0 : -1;
}

typedef float Floats __attribute__((vector_size(4 * HALF), aligned(4)));
typedef int32_t Ints __attribute__((vector_size(4 * HALF), aligned(4)));
typedef double Doubles __attribute__((vector_size(32), aligned(8)));

/* Set the slots of LANES rows from `row` on. */
static inline __attribute__((always_inline)) void fill_body(const Trees *t, const Slots *in, Py_ssize_t row, float *slots) {
    for (int f = 0; f < t->n_slots; f++) {
        const float missing = t->slot[f] & 1 ? INFINITY : -INFINITY;
        const Floats instead = {missing, missing, missing, missing, missing, missing, missing, missing};
        const int64_t s = in->stride[f];
        const float *q = in->from[f] + row * s;
        for (int half = 0; half < LANES / HALF; half++, q += HALF * s) {
            Floats x = {q[0], q[s], q[2 * s], q[3 * s], q[4 * s], q[5 * s], q[6 * s], q[7 * s]};
            Ints is_there = x == x, bits = ((Ints)x & is_there) | ((Ints)instead & ~is_there);
            memcpy(slots + f * LANES + half * HALF, &bits, sizeof bits);
        }
    }
}

/* Add all trees to the sums of LANES rows, as `add_trees` does. */
static inline __attribute__((always_inline)) void add_tests_body(const Trees *t, const float *slots, double *sum) {
    Doubles total[LANES / 4] = {{0}};
    for (Py_ssize_t k = 0; k < t->n_trees; k++) {
        Ints out[LANES / HALF] = {{0}};
        const Test *last = t->test + t->first_test[k + 1];
        for (const Test *test = t->test + t->first_test[k]; test < last; test++) {
            const Floats *x = (const Floats *)(slots + (size_t)test->slot * LANES);
            for (int j = 0; j < LANES / HALF; j++) out[j] |= (x[j] > test->threshold) & (int32_t)test->leaves;
        }
        const double *leaf = t->leaf + k * MAX_LEAVES;
        uint32_t left[LANES];
        for (int j = 0; j < LANES / HALF; j++) out[j] = ~out[j];
        memcpy(left, out, sizeof left);
        __asm__("" : "+m"(left)); /* through memory: taking lanes out of a vector one by one is slower */
#define LEAF(lane) leaf[__builtin_ctz(left[lane])]
        for (int j = 0; j < LANES / 4; j++) total[j] += (Doubles){LEAF(4 * j), LEAF(4 * j + 1), LEAF(4 * j + 2), LEAF(4 * j + 3)};
#undef LEAF
    }
    memcpy(sum, total, sizeof total);
}

/* With `in`, the slots are set first. One body for any machine, one for those with wider vectors. */
static void add_tests_plain(const Trees *t, const Slots *in, Py_ssize_t row, float *slots, double *sum) {
    if (in) fill_body(t, in, row, slots);
    add_tests_body(t, slots, sum);
}
#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2,bmi")))
WIDE static void fill_wide(const Trees *t, const Slots *in, Py_ssize_t row, float *slots) { fill_body(t, in, row, slots); }
WIDE static void add_tests_wide(const Trees *t, const Slots *in, Py_ssize_t row, float *slots, double *sum) {
    if (in) fill_wide(t, in, row, slots);
    add_tests_body(t, slots, sum);
}

/* With vectors of 64 bytes: a test is a mask, and the leaves of a tree are looked up in registers. */
#define WIDEST __attribute__((target("avx512f,avx512cd")))
WIDEST static void add_tests_widest(const Trees *t, const Slots *in, Py_ssize_t row, float *slots, double *sum) {
    if (in) fill_wide(t, in, row, slots);
    __m512d total[LANES / 8];
    for (int j = 0; j < LANES / 8; j++) total[j] = _mm512_setzero_pd();
    for (Py_ssize_t k = 0; k < t->n_trees; k++) {
        __m512i out[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()};
        const Test *last = t->test + t->first_test[k + 1];
        for (const Test *test = t->test + t->first_test[k]; test < last; test++) {
            const float *x = slots + (size_t)test->slot * LANES;
            const __m512 threshold = _mm512_set1_ps(test->threshold);
            const __m512i leaves = _mm512_set1_epi32((int32_t)test->leaves);
            for (int j = 0; j < 2; j++)
                out[j] = _mm512_mask_or_epi32(out[j], _mm512_cmp_ps_mask(_mm512_loadu_ps(x + 16 * j), threshold, _CMP_GT_OQ), out[j], leaves);
        }
        const double *leaf = t->leaf + k * MAX_LEAVES;
        const __m512d low = _mm512_loadu_pd(leaf), more = _mm512_loadu_pd(leaf + 8), high = _mm512_loadu_pd(leaf + 16), highest = _mm512_loadu_pd(leaf + 24);
        for (int j = 0; j < 2; j++) {
            /* the lowest bit that is not set: what it adds to its number is the only bit where the two differ and it is set */
            const __m512i lowest = _mm512_andnot_si512(out[j], _mm512_add_epi32(out[j], _mm512_set1_epi32(1)));
            const __m512i at = _mm512_sub_epi32(_mm512_set1_epi32(31), _mm512_lzcnt_epi32(lowest));
            for (int half = 0; half < 2; half++) {
                const __m512i place = _mm512_cvtepu32_epi64(half ? _mm512_extracti64x4_epi64(at, 1) : _mm512_castsi512_si256(at));
                const __m512d first = _mm512_permutex2var_pd(low, place, more), second = _mm512_permutex2var_pd(high, place, highest);
                const __mmask8 is_second = _mm512_test_epi64_mask(place, _mm512_set1_epi64(16));
                total[2 * j + half] = _mm512_add_pd(total[2 * j + half], _mm512_mask_blend_pd(is_second, first, second));
            }
        }
    }
    for (int j = 0; j < LANES / 8; j++) _mm512_storeu_pd(sum + 8 * j, total[j]);
}

static void add_tests(const Trees *t, const Slots *in, Py_ssize_t row, float *slots, double *sum) {
    int is_wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
    int is_widest = is_wide && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd");
    (is_widest ? add_tests_widest : is_wide ? add_tests_wide : add_tests_plain)(t, in, row, slots, sum);
}
#else
#define add_tests add_tests_plain
#endif
#else
#define make_tests(t) 0
#define add_tests(t, in, row, slots, sum) add_trees(t, slots, sum)
#endif

/* pack_trees(n_features, nodes, roots) -> trees for `predict`. A node with left < 0 is a leaf; NaN goes where default_left says. */
PyObject *native_pack_trees(PyObject *self, PyObject *args) {
    PyObject *nodes, *of_roots, *capsule = NULL;
    int n_features;
    if (!PyArg_ParseTuple(args, "iOO", &n_features, &nodes, &of_roots)) return NULL;
    TreeNodes in;
    Column roots = {{0}, 0};
    Trees *t = NULL;
    int32_t *queue = NULL, *level = NULL, *slot_of = NULL;
    if (tree_nodes_get(&in, nodes) || column_get(&roots, of_roots, 4)) goto done;
    Py_ssize_t n = in.n, n_trees = roots.n;
    const int32_t *f = in.feature, *l = in.left, *r = in.right, *root = roots.buffer.buf;
    const float *threshold = in.threshold;
    const uint8_t *default_left = in.default_left;
    const double *value = in.value;
    int is_bad = n_features < 0 || n_features > MAX_SLOTS / 2 || n > INT32_MAX / 2;
    /* children come after their node: no cycle, and every index is in range */
    for (Py_ssize_t i = 0; !is_bad && i < n; i++)
        if (l[i] >= 0 && (l[i] <= i || r[i] <= i || l[i] >= n || r[i] >= n || f[i] < 0 || f[i] >= n_features)) is_bad = 1;
    for (Py_ssize_t k = 0; !is_bad && k < n_trees; k++)
        if (root[k] < 0 || root[k] >= n) is_bad = 1;
    if (is_bad) { misfit("tree arrays do not fit together"); goto done; }
    t = PyMem_RawCalloc(1, sizeof *t);
    queue = PyMem_RawMalloc(((size_t)MAX_TREE + 1) * sizeof *queue);
    level = PyMem_RawMalloc(((size_t)MAX_TREE + 1) * sizeof *level);
    slot_of = PyMem_RawMalloc(2 * ((size_t)n_features + 1) * sizeof *slot_of);
    if (!t || !queue || !level || !slot_of) { PyErr_NoMemory(); goto done; }
    memset(slot_of, -1, 2 * ((size_t)n_features + 1) * sizeof *slot_of);
    t->n_trees = n_trees;
    t->n_features = n_features;
    t->slot = PyMem_RawCalloc(2 * ((size_t)n_features + 1), sizeof *t->slot);
    t->start = PyMem_RawCalloc((size_t)n_trees + 1, sizeof *t->start);
    t->depth = PyMem_RawCalloc((size_t)n_trees + 1, sizeof *t->depth);
    size_t cap = 0;
    if (!t->slot || !t->start || !t->depth) { PyErr_NoMemory(); goto done; }
    /* Slots in the order of features: rows are read from left to right. */
    for (Py_ssize_t i = 0; i < n; i++)
        if (l[i] >= 0) slot_of[2 * f[i] + !default_left[i]] = 0;
    for (int k = 0; k < 2 * n_features; k++)
        if (!slot_of[k]) {
            t->slot[t->n_slots] = k;
            slot_of[k] = t->n_slots++;
        }
    for (Py_ssize_t k = 0; k < n_trees; k++) {
        /* Breadth first. Trees that share nodes are written twice, each within its limit. */
        size_t from = (size_t)t->n_nodes, n_queue = 1;
        queue[0] = root[k];
        level[0] = 0;
        for (size_t at = 0; at < n_queue; at++) {
            int32_t i = queue[at];
            if (from + at + 1 > cap) {
                cap = cap ? 2 * cap : 1024;
                Node *node = PyMem_RawRealloc(t->node, cap * sizeof *node);
                if (node) t->node = node;
                double *values = PyMem_RawRealloc(t->value, cap * sizeof *values);
                if (values) t->value = values;
                if (!node || !values) { PyErr_NoMemory(); goto done; }
            }
            t->value[from + at] = value[i];
            if (l[i] < 0) {
                t->node[from + at] = (Node){INFINITY, 0, (uint16_t)at};
                continue;
            }
            if (n_queue + 2 > MAX_TREE) { misfit("a tree of more than 65,534 nodes"); goto done; }
            int32_t slot = slot_of[2 * f[i] + !default_left[i]];
            /* above the largest number there is only "missing" */
            t->node[from + at] = (Node){threshold[i] > FLT_MAX ? FLT_MAX : threshold[i], (uint16_t)slot, (uint16_t)n_queue};
            for (int side = 0; side < 2; side++) {
                queue[n_queue] = side ? r[i] : l[i];
                level[n_queue] = level[at] + 1;
                if (level[n_queue] > t->depth[k]) t->depth[k] = level[n_queue];
                n_queue++;
            }
        }
        if (from + n_queue > INT32_MAX) { misfit("too many nodes"); goto done; }
        t->start[k] = (int32_t)from;
        t->n_nodes = (Py_ssize_t)(from + n_queue);
    }
    if (make_tests(t)) { PyErr_NoMemory(); goto done; }
    capsule = PyCapsule_New(t, TREES_NAME, capsule_free);
    if (capsule) t = NULL;
done:
    trees_free(t);
    PyMem_RawFree(queue);
    PyMem_RawFree(level);
    PyMem_RawFree(slot_of);
    TABLE_RELEASE(in);
    columns_release(&roots, 1);
    return capsule;
}

/* Add all trees to the sums of LANES rows, whose slots stand side by side; they go down a tree together. */
static void add_trees(const Trees *t, const float *slots, double *sum) {
    for (Py_ssize_t k = 0; k < t->n_trees; k++) {
        const Node *node = t->node + t->start[k];
        const double *value = t->value + t->start[k];
        uint32_t at[LANES] = {0};
        for (int32_t d = t->depth[k]; d > 0; d -= STRIDE) {
            uint32_t last = 0; /* how far the last step went */
            for (int step = 0; step < STRIDE; step++) {
                last = 0;
                for (int lane = 0; lane < LANES; lane++) {
                    const Node *here = node + at[lane];
                    uint32_t next = here->left + (uint32_t)(slots[(size_t)here->slot * LANES + (size_t)lane] > here->threshold);
                    last |= next ^ at[lane];
                    at[lane] = next;
                }
            }
            if (!last) break; /* all are at their leaves */
        }
        for (int lane = 0; lane < LANES; lane++) sum[lane] += value[at[lane]];
    }
}

const Trees *trees_of(PyObject *capsule) { return PyCapsule_GetPointer(capsule, TREES_NAME); }

int trees_predict(const Trees *t, const Part *part, int n_parts, const int64_t *at, Py_ssize_t n_at, Py_ssize_t n,
                  int is_probability, double *out) {
    size_t n_slots = (size_t)t->n_slots;
    if (n_at != t->n_features) return bad("one column for each feature");
    Slots slots = {PyMem_RawMalloc((n_slots + 1) * sizeof *slots.from), PyMem_RawMalloc((n_slots + 1) * sizeof *slots.stride)};
    float *rows = n < LANES ? PyMem_RawCalloc(LANES * (n_slots + 1), sizeof *rows) : PyMem_RawMalloc(LANES * (n_slots + 1) * sizeof *rows);
    int failed = -1;
    if (!slots.from || !slots.stride || !rows) { PyErr_NoMemory(); goto done; }
    for (size_t f = 0; f < n_slots; f++) {
        int k = 0;
        int64_t column = at[t->slot[f] / 2];
        if (column < 0) { bad("one column for each feature"); goto done; }
        while (k < n_parts && column >= part[k].n_columns) column -= part[k++].n_columns;
        if (k >= n_parts) { bad("one column for each feature"); goto done; }
        slots.from[f] = part[k].cells + column;
        slots.stride[f] = part[k].stride;
    }
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < n; i += LANES) {
        if (t->first_test && n >= LANES) { /* the last rows go with some that have been done */
            if (i > n - LANES) i = n - LANES;
            add_tests(t, &slots, i, rows, out + i);
            continue;
        }
        Py_ssize_t lanes = n - i < LANES ? n - i : LANES;
        double sum[LANES] = {0};
        for (size_t f = 0; f < n_slots; f++) {
            float missing = t->slot[f] & 1 ? INFINITY : -INFINITY;
            const float *q = slots.from[f] + i * slots.stride[f];
            for (Py_ssize_t lane = 0; lane < lanes; lane++, q += slots.stride[f])
                rows[f * LANES + (size_t)lane] = *q == *q ? *q : missing;
        }
        if (t->first_test) add_tests(t, NULL, 0, rows, sum);
        else add_trees(t, rows, sum);
        memcpy(out + i, sum, (size_t)lanes * sizeof *sum);
    }
    for (Py_ssize_t i = 0; is_probability && i < n; i++) out[i] = 1 / (1 + exp(-out[i]));
    Py_END_ALLOW_THREADS
    failed = 0;
done:
    PyMem_RawFree(slots.from);
    PyMem_RawFree(slots.stride);
    PyMem_RawFree(rows);
    return failed;
}

/* predict(trees, parts, at, is_probability) -> float64 per row: the sum over trees, through a sigmoid if `is_probability`. parts is
 * a tuple of float32 matrices that stand side by side; at[f] is the column of feature f among them. */
PyObject *native_predict(PyObject *self, PyObject *args) {
    PyObject *capsule, *parts, *of_at, *result = NULL;
    int is_probability;
    if (!PyArg_ParseTuple(args, "OO!Op", &capsule, &PyTuple_Type, &parts, &of_at, &is_probability)) return NULL;
    const Trees *t = trees_of(capsule);
    Py_ssize_t n_parts = PyTuple_GET_SIZE(parts), n = 0;
    if (!t) return NULL;
    if (n_parts < 1 || n_parts > MAX_PARTS) return misfit("too many parts, or none");
    Column in[MAX_PARTS + 1];
    memset(in, 0, sizeof in);
    Part part[MAX_PARTS];
    if (column_get(&in[MAX_PARTS], of_at, 8) || (n = PyObject_Size(PyTuple_GET_ITEM(parts, 0))) < 0) goto done;
    for (Py_ssize_t k = 0; k < n_parts; k++)
        if (part_get(&part[k], &in[k], PyTuple_GET_ITEM(parts, k), n)) goto done;
    if (!(result = PyByteArray_FromStringAndSize(NULL, n * 8))) goto done;
    if (trees_predict(t, part, (int)n_parts, in[MAX_PARTS].buffer.buf, in[MAX_PARTS].n, n, is_probability,
                      (double *)PyByteArray_AS_STRING(result)))
        Py_CLEAR(result);
done:
    columns_release(in, MAX_PARTS + 1);
    return result;
}
