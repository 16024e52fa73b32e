/* Bytes, strings, and the keys of paths. */
#include "native.h"
#include <string.h>

/* is_utf8(data) -> whether `data.decode("utf-8")` would read it. */
PyObject *native_is_utf8(PyObject *self, PyObject *args) {
    Py_buffer data;
    if (!PyArg_ParseTuple(args, "y*", &data)) return NULL;
    const uint8_t *s = data.buf;
    size_t n = (size_t)data.len, i = 0;
    int is_fine = 1;
    while (i < n) {
        uint64_t eight, many[8];
        while (n - i >= sizeof many) { /* nearly all of most pages is ASCII */
            uint64_t any = 0;
            memcpy(many, s + i, sizeof many);
            for (int k = 0; k < 8; k++) any |= many[k];
            if (any & 0x8080808080808080ull) break;
            i += sizeof many;
        }
        if (i >= n) break;
        if (n - i >= 8 && (memcpy(&eight, s + i, 8), !(eight & 0x8080808080808080ull))) { i += 8; continue; }
        uint8_t c = s[i];
        if (c < 0x80) { i++; continue; }
        /* the second byte's range rules out what is written too long, surrogates and numbers over 0x10FFFF */
        size_t more = c >= 0xC2 && c < 0xE0 ? 1 : c >= 0xE0 && c < 0xF0 ? 2 : c >= 0xF0 && c < 0xF5 ? 3 : 0;
        uint8_t low = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80, high = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : 0xBF;
        if (!more || n - i <= more || s[i + 1] < low || s[i + 1] > high) { is_fine = 0; break; }
        for (size_t k = 2; k <= more; k++) is_fine &= (s[i + k] & 0xC0) == 0x80;
        if (!is_fine) break;
        i += more + 1;
    }
    PyBuffer_Release(&data);
    return PyBool_FromLong(is_fine);
}

/* split(text, ends) -> the pieces of a text, by the (int32) end of each, as a tuple. */
PyObject *native_split(PyObject *self, PyObject *args) {
    PyObject *text, *ends_object;
    if (!PyArg_ParseTuple(args, "UO", &text, &ends_object)) return NULL;
    Column ends;
    if (column_get(&ends, ends_object, 4)) return NULL;
    PyObject *out = PyTuple_New(ends.n);
    Py_ssize_t from = 0;
    for (Py_ssize_t i = 0; out && i < ends.n; i++) {
        Py_ssize_t to = ((const int32_t *)ends.buffer.buf)[i];
        PyObject *piece = NULL;
        if (to < from || to > PyUnicode_GET_LENGTH(text)) PyErr_SetString(PyExc_ValueError, "ends do not fit the text");
        else piece = PyUnicode_Substring(text, from, to);
        if (piece) PyTuple_SET_ITEM(out, i, piece);
        else Py_CLEAR(out);
        from = to;
    }
    columns_release(&ends, 1);
    return out;
}

/* ---------------------------------------------------------------- path keys */

/* path_keys(parent, own) -> uint64 per row: a hash of the own values from the root down to the row. */
PyObject *native_path_keys(PyObject *self, PyObject *args) {
    Py_buffer parent, own;
    if (!PyArg_ParseTuple(args, "y*y*", &parent, &own)) return NULL;
    Py_ssize_t n = parent.len / 4;
    PyObject *result = NULL;
    if (own.len < n * 8) PyErr_SetString(PyExc_ValueError, "one own value per row");
    else if ((result = PyBytes_FromStringAndSize(NULL, n * 8))) {
        uint64_t *key = (uint64_t *)PyBytes_AS_STRING(result);
        const uint64_t *o = own.buf;
        const int32_t *p = parent.buf;
        for (Py_ssize_t i = 0; i < n; i++) key[i] = path_key(p[i] >= 0 && p[i] < i ? key[p[i]] : 0, o[i]);
    }
    PyBuffer_Release(&parent);
    PyBuffer_Release(&own);
    return result;
}

int has_any(PyObject *string, const char *const *words) {
    if (!PyUnicode_IS_ASCII(string)) return 1;
    const char *at = PyUnicode_DATA(string), *end = at + PyUnicode_GET_LENGTH(string);
    uint32_t firsts = 0; /* by their last five bits, which both cases of a letter share: most places begin no word */
    for (int k = 0; words[k]; k++) firsts |= 1u << (words[k][0] & 31);
    for (; at < end; at++)
        for (int k = 0; firsts >> (*at & 31) & 1 && words[k]; k++) {
            size_t i = 0;
            for (; words[k][i] && (at[i] >= 'A' && at[i] <= 'Z' ? at[i] | 32 : at[i]) == words[k][i]; i++) {} /* a string ends with a zero, which no word has */
            if (!words[k][i]) return 1;
        }
    return 0;
}
