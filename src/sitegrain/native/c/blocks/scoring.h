/* What scoring the blocks of a page is made of, as C calls it; the kernels of the same names take the arrays of Python. */
#ifndef SITEGRAIN_SCORING_H
#define SITEGRAIN_SCORING_H
#include "native.h"

enum { MAX_PARTS = 8 };

/* A matrix of float32, of some that stand side by side; a stride of 0 is one row for all. */
typedef struct {
    const float *cells;
    Py_ssize_t n_columns, stride;
} Part;
int part_get(Part *part, Column *column, PyObject *object, Py_ssize_t n_rows);

/* Where blocks stand; see Geometry. */
typedef struct {
    const int32_t *page, *first, *row_end, *chain, *alike;
    Py_ssize_t n, n_rows;
    int n_pages;
} Where;

/* All that can fail answer -1 with an exception. */

/* trees.c */
typedef struct Trees Trees;
const Trees *trees_of(PyObject *capsule);
int trees_predict(const Trees *t, const Part *part, int n_parts, const int64_t *at, Py_ssize_t n_at, Py_ssize_t n,
                  int is_probability, double *out);
/* scores.c; `stage_into` writes [n x STAGE], path and tag_path may be NULL */
void mean_into(const double *const *part, Py_ssize_t n_parts, Py_ssize_t n, double *out);
int stage_into(const Where *where, const double *words, const double *p, const double *path, const double *tag_path, float *out);
int decide_into(const double *score, const double *words, const int32_t *page, Py_ssize_t n, int n_pages, double nothing_below,
                uint8_t *kept);
/* lexicon.c; rows of `out` are `stride` apart. `hash` and `n_hash` are the words of the texts if they are known, or NULL. Row row[i] has the name strings[value[i]], where which[i] (if given) is a class or
 * an id. */
int text_weights_into(PyObject *text, const Blocks *blocks, const float *since_heading, Py_ssize_t since_stride,
                      const Column *char_kinds, const Column *words, const uint32_t *hash, const uint8_t *n_hash, float *out,
                      Py_ssize_t stride);
int name_weights_into(PyObject *strings, const int32_t *parent, Py_ssize_t n_rows, const int32_t *at, Py_ssize_t n,
                      const int32_t *row, const int16_t *which, const int32_t *value, Py_ssize_t n_marks, const Column *words,
                      float *out, Py_ssize_t stride);

#endif
