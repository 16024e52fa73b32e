/* What fields ask of a page again and again: the values of one attribute, and the rows of some tags. */
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

/* tag_rows(tag, wanted) -> {code of a tag: its rows, in their order}, of the tags that are wanted. */
PyObject *native_tag_rows(PyObject *self, PyObject *args) {
    PyObject *objects[2], *lists[N_TAGS] = {NULL}, *found = NULL;
    Column columns[2];
    memset(columns, 0, sizeof columns);
    if (!PyArg_ParseTuple(args, "OO", &objects[0], &objects[1])) return NULL;
    if (column_get(&columns[0], objects[0], 2) || column_get(&columns[1], objects[1], 1)) goto done;
    const int16_t *tag = columns[0].buffer.buf;
    const uint8_t *wanted = columns[1].buffer.buf;
    if (columns[1].n != N_TAGS) { misfit("one byte for each tag"); goto done; }
    if (!(found = PyDict_New())) goto done;
    for (int code = 0; code < N_TAGS; code++) {
        if (!wanted[code]) continue;
        PyObject *key = PyLong_FromLong(code);
        lists[code] = PyList_New(0);
        int failed = !key || !lists[code] || PyDict_SetItem(found, key, lists[code]);
        Py_XDECREF(key);
        Py_XDECREF(lists[code]); /* the dictionary holds it */
        if (failed) goto failed;
    }
    for (Py_ssize_t i = 0; i < columns[0].n; i++) {
        if (tag[i] < 0 || tag[i] >= N_TAGS) { misfit("no such tag"); goto failed; }
        if (!wanted[tag[i]]) continue;
        PyObject *row = PyLong_FromSsize_t(i);
        int failed = !row || PyList_Append(lists[tag[i]], row);
        Py_XDECREF(row);
        if (failed) goto failed;
    }
done:
    columns_release(columns, 2);
    return found;
failed:
    Py_CLEAR(found);
    goto done;
}
