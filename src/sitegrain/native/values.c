/* What fields ask of a page again and again: the values of one attribute. */
#include "native.h"
#include <string.h>

/* attr_values(attrs, strings, start, stop, name, first) -> {row - first: strings[value]} of those of attrs[start:stop] that have the name,
 * in their order; of two on a row the last counts. */
PyObject *native_attr_values(PyObject *self, PyObject *args) {
    PyObject *of_attrs, *strings, *found = NULL;
    Py_ssize_t start, stop, name, first;
    if (!PyArg_ParseTuple(args, "OO!nnnn", &of_attrs, &PyTuple_Type, &strings, &start, &stop, &name, &first)) return NULL;
    Attrs attrs;
    if (attrs_get(&attrs, of_attrs)) goto done;
    if (start < 0 || start > stop || stop > attrs.n) { misfit("not as many attributes"); goto done; }
    if (!(found = PyDict_New())) goto done;
    const Py_ssize_t n_strings = PyTuple_GET_SIZE(strings);
    for (Py_ssize_t a = start; a < stop; a++) {
        if (attrs.name[a] != name) continue;
        int32_t value = attrs.value[a];
        if (value < 0 || value >= n_strings) { misfit("a value is no string"); Py_CLEAR(found); goto done; }
        PyObject *row = PyLong_FromSsize_t(attrs.node[a] - first);
        int failed = !row || PyDict_SetItem(found, row, PyTuple_GET_ITEM(strings, value));
        Py_XDECREF(row);
        if (failed) { Py_CLEAR(found); goto done; }
    }
done:
    TABLE_RELEASE(attrs);
    return found;
}
