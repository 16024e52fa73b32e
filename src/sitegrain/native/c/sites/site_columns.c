/* What a site says of blocks, by name; reference/sites/site.py says what each column means. */
#include "site.h"

#ifdef __GNUC__
#define PREFETCH(at) __builtin_prefetch(at)
#else
#define PREFETCH(at) ((void)0)
#endif

enum { PAGE, FIRST, ROW_END, CHAIN, BLOCK_WORDS, IS_SENTENCE, ROW_PAGE, KEYS, TAG_KEYS, N_IN };

static int blocks_fit(const Blocks *blocks, const Column *in, PyObject *text, Py_ssize_t n_pages) {
    Py_ssize_t n = blocks->n, n_rows = in[ROW_END].n, size = PyUnicode_GET_LENGTH(text);
    int fits = n < INT32_MAX && n_rows < INT32_MAX && in[PAGE].n == n && in[FIRST].n == n && in[BLOCK_WORDS].n == n && in[IS_SENTENCE].n == n &&
               in[CHAIN].n >= n * SITE_LEVELS && in[ROW_PAGE].n == n_rows && in[KEYS].n == n_rows && in[TAG_KEYS].n == n_rows;
    const int32_t *row_end = in[ROW_END].buffer.buf, *row_page = in[ROW_PAGE].buffer.buf, *chain = in[CHAIN].buffer.buf;
    for (Py_ssize_t r = 0; fits && r < n_rows; r++)
        fits = row_end[r] > r && row_end[r] <= n_rows && row_page[r] >= 0 && row_page[r] < n_pages;
    const int32_t *page = blocks->page, *first = blocks->first, *box = blocks->box, *start = blocks->text_start, *end = blocks->text_end;
    for (Py_ssize_t i = 0; fits && i < n; i++)
        fits = page[i] >= 0 && page[i] < n_pages && (!i || (page[i] >= page[i - 1] && first[i] > first[i - 1])) && first[i] >= 0 &&
               first[i] < n_rows && box[i] >= 0 && box[i] < n_rows && start[i] >= 0 && start[i] <= end[i] && end[i] <= size;
    for (Py_ssize_t i = 0; fits && i < n * SITE_LEVELS; i++) fits = chain[i] >= 0 && chain[i] < n_rows;
    return fits;
}

typedef struct {
    double fresh, words, cover[SITE_LEVELS]; /* new words, all words, most pages that have an ancestor of new prose */
    int32_t holder[2];                  /* the smallest subtree that holds most of the new words */
} PageSums;

/* site_columns(table, of) -> float32 [blocks x SITE]; of: see SiteBlocks. */
PyObject *native_site_columns(PyObject *self, PyObject *args) {
    PyObject *alike, *capsule, *text, *block_columns, *o[N_IN], *result = NULL;
    int n_pages;
    if (!PyArg_ParseTuple(args, "O(UO(OOOOOi)OOOOO)", &capsule, &text, &block_columns, &o[PAGE], &o[FIRST], &o[ROW_END], &o[CHAIN], &alike, &n_pages,
                          &o[BLOCK_WORDS], &o[IS_SENTENCE], &o[ROW_PAGE], &o[KEYS], &o[TAG_KEYS]))
        return NULL;
    const SiteTable *t = site_of(capsule);
    if (!t) return NULL;
    static const Py_ssize_t ITEM[N_IN] = {4, 4, 4, 4, 8, 1, 4, 8, 8};
    Blocks blocks;
    Column in[N_IN];
    memset(in, 0, sizeof in);
    double *run_new = NULL, *masked = NULL, *cover = NULL;
    uint64_t *hash = NULL;
    int32_t *before = NULL;
    PageSums *pages = NULL;
    if (blocks_get(&blocks, block_columns)) goto done;
    for (int k = 0; k < N_IN; k++)
        if (column_get(&in[k], o[k], ITEM[k])) goto done;
    if (n_pages < 0 || !blocks_fit(&blocks, in, text, n_pages)) { misfit("columns of blocks do not fit"); goto done; }
    Py_ssize_t n = blocks.n, n_rows = in[ROW_END].n;
    const int32_t *page = blocks.page, *first = blocks.first, *box = blocks.box, *text_start = blocks.text_start, *text_end = blocks.text_end;
    const int32_t *row_end = in[ROW_END].buffer.buf, *row_page = in[ROW_PAGE].buffer.buf, *chain = in[CHAIN].buffer.buf;
    const double *words = in[BLOCK_WORDS].buffer.buf;
    const uint8_t *is_sentence = in[IS_SENTENCE].buffer.buf;
    const uint64_t *key = in[KEYS].buffer.buf, *tag_key = in[TAG_KEYS].buffer.buf;
    /* Running sums over blocks; that before row r is at the number of blocks before r. */
    run_new = PyMem_RawMalloc(2 * ((size_t)n + 1) * sizeof *run_new);
    masked = PyMem_RawMalloc(((size_t)n + 1) * sizeof *masked);
    cover = PyMem_RawMalloc(SITE_LEVELS * ((size_t)n + 1) * sizeof *cover);
    hash = PyMem_RawMalloc(((size_t)n + 1) * sizeof *hash);
    before = PyMem_RawMalloc(((size_t)n_rows + 1) * sizeof *before);
    pages = PyMem_RawCalloc((size_t)n_pages + 1, sizeof *pages);
    if (!run_new || !masked || !cover || !hash || !before || !pages) { PyErr_NoMemory(); goto done; }
    double *run_words = run_new + n + 1;
    if (!(result = new_matrix(n, N_SITE))) goto done;
    float *out = (float *)PyByteArray_AS_STRING(result);
    const double new_below = at_least(1.5 / t->n_pages, 0.1), log_pages = log1p(t->n_pages);
    for (Py_ssize_t i = 0; i < n; i++) { /* ahead of their use, so that memory is fetched meanwhile */
        int is_short = text_end[i] - text_start[i] <= REMEMBERED_CHARS;
        hash[i] = is_short ? piece_hash(t->salt, PyUnicode_KIND(text), PyUnicode_DATA(text), text_start[i], text_end[i]) : 0;
        PREFETCH(t->remembered + hash[i] % REMEMBERED);
    }
    Last last_path[2] = {{0}}, last_row[SITE_LEVELS] = {{0}};
    run_new[0] = run_words[0] = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        float *x = out + i * N_SITE;
        Facts facts;
        if (facts_get(t, text, text_start[i], text_end[i], hash[i], &facts)) goto failed;
        masked[i] = facts.masked / t->n_pages;
        x[S_site_pages] = (float)log_pages;
        x[S_site_same] = (float)(facts.same / t->n_pages);
        x[S_site_masked] = (float)masked[i];
        x[S_site_same_count] = (float)log1p(facts.same);
        double blocks_here = 1.0;
        for (int k = 0; k < 2; k++) {
            float *y = x + (k ? S_at_tagpath : S_at_path);
            const double *path = known_again(&t->paths[k], t->salt, (k ? tag_key : key)[box[i]], &last_path[k]);
            double n_here = path ? path[STAT_pages - 1] : 1.0, some = at_least(n_here, 1.0);
            if (!k && path) blocks_here = at_least(path[STAT_blocks - 1], 1.0);
            y[0] = (float)(n_here / t->n_pages);
            y[1] = (float)at_most(facts.same / some, 1.0);
            y[2] = path ? (float)path[STAT_distinct - 1] : NAN;
            y[3] = path ? (float)path[STAT_words - 1] : NAN;
            y[4] = path ? (float)path[STAT_links - 1] : NAN;
            y[5] = path ? (float)(path[STAT_blocks - 1] / some) : NAN;
        }
        for (int k = 0; k < 2; k++) {
            uint64_t edge = key[box[i]] * 0x9E3779B97F4A7C15ull + (k ? facts.last : facts.first);
            const double *found = known_get(&t->edges[k], t->salt, edge);
            x[k ? S_path_last_word : S_path_first_word] = (float)at_most((found ? *found : 1.0) / blocks_here, 1.0);
        }
        x[S_rare_words] = (float)facts.rare;
        x[S_common_words] = (float)facts.common;
        int is_new = masked[i] <= new_below;
        PageSums *p = pages + page[i];
        double fresh = is_new ? words[i] : 0;
        run_new[i + 1] = run_new[i] + fresh;
        run_words[i + 1] = run_words[i] + words[i];
        p->fresh += fresh;
        p->words += words[i];
        for (int k = 0; k < SITE_LEVELS; k++) {
            uint64_t above = key[chain[k * n + i]];
            const double *found = known_again(&t->rows, t->salt, above, &last_row[k]);
            double share = cover[i * SITE_LEVELS + k] = (found ? *found : 1.0) / t->n_pages;
            if (is_new && is_sentence[i] && !(share <= p->cover[k])) p->cover[k] = share;
        }
    }
    for (Py_ssize_t r = 0, k = 0; r <= n_rows; r++) {
        while (k < n && first[k] < r) k++;
        before[r] = (int32_t)k;
    }
    static const double PART[2] = {0.5, 0.85};
    for (Py_ssize_t r = 0; r < n_rows; r++) {
        PageSums *p = pages + row_page[r];
        if (!r || row_page[r] != row_page[r - 1]) p->holder[0] = p->holder[1] = (int32_t)r;
        double held = run_new[before[row_end[r]]] - run_new[before[r]];
        for (int k = 0; k < 2; k++) /* the last one in document order is the deepest */
            if (held >= PART[k] * at_least(p->fresh, 1e-9)) p->holder[k] = (int32_t)r;
    }
    for (Py_ssize_t lo = 0, hi; lo < n; lo = hi) { /* one page */
        for (hi = lo; hi < n && page[hi] == page[lo];) hi++;
        const PageSums *p = pages + page[lo];
        for (Py_ssize_t i = lo; i < hi; i++) {
            float *x = out + i * N_SITE;
            for (int k = 0; k < SITE_LEVELS; k++) {
                int32_t at = chain[k * n + i], a = before[at], b = before[row_end[at]];
                double fresh = run_new[b] - run_new[a];
                if (k) x[S_new_up + k - 1] = (float)ratio(fresh, run_words[b] - run_words[a]);
                x[S_new_share_up + k] = (float)ratio(fresh, p->fresh);
                double share = cover[i * SITE_LEVELS + k];
                x[S_cover_up + 2 * k] = (float)share;
                x[S_cover_up + 2 * k + 1] = p->cover[k] > 0 ? (float)(share / at_least(p->cover[k], 1e-9)) : NAN;
            }
            Py_ssize_t a = i - 5 > lo ? i - 5 : lo, b = i + 6 < hi ? i + 6 : hi;
            x[S_new_within] = (float)ratio(run_new[b] - run_new[a], run_words[b] - run_words[a]);
            static const int BY[4] = {-2, -1, 1, 2};
            for (int k = 0; k < 4; k++) x[S_masked_around + k] = i + BY[k] >= lo && i + BY[k] < hi ? (float)masked[i + BY[k]] : NAN;
            for (int k = 0; k < 2; k++) {
                int32_t root = p->holder[k];
                x[S_in_new + k] = first[i] < root ? -1 : first[i] < row_end[root] ? 1 : 0;
            }
            x[S_new_before] = (float)ratio(run_new[i] - run_new[lo], p->fresh);
            x[S_page_new] = (float)ratio(p->fresh, p->words);
        }
    }
    if (!matrix_is_set(result, n, N_SITE, "SITE")) goto done;
failed:
    Py_CLEAR(result);
done:
    PyMem_RawFree(run_new);
    PyMem_RawFree(masked);
    PyMem_RawFree(cover);
    PyMem_RawFree(hash);
    PyMem_RawFree(before);
    PyMem_RawFree(pages);
    TABLE_RELEASE(blocks);
    columns_release(in, N_IN);
    return result;
}
