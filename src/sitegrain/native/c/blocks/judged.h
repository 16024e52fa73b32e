/* Some pages with their evidence, as the kernels that judge and mend take them. */
#ifndef SITEGRAIN_JUDGED_H
#define SITEGRAIN_JUDGED_H
#include "native.h"

typedef struct {
    Rows rows;
    Attrs attrs;
    Blocks at;
    Py_ssize_t n; /* blocks */
    int n_pages;
    Column node_block, x, chain, alike, words, hash, n_hash;
    PyObject *text, *strings;
    PyObject *given[12]; /* the columns by which they are known again, each with a reference if it is kept for later */
} JudgedPages;

/* The pages of a tuple: those that were checked before, if its columns are still the same ones; else they are read into `own` and checked now. NULL
 * with an exception. What is read into `own` must be given back. */
const JudgedPages *judged_of(PyObject *tuple, JudgedPages *own);
void judged_release(JudgedPages *pages);

#define X_OF(of, k, column) (((const float *)(of)->x.buffer.buf)[(k) * N_EVIDENCE + (column)])

#endif
