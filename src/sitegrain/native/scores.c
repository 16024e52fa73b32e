/* Scores of blocks: their mean, the decision which of them a page keeps, first scores around a block. Sums are in the order of the
 * Python bodies, so that the results are the same to the last bit. */
#include "native.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARTS = 8 };

/* mean_score(parts) -> float64 per block: the mean by log odds of a tuple of scores (float64). */
PyObject *native_mean_score(PyObject *self, PyObject *args) {
    PyObject *parts, *result = NULL;
    if (!PyArg_ParseTuple(args, "O!", &PyTuple_Type, &parts)) return NULL;
    Py_ssize_t n_parts = PyTuple_GET_SIZE(parts);
    if (n_parts < 1 || n_parts > MAX_PARTS) return misfit("too many parts or none");
    Column in[MAX_PARTS];
    memset(in, 0, sizeof in);
    for (Py_ssize_t k = 0; k < n_parts; k++) {
        if (column_get(&in[k], PyTuple_GET_ITEM(parts, k), 8)) goto done;
        if (in[k].n != in[0].n) { misfit("a part does not fit"); goto done; }
    }
    Py_ssize_t n = in[0].n;
    if (!(result = PyByteArray_FromStringAndSize(NULL, n * 8))) goto done;
    double *out = (double *)PyByteArray_AS_STRING(result);
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
done:
    columns_release(in, MAX_PARTS);
    return result;
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

/* decide(score, words, page, n_pages, nothing_below) -> one byte a block: kept. */
PyObject *native_decide(PyObject *self, PyObject *args) {
    PyObject *o[3], *result = NULL;
    int n_pages;
    double nothing_below;
    if (!PyArg_ParseTuple(args, "OOOid", &o[0], &o[1], &o[2], &n_pages, &nothing_below)) return NULL;
    Column in[3];
    memset(in, 0, sizeof in);
    Place *order = NULL;
    double *f1 = NULL;
    if (column_get(&in[0], o[0], 8) || column_get(&in[1], o[1], 8) || column_get(&in[2], o[2], 4)) goto done;
    Py_ssize_t n = in[0].n;
    const double *score = in[0].buffer.buf, *words = in[1].buffer.buf;
    const int32_t *page = in[2].buffer.buf;
    if (in[1].n != n || in[2].n != n || n > INT32_MAX || !pages_fit(page, n, n_pages)) {
        misfit("one score, size and page for each block");
        goto done;
    }
    order = ordered(score, page, n);
    f1 = PyMem_RawMalloc(((size_t)n + 1) * sizeof *f1);
    if (!order || !f1) { PyErr_NoMemory(); goto done; }
    if (!(result = PyByteArray_FromStringAndSize(NULL, n))) goto done;
    uint8_t *kept = (uint8_t *)PyByteArray_AS_STRING(result);
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
done:
    PyMem_RawFree(order);
    PyMem_RawFree(f1);
    columns_release(in, 3);
    return result;
}

/* ---------------------------------------------------------------- first scores around a block */

/* stage(where, words, p, path, tag_path) -> float32 [blocks x STAGE]; where: see Geometry; path and tag_path may be None. */
PyObject *native_stage(PyObject *self, PyObject *args) {
    enum { PAGE, FIRST, ROW_END, CHAIN, WORDS, SCORE, PATH, TAG_PATH, N_IN };
    PyObject *o[N_IN], *result = NULL;
    int n_pages;
    if (!PyArg_ParseTuple(args, "(OOOOi)OOOO", &o[PAGE], &o[FIRST], &o[ROW_END], &o[CHAIN], &n_pages, &o[WORDS], &o[SCORE], &o[PATH], &o[TAG_PATH]))
        return NULL;
    static const Py_ssize_t ITEM[N_IN] = {4, 4, 4, 4, 8, 8, 8, 8};
    Column in[N_IN];
    memset(in, 0, sizeof in);
    double *sums = NULL;
    Place *order = NULL;
    for (int k = 0; k < N_IN; k++)
        if (!(k >= PATH && o[k] == Py_None) && column_get(&in[k], o[k], ITEM[k])) goto done;
    Py_ssize_t n = in[SCORE].n, n_rows = in[ROW_END].n;
    const int32_t *page = in[PAGE].buffer.buf, *first = in[FIRST].buffer.buf, *row_end = in[ROW_END].buffer.buf, *chain = in[CHAIN].buffer.buf;
    const double *words = in[WORDS].buffer.buf, *p = in[SCORE].buffer.buf, *path = in[PATH].buffer.buf, *tag_path = in[TAG_PATH].buffer.buf;
    int fits = in[PAGE].n == n && in[FIRST].n == n && in[WORDS].n == n && (!path || in[PATH].n == n) && (!tag_path || in[TAG_PATH].n == n) &&
               n <= INT32_MAX && n_rows < INT32_MAX && in[CHAIN].n == n * LEVELS && pages_fit(page, n, n_pages);
    for (Py_ssize_t i = 0; fits && i < n; i++)
        fits = first[i] >= 0 && first[i] < n_rows && (!i || first[i] > first[i - 1]);
    for (Py_ssize_t i = 0; fits && i < n * LEVELS; i++)
        fits = chain[i] >= 0 && chain[i] < n_rows && row_end[chain[i]] >= chain[i] && row_end[chain[i]] <= n_rows;
    if (!fits) { misfit("columns of blocks do not fit"); goto done; }
    /* Running sums over blocks (pw, w) and over rows: the value before row r is at the number of blocks before r. */
    sums = PyMem_RawMalloc(2 * ((size_t)n + 1) * sizeof *sums + ((size_t)n_rows + 1) * sizeof(int32_t));
    order = ordered(p, page, n);
    if (!sums || !order) { PyErr_NoMemory(); goto done; }
    if (!(result = new_matrix(n, N_STAGE))) goto done;
    float *out = (float *)PyByteArray_AS_STRING(result);
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
    if (matrix_is_set(result, n, N_STAGE, "STAGE")) Py_CLEAR(result);
done:
    PyMem_RawFree(sums);
    PyMem_RawFree(order);
    columns_release(in, N_IN);
    return result;
}
