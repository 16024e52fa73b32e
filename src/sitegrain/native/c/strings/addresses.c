/* Addresses that normalisation leaves as they are; see reference/strings/addresses.py, whose pattern is matched here by hand. */
#include "native.h"
#include <string.h>

static inline int is_small(char c) { return (unsigned char)(c - 'a') < 26; }
static inline int is_digit(char c) { return (unsigned char)(c - '0') < 10; }
static inline int is_name_char(char c) { return is_small((char)(c | 32)) || is_digit(c) || c == '_' || c == '~' || c == '+' || c == '-'; }
static inline int is_path_char(char c) {
    switch (c) {
    case '.': case '%': case '/': case '=': case '&': case '@': case ',': case ';': case ':': case '!': case '$': case '(': case ')': case '*': return 1;
    default: return is_name_char(c);
    }
}
static inline int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1C && c <= 0x1F); }

static int begins(const char *at, const char *end, const char *what) {
    size_t n = strlen(what);
    return (size_t)(end - at) >= n && !memcmp(at, what, n);
}

/* Where a host of two labels or more ends, with a slash, a question mark or nothing after it; NULL for anything else. */
static const char *host_end(const char *at, const char *end) {
    const char *label = at;
    int n_dots = 0;
    if (end - at >= 4 && (at[0] | 32) == 'x' && (at[1] | 32) == 'n' && at[2] == '-' && at[3] == '-') return NULL;
    for (; at < end && *at != '/' && *at != '?'; at++) {
        if (*at == '.') {
            if (at == label) return NULL;
            label = at + 1;
            n_dots++;
        } else if (!is_small((char)(*at | 32)) && !is_digit(*at) && (at == label || *at != '-')) return NULL;
    }
    if (!n_dots || at - label < 2) return NULL;
    for (const char *c = label; c < at; c++)
        if (!is_small((char)(*c | 32))) return NULL;
    return at;
}

/* Whether the rest of an address is of characters that stay as they are, without a part that begins with a dot. */
static int is_plain(const char *at, const char *end) {
    for (const char *c = at; c + 1 < end; c++) {
        if (c[0] == '/' && c[1] == '.') return 0;
        if (c[0] == '%' && c + 2 < end && c[1] == '2' && (c[2] | 32) == 'e') return 0;
    }
    while (at < end && is_path_char(*at)) at++;
    if (at < end && *at == '?')
        for (at++; at < end && (is_path_char(*at) || *at == '?');) at++;
    return at == end;
}

/* Whether what begins like a name may be a scheme ("mailto:"). */
static int may_be_scheme(const char *at, const char *end) {
    while (at < end && *at != ':' && *at != '/' && *at != '?') at++;
    return at < end && *at == ':';
}

static PyObject *joined(const char *first, Py_ssize_t n_first, const char *at, const char *end) {
    PyObject *found = PyUnicode_New(n_first + (end - at), 127);
    if (!found) return NULL;
    memcpy(PyUnicode_1BYTE_DATA(found), first, (size_t)n_first);
    memcpy(PyUnicode_1BYTE_DATA(found) + n_first, at, (size_t)(end - at));
    return found;
}

/* A whole address: its host in small letters, and a slash after it. */
static PyObject *whole(const char *at, const char *host, const char *rest, const char *end) {
    const int has_no_path = rest == end || *rest != '/';
    PyObject *found = PyUnicode_New(end - at + has_no_path, 127);
    if (!found) return NULL;
    char *out = (char *)PyUnicode_1BYTE_DATA(found);
    for (const char *c = at; c < rest; c++) *out++ = (char)(c >= host && (unsigned char)(*c - 'A') < 26 ? *c | 32 : *c);
    if (has_no_path) *out++ = '/';
    memcpy(out, rest, (size_t)(end - rest));
    return found;
}

/* plain_address(href, origin, folder) -> where it leads to, without its fragment; empty for one that is not plain to tell. */
PyObject *native_plain_address(PyObject *self, PyObject *args) {
    PyObject *href, *origin, *folder, *nothing = PyUnicode_New(0, 0);
    if (!nothing || !PyArg_ParseTuple(args, "UUU", &href, &origin, &folder)) {
        Py_XDECREF(nothing);
        return NULL;
    }
    if (!PyUnicode_IS_ASCII(href) || !PyUnicode_IS_ASCII(origin) || !PyUnicode_IS_ASCII(folder)) return nothing;
    const char *at = PyUnicode_DATA(href), *end = at + PyUnicode_GET_LENGTH(href), *base = PyUnicode_DATA(folder);
    Py_ssize_t n_base = PyUnicode_GET_LENGTH(folder), n_origin = PyUnicode_GET_LENGTH(origin);
    while (at < end && is_space(*at)) at++;
    while (at < end && is_space(end[-1])) end--;
    const char *hash = memchr(at, '#', (size_t)(end - at)), *start = at;
    if (hash) end = hash;
    for (; n_base && begins(at, end, "../"); at += 3) /* copies of sites write most of their links so */
        if (n_base > n_origin + 1) /* above the root is the root */
            for (n_base--; n_base && base[n_base - 1] != '/';) n_base--;
    if (at == end) return nothing;
    if (begins(at, end, "http://") || begins(at, end, "https://")) {
        const char *host = at + (at[4] == 's' ? 8 : 7), *rest = at == start ? host_end(host, end) : NULL;
        if (!rest || !is_plain(rest, end)) return nothing;
        Py_DECREF(nothing);
        return whole(at, host, rest, end);
    }
    if (*at == '/') {
        if (at != start || (at + 1 < end && at[1] == '/') || !is_plain(at, end)) return nothing;
        base = PyUnicode_DATA(origin);
        n_base = n_origin;
    } else if (!is_name_char(*at) || may_be_scheme(at, end) || !is_plain(at, end)) return nothing;
    if (!n_origin) return nothing;
    Py_DECREF(nothing);
    return joined(base, n_base, at, end);
}
