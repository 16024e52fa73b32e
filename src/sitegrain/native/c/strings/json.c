/* A value as JSON in UTF-8: what the lines and the report of a site are written in, nearly all of it text. */
#include "native.h"
#include <string.h>

typedef struct {
    char *at;
    size_t n, room;
} Json;

enum { WRITTEN = 0, FAILED = -1, STRANGE = -2 }; /* strange values are for the reference */

static int need(Json *j, size_t more) {
    if (j->room - j->n >= more) return WRITTEN;
    if (more > (size_t)PY_SSIZE_T_MAX / 4 || j->n > (size_t)PY_SSIZE_T_MAX / 4) {
        PyErr_NoMemory();
        return FAILED;
    }
    size_t wanted = j->n + more + (j->n + more) / 2 + 64;
    char *found = PyMem_RawRealloc(j->at, wanted);
    if (!found) {
        PyErr_NoMemory();
        return FAILED;
    }
    j->at = found;
    j->room = wanted;
    return WRITTEN;
}

static int put(Json *j, const char *bytes, size_t n) {
    if (need(j, n)) return FAILED;
    memcpy(j->at + j->n, bytes, n);
    j->n += n;
    return WRITTEN;
}

static int is_plain(Py_UCS4 c) { return c >= 0x20 && c != '"' && c != '\\'; }

/* One character at `at`, where there is room for six bytes; returns the end of it. */
static char *put_char(char *at, Py_UCS4 c) {
    static const char HEX[] = "0123456789abcdef", NAMED[] = "\b\t\n\f\r\"\\", NAME[] = "btnfr\"\\";
    if (c < 0x80 || (c >= 0xD800 && c < 0xE000)) {
        if (c < 0x80 && is_plain(c)) {
            *at++ = (char)c;
            return at;
        }
        const char *found = c && c < 0x80 ? strchr(NAMED, (int)c) : NULL;
        *at++ = '\\';
        if (found) {
            *at++ = NAME[found - NAMED];
            return at;
        }
        *at++ = 'u';
        for (int shift = 12; shift >= 0; shift -= 4) *at++ = HEX[c >> shift & 15];
        return at;
    }
    if (c < 0x800) *at++ = (char)(0xC0 | c >> 6);
    else {
        if (c < 0x10000) *at++ = (char)(0xE0 | c >> 12);
        else {
            *at++ = (char)(0xF0 | c >> 18);
            *at++ = (char)(0x80 | (c >> 12 & 0x3F));
        }
        *at++ = (char)(0x80 | (c >> 6 & 0x3F));
    }
    *at++ = (char)(0x80 | (c & 0x3F));
    return at;
}

/* Where ASCII that is written as it is ends: eight characters at a time. */
static const uint8_t *plain_end(const uint8_t *from, const uint8_t *end) {
    const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
    for (uint64_t x; end - from >= 8; from += 8) {
        memcpy(&x, from, 8);
        uint64_t quote = x ^ ones * '"', slash = x ^ ones * '\\';
        if (((x - ones * 0x20) | (quote - ones) | (slash - ones)) & tops) break; /* none of them has a top bit: it is borrowed */
    }
    while (from < end && is_plain(*from)) from++;
    return from;
}

enum { TOGETHER = 1024 }; /* characters for which room is made at once */

static int put_text(Json *j, PyObject *text) {
    const void *data = PyUnicode_DATA(text);
    const Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    if (put(j, "\"", 1)) return FAILED;
    if (PyUnicode_IS_ASCII(text)) {
        const uint8_t *from = data, *end = from + n;
        while (from < end) {
            const uint8_t *run = from;
            from = plain_end(from, end);
            if (put(j, (const char *)run, (size_t)(from - run)) || need(j, 6)) return FAILED;
            if (from < end) j->n = (size_t)(put_char(j->at + j->n, *from++) - j->at);
        }
    } else {
        for (Py_ssize_t first = 0, last; first < n; first = last) {
            last = n - first > TOGETHER ? first + TOGETHER : n;
            if (need(j, 6 * TOGETHER)) return FAILED;
            char *at = j->at + j->n;
            BY_KIND(PyUnicode_KIND(text), for (Py_ssize_t i = first; i < last; i++) {
                Py_UCS4 c = PyUnicode_READ(KIND, data, i);
                if (c < 0x80 && is_plain(c)) *at++ = (char)c; /* nearly all are one of these two */
                else if (is_ideograph(c)) {
                    *at++ = (char)(0xE0 | c >> 12);
                    *at++ = (char)(0x80 | (c >> 6 & 0x3F));
                    *at++ = (char)(0x80 | (c & 0x3F));
                } else at = put_char(at, c);
            })
            j->n = (size_t)(at - j->at);
        }
    }
    return put(j, "\"", 1);
}

static int put_shown(Json *j, PyObject *shown) {
    Py_ssize_t size;
    const char *said = shown ? PyUnicode_AsUTF8AndSize(shown, &size) : NULL;
    int failed = said ? put(j, said, (size_t)size) : FAILED;
    Py_XDECREF(shown);
    return failed;
}

static int put_value(Json *j, PyObject *value);

static int put_items(Json *j, PyObject *items) {
    const Py_ssize_t n = PySequence_Fast_GET_SIZE(items); /* a list or a tuple, and nobody else has it meanwhile */
    if (put(j, "[", 1)) return FAILED;
    for (Py_ssize_t k = 0; k < n; k++) {
        if (k && put(j, ",", 1)) return FAILED;
        int failed = put_value(j, PySequence_Fast_GET_ITEM(items, k));
        if (failed) return failed;
    }
    return put(j, "]", 1);
}

static int put_object(Json *j, PyObject *object) {
    PyObject *key, *value;
    Py_ssize_t at = 0;
    int is_first = 1;
    if (put(j, "{", 1)) return FAILED;
    while (PyDict_Next(object, &at, &key, &value)) {
        if (!PyUnicode_CheckExact(key)) return STRANGE;
        if ((!is_first && put(j, ",", 1)) || put_text(j, key) || put(j, ":", 1)) return FAILED;
        is_first = 0;
        int failed = put_value(j, value);
        if (failed) return failed;
    }
    return put(j, "}", 1);
}

static int put_value(Json *j, PyObject *value) {
    if (PyUnicode_CheckExact(value)) return put_text(j, value);
    if (value == Py_None) return put(j, "null", 4);
    if (value == Py_True) return put(j, "true", 4);
    if (value == Py_False) return put(j, "false", 5);
    if (PyLong_CheckExact(value)) return put_shown(j, PyObject_Repr(value));
    if (PyFloat_CheckExact(value)) {
        double number = PyFloat_AS_DOUBLE(value);
        return number - number == 0 ? put_shown(j, PyObject_Repr(value)) : STRANGE;
    }
    const int is_dict = PyDict_CheckExact(value);
    if (!is_dict && !PyList_CheckExact(value) && !PyTuple_CheckExact(value)) return STRANGE;
    if (Py_EnterRecursiveCall(" while writing JSON")) return FAILED;
    int failed = is_dict ? put_object(j, value) : put_items(j, value);
    Py_LeaveRecursiveCall();
    return failed;
}

/* json_bytes(value) -> bytes */
PyObject *native_json_bytes(PyObject *self, PyObject *args) {
    PyObject *value, *result = NULL;
    if (!PyArg_ParseTuple(args, "O", &value)) return NULL;
    Json j = {NULL, 0, 0};
    int failed = put_value(&j, value);
    if (!failed) result = PyBytes_FromStringAndSize(j.at, (Py_ssize_t)j.n);
    PyMem_RawFree(j.at);
    return failed == STRANGE ? ask_reference("json_bytes", args) : result;
}
