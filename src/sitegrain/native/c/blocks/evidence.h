/* What is known of some pages while their evidence is gathered. Sums are of whole or half numbers in double, so they are exact
 * and both bodies agree to the last bit but for log1p. Time is linear in rows, characters and attributes. */
#ifndef SITEGRAIN_EVIDENCE_H
#define SITEGRAIN_EVIDENCE_H
#include "native.h"
#include <math.h>

/* What is open around a row is counted by column: groups, three marks, families of names; they stand side by side in EVIDENCE. */
enum { N_INSIDE = E_LAST_in_class - E_in_group + 1, FIRST_CLASS = E_in_class - E_in_group, N_PARTS = 3, N_ALIKE = 7 };

typedef struct {
    int32_t n_text;
    int32_t heading, comment, related; /* the last such block on the page so far, or -1 */
    double visible, words, stops, commas, upper, digits, symbols, wide, linked, density, log_words, before, prose_before;
    uint64_t cues;
    uint8_t is_sentence, ends_with_stop, starts_upper, in_comment;
    int32_t rare, hits;                  /* words that are not common on the page, and those of them that it is about */
    int32_t copies_before, copies_after; /* other blocks of the page with the same text */
} Block;

typedef struct {
    int32_t blocks, prose, linked, half_words, tags[N_HELD];
} Held; /* running sums over rows: characters are fewer than 2^31, and so are half words */

typedef struct {
    int32_t first_row, first_block, n_blocks, n_rows, n_named, h1, n_sentences;
    double visible, prose, words, linked, longest, named_prose, after_prose;
    int32_t best[N_PARTS], counted[N_COUNTED + 1];
    int32_t run_first, run_end; /* the longest run of prose */
    double run_words, prose_words;
} Page;

typedef struct {
    int32_t rare, hits, dates, h1s;
} Topic; /* running sums over blocks */

typedef struct {
    double words, density;
    int32_t n, texts, prose, first, last;
} Alike; /* sums over blocks that are alike */

typedef struct {
    /* what the kernel was given */
    Rows rows;
    Attrs attrs;
    Blocks at;
    PyObject *text, *strings, *titles, *about;
    int32_t n_rows, n_pages, n_blocks, n_attrs, n_marks;
    const uint8_t *char_kinds;
    const TagKind *tag_kind;
    Py_ssize_t n_tag_kinds;
    const Matcher *class_words, *cue_words;
    const int64_t *urls, *types; /* NULL: hints do not count */
    const int32_t *mark_row, *mark_column;
    Column in[6]; /* of the last eight */
    /* owned */
    uint8_t *kind, *in_anchor;
    int32_t *visible, *top, *family, *class_value, *like, *family_posts;
    uint64_t *class_bits;
    double *family_prose;
    Alike *alike[2];          /* groups of blocks: at the same path, and with the same three elements nearest */
    int32_t *alike_number[2]; /* per block: its group */
    Block *blocks;
    Page *pages;
    Held *held;
    Topic *topic;
    uint32_t *hash; /* the words of all blocks, one block after the other; n_hash is how many each has, at most MAX_WORDS */
    uint8_t *n_hash;
    size_t n_hashes;
    PyObject *x, *chain;
} Work;

#define NEW(field, count)                                                                                         \
    do {                                                                                                          \
        if (!(w->field = PyMem_RawCalloc((size_t)(count) + 1, sizeof *w->field))) { PyErr_NoMemory(); return -1; } \
    } while (0)

static inline float *matrix_of(const Work *w) { return (float *)PyByteArray_AS_STRING(w->x); }

/* likeness.c: the groups of blocks that are alike. */
int find_alike(Work *w);
/* evidence_topic.c: what pages are about, their longest run of prose, and the columns of both. */
int find_topics(Work *w);
void topic_columns(const Work *w, int32_t k, float *x);
/* evidence_columns.c: all columns but those of what is around a block. */
int write_columns(Work *w);

/* log1p of small whole numbers is asked for thousands of times a page. */
enum { LOGS = 2048 };
extern double logs[LOGS];
void logs_init(void);
static inline double log_of(double a) {
    if (a >= 0 && a < LOGS && a == (double)(int)a) return logs[(int)a];
    return log1p(a);
}

#endif
