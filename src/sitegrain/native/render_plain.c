/* Answers of the page that most links, pictures and programs need no regular expression for: addresses that are plain (`_PLAIN` of
 * sitegrain.tables.address), pictures with such an address, programs that name no language. What is not plain is asked. */
#include "render.h"

enum { NOT_PLAIN, ORIGIN, ROOT, NAME };

static int is_small(char c) { return (unsigned char)(c - 'a') < 26; }
static int is_digit(char c) { return (unsigned char)(c - '0') < 10; }
static int is_path_char(char c) { return is_small((char)(c | 32)) || is_digit(c) || c == '/' || c == '-' || c == '.' || c == '_' || c == '%' || c == '~' || c == '+'; }

/* Where `https?://` and a host of two labels or more end, at a slash; 0 for anything else. */
static size_t origin_end(const char *at, size_t n) {
    size_t i = begins(at, n, "https://") ? 8 : 7, label = i;
    if (!begins(at, n, "http://") && i == 7) return 0;
    if (begins(at + i, n - i, "xn--")) return 0;
    for (; i < n && at[i] != '/'; i++) {
        int is_dot = at[i] == '.', is_first = i == label;
        if (!is_small(at[i]) && !is_digit(at[i]) && (is_first || !(is_dot || at[i] == '-'))) return 0;
        if (is_dot) label = i + 1;
    }
    if (i == n || i - label < 2 || at[label - 1] != '.') return 0; /* one label is no domain */
    for (size_t k = label; k < i; k++)
        if (!is_small(at[k])) return 0;
    return i;
}

/* Which of the plain addresses this is, up to a `#`. */
static int plain_kind(const char *at, size_t n) {
    if (!n) return NOT_PLAIN;
    int kind = NAME;
    size_t i = 1;
    if (at[0] == '/') {
        if (n > 1 && at[1] == '/') return NOT_PLAIN;
        kind = ROOT;
    } else if (begins(at, n, "http") && (i = origin_end(at, n)) > 0) kind = ORIGIN;
    else if (at[0] == '.' || at[0] == '%' || !is_path_char(at[0])) return NOT_PLAIN;
    else i = 1;
    for (size_t k = 0; k + 1 < n; k++) {
        if (at[k] == '/' && at[k + 1] == '.') return NOT_PLAIN;
        if (at[k] == '%' && k + 2 < n && at[k + 1] == '2' && (at[k + 2] | 32) == 'e') return NOT_PLAIN;
    }
    while (i < n && is_path_char(at[i])) i++;
    if (i < n && at[i] == '?')
        for (i++; i < n && (is_path_char(at[i]) || at[i] == '=' || at[i] == '&');) i++;
    return i == n ? kind : NOT_PLAIN;
}

/* Writes the address that a value leads to, if that is plain to tell; with its fragment, or without. */
static int put_resolved(Render *r, Bytes *b, const char *at, size_t n, int is_whole) {
    const char *hash = memchr(at, '#', n);
    size_t size = hash ? (size_t)(hash - at) : n;
    int kind = plain_kind(at, size);
    if (!kind) return 0;
    for (size_t i = size; is_whole && i < n; i++)
        if ((unsigned char)at[i] <= ' ') return 0; /* white space and control characters are written otherwise */
    if (kind != ORIGIN) {
        PyObject *origin, *folder, *base = ask_page(r, "plain_base");
        if (!PyArg_ParseTuple(base, "UU", &origin, &folder)) give_up(r);
        if (!PyUnicode_GET_LENGTH(origin)) return 0;
        put_string(r, b, kind == ROOT ? origin : folder);
    }
    put(r, b, at, is_whole && n > size + 1 ? n : size);
    return 1;
}

/* The bytes of a value without white space around it; 0 for one that is not ASCII. */
static int ascii_of(PyObject *value, const char **at, size_t *n) {
    if (!PyUnicode_IS_ASCII(value)) return 0;
    *at = PyUnicode_DATA(value);
    Piece own = stripped(*at, (Piece){0, (size_t)PyUnicode_GET_LENGTH(value)});
    *at += own.start;
    *n = own.n;
    return 1;
}

int put_plain_href(Render *r, Bytes *b, PyObject *said) {
    const char *at;
    size_t n;
    return ascii_of(said, &at, &n) && put_resolved(r, b, at, n, 1);
}

/* Whether lower-case letters stand in a value, in either case; -1 for a value that is not ASCII. */
static int has_letters(PyObject *value, const char *letters) {
    if (!value) return 0;
    if (!PyUnicode_IS_ASCII(value)) return -1;
    const char *at = PyUnicode_DATA(value);
    size_t n = (size_t)PyUnicode_GET_LENGTH(value), size = strlen(letters), k;
    for (size_t i = 0; i + size <= n; i++) {
        for (k = 0; k < size && (at[i + k] | 32) == letters[k];) k++;
        if (k == size) return 1;
    }
    return 0;
}

/* ---------------------------------------------------------------- pictures */

/* Whether the last part of an address may be one of `_STAND_IN`: all that it finds, and more. */
static int may_stand_in(const char *at, size_t n) {
    static const char *const WORDS[] = {"placeholder", "blank", "spacer", "missing-image", "clear", "cleardot", "transparent", "pixel", "1x1",
                                        "loading", "progress", "dummy", "empty", "shim", "no-image", "noimage"};
    const char *query = memchr(at, '?', n);
    size_t dot = query ? (size_t)(query - at) : n;
    while (dot && at[dot - 1] != '.' && at[dot - 1] != '/') dot--;
    if (!dot || at[dot - 1] == '/') return 0;
    dot--;
    for (size_t k = 0; k < sizeof WORDS / sizeof *WORDS; k++) {
        size_t size = strlen(WORDS[k]), i = 0;
        if (size > dot) continue;
        while (i < size && (at[dot - size + i] == WORDS[k][i] || (at[dot - size + i] | 32) == WORDS[k][i])) i++;
        if (i == size) return 1;
    }
    return 0;
}

static int is_zero_or_one(PyObject *value) {
    return value && PyUnicode_GET_LENGTH(value) == 1 && (PyUnicode_READ_CHAR(value, 0) | 1) == '1';
}

/* Whether white space in a text is single spaces between words. */
static int is_folded(PyObject *text) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    int kind = PyUnicode_KIND(text), was_space = 1;
    const void *data = PyUnicode_DATA(text);
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        int is_space = Py_UNICODE_ISSPACE(c);
        if (is_space && (was_space || c != ' ')) return 0;
        was_space = is_space;
    }
    return !n || !was_space;
}

/* Writes the address of a picture, if it says one and that is plain. */
static int put_source(Render *r, Bytes *b, Py_ssize_t row) {
    for (int k = 0; k < N_SOURCES; k++) {
        PyObject *value = attr_of(r, row, SOURCES[k]);
        const char *at;
        size_t n;
        if (!value) continue;
        if (!ascii_of(value, &at, &n)) return 0;
        if (!n) continue;
        if (SOURCES[k] == ATTR_data_srcset || SOURCES[k] == ATTR_srcset || !put_resolved(r, b, at, n, 0)) return 0;
        size_t last = b->n < 20 ? b->n : 20;
        return !memchr(b->at + b->n - last, 'x', last) && !may_stand_in(b->at, b->n); /* no "x": not cut to a size */
    }
    return 0;
}

PyObject *plain_picture(Render *r, Py_ssize_t row) {
    PyObject *alt = attr_of(r, row, ATTR_alt);
    if (is_zero_or_one(attr_of(r, row, ATTR_width)) || is_zero_or_one(attr_of(r, row, ATTR_height)) || (alt && !is_folded(alt)) ||
        has_letters(attr_of(r, row, ATTR_class), "avatar") || has_letters(attr_of(r, row, ATTR_src), "avatar"))
        return NULL;
    r->line.n = 0;
    if (!put_source(r, &r->line, row)) return NULL;
    Py_ssize_t up = row;
    for (int k = 0; k < 4 && up >= 0; k++) {
        up = up_of(r, up);
        if (up >= 0 && r->tag[up] == TAG_noscript) break;
        if (k == 3) up = -1;
    }
    PyObject *sizes = ask_page(r, "sizes"), *src = PyUnicode_FromStringAndSize(r->line.at, (Py_ssize_t)r->line.n);
    if (!src || !PyDict_Check(sizes) || !PyDict_SetDefault(sizes, src, src)) {
        Py_XDECREF(src);
        give_up(r);
    }
    Py_XSETREF(r->held, alt ? Py_BuildValue("ONi", alt, src, up >= 0) : Py_BuildValue("sNi", "", src, up >= 0));
    if (!r->held) give_up(r);
    return r->held;
}

/* ---------------------------------------------------------------- code */

static int may_name_language(const Render *r, Py_ssize_t row) {
    static const char *const WORDS[] = {"lang", "hl", "brush", "code"}; /* one of them stands in all that `_NAMED` finds */
    if (attr_of(r, row, ATTR_data_lang) || attr_of(r, row, ATTR_data_language)) return 1;
    PyObject *name = attr_of(r, row, ATTR_class);
    for (size_t k = 0; k < sizeof WORDS / sizeof *WORDS; k++)
        if (has_letters(name, WORDS[k])) return 1;
    return 0;
}

int may_have_language(const Render *r, Py_ssize_t row) {
    if (may_name_language(r, row)) return 1;
    for (Py_ssize_t i = row + 1; i <= row + 2 && i < r->n; i++)
        if (r->tag[i] == TAG_code && may_name_language(r, i)) return 1;
    Py_ssize_t up = up_of(r, row);
    for (int n_boxes = 0; up >= 0 && n_boxes < 2; up = up_of(r, up)) {
        int16_t tag = r->tag[up];
        if (tag == TAG_div || tag == TAG_figure) {
            n_boxes++;
            if (may_name_language(r, up)) return 1;
        } else if (tag != TAG_td && tag != TAG_tr && tag != TAG_tbody && tag != TAG_table) break;
    }
    return 0;
}
