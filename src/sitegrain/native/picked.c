/* The few attributes that are read as text: of the head of a page, roles, properties. */
#include "native.h"
#include <string.h>

/* picked(tag, attrs, wanted) -> (rows, names, values), lists of numbers, of the attributes a with a byte that is not 0 at
 * wanted[tag of its row * how many attributes there are + its name]. */
PyObject *native_picked(PyObject *self, PyObject *args) {
    PyObject *of_tag, *of_attrs, *of_wanted, *out[3] = {NULL}, *result = NULL;
    if (!PyArg_ParseTuple(args, "OOO", &of_tag, &of_attrs, &of_wanted)) return NULL;
    Attrs attrs;
    Column in[2];
    memset(in, 0, sizeof in);
    if (attrs_get(&attrs, of_attrs) || column_get(&in[0], of_tag, 2) || column_get(&in[1], of_wanted, 1)) goto done;
    const int16_t *tag = in[0].buffer.buf;
    const uint8_t *wanted = in[1].buffer.buf;
    if (in[1].n != N_TAGS * N_ATTRIBUTES) { misfit("one byte for each tag and attribute"); goto done; }
    for (int k = 0; k < 3; k++)
        if (!(out[k] = PyList_New(0))) goto done;
    for (Py_ssize_t a = 0; a < attrs.n; a++) {
        int32_t row = attrs.node[a];
        int name = attrs.name[a];
        if (row < 0 || row >= in[0].n || name < 0 || name >= N_ATTRIBUTES || tag[row] < 0 || tag[row] >= N_TAGS) {
            misfit("attributes do not fit the rows");
            goto done;
        }
        if (!wanted[tag[row] * N_ATTRIBUTES + name]) continue;
        const long of[3] = {row, name, attrs.value[a]};
        for (int k = 0; k < 3; k++) {
            PyObject *number = PyLong_FromLong(of[k]);
            int failed = !number || PyList_Append(out[k], number);
            Py_XDECREF(number);
            if (failed) goto done;
        }
    }
    result = PyTuple_Pack(3, out[0], out[1], out[2]);
done:
    for (int k = 0; k < 3; k++) Py_XDECREF(out[k]);
    TABLE_RELEASE(attrs);
    columns_release(in, 2);
    return result;
}
