/* Plain values as JSON. */
#include "native.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_DEEP 64
#define AT_ONCE 4096 /* characters of a string for which room is made at a time: an escape takes six bytes, and hardly one is */

/* What is written, and the room that it has. */
typedef struct {
    uint8_t *bytes;
    size_t n, room;
} Json;

/* Room for so many bytes more, and a place to write them at; NULL without memory. */
static uint8_t *json_room(Json *out, size_t more) {
    if (out->room - out->n < more) {
        size_t room = (out->n + more) * 2;
        uint8_t *grown = PyMem_Realloc(out->bytes, room);
        if (!grown) return (uint8_t *)PyErr_NoMemory();
        out->bytes = grown;
        out->room = room;
    }
    return out->bytes + out->n;
}

static int json_put(Json *out, const char *s, size_t n) {
    uint8_t *at = json_room(out, n);
    if (!at) return -1;
    memcpy(at, s, n);
    out->n += n;
    return 1;
}

/* How a character is written that cannot stand in a string; at most six bytes. */
static uint8_t *json_escape(uint8_t *at, Py_UCS4 c) {
    static const char SHORT[] = "btn\0fr", HEX[] = "0123456789abcdef";
    *at++ = '\\';
    if (c == '"' || c == '\\') *at++ = (uint8_t)c;
    else if (c >= 8 && c <= 13 && c != 11) *at++ = (uint8_t)SHORT[c - 8];
    else {
        memcpy(at, "u00", 3);
        at[3] = (uint8_t)HEX[c >> 4];
        at[4] = (uint8_t)HEX[c & 15];
        at += 5;
    }
    return at;
}

#define OF_EIGHT(byte) (0x0101010101010101ull * (byte))
#define HAS_ZERO(x) (((x) - OF_EIGHT(1)) & ~(x) & OF_EIGHT(0x80))

/* Whether eight bytes stand in a string as they are: most of all text. */
static int json_is_plain(uint64_t x) {
    uint64_t low = (x - OF_EIGHT(0x20)) & ~x & OF_EIGHT(0x80);
    return !((x & OF_EIGHT(0x80)) | low | HAS_ZERO(x ^ OF_EIGHT('"')) | HAS_ZERO(x ^ OF_EIGHT('\\')));
}

/* 1; 0 for a string with half of a surrogate pair; -1 with an error. */
static int json_string(Json *out, PyObject *text) {
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    uint8_t *at = NULL;
    if (json_put(out, "\"", 1) < 0) return -1;
    for (Py_ssize_t i = 0; i < n; i++) {
        if (i % AT_ONCE == 0) {
            if (at) out->n = (size_t)(at - out->bytes);
            if (!(at = json_room(out, (size_t)(n - i < AT_ONCE ? n - i : AT_ONCE) * 6))) return -1;
        }
        uint64_t eight;
        if (kind == PyUnicode_1BYTE_KIND && i % 8 == 0 && n - i >= 8 && (memcpy(&eight, (const char *)data + i, 8), json_is_plain(eight))) {
            memcpy(at, &eight, 8);
            at += 8;
            i += 7;
            continue;
        }
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (c < 0x20 || c == '"' || c == '\\') at = json_escape(at, c);
        else if (c < 0x80) *at++ = (uint8_t)c;
        else if (c < 0x800) {
            *at++ = (uint8_t)(0xC0 | c >> 6);
            *at++ = (uint8_t)(0x80 | (c & 0x3F));
        } else {
            if (c >= 0xD800 && c < 0xE000) return 0;
            if (c < 0x10000) *at++ = (uint8_t)(0xE0 | c >> 12);
            else {
                *at++ = (uint8_t)(0xF0 | c >> 18);
                *at++ = (uint8_t)(0x80 | (c >> 12 & 0x3F));
            }
            *at++ = (uint8_t)(0x80 | (c >> 6 & 0x3F));
            *at++ = (uint8_t)(0x80 | (c & 0x3F));
        }
    }
    if (at) out->n = (size_t)(at - out->bytes);
    return json_put(out, "\"", 1);
}

static int json_number(Json *out, PyObject *value) {
    char written[32];
    if (PyLong_CheckExact(value)) {
        int is_over;
        long long number = PyLong_AsLongLongAndOverflow(value, &is_over);
        return is_over ? 0 : json_put(out, written, (size_t)snprintf(written, sizeof written, "%lld", number));
    }
    double number = PyFloat_AS_DOUBLE(value);
    if (!isfinite(number)) return 0;
    char *text = PyOS_double_to_string(number, 'r', 0, Py_DTSF_ADD_DOT_0, NULL);
    if (!text) return -1;
    int is_done = json_put(out, text, strlen(text));
    PyMem_Free(text);
    return is_done;
}

/* 1; 0 for what is not plain; -1 with an error. */
static int json_value(Json *out, PyObject *value, int deep) {
    int is_done = 1;
    if (PyUnicode_CheckExact(value)) return json_string(out, value);
    if (value == Py_None) return json_put(out, "null", 4);
    if (value == Py_True) return json_put(out, "true", 4);
    if (value == Py_False) return json_put(out, "false", 5);
    if (PyLong_CheckExact(value) || PyFloat_CheckExact(value)) return json_number(out, value);
    if (deep >= MOST_DEEP) return 0;
    if (PyDict_CheckExact(value)) {
        PyObject *key, *held;
        Py_ssize_t at = 0, k = 0;
        while (is_done > 0 && PyDict_Next(value, &at, &key, &held)) {
            is_done = PyUnicode_CheckExact(key) ? json_put(out, k++ ? "," : "{", 1) : 0;
            if (is_done > 0) is_done = json_string(out, key);
            if (is_done > 0) is_done = json_put(out, ":", 1);
            if (is_done > 0) is_done = json_value(out, held, deep + 1);
        }
        return is_done <= 0 ? is_done : k ? json_put(out, "}", 1) : json_put(out, "{}", 2);
    }
    if (!PyList_CheckExact(value) && !PyTuple_CheckExact(value)) return 0;
    for (Py_ssize_t i = 0; is_done > 0 && i < PySequence_Fast_GET_SIZE(value); i++) {
        is_done = json_put(out, i ? "," : "[", 1);
        if (is_done > 0) is_done = json_value(out, PySequence_Fast_GET_ITEM(value, i), deep + 1);
    }
    return is_done <= 0 ? is_done : PySequence_Fast_GET_SIZE(value) ? json_put(out, "]", 1) : json_put(out, "[]", 2);
}

/* json_bytes(value) -> JSON in UTF-8, or None for a value that is not plain. */
PyObject *native_json_bytes(PyObject *self, PyObject *args) {
    PyObject *value, *found = NULL;
    if (!PyArg_ParseTuple(args, "O", &value)) return NULL;
    Json out = {NULL, 0, 0};
    int is_done = json_value(&out, value, 0);
    if (is_done > 0) found = PyBytes_FromStringAndSize((const char *)out.bytes, (Py_ssize_t)out.n);
    else if (!is_done) found = Py_NewRef(Py_None);
    PyMem_Free(out.bytes);
    return found;
}
