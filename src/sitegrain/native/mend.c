/* What is there to mend after the decision; see reference/mend.py and extractor/mending. */
#include "native.h"
#include <string.h>

typedef struct {
    double little, lead_words, heading_score, heading_links, most, mean_words, post_score, post_words, post_links, line_words;
    int min_blocks, min_posts;
} Rules;

typedef struct {
    Rows rows;
    Blocks at;
    Column x, words, alike, score, kept;
    PyObject *text;
    Rules is;
    Py_ssize_t n;
    double *size, *mine;  /* running sums over the blocks before each: words and one each, and those of the kept ones */
    double *total, *own;  /* the same of the blocks that are alike */
    int32_t *count, *n_kept;
} Work;

#define KEPT(k) (((const uint8_t *)w->kept.buffer.buf)[k])
#define WORDS(k) (((const double *)w->words.buffer.buf)[k])
#define SCORE(k) (((const double *)w->score.buffer.buf)[k])
#define X(k, column) (((const float *)w->x.buffer.buf)[(k) * N_EVIDENCE + (column)])

/* The first block, from `lo` on, that begins at a row or after it. */
static Py_ssize_t block_from(const Work *w, Py_ssize_t lo, int32_t row) {
    Py_ssize_t hi = w->n;
    while (lo < hi) {
        Py_ssize_t mid = lo + (hi - lo) / 2;
        if (w->at.first[mid] < row) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

static int is_heading(const Work *w, Py_ssize_t k) { return X(k, E_in_group + GROUP_heading) > 0; }

static int ends_with_colon(const Work *w, Py_ssize_t k) {
    for (Py_ssize_t i = w->at.text_end[k] - 1; i >= w->at.text_start[k]; i--) {
        Py_UCS4 c = PyUnicode_READ_CHAR(w->text, i);
        if (!Py_UNICODE_ISSPACE(c)) return c == ':' || c == 0xFF1A;
    }
    return 0;
}

static int of_list(const Work *w, int32_t row, Py_ssize_t first, Py_ssize_t last) {
    int found = 0;
    int32_t parent = w->rows.parent[row], n_kept = w->n_kept[last] - w->n_kept[first];
    double mine = w->mine[last] - w->mine[first];
    int in_part = n_kept < last - first;
    if (parent >= 0 && w->rows.tag[parent] == TAG_li && in_part) {
        Py_ssize_t own = block_from(w, 0, parent);
        if (own < first && KEPT(own)) found |= 1 << MEND_SUBLISTS;
    }
    if (mine > 0 && last - first >= w->is.min_blocks && mine <= w->is.little * (w->size[last] - w->size[first])) found |= 1 << MEND_REMNANTS;
    Py_ssize_t lead = first - 1;
    if (lead >= 0 && in_part && KEPT(lead) && parent <= w->at.first[lead] && WORDS(lead) >= w->is.lead_words && !is_heading(w, lead) &&
        ends_with_colon(w, lead))
        found |= 1 << MEND_ANNOUNCED;
    return found;
}

static int of_heading(const Work *w, int32_t row, Py_ssize_t k) {
    if (k < 1 || k + 1 >= w->n || KEPT(k) || !KEPT(k - 1) || !KEPT(k + 1) || is_heading(w, k + 1)) return 0;
    if (SCORE(k) < w->is.heading_score || !(X(k, E_link_density) < (float)w->is.heading_links)) return 0;
    int32_t parent = w->rows.parent[row];
    return parent >= 0 && parent <= w->at.first[k - 1] && w->at.first[k + 1] < w->rows.end[parent] ? 1 << MEND_HEADINGS : 0;
}

static int of_rows(const Work *w) {
    int found = 0;
    int32_t h1_page = -1;
    Py_ssize_t first = 0; /* the first block from row i on */
    for (int32_t i = 0; i < w->rows.n; i++) {
        int16_t tag = w->rows.tag[i];
        while (first < w->n && w->at.first[first] < i) first++;
        switch (tag) {
        case TAG_h1:
            if (w->rows.page[i] == h1_page) found |= 1 << MEND_ARTICLES;
            h1_page = w->rows.page[i];
            break;
        case TAG_select: case TAG_datalist: case TAG_option: case TAG_ul: case TAG_ol: case TAG_dl:
        case TAG_h2: case TAG_h3: case TAG_h4: case TAG_h5: case TAG_h6: {
            if (first == w->n || w->at.first[first] >= w->rows.end[i]) break;
            Py_ssize_t last = block_from(w, first, w->rows.end[i]);
            if (tag == TAG_select || tag == TAG_datalist || tag == TAG_option) {
                if (w->n_kept[last] > w->n_kept[first]) found |= 1 << MEND_OPTIONS;
            } else if (tag == TAG_ul || tag == TAG_ol || tag == TAG_dl) found |= of_list(w, i, first, last);
            else if (last - first == 1) found |= of_heading(w, i, first);
        }
        }
    }
    return found;
}

/* Whether a short kept line holds an address. */
static int of_lines(const Work *w) {
    for (Py_ssize_t k = 0; k < w->n; k++) {
        if (!KEPT(k) || WORDS(k) > w->is.line_words) continue;
        Py_ssize_t start = w->at.text_start[k], end = w->at.text_end[k];
        for (Py_ssize_t i = start; (i = PyUnicode_FindChar(w->text, '/', i, end, 1)) >= 0; i++)
            if (i > start && i + 1 < end && PyUnicode_READ_CHAR(w->text, i - 1) == ':' && PyUnicode_READ_CHAR(w->text, i + 1) == '/')
                return 1 << MEND_ADDRESSES;
    }
    return 0;
}

static int of_alike(Work *w) {
    const int32_t *id = (const int32_t *)w->alike.buffer.buf + w->n; /* the second row: by the last three elements */
    for (Py_ssize_t k = 0; k < w->n; k++) {
        if (id[k] < 0 || id[k] >= w->n) return bad("columns of blocks do not fit");
        w->count[id[k]]++;
        w->total[id[k]] += WORDS(k) + 1;
        w->own[id[k]] += KEPT(k) ? WORDS(k) + 1 : 0;
    }
    for (Py_ssize_t k = 0; k < w->n; k++) {
        double total = w->total[id[k]], own = w->own[id[k]];
        int32_t count = w->count[id[k]];
        if (!KEPT(k) && own >= w->is.most * total && count >= w->is.min_posts && total >= (w->is.mean_words + 1) * count &&
            SCORE(k) >= w->is.post_score && WORDS(k) >= w->is.post_words && X(k, E_link_density) < (float)w->is.post_links)
            return 1 << MEND_POSTS;
    }
    return 0;
}

/* to_mend(of, score, kept, rules) -> bits of MENDS, which steps have something to look at: see JudgedPages, MendRules. */
PyObject *native_to_mend(PyObject *self, PyObject *args) {
    Work work, *w = &work;
    memset(w, 0, sizeof *w);
    PyObject *rows, *blocks, *x, *words, *alike, *score, *kept, *unused, *result = NULL;
    int n_pages;
    double *memory = NULL;
    if (!PyArg_ParseTuple(args, "(OOOOUOiOOOOOO)OO(ddddddddddii)", &rows, &unused, &blocks, &unused, &w->text, &unused, &n_pages, &x, &unused, &alike,
                          &words, &unused, &unused, &score, &kept, &w->is.little, &w->is.lead_words, &w->is.heading_score, &w->is.heading_links, &w->is.most, &w->is.mean_words, &w->is.post_score,
                          &w->is.post_words, &w->is.post_links, &w->is.line_words, &w->is.min_blocks, &w->is.min_posts))
        return NULL;
    Py_ssize_t n_columns;
    if (rows_get(&w->rows, rows) || blocks_get(&w->at, blocks) || matrix_get(&w->x, x, 4, w->at.n, &n_columns) || column_get(&w->words, words, 8) ||
        column_get(&w->alike, alike, 4) || column_get(&w->score, score, 8) || column_get(&w->kept, kept, 1))
        goto done;
    size_t n = (size_t)(w->n = w->at.n);
    Py_ssize_t text_size = PyUnicode_GET_LENGTH(w->text);
    if (n_columns != N_EVIDENCE || w->words.n != w->n || w->alike.n != 2 * w->n || w->score.n != w->n || w->kept.n != w->n) {
        bad("columns of blocks do not fit");
        goto done;
    }
    if (rows_fit(&w->rows, text_size, N_TAGS, n_pages)) goto done;
    for (Py_ssize_t k = 0; k < w->n; k++)
        if (w->at.text_start[k] < 0 || w->at.text_end[k] > text_size) {
            bad("columns of blocks do not fit");
            goto done;
        }
    if (!(memory = PyMem_RawCalloc(5 * n + 4, sizeof *memory))) {
        PyErr_NoMemory();
        goto done;
    }
    w->size = memory;
    w->mine = w->size + n + 1;
    w->total = w->mine + n + 1;
    w->own = w->total + n;
    w->count = (int32_t *)(w->own + n);
    w->n_kept = w->count + n; /* n and n + 1 of half the size: they fit into n + 1 */
    for (size_t k = 0; k < n; k++) {
        w->size[k + 1] = w->size[k] + WORDS(k) + 1;
        w->mine[k + 1] = w->mine[k] + (KEPT(k) ? WORDS(k) + 1 : 0);
        w->n_kept[k + 1] = w->n_kept[k] + (KEPT(k) != 0);
    }
    int found = of_alike(w);
    if (found >= 0) result = PyLong_FromLong(found | of_rows(w) | of_lines(w));
done:
    PyMem_RawFree(memory);
    TABLE_RELEASE(w->rows);
    TABLE_RELEASE(w->at);
    Column *own[] = {&w->x, &w->words, &w->alike, &w->score, &w->kept};
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) columns_release(own[k], 1);
    return result;
}
