/* Pages with their evidence are checked once: four kernels and more look at each of them, and to check takes as long as what some of them do. */
#include "judged.h"
#include <string.h>

enum { N_GIVEN = sizeof(((JudgedPages *)0)->given) / sizeof(PyObject *) };
static const char CHECKED[] = "sitegrain.judged_pages";

void judged_release(JudgedPages *pages) {
    TABLE_RELEASE(pages->rows);
    TABLE_RELEASE(pages->attrs);
    TABLE_RELEASE(pages->at);
    Column *own[] = {&pages->node_block, &pages->x, &pages->chain, &pages->alike, &pages->words, &pages->hash, &pages->n_hash};
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) columns_release(own[k], 1);
}

static int blocks_fit(const JudgedPages *of) {
    const Blocks *at = &of->at;
    const int32_t n_rows = (int32_t)of->rows.n, size = (int32_t)PyUnicode_GET_LENGTH(of->text), n = (int32_t)of->n;
    const int32_t *block = of->node_block.buffer.buf, *alike = of->alike.buffer.buf, *chain = of->chain.buffer.buf;
    int32_t is_bad = 0; /* without branches, as of rows */
    for (int32_t k = 0; k < n; k++) {
        is_bad |= (at->first[k] < 0) | (at->first[k] >= n_rows) | (at->last[k] < at->first[k]) | (at->last[k] >= n_rows) | (at->box[k] < 0) | (at->box[k] >= n_rows);
        is_bad |= (at->text_start[k] < 0) | (at->text_start[k] > at->text_end[k]) | (at->text_end[k] > size) | (at->page[k] < 0) | (at->page[k] >= of->n_pages);
    }
    for (int32_t k = 1; k < n; k++) is_bad |= (at->first[k] <= at->last[k - 1]) | (at->page[k] < at->page[k - 1]);
    for (int32_t k = 0; k < 2 * n; k++) is_bad |= (alike[k] < 0) | (alike[k] >= n);
    for (int32_t k = 0; k < LEVELS * n; k++) is_bad |= (chain[k] < 0) | (chain[k] >= n_rows);
    for (int32_t i = 0; i < n_rows; i++) is_bad |= (block[i] < -1) | (block[i] >= n);
    return is_bad ? bad("columns of blocks do not fit") : 0;
}

/* The words of blocks, each a number, if they are known. */
static int words_fit(const JudgedPages *of) {
    const uint8_t *n_hash = of->n_hash.buffer.buf;
    Py_ssize_t n_words = 0;
    int most = 0;
    for (Py_ssize_t k = 0; k < of->n_hash.n; k++) {
        n_words += n_hash[k];
        most = n_hash[k] > most ? n_hash[k] : most;
    }
    return of->n_hash.n != of->n || n_words != of->hash.n || most > MAX_WORDS ? bad("words do not fit the blocks") : 0;
}

/* -1 with an exception. */
static int judged_get(JudgedPages *of, PyObject *tuple) {
    PyObject *rows, *attrs, *blocks, *node_block, *x, *chain, *alike, *words, *hash, *n_hash, *checked;
    memset(of, 0, sizeof *of);
    if (!PyArg_ParseTuple(tuple, "OOOOUO!iOOOOOOO", &rows, &attrs, &blocks, &node_block, &of->text, &PyTuple_Type, &of->strings, &of->n_pages, &x, &chain,
                          &alike, &words, &hash, &n_hash, &checked))
        return -1;
    if (rows_get(&of->rows, rows) || attrs_get(&of->attrs, attrs) || blocks_get(&of->at, blocks)) return -1;
    Py_ssize_t n = of->n = of->at.n, n_columns;
    if (column_get(&of->node_block, node_block, 4) || matrix_get(&of->x, x, 4, n, &n_columns) || column_get(&of->chain, chain, 4) ||
        column_get(&of->alike, alike, 4) || column_get(&of->words, words, 8))
        return -1;
    if (n_columns != N_EVIDENCE || of->chain.n != n * LEVELS || of->alike.n != 2 * n || of->words.n != n || of->node_block.n != of->rows.n || n > INT32_MAX / 16)
        return bad("columns of blocks do not fit");
    if (rows_fit(&of->rows, PyUnicode_GET_LENGTH(of->text), N_TAGS, of->n_pages) || blocks_fit(of)) return -1;
    if (hash == Py_None) return 0;
    return column_get(&of->hash, hash, 4) || column_get(&of->n_hash, n_hash, 1) || words_fit(of) ? -1 : 0;
}

/* What pages are known by: all that the tuple has but their number and what was checked. */
static PyObject *given_at(PyObject *tuple, int k) { return PyTuple_GET_ITEM(tuple, k < 6 ? k : k + 1); }

static void checked_free(PyObject *capsule) {
    JudgedPages *of = PyCapsule_GetPointer(capsule, CHECKED);
    judged_release(of);
    for (int k = 0; k < N_GIVEN; k++) Py_XDECREF(of->given[k]);
    PyMem_RawFree(of);
}

/* check_pages(of) -> what makes the pages known to the kernels that take them later: see JudgedPages. */
PyObject *native_check_pages(PyObject *self, PyObject *args) {
    PyObject *tuple;
    if (!PyArg_ParseTuple(args, "O!", &PyTuple_Type, &tuple)) return NULL;
    JudgedPages *of = PyMem_RawMalloc(sizeof *of);
    if (!of) return PyErr_NoMemory();
    PyObject *capsule = judged_get(of, tuple) ? NULL : PyCapsule_New(of, CHECKED, checked_free);
    if (!capsule) {
        judged_release(of);
        PyMem_RawFree(of);
        return NULL;
    }
    for (int k = 0; k < N_GIVEN; k++) Py_INCREF(of->given[k] = given_at(tuple, k));
    return capsule;
}

const JudgedPages *judged_of(PyObject *tuple, JudgedPages *own) {
    memset(own, 0, sizeof *own);
    Py_ssize_t n = PyTuple_Check(tuple) ? PyTuple_GET_SIZE(tuple) : 0;
    PyObject *checked = n == N_GIVEN + 2 ? PyTuple_GET_ITEM(tuple, n - 1) : NULL;
    if (checked && PyCapsule_IsValid(checked, CHECKED)) {
        const JudgedPages *of = PyCapsule_GetPointer(checked, CHECKED);
        int is_same = PyLong_Check(PyTuple_GET_ITEM(tuple, 6)) && PyLong_AsLong(PyTuple_GET_ITEM(tuple, 6)) == of->n_pages;
        for (int k = 0; is_same && k < N_GIVEN; k++) is_same = of->given[k] == given_at(tuple, k);
        if (is_same) return of;
    }
    return judged_get(own, tuple) ? NULL : own;
}
