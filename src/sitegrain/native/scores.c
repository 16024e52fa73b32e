/* Scores of blocks: adding up trees (learned/ensemble.py), first scores around a block (extractor/stages.py) and the
 * decision which blocks a page keeps (extractor/model.py). Sums are in the order of the Python bodies, so that the
 * results are the same to the last bit.
 */
#include "native.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static PyObject *misfit(const char *what) {
    PyErr_SetString(PyExc_ValueError, what);
    return NULL;
}

/* ---------------------------------------------------------------- trees */

/* Children stand side by side, so a step needs no branch: `left` and the outcome of one test give the next node. A
 * leaf leads to itself. What a missing value does is not tested: a feature has up to two slots, one where NaN is
 * below and one where it is above everything, and a node reads the one that sends NaN its way. */
typedef struct {
    float threshold;
    uint16_t slot;
    uint16_t left; /* from the start of the tree */
} Node;
enum { MAX_TREE = 0xFFFF, MAX_SLOTS = 0xFFFF, LANES = 16, HALF = LANES / 2, STRIDE = 4, MAX_PARTS = 8, MAX_LEAVES = 32 };

/* The same for trees of few leaves, which are a bit each, from left to right: every node is tested, one that sends a row
 * right rules out the leaves under its left child, and the first leaf that is left is the row's (QuickScorer: Lucchese et al.,
 * SIGIR 2015). More tests than steps down the tree, but none waits for another and many rows go at once. */
typedef struct {
    float threshold;
    uint32_t slot;
    uint32_t leaves;
} Test;

typedef struct {
    Py_ssize_t n_trees, n_nodes;
    int n_features, n_slots;
    int32_t *slot; /* per slot: 2 * feature, + 1 where NaN is above everything */
    int32_t *start, *depth; /* per tree: its first node, and steps to its deepest leaf */
    Node *node;
    double *value;
    int32_t *first_test; /* per tree and one more; NULL where a tree has too many leaves */
    Test *test;
    double *leaf; /* MAX_LEAVES per tree */
} Trees;

/* Per slot: its column in row 0, and how far the next row is. */
typedef struct {
    const float **from;
    int64_t *stride;
} Slots;

static const char TREES[] = "sitegrain.trees";

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

static void capsule_free(PyObject *capsule) { trees_free(PyCapsule_GetPointer(capsule, TREES)); }

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
        for (int half = 0; half < 2; half++, q += HALF * s) {
            Floats x = {q[0], q[s], q[2 * s], q[3 * s], q[4 * s], q[5 * s], q[6 * s], q[7 * s]};
            Ints is_there = x == x, bits = ((Ints)x & is_there) | ((Ints)instead & ~is_there);
            memcpy(slots + f * LANES + half * HALF, &bits, sizeof bits);
        }
    }
}

/* Add all trees to the sums of LANES rows, as `add_trees` does. */
static inline __attribute__((always_inline)) void add_tests_body(const Trees *t, const float *slots, double *sum) {
    Doubles total[4] = {{0}, {0}, {0}, {0}};
    for (Py_ssize_t k = 0; k < t->n_trees; k++) {
        Ints out[2] = {{0}, {0}};
        const Test *last = t->test + t->first_test[k + 1];
        for (const Test *test = t->test + t->first_test[k]; test < last; test++) {
            const Floats *x = (const Floats *)(slots + (size_t)test->slot * LANES);
            out[0] |= (x[0] > test->threshold) & (int32_t)test->leaves;
            out[1] |= (x[1] > test->threshold) & (int32_t)test->leaves;
        }
        const double *leaf = t->leaf + k * MAX_LEAVES;
        uint32_t left[LANES];
        out[0] = ~out[0];
        out[1] = ~out[1];
        memcpy(left, out, sizeof left);
        __asm__("" : "+m"(left)); /* through memory: taking lanes out of a vector one by one is slower */
#define LEAF(lane) leaf[__builtin_ctz(left[lane])]
        for (int j = 0; j < 4; j++) total[j] += (Doubles){LEAF(4 * j), LEAF(4 * j + 1), LEAF(4 * j + 2), LEAF(4 * j + 3)};
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
__attribute__((target("avx2,bmi"))) static void add_tests_wide(const Trees *t, const Slots *in, Py_ssize_t row, float *slots,
                                                               double *sum) {
    if (in) fill_body(t, in, row, slots);
    add_tests_body(t, slots, sum);
}

static void add_tests(const Trees *t, const Slots *in, Py_ssize_t row, float *slots, double *sum) {
    int is_wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
    (is_wide ? add_tests_wide : add_tests_plain)(t, in, row, slots, sum);
}
#else
#define add_tests add_tests_plain
#endif
#else
#define make_tests(t) 0
#define add_tests(t, in, row, slots, sum) add_trees(t, slots, sum)
#endif

/* pack_trees(n_features, feature, threshold, left, right, default_left, value, roots) -> trees for `predict`.
 * A node with left < 0 is a leaf; NaN goes where default_left says. */
PyObject *native_pack_trees(PyObject *self, PyObject *args) {
    PyObject *o[7], *capsule = NULL;
    int n_features;
    if (!PyArg_ParseTuple(args, "iOOOOOOO", &n_features, &o[0], &o[1], &o[2], &o[3], &o[4], &o[5], &o[6])) return NULL;
    static const Py_ssize_t ITEM[7] = {4, 4, 4, 4, 1, 8, 4};
    Column in[7];
    memset(in, 0, sizeof in);
    Trees *t = NULL;
    int32_t *queue = NULL, *level = NULL, *slot_of = NULL;
    for (int k = 0; k < 7; k++)
        if (column_get(&in[k], o[k], ITEM[k], 0)) goto done;
    Py_ssize_t n = in[0].n, n_trees = in[6].n;
    const int32_t *f = in[0].buffer.buf, *l = in[2].buffer.buf, *r = in[3].buffer.buf, *root = in[6].buffer.buf;
    const float *threshold = in[1].buffer.buf;
    const uint8_t *default_left = in[4].buffer.buf;
    const double *value = in[5].buffer.buf;
    int is_bad = n_features < 0 || n_features > MAX_SLOTS / 2 || n > INT32_MAX / 2;
    for (int k = 0; k < 6; k++) is_bad |= in[k].n != n;
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
    capsule = PyCapsule_New(t, TREES, capsule_free);
    if (capsule) t = NULL;
done:
    trees_free(t);
    PyMem_RawFree(queue);
    PyMem_RawFree(level);
    PyMem_RawFree(slot_of);
    columns_release(in, 7);
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

/* predict(trees, parts, at, is_probability, out): parts is a tuple of (float32 matrix, columns) with the same number of rows, that
 * stand side by side; at[f] is the column of feature f among them. out (float64) gets the sum over trees, through a sigmoid
 * if `is_probability`. */
PyObject *native_predict(PyObject *self, PyObject *args) {
    PyObject *capsule, *parts, *at_object, *out_object;
    int is_probability;
    if (!PyArg_ParseTuple(args, "OO!OpO", &capsule, &PyTuple_Type, &parts, &at_object, &is_probability, &out_object)) return NULL;
    const Trees *t = PyCapsule_GetPointer(capsule, TREES);
    Py_ssize_t n_parts = PyTuple_GET_SIZE(parts);
    if (!t) return NULL;
    if (n_parts > MAX_PARTS) return misfit("too many parts");
    Column in[MAX_PARTS + 2];
    memset(in, 0, sizeof in);
    int64_t width[MAX_PARTS], first[MAX_PARTS + 1] = {0};
    Slots slots = {NULL, NULL};
    float *rows = NULL;
    int is_fine = 0;
    if (column_get(&in[MAX_PARTS], at_object, 8, 0) || column_get(&in[MAX_PARTS + 1], out_object, 8, 1)) goto done;
    Py_ssize_t n = in[MAX_PARTS + 1].n;
    const int64_t *at = in[MAX_PARTS].buffer.buf;
    double *out = in[MAX_PARTS + 1].buffer.buf;
    for (Py_ssize_t k = 0; k < n_parts; k++) {
        PyObject *matrix;
        long long columns;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(parts, k), "OL", &matrix, &columns) || column_get(&in[k], matrix, 4, 0)) goto done;
        if (columns < 0 || columns > INT32_MAX || in[k].n < n * columns) { misfit("a part does not fit"); goto done; }
        width[k] = columns;
        first[k + 1] = first[k] + columns;
    }
    if (in[MAX_PARTS].n != t->n_features) { misfit("one column for each feature"); goto done; }
    size_t n_slots = (size_t)t->n_slots;
    slots.from = PyMem_RawMalloc((n_slots + 1) * sizeof *slots.from);
    slots.stride = PyMem_RawMalloc((n_slots + 1) * sizeof *slots.stride);
    rows = PyMem_RawCalloc(LANES * (n_slots + 1), sizeof *rows);
    if (!slots.from || !slots.stride || !rows) { PyErr_NoMemory(); goto done; }
    for (size_t f = 0; f < n_slots; f++) {
        Py_ssize_t k = 0;
        int64_t column = at[t->slot[f] / 2];
        while (k < n_parts && column >= first[k + 1]) k++;
        if (column < 0 || k >= n_parts) { misfit("one column for each feature"); goto done; }
        slots.from[f] = (const float *)in[k].buffer.buf + (column - first[k]);
        slots.stride[f] = width[k];
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
    is_fine = 1;
done:
    PyMem_RawFree(slots.from);
    PyMem_RawFree(slots.stride);
    PyMem_RawFree(rows);
    columns_release(in, MAX_PARTS + 2);
    if (!is_fine) return NULL;
    Py_RETURN_NONE;
}

/* mean_score(parts, out): parts is a tuple of scores (float64); out gets their mean by log odds. */
PyObject *native_mean_score(PyObject *self, PyObject *args) {
    PyObject *parts, *out_object;
    if (!PyArg_ParseTuple(args, "O!O", &PyTuple_Type, &parts, &out_object)) return NULL;
    Py_ssize_t n_parts = PyTuple_GET_SIZE(parts);
    if (n_parts < 1 || n_parts > MAX_PARTS) return misfit("too many parts or none");
    Column in[MAX_PARTS + 1];
    memset(in, 0, sizeof in);
    int is_fine = 0;
    if (column_get(&in[MAX_PARTS], out_object, 8, 1)) goto done;
    Py_ssize_t n = in[MAX_PARTS].n;
    for (Py_ssize_t k = 0; k < n_parts; k++) {
        if (column_get(&in[k], PyTuple_GET_ITEM(parts, k), 8, 0)) goto done;
        if (in[k].n != n) { misfit("a part does not fit"); goto done; }
    }
    double *out = in[MAX_PARTS].buffer.buf;
    const double least = 1e-6, most = 1 - 1e-6;
    for (Py_ssize_t i = 0; i < n; i++) {
        double sum = 0;
        for (Py_ssize_t k = 0; k < n_parts; k++) {
            double p = ((const double *)in[k].buffer.buf)[i];
            p = p < least ? least : p > most ? most : p;
            sum += log(p / (1 - p));
        }
        out[i] = 1 / (1 + exp(-sum / (double)n_parts));
    }
    is_fine = 1;
done:
    columns_release(in, MAX_PARTS + 1);
    if (!is_fine) return NULL;
    Py_RETURN_NONE;
}

/* ---------------------------------------------------------------- order within pages */

typedef struct {
    double score;
    int32_t page, block;
} Place;

static int by_page_and_score(const void *a, const void *b) {
    const Place *p = a, *q = b;
    if (p->page != q->page) return p->page < q->page ? -1 : 1;
    if (p->score != q->score) return p->score > q->score ? -1 : 1;
    return p->block < q->block ? -1 : 1;
}

/* Blocks by page, and within a page from the highest score down, ties in document order. */
static Place *ordered(const double *score, const int32_t *page, Py_ssize_t n) {
    Place *order = PyMem_RawMalloc(((size_t)n + 1) * sizeof *order);
    if (!order) return NULL;
    for (Py_ssize_t i = 0; i < n; i++) /* NaN comes last, as in a sort by numpy */
        order[i] = (Place){score[i] == score[i] ? score[i] : -INFINITY, page[i], (int32_t)i};
    qsort(order, (size_t)n, sizeof *order, by_page_and_score);
    return order;
}

static int pages_fit(const int32_t *page, Py_ssize_t n, int n_pages) {
    for (Py_ssize_t i = 0; i < n; i++)
        if (page[i] < (i ? page[i - 1] : 0) || page[i] >= n_pages) return 0;
    return 1;
}

/* decide(score, words, page, n_pages, nothing_below, kept): kept (one byte a block) is set. */
PyObject *native_decide(PyObject *self, PyObject *args) {
    PyObject *o[4];
    int n_pages;
    double nothing_below;
    if (!PyArg_ParseTuple(args, "OOOidO", &o[0], &o[1], &o[2], &n_pages, &nothing_below, &o[3])) return NULL;
    Column in[4];
    memset(in, 0, sizeof in);
    Place *order = NULL;
    double *f1 = NULL;
    int is_fine = 0;
    if (column_get(&in[0], o[0], 8, 0) || column_get(&in[1], o[1], 8, 0) || column_get(&in[2], o[2], 4, 0) ||
        column_get(&in[3], o[3], 1, 1))
        goto done;
    Py_ssize_t n = in[0].n;
    const double *score = in[0].buffer.buf, *words = in[1].buffer.buf;
    const int32_t *page = in[2].buffer.buf;
    uint8_t *kept = in[3].buffer.buf;
    if (in[1].n != n || in[2].n != n || in[3].n != n || n > INT32_MAX || !pages_fit(page, n, n_pages)) {
        misfit("one score, size and page for each block");
        goto done;
    }
    order = ordered(score, page, n);
    f1 = PyMem_RawMalloc(((size_t)n + 1) * sizeof *f1);
    if (!order || !f1) { PyErr_NoMemory(); goto done; }
    double gain = 0, size = 0;
    for (Py_ssize_t i = 0; i < n;) {
        Py_ssize_t end = i;
        double total = 0, base_gain = gain, base_size = size, best = 0;
        for (; end < n && order[end].page == order[i].page; end++) {
            double w = words[order[end].block] > 0.1 ? words[order[end].block] : 0.1;
            total += order[end].score * w;
        }
        for (Py_ssize_t k = i; k < end; k++) {
            double w = words[order[k].block] > 0.1 ? words[order[k].block] : 0.1;
            gain += order[k].score * w;
            size += w;
            f1[k] = 2 * (gain - base_gain) / (size - base_size + total);
            if (f1[k] > best) best = f1[k];
        }
        int is_over = best < nothing_below;
        for (; i < end; i++) {
            kept[order[i].block] = (uint8_t)!is_over;
            is_over |= f1[i] >= best - 1e-12; /* the first place that reaches the best is the last that is kept */
        }
    }
    is_fine = 1;
done:
    PyMem_RawFree(order);
    PyMem_RawFree(f1);
    columns_release(in, 4);
    if (!is_fine) return NULL;
    Py_RETURN_NONE;
}

/* ---------------------------------------------------------------- first scores around a block */

static double ratio(double a, double b) { return b > 0 ? a / b : 0.0; }

enum { STAGE_LEVELS = 6, STAGE_COLUMNS = 9 + STAGE_LEVELS + 9 };

/* stage(page, first, row_end, chain, n_pages, words, p, path, tag_path, out): out is float32 [blocks x 24], in the
 * order of STAGE_NAMES; chain is a tuple of one row of each block a level; path and tag_path may be None. */
PyObject *native_stage(PyObject *self, PyObject *args) {
    PyObject *o[8], *chain_object;
    int n_pages;
    if (!PyArg_ParseTuple(args, "OOOO!iOOOOO", &o[0], &o[1], &o[2], &PyTuple_Type, &chain_object, &n_pages, &o[3], &o[4], &o[5], &o[6], &o[7]))
        return NULL;
    static const Py_ssize_t ITEM[8] = {4, 4, 4, 8, 8, 8, 8, 4};
    Column in[8 + STAGE_LEVELS];
    memset(in, 0, sizeof in);
    double *sums = NULL;
    Place *order = NULL;
    int is_fine = 0;
    if (PyTuple_GET_SIZE(chain_object) != STAGE_LEVELS) { misfit("one row for each level"); goto done; }
    for (int k = 0; k < 8; k++)
        if (!((k == 5 || k == 6) && o[k] == Py_None) && column_get(&in[k], o[k], ITEM[k], k == 7)) goto done;
    for (int k = 0; k < STAGE_LEVELS; k++)
        if (column_get(&in[8 + k], PyTuple_GET_ITEM(chain_object, k), 4, 0)) goto done;
    Py_ssize_t n = in[4].n, n_rows = in[2].n;
    const int32_t *page = in[0].buffer.buf, *first = in[1].buffer.buf, *row_end = in[2].buffer.buf;
    const double *words = in[3].buffer.buf, *p = in[4].buffer.buf, *path = in[5].buffer.buf, *tag_path = in[6].buffer.buf;
    float *out = in[7].buffer.buf;
    int fits = in[0].n == n && in[1].n == n && in[3].n == n && (!path || in[5].n == n) && (!tag_path || in[6].n == n) &&
               in[7].n == n * STAGE_COLUMNS && n <= INT32_MAX && n_rows < INT32_MAX && pages_fit(page, n, n_pages);
    for (Py_ssize_t i = 0; fits && i < n; i++)
        fits = first[i] >= 0 && first[i] < n_rows && (!i || first[i] > first[i - 1]);
    for (int k = 0; fits && k < STAGE_LEVELS; k++) {
        const int32_t *at = in[8 + k].buffer.buf;
        fits = in[8 + k].n == n;
        for (Py_ssize_t i = 0; fits && i < n; i++)
            fits = at[i] >= 0 && at[i] < n_rows && row_end[at[i]] >= at[i] && row_end[at[i]] <= n_rows;
    }
    if (!fits) { misfit("columns of blocks do not fit"); goto done; }
    /* Running sums over blocks (pw, w) and over rows: the value before row r is at the number of blocks before r. */
    sums = PyMem_RawMalloc(2 * ((size_t)n + 1) * sizeof *sums + ((size_t)n_rows + 1) * sizeof(int32_t));
    order = ordered(p, page, n);
    if (!sums || !order) { PyErr_NoMemory(); goto done; }
    double *run_p = sums, *run_w = sums + n + 1;
    int32_t *before = (int32_t *)(run_w + n + 1);
    run_p[0] = run_w[0] = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        double w = words[i] + 1.0;
        run_p[i + 1] = run_p[i] + p[i] * w;
        run_w[i + 1] = run_w[i] + w;
    }
    for (Py_ssize_t r = 0, k = 0; r <= n_rows; r++) {
        while (k < n && first[k] < r) k++;
        before[r] = (int32_t)k;
    }
    for (Py_ssize_t lo = 0, hi; lo < n; lo = hi) { /* one page */
        double page_w = 0, page_p = 0, most = 0;
        for (hi = lo; hi < n && page[hi] == page[lo]; hi++) {
            double w = words[hi] + 1.0;
            page_w += w;
            page_p += p[hi] * w;
            if (p[hi] > most) most = p[hi];
        }
        double log_words = log1p(page_p);
        for (Py_ssize_t i = lo; i < hi; i++) {
            float *x = out + i * STAGE_COLUMNS;
            double w = words[i] + 1.0;
            *x++ = (float)p[i];
            for (int by = -3; by <= 3; by++)
                if (by) *x++ = i + by >= lo && i + by < hi ? (float)p[i + by] : NAN;
            static const int WIDTH[] = {4, 15};
            for (int k = 0; k < 2; k++) {
                Py_ssize_t a = i - WIDTH[k] > lo ? i - WIDTH[k] : lo, b = i + WIDTH[k] + 1 < hi ? i + WIDTH[k] + 1 : hi;
                *x++ = (float)ratio(run_p[b] - run_p[a], run_w[b] - run_w[a]);
            }
            for (int k = 0; k < STAGE_LEVELS; k++) {
                int32_t at = ((const int32_t *)in[8 + k].buffer.buf)[i], a = before[at], b = before[row_end[at]];
                *x++ = (float)ratio(run_p[b] - run_p[a], run_w[b] - run_w[a]);
            }
            *x++ = (float)ratio(page_p, page_w);
            *x++ = (float)log_words;
            *x++ = (float)most;
            x++; /* the rank, below */
            double share = ratio(p[i] * w, page_p), so_far = ratio(run_p[i] - run_p[lo], page_p);
            *x++ = (float)share;
            *x++ = (float)so_far;
            *x++ = (float)(1 - so_far - share);
            *x++ = path ? (float)path[i] : NAN;
            *x++ = tag_path ? (float)tag_path[i] : NAN;
        }
        for (Py_ssize_t i = lo; i < hi; i++)
            out[(Py_ssize_t)order[i].block * STAGE_COLUMNS + 12 + STAGE_LEVELS] = (float)ratio((double)(i - lo), (double)(hi - lo));
    }
    is_fine = 1;
done:
    PyMem_RawFree(sums);
    PyMem_RawFree(order);
    columns_release(in, 8 + STAGE_LEVELS);
    if (!is_fine) return NULL;
    Py_RETURN_NONE;
}
