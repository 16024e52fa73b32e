/* Rows that are marked as a group by what their attributes say; see reference/blocks/marks.py. */
#include "native.h"
#include <string.h>

enum { MAX_ROLE = 32 };

/* The mark of a role; -1 for none, -2: an exception. */
static int role_mark(PyObject *roles, PyObject *said) {
    PyObject *role = NULL;
    if (PyUnicode_IS_ASCII(said)) {
        const char *at = PyUnicode_DATA(said), *end = at + PyUnicode_GET_LENGTH(said);
        char low[MAX_ROLE];
        while (at < end && Py_UNICODE_ISSPACE((unsigned char)*at)) at++;
        while (at < end && Py_UNICODE_ISSPACE((unsigned char)end[-1])) end--;
        if (end - at > MAX_ROLE) return -1; /* longer than any of them */
        for (Py_ssize_t i = 0; i < end - at; i++) low[i] = (char)(at[i] >= 'A' && at[i] <= 'Z' ? at[i] | 32 : at[i]);
        role = PyUnicode_FromStringAndSize(low, end - at);
    } else {
        PyObject *bare = PyObject_CallMethod(said, "strip", NULL);
        role = bare ? PyObject_CallMethod(bare, "lower", NULL) : NULL;
        Py_XDECREF(bare);
    }
    PyObject *mark = role ? PyDict_GetItemWithError(roles, role) : NULL;
    Py_XDECREF(role);
    if (!mark) return PyErr_Occurred() ? -2 : -1;
    long found = PyLong_AsLong(mark);
    return found < 0 || found > 0xFF ? PyErr_Occurred() ? -2 : -1 : (int)found;
}

static int is_word_char(char c) { return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z'); }

/* Whether a property says that the text is here. -1: an exception. */
static int is_body(PyObject *said, PyObject *ask) {
    static const char *const PARTS[] = {"articlebody", "description", "reviewbody", "recipeinstructions", "recipeingredient", NULL};
    if (!PyUnicode_IS_ASCII(said)) {
        PyObject *found = PyObject_CallOneArg(ask, said);
        int is = found ? PyObject_IsTrue(found) : -1;
        Py_XDECREF(found);
        return is;
    }
    if (has_any(said, PARTS)) return 1;
    const char *s = PyUnicode_DATA(said);
    for (Py_ssize_t i = 0, n = PyUnicode_GET_LENGTH(said); i + 4 <= n; i++)
        if ((s[i] | 32) == 't' && (s[i + 1] | 32) == 'e' && (s[i + 2] | 32) == 'x' && (s[i + 3] | 32) == 't' && !(i && is_word_char(s[i - 1])) &&
            !is_word_char(s[i + 4])) /* a string ends with a zero */
            return 1;
    return 0;
}

/* marked_rows(attrs, strings, roles, body, is_body_prop) -> (int32 rows, int32 marks): the rows of roles that have a mark, and of properties that say where the
 * text is, which have the mark `body`; is_body_prop tells that of what is no ASCII. */
PyObject *native_marked_rows(PyObject *self, PyObject *args) {
    PyObject *columns, *strings, *roles, *ask, *result = NULL;
    int body;
    if (!PyArg_ParseTuple(args, "OO!O!iO", &columns, &PyTuple_Type, &strings, &PyDict_Type, &roles, &body, &ask)) return NULL;
    Attrs attrs;
    PyObject *rows = NULL, *marks = NULL;
    int32_t *row = NULL, *mark = NULL;
    Py_ssize_t n = 0, n_asked = 0;
    if (attrs_get(&attrs, columns)) goto done;
    for (Py_ssize_t a = 0; a < attrs.n; a++) n_asked += attrs.name[a] == ATTR_role || attrs.name[a] == ATTR_itemprop;
    rows = PyByteArray_FromStringAndSize(NULL, n_asked * 4);
    marks = PyByteArray_FromStringAndSize(NULL, n_asked * 4);
    if (!rows || !marks) goto done;
    row = (int32_t *)PyByteArray_AS_STRING(rows), mark = (int32_t *)PyByteArray_AS_STRING(marks);
    for (Py_ssize_t a = 0; n_asked && a < attrs.n; a++) {
        if (attrs.name[a] != ATTR_role && attrs.name[a] != ATTR_itemprop) continue;
        int32_t value = attrs.value[a];
        PyObject *said = value >= 0 && value < PyTuple_GET_SIZE(strings) ? PyTuple_GET_ITEM(strings, value) : NULL;
        if (!said || !PyUnicode_Check(said)) { bad("attributes do not fit the strings"); goto done; }
        int is_role = attrs.name[a] == ATTR_role, found = is_role ? role_mark(roles, said) : is_body(said, ask);
        if (found < (is_role ? -1 : 0)) goto done;
        if (is_role ? found < 0 : !found) continue;
        row[n] = attrs.node[a];
        mark[n++] = is_role ? found : body;
    }
    if (!PyByteArray_Resize(rows, n * 4) && !PyByteArray_Resize(marks, n * 4)) result = PyTuple_Pack(2, rows, marks);
done:
    Py_XDECREF(rows);
    Py_XDECREF(marks);
    TABLE_RELEASE(attrs);
    return result;
}
