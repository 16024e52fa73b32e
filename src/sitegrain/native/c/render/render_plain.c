/* Answers of the page that most links, pictures and programs need no regular expression for: addresses that are plain (`_PLAIN` of
 * sitegrain.tables.address), pictures with such an address, programs that name no language. What is not plain is asked. */
#include "render.h"

enum { NOT_PLAIN, WHOLE, HOST, ROOT, NAME, HERE };

static int is_small(char c) { return (unsigned char)(c - 'a') < 26; }
static int is_digit(char c) { return (unsigned char)(c - '0') < 10; }
static int is_path_char(char c) { return is_small((char)(c | 32)) || is_digit(c) || c == '/' || c == '-' || c == '.' || c == '_' || c == '%' || c == '~' || c == '+'; }
/* Others that stay as they are after a host, where none of them can end a scheme. */
static int is_late_char(char c) { return c && strchr("=&,;:@!$()*", c) != NULL; }

/* Where a host of two labels or more ends that begins at i; 0 for anything else. */
static size_t host_end(const char *at, size_t n, size_t i) {
    size_t label = i;
    if (begins(at + i, n - i, "xn--")) return 0;
    for (; i < n && at[i] != '/'; i++) {
        int is_dot = at[i] == '.', is_first = i == label;
        if (!is_small(at[i]) && !is_digit(at[i]) && (is_first || !(is_dot || at[i] == '-'))) return 0;
        if (is_dot) label = i + 1;
    }
    if (i - label < 2 || at[label - 1] != '.') return 0; /* one label is no domain */
    for (size_t k = label; k < i; k++)
        if (!is_small(at[k])) return 0;
    return i;
}

/* Which of the plain addresses this is, up to a `#`. */
static int plain_kind(const char *at, size_t n) {
    if (!n) return HERE;
    int kind = NAME;
    size_t i = begins(at, n, "https://") ? 8 : begins(at, n, "http://") ? 7 : begins(at, n, "//") ? 2 : 0;
    if (i) {
        kind = i == 2 ? HOST : WHOLE;
        if (!(i = host_end(at, n, i))) return NOT_PLAIN;
    } else if (at[0] == '/') kind = ROOT;
    else if (at[0] == '.' || at[0] == '%' || !is_path_char(at[0])) return NOT_PLAIN;
    for (size_t k = 0; k + 1 < n; k++) {
        if (at[k] == '/' && at[k + 1] == '.') return NOT_PLAIN;
        if (at[k] == '%' && k + 2 < n && at[k + 1] == '2' && (at[k + 2] | 32) == 'e') return NOT_PLAIN;
    }
    while (i < n && (is_path_char(at[i]) || (kind != NAME && is_late_char(at[i])))) i++;
    if (i < n && at[i] == '?')
        for (i++; i < n && (is_path_char(at[i]) || is_late_char(at[i]));) i++;
    return i == n ? kind : NOT_PLAIN;
}

/* Writes the address that a value leads to, if that is plain to tell; with its fragment, or without. */
static int put_resolved(Render *r, Bytes *b, const char *at, size_t n, int is_link) {
    const char *hash = memchr(at, '#', n);
    size_t size = hash ? (size_t)(hash - at) : n;
    int kind = plain_kind(at, size);
    if (!kind || (kind == HERE && (!hash || r->is_html || !is_link))) return 0; /* in HTML a place of the page may be linked as such */
    for (size_t i = size; is_link && i < n; i++)
        if ((unsigned char)at[i] <= ' ') return 0; /* white space and control characters are written otherwise */
    if (kind != WHOLE) {
        PyObject *origin, *folder, *here, *base = ask_page(r, "plain_base");
        if (!PyArg_ParseTuple(base, "UUU", &origin, &folder, &here)) give_up(r);
        if (!PyUnicode_GET_LENGTH(origin)) return 0;
        if (kind == HOST && PyUnicode_READ_CHAR(origin, 4) == 's') PUT(r, b, "https:");
        else if (kind == HOST) PUT(r, b, "http:");
        else put_string(r, b, kind == HERE ? here : kind == ROOT ? origin : folder);
    }
    put(r, b, at, size);
    size_t host = kind == WHOLE ? 8 : kind == HOST ? 2 : 0;
    if (host && !memchr(at + host, '/', size - host)) put_byte(r, b, '/'); /* a host alone */
    if (is_link && n > size + 1) put(r, b, at + size, n - size);
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
    static const char CLEAR[] = "transparent"; /* which more may follow */
    const size_t size = sizeof CLEAR - 1;
    for (size_t from = dot, i; from-- > 0 && at[from] != '/';) {
        for (i = 0; i < size && from + i < dot && (at[from + i] | 32) == CLEAR[i];) i++;
        if (i == size) return 1;
    }
    return 0;
}

static int is_zero_or_one(PyObject *value) {
    return value && PyUnicode_GET_LENGTH(value) == 1 && (PyUnicode_READ_CHAR(value, 0) | 1) == '1';
}

/* Whether a value may be a number below a hundred: `is_low_link` tells the rest. */
static int may_be_low(PyObject *value) {
    Py_ssize_t n = value ? PyUnicode_GET_LENGTH(value) : 0;
    return n && Py_UNICODE_ISDIGIT(PyUnicode_READ_CHAR(value, 0)) && (n < 3 || !Py_UNICODE_ISDIGIT(PyUnicode_READ_CHAR(value, 2)));
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
        if (SOURCES[k] == ATTR_data_srcset || SOURCES[k] == ATTR_srcset) return 0;
        return put_resolved(r, b, at, n, 0) && !may_stand_in(b->at, b->n);
    }
    return 0;
}

/* Two to four digits that end at i as `_SIZE` has them, and their number; 0 for others. */
static size_t size_before(const char *at, size_t i, int *number) {
    size_t n = 0;
    int unit = 1;
    for (*number = 0; n < i && n < 5 && is_digit(at[i - 1 - n]); n++, unit *= 10) *number += unit * (at[i - 1 - n] - '0');
    return n == 3 || n == 4 || (n == 2 && *number >= 50) ? n : 0;
}

/* Where a picture's address says the size that it was cut to, as `sizes_of` finds it. */
static Piece cut_size(const Render *r, const char *at, size_t n, int *is_thumbnail) {
    Piece none = {n, 0};
    size_t dot = n, k;
    int width, height;
    while (dot && is_small(at[dot - 1])) dot--;
    if (n - dot < 3 || n - dot > 4 || !dot || at[dot - 1] != '.') return none;
    size_t stop = dot - 1, i = stop;
    if (!(k = size_before(at, i, &height)) || i - k < 1 || at[(i -= k) - 1] != 'x') return none;
    if (!(k = size_before(at, --i, &width)) || i - k < 1 || at[(i -= k) - 1] != '-') return none;
    *is_thumbnail = (width > height ? width : height) <= r->thumbnail;
    return (Piece){i - 1, stop - (i - 1)};
}

/* Whether the picture in `line` is a small copy of one that was shown before; `src` is the same as a string. */
static int is_shown_small(Render *r, PyObject *src) {
    int is_thumbnail = 0;
    const char *at = r->line.at;
    Piece cut = cut_size(r, at, r->line.n, &is_thumbnail);
    PyObject *sizes = ask_page(r, "sizes"), *whole = Py_NewRef(src), *first = NULL;
    if (cut.n) {
        r->body.n = 0;
        put(r, &r->body, at, cut.start);
        put(r, &r->body, at + cut.start + cut.n, r->line.n - cut.start - cut.n);
        Py_SETREF(whole, PyUnicode_FromStringAndSize(r->body.at, (Py_ssize_t)r->body.n));
    }
    if (whole && PyDict_Check(sizes)) first = PyDict_SetDefault(sizes, whole, src);
    int is_other = first ? PyUnicode_Compare(first, src) != 0 : 0;
    Py_XDECREF(whole);
    if (!first || PyErr_Occurred()) give_up(r);
    return is_other && is_thumbnail;
}

PyObject *plain_picture(Render *r, Py_ssize_t row) {
    PyObject *alt = attr_of(r, row, ATTR_alt);
    if (is_zero_or_one(attr_of(r, row, ATTR_width)) || may_be_low(attr_of(r, row, ATTR_height)) || (alt && (!is_folded(alt) || PyUnicode_FindChar(alt, '<', 0, PyUnicode_GET_LENGTH(alt), 1) >= 0)) ||
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
    Py_XSETREF(r->source, PyUnicode_FromStringAndSize(r->line.at, (Py_ssize_t)r->line.n));
    if (!r->source) give_up(r);
    int is_written = !is_shown_small(r, r->source);
    Py_XSETREF(r->held, !is_written ? Py_NewRef(Py_None) : alt ? Py_BuildValue("OOi", alt, r->source, up >= 0) : Py_BuildValue("sOi", "", r->source, up >= 0));
    if (!r->held) give_up(r);
    return r->held;
}

/* ---------------------------------------------------------------- code */

/* What may name the language of one element: the values of three attributes. */
static void add_names(Render *r, Py_ssize_t row) {
    static const int16_t NAMED[] = {ATTR_class, ATTR_data_lang, ATTR_data_language};
    for (int k = 0; k < 3; k++) r->code_names[r->n_code_names++] = value_of(r, row, NAMED[k]);
}

static int may_be_language(const Render *r, int k) {
    static const char *const WORDS[] = {"lang", "hl", "brush", "code"}; /* one of them stands in all that `_NAMED` finds */
    if (r->code_names[k] < 0) return 0;
    for (size_t i = 0; k % 3 == 0 && i < sizeof WORDS / sizeof *WORDS; i++)
        if (has_letters(PyTuple_GET_ITEM(r->strings, r->code_names[k]), WORDS[i])) return 1;
    return k % 3 != 0;
}

PyObject *language_of(Render *r, Py_ssize_t row) {
    int32_t before[MAX_CODE_NAMES];
    int n_before = r->n_code_names, is_asked = 0;
    memcpy(before, r->code_names, sizeof before);
    r->n_code_names = 0;
    add_names(r, row);
    for (Py_ssize_t i = row + 1; i <= row + 2 && i < r->n; i++)
        if (r->tag[i] == TAG_code && up_of(r, i) >= row) {
            add_names(r, i);
            break;
        }
    Py_ssize_t up = up_of(r, row);
    for (int n_boxes = 0; up >= 0 && n_boxes < 2; up = up_of(r, up)) {
        int16_t tag = r->tag[up];
        if (tag == TAG_div || tag == TAG_figure) {
            n_boxes++;
            add_names(r, up);
        } else if (tag != TAG_td && tag != TAG_tr && tag != TAG_tbody && tag != TAG_table && tag != TAG_code && tag != TAG_pre) break;
    }
    /* The code of a page mostly has the names of the code before it. */
    if (n_before == r->n_code_names && !memcmp(before, r->code_names, (size_t)n_before * sizeof *before)) return r->language;
    for (int k = 0; k < r->n_code_names && !is_asked; k++) is_asked = may_be_language(r, k);
    Py_CLEAR(r->language);
    if (is_asked) {
        r->language = Py_NewRef(ask_of(r, "language", row, NULL));
        if (!PyUnicode_Check(r->language)) be_odd(r);
    }
    return r->language;
}
