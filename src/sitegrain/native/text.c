/* Plain text of the kept text nodes of a page: the second body of `to_text_python` in render/text.py. */
#include "native.h"
#include <string.h>

enum { INLINE, CELL, LINE, BLANK, SPACED };
enum { IS_APART = 8, IS_PRE = 16, LEVEL = 7 }; /* bits of a tag, after its break */
/* What stands at a row: bits 1, 2 and 3 are breaks (CELL, LINE, BLANK), then these. */
enum { STARTS = 16, ENDS = 32, SPACE = 64 };

enum { TAG, END, FLAGS, TSTART, TEND, KEPT, KINDS, N_COLUMNS };

/* to_text(source, first_row, tag, end, flags, text_start, text_end, kept, kinds, br) -> the text before it is stripped,
 * or None for the rare page that only the Python body writes right (a kept text of white space alone). `end` counts
 * rows of the site, from first_row; kinds holds a byte for each tag. */
PyObject *native_to_text(PyObject *self, PyObject *args) {
    PyObject *source, *o[N_COLUMNS], *result = NULL;
    int first_row, br;
    if (!PyArg_ParseTuple(args, "UiOOOOOOOi", &source, &first_row, &o[TAG], &o[END], &o[FLAGS], &o[TSTART], &o[TEND], &o[KEPT], &o[KINDS], &br))
        return NULL;
    static const Py_ssize_t ITEM[N_COLUMNS] = {2, 4, 1, 4, 4, 1, 1};
    Column in[N_COLUMNS];
    memset(in, 0, sizeof in);
    uint8_t *marks = NULL;
    char *out = NULL;
    for (int c = 0; c < N_COLUMNS; c++)
        if (column_get(&in[c], o[c], ITEM[c], 0)) goto done;
    Py_ssize_t n = in[TAG].n, size = PyUnicode_GET_LENGTH(source), total = 0, n_kept = 0;
    const int16_t *tag = in[TAG].buffer.buf;
    const int32_t *end = in[END].buffer.buf, *start = in[TSTART].buffer.buf, *stop = in[TEND].buffer.buf;
    const uint8_t *flags = in[FLAGS].buffer.buf, *kept = in[KEPT].buffer.buf, *kinds = in[KINDS].buffer.buf;
    int fits = 1;
    for (int c = TAG; c <= KEPT; c++) fits &= in[c].n == n;
    for (Py_ssize_t i = 0; fits && i < n; i++) {
        int64_t e = (int64_t)end[i] - first_row;
        fits = tag[i] >= 0 && tag[i] < in[KINDS].n && e > i && e <= n && start[i] >= 0 && start[i] <= stop[i] && stop[i] <= size;
        if (fits && kept[i] && !tag[i]) {
            total += stop[i] - start[i];
            n_kept++;
        }
    }
    if (!fits) { PyErr_SetString(PyExc_ValueError, "columns do not fit the page"); goto done; }
    int kind = PyUnicode_KIND(source);
    const void *data = PyUnicode_DATA(source);
    marks = PyMem_RawCalloc((size_t)n + 1, 1);
    out = PyMem_RawMalloc(((size_t)total + 2 * (size_t)n_kept + 1) * (size_t)kind); /* a break is two characters at most, and so is a space before a text */
    if (!marks || !out) { PyErr_NoMemory(); goto done; }
    for (Py_ssize_t i = 0; i < n; i++) {
        uint8_t what = kinds[tag[i]], level = what & LEVEL;
        if (level) {
            marks[i] |= (uint8_t)(1 << level);
            marks[end[i] - first_row] |= (uint8_t)(1 << level);
        }
        if (what & IS_APART) {
            marks[i] |= STARTS;
            marks[end[i] - first_row] |= ENDS;
        }
        if (flags[i] & 1) marks[i] |= SPACE;
    }
    Py_ssize_t written = 0, before = -1, pre_row = -1, pre_end = -1;
    int seen = 0, breaks = 0, has_space = 0, is_odd = 0, after_break = 0;
#define PUT(c) (PyUnicode_WRITE(kind, out, written, (c)), written++)
    for (Py_ssize_t i = 0; i < n && !is_odd; i++) {
        seen |= marks[i];
        breaks += tag[i] == br;
        if (i >= pre_end && kinds[tag[i]] & IS_PRE) { pre_row = i; pre_end = end[i] - first_row; }
        if (tag[i] || !kept[i]) continue;
        int is_pre = i < pre_end;
        int code = seen & 1 << BLANK ? BLANK : seen & 1 << LINE ? (breaks > 1 ? BLANK : LINE) : seen & 1 << CELL ? CELL
                   : (seen & SPACE) || ((seen & STARTS) && (seen & ENDS)) ? SPACED : INLINE;
        /* Text inside <pre> brings its own white space along. */
        if (code == SPACED && is_pre && before >= pre_row) code = INLINE;
        if (before < 0) code = INLINE;
        if (code == SPACED) has_space = 1;
        else if (code != INLINE) {
            is_odd = after_break || !written; /* two breaks with nothing between */
            PUT(code == CELL ? '\t' : '\n');
            if (code == BLANK) PUT('\n');
            has_space = 0;
            after_break = 1;
        }
        for (Py_ssize_t k = start[i]; k < stop[i]; k++) {
            Py_UCS4 c = PyUnicode_READ(kind, data, k);
            if (c > 0x20 && c < 0x7F) { /* most characters */
            } else if (is_pre && (c == ' ' || c == '\t' || c == '\n')) { /* kept as it is */
            } else if (is_pre && c == '\r') continue;
            else if (is_pre && c >= 1 && c <= 6) c = ' ';
            /* controls 1 to 6 are read as spaces, because the Python body marks breaks by them */
            else if ((c >= 1 && c <= 6) || Py_UNICODE_ISSPACE(c)) { has_space = 1; continue; }
            if (has_space && written && !after_break) PUT(' ');
            has_space = after_break = 0;
            PUT(c);
        }
        before = i;
        seen = breaks = 0;
    }
    if (is_odd || after_break) {
        result = Py_None;
        Py_INCREF(result);
    } else result = PyUnicode_FromKindAndData(kind, out, written);
done:
    PyMem_RawFree(marks);
    PyMem_RawFree(out);
    columns_release(in, N_COLUMNS);
    return result;
}
