/* Scores of blocks: their mean, the decision which of them a page keeps, first scores around a block. Sums are in the order of the
 * Python bodies, so that the results are the same to the last bit. */
#include "scoring.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The mean by log odds. A part that stands twice in a row is looked at once. */
void mean_into(const double *const *part, Py_ssize_t n_parts, Py_ssize_t n, double *out) {
    const double least = 1e-6, most = 1 - 1e-6;
    for (Py_ssize_t i = 0; i < n; i++) {
        double sum = 0, odds = 0;
        for (Py_ssize_t k = 0; k < n_parts; k++) {
            if (!k || part[k] != part[k - 1]) {
                double p = part[k][i];
                p = p < least ? least : p > most ? most : p;
                odds = log(p / (1 - p));
            }
            sum += odds;
        }
        out[i] = 1 / (1 + exp(-sum / (double)n_parts));
    }
}

/* mean_score(parts) -> float64 per block: the mean by log odds of a tuple of scores (float64). */
PyObject *native_mean_score(PyObject *self, PyObject *args) {
    PyObject *parts, *result = NULL;
    if (!PyArg_ParseTuple(args, "O!", &PyTuple_Type, &parts)) return NULL;
    Py_ssize_t n_parts = PyTuple_GET_SIZE(parts);
    if (n_parts < 1 || n_parts > MAX_PARTS) return misfit("too many parts or none");
    Column in[MAX_PARTS];
    const double *part[MAX_PARTS];
    memset(in, 0, sizeof in);
    for (Py_ssize_t k = 0; k < n_parts; k++) {
        if (column_get(&in[k], PyTuple_GET_ITEM(parts, k), 8)) goto done;
        if (in[k].n != in[0].n) { misfit("a part does not fit"); goto done; }
        part[k] = in[k].buffer.buf;
    }
    if ((result = PyByteArray_FromStringAndSize(NULL, in[0].n * 8)))
        mean_into(part, n_parts, in[0].n, (double *)PyByteArray_AS_STRING(result));
done:
    columns_release(in, MAX_PARTS);
    return result;
}

/* ---------------------------------------------------------------- order within pages */

typedef struct {
    double score;
    int32_t page, block;
} Place;

/* From the highest score down, ties as they stand: runs of one, two, four ... places are merged, each time from one half of the memory into the other. */
static void merge_sort(Place *order, Place *other, Py_ssize_t n) {
    Place *from = order, *to = other;
    for (Py_ssize_t width = 1; width < n; width *= 2) {
        for (Py_ssize_t lo = 0; lo < n; lo += 2 * width) {
            Py_ssize_t mid = lo + width < n ? lo + width : n, hi = lo + 2 * width < n ? lo + 2 * width : n;
            Py_ssize_t a = lo, b = mid, k = lo;
            while (a < mid && b < hi) { /* no branch: nobody can guess which is next */
                int is_second = from[b].score > from[a].score;
                to[k++] = from[is_second ? b : a];
                a += !is_second;
                b += is_second;
            }
            memcpy(to + k, from + a, (size_t)(mid - a) * sizeof *to);
            memcpy(to + k + (mid - a), from + b, (size_t)(hi - b) * sizeof *to);
        }
        Place *swap = from;
        from = to;
        to = swap;
    }
    if (from != order) memcpy(order, from, (size_t)n * sizeof *order);
}

/* The same of few places. */
static void insertion_sort(Place *order, Py_ssize_t n) {
    for (Py_ssize_t i = 1; i < n; i++) {
        const Place own = order[i];
        Py_ssize_t k = i;
        for (; k > 0 && order[k - 1].score < own.score; k--) order[k] = order[k - 1];
        order[k] = own;
    }
}

/* Steps of a score that are put apart before anything is compared: powers of two from 2^-LEAST_POWER to 1, each in STEPS parts; the first step is all
 * below, the last one all from 1 on. */
enum { FEW = 16, LEAST_POWER = 12, STEP_BITS = 5, STEPS = 1 << STEP_BITS, N_STEPS = LEAST_POWER * STEPS + 2 };

static inline int step_of(double score) {
    uint64_t bits;
    memcpy(&bits, &score, sizeof bits);
    const int64_t from = (int64_t)(1023 - LEAST_POWER) << STEP_BITS, step = (int64_t)(bits >> (52 - STEP_BITS)) - from;
    return score >= 1 ? N_STEPS - 1 : !(score > 0) || step < 0 ? 0 : (int)step + 1; /* minus zero is no more than zero */
}

/* The same of the places of a page: most are put where they belong by their step alone. */
static void order_page(Place *order, Place *other, Py_ssize_t n) {
    if (n <= FEW) { insertion_sort(order, n); return; }
    int32_t begin[N_STEPS + 1] = {0}; /* of each step, from the highest down */
    for (Py_ssize_t i = 0; i < n; i++) begin[N_STEPS - step_of(order[i].score)]++;
    for (int k = 0; k < N_STEPS; k++) begin[k + 1] += begin[k];
    for (Py_ssize_t i = 0; i < n; i++) other[begin[N_STEPS - 1 - step_of(order[i].score)]++] = order[i];
    memcpy(order, other, (size_t)n * sizeof *order);
    for (int32_t lo = 0, k = 0; k < N_STEPS; lo = begin[k++]) {
        if (begin[k] - lo <= FEW) insertion_sort(order + lo, begin[k] - lo);
        else merge_sort(order + lo, other, begin[k] - lo);
    }
}

/* Blocks by page (which they are already), and within a page from the highest score down, ties in document order. */
static Place *ordered(const double *score, const int32_t *page, Py_ssize_t n) {
    Place *order = PyMem_RawMalloc((2 * (size_t)n + 1) * sizeof *order);
    if (!order) return NULL;
    for (Py_ssize_t i = 0; i < n; i++) /* NaN comes last, as in a sort by numpy */
        order[i] = (Place){score[i] == score[i] ? score[i] : -INFINITY, page[i], (int32_t)i};
    for (Py_ssize_t lo = 0, hi; lo < n; lo = hi) {
        for (hi = lo; hi < n && page[hi] == page[lo]; hi++) {}
        order_page(order + lo, order + n, hi - lo);
    }
    return order;
}

static int pages_fit(const int32_t *page, Py_ssize_t n, int n_pages) {
    for (Py_ssize_t i = 0; i < n; i++)
        if (page[i] < (i ? page[i - 1] : 0) || page[i] >= n_pages) return 0;
    return 1;
}

int decide_into(const double *score, const double *words, const int32_t *page, Py_ssize_t n, int n_pages, double nothing_below,
                uint8_t *kept) {
    if (n > INT32_MAX || !pages_fit(page, n, n_pages)) return bad("one score, size and page for each block");
    Place *order = ordered(score, page, n);
    double *f1 = PyMem_RawMalloc(((size_t)n + 1) * sizeof *f1);
    if (!order || !f1) {
        PyErr_NoMemory();
        PyMem_RawFree(order);
        PyMem_RawFree(f1);
        return -1;
    }
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
    PyMem_RawFree(order);
    PyMem_RawFree(f1);
    return 0;
}

/* decide(score, words, page, n_pages, nothing_below) -> one byte a block: kept. */
PyObject *native_decide(PyObject *self, PyObject *args) {
    PyObject *o[3], *result = NULL;
    int n_pages;
    double nothing_below;
    if (!PyArg_ParseTuple(args, "OOOid", &o[0], &o[1], &o[2], &n_pages, &nothing_below)) return NULL;
    Column in[3];
    memset(in, 0, sizeof in);
    if (column_get(&in[0], o[0], 8) || column_get(&in[1], o[1], 8) || column_get(&in[2], o[2], 4)) goto done;
    Py_ssize_t n = in[0].n;
    if (in[1].n != n || in[2].n != n) {
        misfit("one score, size and page for each block");
        goto done;
    }
    if (!(result = PyByteArray_FromStringAndSize(NULL, n))) goto done;
    if (decide_into(in[0].buffer.buf, in[1].buffer.buf, in[2].buffer.buf, n, n_pages, nothing_below, (uint8_t *)PyByteArray_AS_STRING(result)))
        Py_CLEAR(result);
done:
    columns_release(in, 3);
    return result;
}

/* ---------------------------------------------------------------- first scores around a block */

static int where_fits(const Where *at) {
    if (at->n > INT32_MAX || at->n_rows >= INT32_MAX || !pages_fit(at->page, at->n, at->n_pages)) return 0;
    for (Py_ssize_t i = 0; i < at->n; i++)
        if (at->first[i] < 0 || at->first[i] >= at->n_rows || (i && at->first[i] <= at->first[i - 1])) return 0;
    for (Py_ssize_t i = 0; i < at->n * LEVELS; i++) {
        int32_t up = at->chain[i];
        if (up < 0 || up >= at->n_rows || at->row_end[up] < up || at->row_end[up] > at->n_rows) return 0;
    }
    for (Py_ssize_t i = 0; i < 2 * at->n; i++)
        if (at->alike[i] < 0 || at->alike[i] >= at->n) return 0;
    return 1;
}

/* Sums over the blocks that are alike. */
typedef struct {
    double p, w;
    int32_t n;
} Group;

static void alike_columns(const Where *where, const double *words, const double *p, Group *group, float *out) {
    for (int which = 0; which < 2; which++) {
        const int32_t *of = where->alike + (size_t)which * (size_t)where->n;
        memset(group, 0, (size_t)where->n * sizeof *group);
        for (Py_ssize_t i = 0; i < where->n; i++) {
            Group *g = &group[of[i]];
            g->p += p[i] * (words[i] + 1.0);
            g->w += words[i] + 1.0;
            g->n++;
        }
        for (Py_ssize_t i = 0; i < where->n; i++) {
            const Group *g = &group[of[i]];
            double w = words[i] + 1.0;
            float *x = out + i * N_STAGE + P_p_alike + 2 * which;
            x[0] = (float)ratio(g->p, g->w);
            x[1] = g->n > 1 ? (float)ratio(g->p - p[i] * w, g->w - w) : NAN;
        }
    }
}

int stage_into(const Where *where, const double *words, const double *p, const double *path, const double *tag_path, float *out) {
    if (!where_fits(where)) return bad("columns of blocks do not fit");
    const int32_t *page = where->page, *first = where->first, *row_end = where->row_end, *chain = where->chain;
    Py_ssize_t n = where->n, n_rows = where->n_rows;
    /* Running sums over blocks (pw, w) and over rows: the value before row r is at the number of blocks before r. */
    double *sums = PyMem_RawMalloc(2 * ((size_t)n + 1) * sizeof *sums + ((size_t)n_rows + 1) * sizeof(int32_t));
    Place *order = ordered(p, page, n);
    Group *group = PyMem_RawMalloc(((size_t)n + 1) * sizeof *group);
    if (!sums || !order || !group) {
        PyErr_NoMemory();
        PyMem_RawFree(sums);
        PyMem_RawFree(order);
        PyMem_RawFree(group);
        return -1;
    }
    alike_columns(where, words, p, group, out);
    PyMem_RawFree(group);
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
            float *x = out + i * N_STAGE;
            double w = words[i] + 1.0;
            x[P_p] = (float)p[i];
            static const int BY[] = {-3, -2, -1, 1, 2, 3}, WIDTH[] = {4, 15};
            for (int k = 0; k < 6; k++) x[P_p_around + k] = i + BY[k] >= lo && i + BY[k] < hi ? (float)p[i + BY[k]] : NAN;
            for (int k = 0; k < 2; k++) {
                Py_ssize_t a = i - WIDTH[k] > lo ? i - WIDTH[k] : lo, b = i + WIDTH[k] + 1 < hi ? i + WIDTH[k] + 1 : hi;
                x[k ? P_p_within_far : P_p_within] = (float)ratio(run_p[b] - run_p[a], run_w[b] - run_w[a]);
            }
            for (int k = 0; k < LEVELS; k++) {
                int32_t at = chain[k * n + i], a = before[at], b = before[row_end[at]];
                x[P_p_up + k] = (float)ratio(run_p[b] - run_p[a], run_w[b] - run_w[a]);
            }
            x[P_p_page] = (float)ratio(page_p, page_w);
            x[P_p_page_words] = (float)log_words;
            x[P_p_page_max] = (float)most;
            double share = ratio(p[i] * w, page_p), so_far = ratio(run_p[i] - run_p[lo], page_p);
            x[P_p_words_share] = (float)share;
            x[P_p_before] = (float)so_far;
            x[P_p_after] = (float)(1 - so_far - share);
            x[P_p_path] = path ? (float)path[i] : NAN;
            x[P_p_tagpath] = tag_path ? (float)tag_path[i] : NAN;
        }
        for (Py_ssize_t i = lo; i < hi; i++)
            out[(Py_ssize_t)order[i].block * N_STAGE + P_p_rank] = (float)ratio((double)(i - lo), (double)(hi - lo));
    }
    PyMem_RawFree(sums);
    PyMem_RawFree(order);
    return 0;
}

/* stage(where, words, p, path, tag_path) -> float32 [blocks x STAGE]; where: see Geometry; path and tag_path may be None. */
PyObject *native_stage(PyObject *self, PyObject *args) {
    enum { PAGE, FIRST, ROW_END, CHAIN, ALIKE, WORDS, SCORE, PATH, TAG_PATH, N_IN };
    PyObject *o[N_IN], *result = NULL;
    int n_pages;
    if (!PyArg_ParseTuple(args, "(OOOOOi)OOOO", &o[PAGE], &o[FIRST], &o[ROW_END], &o[CHAIN], &o[ALIKE], &n_pages, &o[WORDS], &o[SCORE], &o[PATH],
                          &o[TAG_PATH]))
        return NULL;
    static const Py_ssize_t ITEM[N_IN] = {4, 4, 4, 4, 4, 8, 8, 8, 8};
    Column in[N_IN];
    memset(in, 0, sizeof in);
    for (int k = 0; k < N_IN; k++)
        if (!(k >= PATH && o[k] == Py_None) && column_get(&in[k], o[k], ITEM[k])) goto done;
    Py_ssize_t n = in[SCORE].n;
    Where where = {in[PAGE].buffer.buf, in[FIRST].buffer.buf, in[ROW_END].buffer.buf, in[CHAIN].buffer.buf, in[ALIKE].buffer.buf, n, in[ROW_END].n, n_pages};
    const double *path = in[PATH].buffer.buf, *tag_path = in[TAG_PATH].buffer.buf;
    if (in[PAGE].n != n || in[FIRST].n != n || in[WORDS].n != n || (path && in[PATH].n != n) || (tag_path && in[TAG_PATH].n != n) ||
        in[CHAIN].n != n * LEVELS || in[ALIKE].n != 2 * n) {
        misfit("columns of blocks do not fit");
        goto done;
    }
    if (!(result = new_matrix(n, N_STAGE))) goto done;
    if (stage_into(&where, in[WORDS].buffer.buf, in[SCORE].buffer.buf, path, tag_path, (float *)PyByteArray_AS_STRING(result)) ||
        matrix_is_set(result, n, N_STAGE, "STAGE"))
        Py_CLEAR(result);
done:
    columns_release(in, N_IN);
    return result;
}
