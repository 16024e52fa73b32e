/* Which single lines there are to leave out, as the parts of the kernel see them; see LineRules. */
#ifndef SITEGRAIN_MEND_LINES_H
#define SITEGRAIN_MEND_LINES_H
#include "blocks/judged.h"

typedef struct {
    double like_title;
    int n_titles;
    double labelled, label_words;
    int label_chars, head_blocks, n_fields, field_chars;
    double tool_links, tool_words, print_words, sure;
    int n_signatures;
    double by_words, row_words, all_linked;
    double lead_score, lead_words, lead_links, paragraph_score, lead_about;
    int lead_above;
    double caption_score, caption_words;
    int caption_blocks;
    double text_score, text_words;
    int top_blocks;
    double day_words;
    int last_blocks;
    double notice_words, noticed_words, bare_words, enclosed_words, code_words;
    PyObject *bare_begins, *turns;
} LineRules;

typedef struct {
    const JudgedPages *of;
    Column score, kept;
    int kind;
    const void *data;
    Py_ssize_t n, size;
    LineRules is;
    uint8_t *n_links, *n_handed, *near; /* by block: links, up to two, and those with something asked of another host; by row: looked at for signatures */
    uint8_t *has_turn;                  /* by block: a link may say that it turns the page */
    int32_t *linked_to;                 /* by block: where the text of its first link ends */
    int32_t *n_pictures, *n_left;       /* before each row, and blocks left out before each block; NULL until they are asked for */
} Lines;

#define KEPT(k) (((const uint8_t *)w->kept.buffer.buf)[k])
#define WORDS(k) (((const double *)w->of->words.buffer.buf)[k])
#define SCORE(k) (((const double *)w->score.buffer.buf)[k])
#define X(k, column) X_OF(w->of, k, column)
#define IN(k, group) (X(k, E_in_group + GROUP_##group) > 0)
#define CHAR(i) PyUnicode_READ(w->kind, w->data, i)

/* mend_articles.c: bits of LINES; -1: an exception. */
int lines_of_articles(Lines *w);

#endif
