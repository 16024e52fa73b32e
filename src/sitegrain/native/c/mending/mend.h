/* What is there to mend, as the parts of the kernel see it; see MendRules. */
#ifndef SITEGRAIN_MEND_H
#define SITEGRAIN_MEND_H
#include "blocks/judged.h"

typedef struct {
    double little, lead_words, heading_score, heading_links, most, mean_words, post_score, post_words, post_links, line_words, article_words, of_page, spread,
        most_whole;
    int min_blocks, min_posts;
    PyObject *turns;
    double sure, sure_words, of_text, doubt, label_words, row_words, value_score;
    int row_blocks, min_rows, min_numbers;
    double sentence_words, consent_doubt, term_words, head_words;
    PyObject *cookie;
} MendRules;

/* Rows of label and value that stand right in an element, and those of them whose value has digits. */
typedef struct {
    int32_t n, n_numbers;
} RowsIn;

typedef struct {
    const JudgedPages *of;
    Column score, kept;
    PyObject *urls;
    MendRules is;
    Py_ssize_t n;
    double *size, *mine;   /* running sums over the blocks before each: words and one each, and those of the kept ones */
    double *chars, *shown; /* the same of characters */
    double *total, *own;   /* the first two of the blocks that are alike */
    double *sure;          /* of the blocks of one page: see of_below */
    double *of_page;       /* the second of each page */
    int32_t *count, *n_kept;
    int32_t *head, *next; /* the first block of those that are alike, plus one, and for each the next of them */
    int32_t *looked_at;   /* by row: the last of those that are alike in it, plus one */
    RowsIn *rows_in;      /* by row */
} Mend;

#define KEPT(k) (((const uint8_t *)w->kept.buffer.buf)[k])
#define WORDS(k) (((const double *)w->of->words.buffer.buf)[k])
#define SCORE(k) (((const double *)w->score.buffer.buf)[k])
#define X(k, column) X_OF(w->of, k, column)

/* mend_links.c: bits of MENDS; -1: an exception. */
int mend_links(const Mend *w);
int mend_names(const Mend *w);

#endif
