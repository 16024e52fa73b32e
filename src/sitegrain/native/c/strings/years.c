/* Where years may stand in a text; see reference/strings/years.py. */
#include "native.h"

static inline int is_decimal(Py_UCS4 c) { return c < 128 ? c - '0' < 10u : Py_UNICODE_ISDECIMAL(c); }

/* The next "19" or "20" from i on that two digits follow, of whatever script; -1 for none. */
static Py_ssize_t next_year(int kind, const void *data, Py_ssize_t n, Py_ssize_t i) {
    for (; i + 4 <= n; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (c != '1' && c != '2') continue;
        if (PyUnicode_READ(kind, data, i + 1) == (c == '1' ? '9' : '0') && is_decimal(PyUnicode_READ(kind, data, i + 2)) &&
            is_decimal(PyUnicode_READ(kind, data, i + 3)))
            return i;
    }
    return -1;
}

/* year_spots(text) -> where four digits begin that may be a year of this century or the last. */
PyObject *native_year_spots(PyObject *self, PyObject *args) {
    PyObject *text;
    if (!PyArg_ParseTuple(args, "U", &text)) return NULL;
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t n = PyUnicode_GET_LENGTH(text), i = 0;
    PyObject *found = PyList_New(0);
    while (found && (i = kind == PyUnicode_1BYTE_KIND ? next_year(PyUnicode_1BYTE_KIND, data, n, i) : next_year(kind, data, n, i)) >= 0) {
        PyObject *at = PyLong_FromSsize_t(i++);
        if (!at || PyList_Append(found, at)) Py_CLEAR(found);
        Py_XDECREF(at);
    }
    return found;
}
