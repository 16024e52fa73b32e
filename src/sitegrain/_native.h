/* What the C files of the one extension share. Each function in it is the second body of a Python function. */
#ifndef SITEGRAIN_NATIVE_H
#define SITEGRAIN_NATIVE_H
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

/* A contiguous buffer of items of one size; `n` is how many. */
typedef struct {
    Py_buffer buffer;
    Py_ssize_t n;
} Column;

int column_get(Column *column, PyObject *object, Py_ssize_t item, int is_writable);
void columns_release(Column *columns, int n);

/* A number that no page can know: tables that are keyed with it cannot be made to collide. */
uint64_t process_key(void);

/* _words.c */
typedef struct Matcher Matcher;
const Matcher *matcher_of(PyObject *capsule);
uint64_t matcher_find(const Matcher *matcher, const char *name, size_t size);
PyObject *native_matcher(PyObject *self, PyObject *args);
PyObject *native_word_bits(PyObject *self, PyObject *args);

/* _evidence.c */
PyObject *native_evidence(PyObject *self, PyObject *args);

/* _scores.c */
PyObject *native_pack_trees(PyObject *self, PyObject *args);
PyObject *native_predict(PyObject *self, PyObject *args);
PyObject *native_stage(PyObject *self, PyObject *args);
PyObject *native_decide(PyObject *self, PyObject *args);

/* _lexicon.c */
PyObject *native_text_hashes(PyObject *self, PyObject *args);
PyObject *native_text_weights(PyObject *self, PyObject *args);
PyObject *native_name_hashes(PyObject *self, PyObject *names);
PyObject *native_name_weights(PyObject *self, PyObject *args);

/* _net.c */
PyObject *native_block_net(PyObject *self, PyObject *args);

/* _text.c */
PyObject *native_to_text(PyObject *self, PyObject *args);

#endif
