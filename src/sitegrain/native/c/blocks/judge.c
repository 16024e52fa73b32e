/* From the evidence of blocks to their scores and to what is kept, in one call: what a page pays for every time. Each step is a
 * kernel of its own, too; reference/blocks/judge.py puts the bodies in Python together in the same way. */
#include "judged.h"
#include "scoring.h"
#include "strings/numbers.h"
#include <math.h>
#include <string.h>

enum { N_LEXICAL = N_TEXT_WEIGHTS + N_NAME_WEIGHTS, N_SIDE = 4 };

/* A tree ensemble with the columns that it asks for; see Ensemble. */
typedef struct {
    const Trees *trees;
    Column at;
    int is_probability;
} Ensemble;

static int ensemble_get(Ensemble *e, PyObject *tuple) {
    PyObject *capsule, *at;
    if (!PyArg_ParseTuple(tuple, "OOp", &capsule, &at, &e->is_probability)) return -1;
    return !(e->trees = trees_of(capsule)) || column_get(&e->at, at, 8) ? -1 : 0;
}

typedef struct {
    const JudgedPages *of;
    JudgedPages own_pages;
    Column char_kinds, text_words, name_words, type_own, type_means, of_site, path, tag_path;
    Ensemble first, second, article, forum, alone, site;
    int has_types, asks_first; /* with the site: the first scores count */
    double nothing_below, prior, sure[2][2]; /* from and to which vote: of a page alone, and of one of a known site */
    Where where;
    Py_ssize_t n;
    float *memory, *lexical, *staged, *of_type;
    double *opinion[2];
    PyObject *p, *score, *kept, *node_score, *node_kept, *votes;
} Work;

static void work_free(Work *w) {
    judged_release(&w->own_pages);
    Column *own[] = {&w->char_kinds, &w->text_words, &w->name_words, &w->type_own, &w->type_means, &w->of_site, &w->path, &w->tag_path, &w->first.at,
                     &w->second.at, &w->article.at, &w->forum.at, &w->alone.at, &w->site.at};
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) columns_release(own[k], 1);
    PyMem_RawFree(w->memory);
    PyMem_RawFree(w->opinion[0]);
    PyObject *made[] = {w->p, w->score, w->kept, w->node_score, w->node_kept, w->votes};
    for (size_t k = 0; k < sizeof made / sizeof *made; k++) Py_XDECREF(made[k]);
}

#define DOUBLES(object) ((double *)PyByteArray_AS_STRING(object))
static const double *words_of(const Work *w) { return w->of->words.buffer.buf; }

static int given(Work *w, PyObject *args) {
    PyObject *pages, *m[5], *first, *second, *article, *forum, *site;
    if (!PyArg_ParseTuple(args, "O(OOOOOOOOO(dddddd))O", &pages, &m[0], &m[1], &m[2], &first, &second, &article, &forum, &m[3], &m[4], &w->nothing_below,
                          &w->prior, &w->sure[0][0], &w->sure[0][1], &w->sure[1][0], &w->sure[1][1], &site))
        return -1;
    if (!(w->of = judged_of(pages, &w->own_pages))) return -1;
    Py_ssize_t n = w->n = w->of->n, n_columns;
    if (column_get(&w->char_kinds, m[0], 1) || column_get(&w->text_words, m[1], 1) || column_get(&w->name_words, m[2], 1) ||
        column_get(&w->type_own, m[3], 8) || column_get(&w->type_means, m[4], 8) || ensemble_get(&w->first, first))
        return -1;
    for (Py_ssize_t k = 0; k < w->type_own.n + w->type_means.n; k++) {
        int64_t at = k < w->type_own.n ? ((const int64_t *)w->type_own.buffer.buf)[k] : ((const int64_t *)w->type_means.buffer.buf)[k - w->type_own.n];
        if (at < 0 || at >= N_EVIDENCE || w->type_means.n > N_EVIDENCE) return bad("columns of page types do not fit");
    }
    w->has_types = article != Py_None && forum != Py_None;
    if (w->has_types && (ensemble_get(&w->article, article) || ensemble_get(&w->forum, forum))) return -1;
    if (site == Py_None) return second == Py_None ? bad("second trees, or what the site says") : ensemble_get(&w->second, second);
    PyObject *of_site, *path, *tag_path, *alone, *with_first;
    if (!PyArg_ParseTuple(site, "OOOOOp", &of_site, &path, &tag_path, &alone, &with_first, &w->asks_first)) return -1;
    if (matrix_get(&w->of_site, of_site, 4, n, &n_columns) || column_get(&w->path, path, 8) || column_get(&w->tag_path, tag_path, 8)) return -1;
    if (n_columns != N_SITE || w->path.n != n || w->tag_path.n != n) return bad("columns of blocks do not fit");
    return ensemble_get(&w->alone, alone) || ensemble_get(&w->site, with_first) ? -1 : 0;
}

static int prepare(Work *w) {
    size_t n = (size_t)w->n;
    size_t n_type = (size_t)(w->type_own.n + 2 * w->type_means.n + 2);
    w->memory = PyMem_RawMalloc((n * (N_LEXICAL + N_STAGE) + n_type + N_SITE + 1) * sizeof *w->memory);
    w->opinion[0] = PyMem_RawMalloc((2 * n + 1) * sizeof *w->opinion[0]);
    w->p = PyByteArray_FromStringAndSize(NULL, w->n * 8);
    w->score = PyByteArray_FromStringAndSize(NULL, w->n * 8);
    w->kept = PyByteArray_FromStringAndSize(NULL, w->n);
    w->node_score = PyByteArray_FromStringAndSize(NULL, w->of->rows.n * 8);
    w->node_kept = PyByteArray_FromStringAndSize(NULL, w->of->rows.n);
    w->votes = PyByteArray_FromStringAndSize(NULL, 2 * (Py_ssize_t)w->of->n_pages * 8);
    if (!w->memory || !w->opinion[0] || !w->p || !w->score || !w->kept || !w->node_score || !w->node_kept || !w->votes) {
        PyErr_NoMemory();
        return -1;
    }
    memset(PyByteArray_AS_STRING(w->votes), 0, (size_t)PyByteArray_GET_SIZE(w->votes));
    w->lexical = w->memory;
    w->staged = w->lexical + n * N_LEXICAL;
    w->of_type = w->staged + n * N_STAGE;
    w->opinion[1] = w->opinion[0] + n;
    w->where = (Where){w->of->at.page, w->of->at.first, w->of->rows.end, w->of->chain.buffer.buf, w->of->alike.buffer.buf, w->n, w->of->rows.n, w->of->n_pages};
    return 0;
}

static int predict(const Ensemble *e, const Part *part, Py_ssize_t n, double *out) {
    return trees_predict(e->trees, part, N_SIDE, e->at.buffer.buf, e->at.n, n, e->is_probability, out);
}

/* The columns for the type of a page, by its blocks first ... last, of which there may be none; see type_columns. */
typedef struct {
    const int64_t *own, *mean;
    Py_ssize_t n_own, n_means, width;
    const float *x;
    const double *words, *p;
} TypeColumns;

static Py_ssize_t type_width(const TypeColumns *of) { return of->n_own + 2 * of->n_means + 2; }

static void type_row(const TypeColumns *of, Py_ssize_t first, Py_ssize_t last, float *out) {
    const double *p = of->p, *words = of->words;
    Py_ssize_t n_own = of->n_own, n_means = of->n_means;
    double total[2] = {0, 0}, all = 0; /* of what seems to be content, and of the rest */
    for (Py_ssize_t i = first; i < last; i++) {
        total[0] += p[i] * (words[i] + 1);
        total[1] += (1 - p[i]) * (words[i] + 1);
        all += words[i] + 1;
    }
    for (int k = 0; k < 2; k++) total[k] = at_least(total[k], 1e-9);
    for (Py_ssize_t k = 0; k < n_own; k++) out[k] = first < last ? of->x[first * of->width + of->own[k]] : NAN;
    double sum[2][N_EVIDENCE]; /* a column is averaged once at most */
    memset(sum, 0, sizeof sum);
    for (Py_ssize_t i = first; i < last; i++) {
        const float *row = of->x + i * of->width;
        const double is = p[i] * (words[i] + 1), is_not = (1 - p[i]) * (words[i] + 1);
        for (Py_ssize_t k = 0; k < n_means; k++) {
            double cell = row[of->mean[k]];
            cell = cell == cell ? cell : 0; /* what is missing adds nothing */
            sum[0][k] += cell * is;
            sum[1][k] += cell * is_not;
        }
    }
    for (Py_ssize_t k = 0; k < n_means; k++) {
        out[n_own + k] = (float)(sum[0][k] / total[0]);
        out[n_own + n_means + k] = (float)(sum[1][k] / total[1]);
    }
    out[n_own + 2 * n_means] = (float)log1p(total[0]);
    out[n_own + 2 * n_means + 1] = (float)(total[0] / at_least(all, 1e-9));
}

/* The votes for an article and for a forum, by the blocks first ... last of a page. */
static int vote(const Work *w, Py_ssize_t first, Py_ssize_t last, double *article, double *forum) {
    TypeColumns of = {w->type_own.buffer.buf, w->type_means.buffer.buf, w->type_own.n, w->type_means.n, N_EVIDENCE,
                      w->of->x.buffer.buf, words_of(w), DOUBLES(w->p)};
    type_row(&of, first, last, w->of_type);
    Part part = {w->of_type, type_width(&of), 0};
    const Ensemble *by[] = {&w->article, &w->forum};
    double *out[] = {article, forum};
    for (int k = 0; k < 2; k++)
        if (trees_predict(by[k]->trees, &part, 1, by[k]->at.buffer.buf, by[k]->at.n, 1, by[k]->is_probability, out[k])) return -1;
    return 0;
}

/* What is in doubt on a page that is surely an article is doubted more. */
static int shift(Work *w) {
    double *score = DOUBLES(w->score);
    const int32_t *page = w->of->at.page;
    const double *sure_at = w->sure[w->of_site.buffer.obj != NULL];
    for (Py_ssize_t i = 0, end; i < w->n; i = end) {
        for (end = i; end < w->n && page[end] == page[i]; end++) {}
        double *votes = DOUBLES(w->votes) + page[i];
        if (vote(w, i, end, votes, votes + w->of->n_pages)) return -1;
        double sure = (*votes - sure_at[0]) / (sure_at[1] - sure_at[0]);
        double factor = exp(-(w->prior * (sure < 0 ? 0 : sure > 1 ? 1 : sure)));
        for (Py_ssize_t k = i; k < end; k++) {
            double odds = score[k] < 1e-6 ? 1e-6 : score[k] > 1 - 1e-6 ? 1 - 1e-6 : score[k];
            score[k] = 1 / (1 + (1 - odds) / odds * factor);
        }
    }
    return 0;
}

/* First scores and scores. */
static int score_blocks(Work *w) {
    Py_ssize_t n = w->n;
    const float *x = w->of->x.buffer.buf;
    double *p = DOUBLES(w->p), *score = DOUBLES(w->score);
    if (text_weights_into(w->of->text, &w->of->at, x + E_since_heading, N_EVIDENCE, &w->char_kinds, &w->text_words, w->of->hash.buffer.buf,
                          w->of->n_hash.buffer.buf, w->lexical, N_LEXICAL) ||
        name_weights_into(w->of->strings, w->of->rows.parent, w->of->rows.n, w->of->at.first, n, w->of->attrs.node, w->of->attrs.name, w->of->attrs.value, w->of->attrs.n,
                          &w->name_words, w->lexical + N_TEXT_WEIGHTS, N_LEXICAL))
        return -1;
    float *missing = w->of_type; /* one row for all blocks */
    for (int k = 0; k < N_SITE; k++) missing[k] = NAN;
    Part part[N_SIDE] = {{x, N_EVIDENCE, N_EVIDENCE}, {missing, N_SITE, 0}, {w->staged, N_STAGE, N_STAGE}, {w->lexical, N_LEXICAL, N_LEXICAL}};
    if (w->of_site.buffer.obj) part[1] = (Part){w->of_site.buffer.buf, N_SITE, N_SITE};
    int has_site = w->of_site.buffer.obj != NULL;
    if (predict(&w->first, part, n, p) || stage_into(&w->where, words_of(w), p, w->path.buffer.buf, w->tag_path.buffer.buf, w->staged))
        return -1;
    if (has_site) {
        if (predict(&w->alone, part, n, w->opinion[0]) || predict(&w->site, part, n, w->opinion[1])) return -1;
        const double *const mean[] = {p, p, w->opinion[0], w->opinion[1], w->opinion[1]};
        mean_into(w->asks_first ? mean : mean + 2, w->asks_first ? 5 : 3, n, score);
    } else {
        if (predict(&w->second, part, n, w->opinion[0])) return -1;
        mean_into((const double *[]){p, w->opinion[0]}, 2, n, score);
    }
    return w->has_types ? shift(w) : 0;
}

/* All that is shown on a page without a script, form, style sheet or menu, and with two links at most, is content, but what most pages
 * of a known site (three at least) say, too. */
static void keep_plain(Work *w) {
    const float *x = w->of->x.buffer.buf, *of_site = w->of_site.buffer.buf;
    const float three = (float)log1p(3);
    double *score = DOUBLES(w->score);
    Py_ssize_t k = 0;
    for (Py_ssize_t i = 0, end; i < w->of->rows.n; i = end) {
        int n_links = 0, has_site = 0;
        for (end = i; end < w->of->rows.n && w->of->rows.page[end] == w->of->rows.page[i]; end++) switch (w->of->rows.tag[end]) {
            case TAG_script: case TAG_form: case TAG_link: case TAG_style: case TAG_nav: case TAG_iframe: case TAG_frame: case TAG_input:
                has_site = 1;
                break;
            case TAG_a: n_links++;
            }
        for (; k < w->n && w->of->at.first[k] < end; k++) {
            const float *said = of_site ? of_site + k * N_SITE : NULL;
            if (said && said[S_site_same] > 0.5f && said[S_site_same_count] >= three) continue;
            if (!has_site && n_links <= 2 && x[k * N_EVIDENCE + E_in_group + GROUP_head] == 0 && x[k * N_EVIDENCE + E_is_hidden] == 0)
                score[k] = 1;
        }
    }
}

/* How many kept blocks may be copies of a kept one before them: as long, and with as many others of the same text on their page. -1: no memory. */
static int count_copies(const Work *w) {
    const uint8_t *kept = (const uint8_t *)PyByteArray_AS_STRING(w->kept);
    const float *x = w->of->x.buffer.buf;
    Numbers seen;
    int n_copies = 0;
    memset(&seen, 0, sizeof seen);
    for (Py_ssize_t k = 0; k < w->n; k++, x += N_EVIDENCE) {
        if (!kept[k] || words_of(w)[k] < COPY_WORDS || !(x[E_copies_before] > 0 || x[E_copies_after] > 0) || x[E_in_group + GROUP_quote] != 0) continue;
        if (!seen.id && numbers_init(&seen, (size_t)w->n)) { n_copies = -1; break; }
        const int32_t n_before = seen.n;
        const float like[2] = {x[E_visible], x[E_copies_before] + x[E_copies_after]};
        uint64_t bits;
        memcpy(&bits, like, sizeof bits);
        n_copies += number_of(&seen, path_key((uint64_t)w->of->at.page[k], bits)) < n_before;
    }
    numbers_free(&seen);
    if (n_copies < 0) PyErr_NoMemory();
    return n_copies;
}

/* judge(of, model, site) -> (p, score, kept, node_score, node_kept, n_copies, votes): see JudgedPages, ScoreModel, SiteScores. */
PyObject *native_judge(PyObject *self, PyObject *args) {
    Work work, *w = &work;
    memset(w, 0, sizeof *w);
    PyObject *result = NULL;
    if (given(w, args) || prepare(w)) goto done;
    if (w->n) {
        if (score_blocks(w)) goto done;
        keep_plain(w);
        if (decide_into(DOUBLES(w->score), words_of(w), w->of->at.page, w->n, w->of->n_pages, w->nothing_below, (uint8_t *)PyByteArray_AS_STRING(w->kept)))
            goto done;
    }
    const int32_t *block = w->of->node_block.buffer.buf;
    for (Py_ssize_t i = 0; i < w->of->rows.n; i++) {
        DOUBLES(w->node_score)[i] = block[i] < 0 ? 0 : DOUBLES(w->score)[block[i]];
        PyByteArray_AS_STRING(w->node_kept)[i] = block[i] < 0 ? 0 : PyByteArray_AS_STRING(w->kept)[block[i]];
    }
    int n_copies = count_copies(w);
    if (n_copies >= 0) result = Py_BuildValue("OOOOOiO", w->p, w->score, w->kept, w->node_score, w->node_kept, n_copies, w->votes);
done:
    work_free(w);
    return result;
}

/* type_columns(own, averaged, x, words, page, p, n_pages) -> the columns for the type of each page */
PyObject *native_type_columns(PyObject *self, PyObject *args) {
    PyObject *given[6];
    Py_ssize_t n_pages;
    if (!PyArg_ParseTuple(args, "OOOOOOn", &given[0], &given[1], &given[2], &given[3], &given[4], &given[5], &n_pages)) return NULL;
    static const Py_ssize_t item[6] = {8, 8, 4, 8, 4, 8};
    Column column[6] = {0};
    TypeColumns of = {0};
    PyObject *result = NULL;
    for (int k = 0; k < 6; k++)
        if (k != 2 && column_get(&column[k], given[k], item[k])) goto done;
    const int32_t *page = column[4].buffer.buf;
    Py_ssize_t n = column[4].n, at = 0;
    if (matrix_get(&column[2], given[2], item[2], n, &of.width)) goto done;
    of.own = column[0].buffer.buf, of.n_own = column[0].n, of.mean = column[1].buffer.buf, of.n_means = column[1].n;
    of.x = column[2].buffer.buf, of.words = column[3].buffer.buf, of.p = column[5].buffer.buf;
    int fits = n_pages >= 0 && column[3].n == n && column[5].n == n && of.n_means <= N_EVIDENCE;
    for (Py_ssize_t i = 0; fits && i < n; i++) fits = page[i] >= (i ? page[i - 1] : 0) && page[i] < n_pages;
    for (Py_ssize_t k = 0; fits && k < of.n_own; k++) fits = of.own[k] >= 0 && of.own[k] < of.width;
    for (Py_ssize_t k = 0; fits && k < of.n_means; k++) fits = of.mean[k] >= 0 && of.mean[k] < of.width;
    if (!fits) {
        misfit("columns of blocks do not fit");
        goto done;
    }
    if (!(result = PyByteArray_FromStringAndSize(NULL, n_pages * type_width(&of) * 4))) goto done;
    float *out = (float *)PyByteArray_AS_STRING(result);
    for (Py_ssize_t k = 0; !n && k < n_pages * type_width(&of); k++) out[k] = NAN;
    for (Py_ssize_t p = 0; n && p < n_pages; p++) {
        Py_ssize_t first = at;
        while (at < n && page[at] == p) at++;
        type_row(&of, first, at, out + p * type_width(&of));
    }
done:
    columns_release(column, 6);
    return result;
}
