/* The text of a subtree, or of rows, as one line. */
#include "native.h"
#include <string.h>

enum { TAG, PARENT, END, START, STOP, FLAGS, N_LINE_COLUMNS };

typedef struct {
    Py_ssize_t written;
    int has_space;
} Line;

static ALWAYS_INLINE void put_folded(int kind, const void *data, Py_ssize_t from, Py_ssize_t to, void *out, Line *line) {
    Line s = *line;
    for (Py_ssize_t k = from; k < to; k++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, k);
        if ((c <= 0x20 || c >= 0x7F) && Py_UNICODE_ISSPACE(c)) { s.has_space = 1; continue; }
        if (s.has_space && s.written) { PyUnicode_WRITE(kind, out, s.written, ' '); s.written++; }
        s.has_space = 0;
        PyUnicode_WRITE(kind, out, s.written, c);
        s.written++;
    }
    *line = s;
}

static int ends_line(Py_UCS4 c) { return c == ',' || c == '.' || c == ':' || c == ';' || c == '!' || c == '?' || c == ')'; }

/* line_text(source, rows, first, row, max_rows, breaks) -> the text of the subtree of a row, white space folded, blocks apart by a space; of
 * no more than so many rows. Numbers of rows are those of a table of which row `first` is the first given. */
PyObject *native_line_text(PyObject *self, PyObject *args) {
    PyObject *source, *rows, *of_breaks, *result = NULL;
    Py_ssize_t first, row, max_rows, n;
    if (!PyArg_ParseTuple(args, "UO!nnnO", &source, &PyTuple_Type, &rows, &first, &row, &max_rows, &of_breaks)) return NULL;
    static const Py_ssize_t ITEM[N_LINE_COLUMNS] = {2, 4, 4, 4, 4, 1};
    Column in[N_LINE_COLUMNS], breaks_column = {{0}, 0};
    uint8_t *closed = NULL;
    char *out = NULL;
    if (table_get(in, rows, ITEM, N_LINE_COLUMNS, &n) || column_get(&breaks_column, of_breaks, 1)) goto done;
    const int16_t *tag = in[TAG].buffer.buf;
    const int32_t *parent = in[PARENT].buffer.buf, *end = in[END].buffer.buf, *start = in[START].buffer.buf, *stop = in[STOP].buffer.buf;
    const uint8_t *flags = in[FLAGS].buffer.buf, *is_break = breaks_column.buffer.buf;
    Py_ssize_t size = PyUnicode_GET_LENGTH(source), top = row - first, total = 0;
    if (top < 0 || top >= n) { misfit("no row of the page"); goto done; }
    Py_ssize_t last = end[top] - first;
    if (last > top + max_rows) last = top + max_rows;
    int fits = last > top && last <= n;
    for (Py_ssize_t i = top; fits && i < last; i++) {
        fits = tag[i] >= 0 && tag[i] < breaks_column.n && start[i] >= 0 && start[i] <= stop[i] && stop[i] <= size && end[i] - first > i && parent[i] - first < i;
        if (fits && !tag[i]) total += stop[i] - start[i] + 1;
    }
    if (!fits) { misfit("columns do not fit the page"); goto done; }
    int kind = PyUnicode_KIND(source);
    const void *data = PyUnicode_DATA(source);
    closed = PyMem_RawCalloc((size_t)(last - top) + 1, 1); /* where the blocks so far end */
    out = PyMem_RawMalloc(((size_t)total + 1) * (size_t)kind);
    if (!closed || !out) { PyErr_NoMemory(); goto done; }
    Line line = {0, 0};
    for (Py_ssize_t i = top; i < last; i++) {
        if (is_break[tag[i]]) {
            if (end[i] - first <= last) closed[end[i] - first - top] = 1;
            line.has_space = 1;
        } else if (flags[i] & IS_SPACE_BEFORE || (closed[i - top] && !(start[i] < size && ends_line(PyUnicode_READ(kind, data, start[i]))))) {
            line.has_space = 1;
        }
        if (tag[i]) continue;
        BY_KIND(kind, put_folded(KIND, data, start[i], stop[i], out, &line));
        if (parent[i] >= first && is_break[tag[parent[i] - first]]) line.has_space = 1;
    }
    result = PyUnicode_FromKindAndData(kind, out, line.written);
done:
    PyMem_RawFree(closed);
    PyMem_RawFree(out);
    columns_release(in, N_LINE_COLUMNS);
    columns_release(&breaks_column, 1);
    return result;
}

/* The first of the subtrees that are left out from row `from` on, as a row of the table; `none` if there is no other. */
static Py_ssize_t next_left_out(PyObject *left, Py_ssize_t *k, Py_ssize_t first, Py_ssize_t from, Py_ssize_t none) {
    for (; *k < PyList_GET_SIZE(left); ++*k) {
        Py_ssize_t row = PyLong_AsSsize_t(PyList_GET_ITEM(left, *k));
        if (row == -1 && PyErr_Occurred()) return -1;
        if (row - first >= from) return row - first;
    }
    return none;
}

/* snippet(source, rows, first, start, end, left, most) -> the text of the rows from start to before end, white space folded and elements apart by a
 * space, without the subtrees of the rows in `left`, a sorted list. No text begins after 2 * most characters, and of more than `most` only the first of them
 * and one more are given. Numbers of rows are those of a table of which row `first` is the first given. */
PyObject *native_snippet(PyObject *self, PyObject *args) {
    PyObject *source, *rows, *left, *result = NULL;
    Py_ssize_t first, begin, last, most, n, k = 0;
    if (!PyArg_ParseTuple(args, "UO!nnnO!n", &source, &PyTuple_Type, &rows, &first, &begin, &last, &PyList_Type, &left, &most)) return NULL;
    static const Py_ssize_t ITEM[N_LINE_COLUMNS] = {2, 4, 4, 4, 4, 1};
    Column in[N_LINE_COLUMNS];
    char *out = NULL;
    if (table_get(in, rows, ITEM, N_LINE_COLUMNS, &n)) goto done;
    const int16_t *tag = in[TAG].buffer.buf;
    const int32_t *end = in[END].buffer.buf, *start = in[START].buffer.buf, *stop = in[STOP].buffer.buf;
    const uint8_t *flags = in[FLAGS].buffer.buf;
    begin -= first;
    last -= first;
    if (begin < 0 || last > n || most < 0 || most > INT32_MAX / 8) { misfit("no rows of the page"); goto done; }
    int kind = PyUnicode_KIND(source);
    const void *data = PyUnicode_DATA(source);
    out = PyMem_RawMalloc(((size_t)most + 3) * (size_t)kind);
    if (!out) { PyErr_NoMemory(); goto done; }
    Line line = {0, 0};
    Py_ssize_t size = 0, before = begin - 1, left_out = next_left_out(left, &k, first, begin, last);
    for (Py_ssize_t i = begin; left_out >= 0 && i < last && size < 2 * most;) {
        if (i >= left_out) {
            if (end[left_out] - first <= left_out) { misfit("columns do not fit the page"); goto done; }
            Py_ssize_t after = end[left_out] - first;
            if (after > i) i = after;
            left_out = next_left_out(left, &k, first, after, last);
            continue;
        }
        if (tag[i]) { i++; continue; }
        if (start[i] < 0 || start[i] > stop[i] || stop[i] > PyUnicode_GET_LENGTH(source)) { misfit("columns do not fit the page"); goto done; }
        if (i > before + 1 || flags[i] & IS_SPACE_BEFORE) line.has_space = 1;
        /* a character more than all that is wanted tells that there is more, and a piece at a time never writes beyond it */
        for (Py_ssize_t at = start[i]; at < stop[i] && line.written <= most; at++) BY_KIND(kind, put_folded(KIND, data, at, at + 1, out, &line));
        size += stop[i] - start[i];
        before = i++;
    }
    if (left_out >= 0) result = PyUnicode_FromKindAndData(kind, out, line.written > most ? most + 1 : line.written);
done:
    PyMem_RawFree(out);
    columns_release(in, N_LINE_COLUMNS);
    return result;
}
