/* Plain text of the kept text nodes of a page. */
#include "native.h"
#include <string.h>

enum { LEVEL = BREAK_IS_LEVEL_1 | BREAK_IS_LEVEL_2 | BREAK_IS_LEVEL_4 }; /* bits of a tag's break */
/* What stands at a row: bits 1, 2 and 3 are breaks (CELL, LINE, BLANK), then these. */
enum { STARTS = 16, ENDS = 32, SPACE = 64 };

typedef struct {
    Py_ssize_t written;
    int has_space, after_break;
} State;

/* Controls 1 to 6 are read as spaces, because the Python body marks breaks by them. */
static inline int is_blank(Py_UCS4 c) { return (c >= 1 && c <= 6) || is_white(c); }

#ifdef __GNUC__
typedef uint8_t Narrow __attribute__((vector_size(16)));
typedef uint16_t Wide __attribute__((vector_size(16)));
enum { AT_ONCE = 16 };

static inline int has_some(const void *vector) {
    uint64_t half[2];
    memcpy(half, vector, sizeof half);
    return (half[0] | half[1]) != 0;
}

/* Whether so many characters are written as they are: no white space and no controls but single spaces. The character behind them is read, too, which a string
 * always has, if only the zero at its end. Characters of four bytes are few. */
static ALWAYS_INLINE int are_plain(int kind, const void *data) {
    if (kind == PyUnicode_1BYTE_KIND) {
        Narrow c, next;
        memcpy(&c, data, AT_ONCE);
        memcpy(&next, (const uint8_t *)data + 1, AT_ONCE);
        const Narrow is_text = (Narrow)((c - 0x20) < 0x7F - 0x20) | (Narrow)(c > 0xA0);
        const Narrow odd = ~is_text | ((Narrow)(c == ' ') & (Narrow)(next == ' '));
        return !has_some(&odd);
    }
    Wide c, next;
    memcpy(&c, data, AT_ONCE);
    memcpy(&next, (const uint16_t *)data + 1, AT_ONCE);
    /* From the no-break space to that of Ogham, from the zero-width space to the separator of lines, from behind the ideographic space */
    const Wide is_text = (Wide)((c - 0x20) < 0x7F - 0x20) | (Wide)((c - 0xA1) < 0x1680 - 0xA1) | (Wide)((c - 0x200B) < 0x2028 - 0x200B) | (Wide)(c > 0x3000);
    const Wide odd = ~is_text | ((Wide)(c == ' ') & (Wide)(next == ' '));
    return !has_some(&odd);
}
#endif

/* The text of a row, white space folded. Every character is written, and a blank after a blank is written over: nobody can guess where words end. */
static ALWAYS_INLINE void put_row(int kind, const void *data, Py_ssize_t from, Py_ssize_t to, void *out, State *state) {
    Py_ssize_t at = state->written;
    int is_first = !at || state->after_break, was_blank = is_first || state->has_space, n_seen = 0;
    if (state->has_space && !is_first) PyUnicode_WRITE(kind, out, at++, ' ');
#ifdef __GNUC__
    Py_ssize_t look_at = from;
#endif
    for (Py_ssize_t k = from; k < to; k++) {
#ifdef __GNUC__
        if (kind != PyUnicode_4BYTE_KIND && k >= look_at) {
            const Py_ssize_t n = AT_ONCE / kind;
            const char *here = (const char *)data + k * kind;
            if (to - k < n) look_at = to;
            else if (!(was_blank && PyUnicode_READ(kind, data, k) == ' ') && are_plain(kind, here)) {
                memcpy((char *)out + at * kind, here, AT_ONCE);
                at += n;
                k += n - 1;
                n_seen++;
                was_blank = PyUnicode_READ(kind, data, k) == ' ';
                continue;
            } else look_at = k + n;
        }
#endif
        Py_UCS4 c = PyUnicode_READ(kind, data, k);
        int blank = c == ' ';
        if ((c < ' ' || c >= 0x7F) && is_blank(c)) blank = 1; /* few */
        PyUnicode_WRITE(kind, out, at, blank ? ' ' : c);
        at += !(blank & was_blank);
        n_seen += !blank;
        was_blank = blank;
    }
    if (!n_seen) state->has_space |= to > from;
    else *state = (State){at - was_blank, was_blank, 0};
}

/* The text of a row of code. */
static ALWAYS_INLINE void put_code(int kind, const void *data, Py_ssize_t from, Py_ssize_t to, void *out, State *state) {
    State s = *state;
    for (Py_ssize_t k = from; k < to; k++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, k);
        if ((c > 0x20 && c < 0x7F) || c == ' ' || c == '\t' || c == '\n') { /* most characters, and what is kept as it is */
        } else if (c == '\r') continue;
        else if (c >= 1 && c <= 6) c = ' ';
        else if (is_blank(c)) { s.has_space = 1; continue; }
        if (s.has_space) {
            if (s.written && !s.after_break) { PyUnicode_WRITE(kind, out, s.written, ' '); s.written++; }
            s.has_space = 0;
        }
        s.after_break = 0;
        PyUnicode_WRITE(kind, out, s.written, c);
        s.written++;
    }
    *state = s;
}

/* to_text(source, rows, breaks) -> the text; breaks holds a byte for each tag. The rare page with a kept text of white space alone
 * is written by the reference. */
PyObject *native_to_text(PyObject *self, PyObject *args) {
    PyObject *source, *row_columns, *of_breaks, *result = NULL;
    if (!PyArg_ParseTuple(args, "UOO", &source, &row_columns, &of_breaks)) return NULL;
    TextRows rows;
    Column kinds_column = {{0}, 0};
    uint8_t *marks = NULL, *starts = NULL;
    char *out = NULL;
    if (text_rows_get(&rows, row_columns) || column_get(&kinds_column, of_breaks, 1)) goto done;
    Py_ssize_t n = rows.n, size = PyUnicode_GET_LENGTH(source), total = 0, n_kept = 0;
    const int16_t *tag = rows.tag;
    const int32_t *end = rows.end, *start = rows.text_start, *stop = rows.text_end;
    const uint8_t *flags = rows.flags, *kept = rows.kept, *kinds = kinds_column.buffer.buf;
    marks = PyMem_RawCalloc((size_t)n + 1, 1);
    starts = PyMem_RawCalloc(2, (size_t)kinds_column.n);
    if (!marks || !starts) { PyErr_NoMemory(); goto done; }
    uint8_t *ends = starts + kinds_column.n;
    for (Py_ssize_t t = 0; t < kinds_column.n; t++) {
        const uint8_t level = kinds[t] & LEVEL, breaks = (uint8_t)(level ? 1 << level : 0);
        starts[t] = breaks | (kinds[t] & BREAK_IS_APART ? STARTS : 0);
        ends[t] = breaks | (kinds[t] & BREAK_IS_APART ? ENDS : 0);
    }
    Py_ssize_t first = n, last = -1;
    for (Py_ssize_t i = 0; i < n; i++) {
        if (!(tag[i] >= 0 && tag[i] < kinds_column.n && end[i] > i && end[i] <= n && start[i] >= 0 && start[i] <= stop[i] && stop[i] <= size)) {
            PyErr_SetString(PyExc_ValueError, "columns do not fit the page");
            goto done;
        }
        marks[i] |= starts[tag[i]] | (flags[i] & IS_SPACE_BEFORE ? SPACE : 0);
        marks[end[i]] |= ends[tag[i]];
        if (tag[i] || !kept[i]) continue;
        total += stop[i] - start[i];
        n_kept++;
        if (last < 0) first = i;
        last = i;
    }
    int kind = PyUnicode_KIND(source);
    const void *data = PyUnicode_DATA(source);
    out = PyMem_RawMalloc(((size_t)total + 2 * (size_t)n_kept + 1) * (size_t)kind); /* a break is two characters at most, and so is a space before a text */
    if (!out) { PyErr_NoMemory(); goto done; }
    Py_ssize_t written = 0, before = -1, pre_row = -1, pre_end = -1;
    int seen = 0, breaks = 0, has_space = 0, is_odd = 0, after_break = 0;
#define PUT(c) (PyUnicode_WRITE(kind, out, written, (c)), written++)
    for (Py_ssize_t i = 0; i < first; i++)
        if (i >= pre_end && kinds[tag[i]] & BREAK_IS_PRE) { pre_row = i; pre_end = end[i]; }
    for (Py_ssize_t i = first; i <= last && !is_odd; i++) { /* before the first text no break is written, and none after the last one */
        seen |= marks[i];
        breaks += tag[i] == TAG_br;
        if (i >= pre_end && kinds[tag[i]] & BREAK_IS_PRE) { pre_row = i; pre_end = end[i]; }
        if (tag[i] || !kept[i]) continue;
        int is_pre = i < pre_end;
        int code = seen & 1 << BREAK_BLANK ? BREAK_BLANK : seen & 1 << BREAK_LINE ? (breaks > 1 ? BREAK_BLANK : BREAK_LINE) : seen & 1 << BREAK_CELL ? BREAK_CELL
                   : (seen & SPACE) || ((seen & STARTS) && (seen & ENDS)) ? BREAK_SPACED : BREAK_INLINE;
        /* Text inside <pre> brings its own white space along. */
        if (code == BREAK_SPACED && is_pre && before >= pre_row) code = BREAK_INLINE;
        if (before < 0) code = BREAK_INLINE;
        if (code == BREAK_SPACED) has_space = 1;
        else if (code != BREAK_INLINE) {
            is_odd = after_break || !written; /* two breaks with nothing between */
            PUT(code == BREAK_CELL ? '\t' : '\n');
            if (code == BREAK_BLANK) PUT('\n');
            has_space = 0;
            after_break = 1;
        }
        State s = {written, has_space, after_break};
        if (is_pre) {
            BY_KIND(kind, put_code(KIND, data, start[i], stop[i], out, &s))
        } else {
            BY_KIND(kind, put_row(KIND, data, start[i], stop[i], out, &s))
        }
        written = s.written;
        has_space = s.has_space;
        after_break = s.after_break;
        before = i;
        seen = breaks = 0;
    }
    if (is_odd || after_break) {
        result = ask_reference("to_text", args);
    } else {
        PyObject *whole = PyUnicode_FromKindAndData(kind, out, written);
        result = whole ? PyObject_CallMethod(whole, "strip", NULL) : NULL;
        Py_XDECREF(whole);
    }
done:
    PyMem_RawFree(marks);
    PyMem_RawFree(starts);
    PyMem_RawFree(out);
    TABLE_RELEASE(rows);
    columns_release(&kinds_column, 1);
    return result;
}

/* text_marks(source, rows, signs, most) -> bits: whether the page has MathML, or keeps a text of fewer than `most` characters with one of the signs; whether
 * it keeps text within code. */
PyObject *native_text_marks(PyObject *self, PyObject *args) {
    PyObject *source, *row_columns, *signs;
    int most, found = 0, fits = 1;
    if (!PyArg_ParseTuple(args, "UOUi", &source, &row_columns, &signs, &most)) return NULL;
    TextRows rows;
    if (!text_rows_get(&rows, row_columns)) {
        Py_ssize_t size = PyUnicode_GET_LENGTH(source), n_signs = PyUnicode_GET_LENGTH(signs), code_end = 0;
        for (Py_ssize_t i = 0; i < rows.n && fits; i++) {
            Py_ssize_t start = rows.text_start[i], stop = rows.text_end[i];
            int tag = rows.tag[i];
            if (tag) {
                if (tag == TAG_math) found |= TEXT_HAS_SIGNS;
                else if ((tag == TAG_pre || tag == TAG_xmp || tag == TAG_code) && rows.end[i] > code_end) code_end = rows.end[i];
                continue;
            }
            if (!rows.kept[i]) continue;
            if (i < code_end) found |= TEXT_HAS_CODE;
            if (stop - start >= most || found & TEXT_HAS_SIGNS) continue;
            fits = start >= 0 && start <= stop && stop <= size;
            for (Py_ssize_t k = start; fits && k < stop; k++)
                if (PyUnicode_FindChar(signs, PyUnicode_READ_CHAR(source, k), 0, n_signs, 1) >= 0) found |= TEXT_HAS_SIGNS;
        }
        if (!fits) PyErr_SetString(PyExc_ValueError, "columns do not fit the page");
    } else fits = 0;
    TABLE_RELEASE(rows);
    return fits ? PyLong_FromLong(found) : NULL;
}
