/* What the kernels share: columns, errors, asking the reference. */
#include "blocks/scoring.h"
#include <math.h>
#include <string.h>

PyObject *misfit(const char *what) {
    PyErr_SetString(PyExc_ValueError, what);
    return NULL;
}

int bad(const char *what) {
    PyErr_SetString(PyExc_ValueError, what);
    return -1;
}

int column_get(Column *column, PyObject *object, Py_ssize_t item) {
    if (PyObject_GetBuffer(object, &column->buffer, PyBUF_SIMPLE)) {
        memset(column, 0, sizeof *column);
        return -1;
    }
    column->n = column->buffer.len / item;
    return 0;
}

void columns_release(Column *columns, int n) {
    for (int i = 0; i < n; i++)
        if (columns[i].buffer.obj) PyBuffer_Release(&columns[i].buffer);
}

int table_get(Column *columns, PyObject *tuple, const Py_ssize_t *item, int n, Py_ssize_t *n_rows) {
    memset(columns, 0, (size_t)n * sizeof *columns);
    if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) != n) return bad("columns do not fit: other ones are declared");
    for (int k = 0; k < n; k++) {
        if (column_get(&columns[k], PyTuple_GET_ITEM(tuple, k), item[k])) return -1;
        if (columns[k].n != columns[0].n) return bad("columns do not fit: they differ in length");
    }
    *n_rows = columns[0].n;
    return 0;
}

#define ITEM_SIZE(name, type) sizeof(C_##type),
#define POINT(name, type) table->name = table->column[k++].buffer.buf;
#define DEFINE_TABLE(Name, get, LIST)                                              \
    int get(Name *table, PyObject *tuple) {                                        \
        static const Py_ssize_t ITEM[] = {LIST(ITEM_SIZE)};                        \
        int k = 0;                                                                 \
        if (table_get(table->column, tuple, ITEM, 0 LIST(ONE_MORE), &table->n)) return -1; \
        LIST(POINT)                                                                \
        return 0;                                                                  \
    }
DEFINE_TABLE(Rows, rows_get, ROWS)
DEFINE_TABLE(Attrs, attrs_get, ATTRS)
DEFINE_TABLE(Blocks, blocks_get, BLOCKS)
DEFINE_TABLE(TreeNodes, tree_nodes_get, TREES)
DEFINE_TABLE(Paths, paths_get, PATHS)
DEFINE_TABLE(Counts, counts_get, COUNTS)
DEFINE_TABLE(TextRows, text_rows_get, TEXT_ROWS)
DEFINE_TABLE(RenderRows, render_rows_get, RENDER_ROWS)

int matrix_get(Column *column, PyObject *object, Py_ssize_t item, Py_ssize_t n_rows, Py_ssize_t *n_columns) {
    if (PyObject_GetBuffer(object, &column->buffer, PyBUF_ND)) {
        memset(column, 0, sizeof *column);
        return -1;
    }
    column->n = column->buffer.len / item;
    if (column->buffer.ndim != 2 || column->buffer.itemsize != item || column->buffer.shape[0] != n_rows)
        return bad("a part does not fit");
    *n_columns = column->buffer.shape[1];
    return 0;
}

int part_get(Part *part, Column *column, PyObject *object, Py_ssize_t n_rows) {
    Py_ssize_t n_columns;
    if (matrix_get(column, object, 4, n_rows, &n_columns)) return -1;
    *part = (Part){column->buffer.buf, n_columns, n_columns};
    return 0;
}

int rows_fit(const Rows *rows, Py_ssize_t text_size, Py_ssize_t n_known, Py_ssize_t n_pages) {
    Py_ssize_t n = rows->n;
    const int16_t n_tags = (int16_t)(n_known > INT16_MAX ? INT16_MAX : n_known);
    if (n > INT32_MAX / 2 || text_size > INT32_MAX - 1) return bad("too many rows");
    const int32_t n_rows = (int32_t)n, size = (int32_t)text_size;
    int32_t tag = 0, parent = 0, end = 0, page = 0, text = 0; /* whether one is wrong: without branches, as every kernel asks it of every row */
    for (int32_t i = 0; i < n_rows; i++) {
        tag |= (rows->tag[i] < 0) | (rows->tag[i] >= n_tags);
        parent |= (rows->parent[i] < -1) | (rows->parent[i] >= i);
        end |= (rows->end[i] <= i) | (rows->end[i] > n_rows);
        text |= (rows->text_start[i] < 0) | (rows->text_start[i] > rows->text_end[i]) | (rows->text_end[i] > size);
    }
    for (int32_t i = 1; i < n_rows; i++) page |= rows->page[i] < rows->page[i - 1];
    if (tag) return bad("a tag without a code");
    if (parent) return bad("a parent comes before its children");
    if (end) return bad("a subtree holds its own row");
    if (page || (n && (rows->page[0] < 0 || rows->page[n - 1] >= n_pages))) return bad("rows are in the order of pages");
    if (text) return bad("text spans lie within the text");
    return 0;
}

PyObject *ask_reference(const char *name, PyObject *args) {
    PyObject *reference = PyImport_ImportModule("sitegrain.native.reference");
    PyObject *body = reference ? PyObject_GetAttrString(reference, name) : NULL;
    PyObject *found = body ? PyObject_CallObject(body, args) : NULL;
    Py_XDECREF(reference);
    Py_XDECREF(body);
    return found;
}

/* A cell that is not set is a NaN of its own, which no computation gives. */
static const uint32_t NOT_SET = 0x7FC5E7A1u;

PyObject *new_matrix(Py_ssize_t n, int n_columns) {
    PyObject *matrix = PyByteArray_FromStringAndSize(NULL, n * n_columns * (Py_ssize_t)sizeof(float));
    if (matrix && n)
        for (int k = 0; k < n_columns; k++) memcpy(PyByteArray_AS_STRING(matrix) + 4 * k, &NOT_SET, 4);
    return matrix;
}

int matrix_is_set(PyObject *matrix, Py_ssize_t n, int n_columns, const char *what) {
    for (int k = 0; n && k < n_columns; k++)
        if (!memcmp(PyByteArray_AS_STRING(matrix) + 4 * k, &NOT_SET, 4)) {
            PyErr_Format(PyExc_ValueError, "column %d of %s is declared and not computed in C", k, what);
            return -1;
        }
    return 0;
}

uint64_t process_key(void) {
    static char here;
    return 0x9E3779B97F4A7C15ull ^ (uint64_t)(uintptr_t)&here;
}

/* The crc32 of zlib of a byte, and of a byte with one, two and three zeros after it. */
uint32_t crc_table[256], crc_further[3][256];

void crc_init(void) {
    if (crc_table[1]) return;
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
        crc_table[i] = c;
    }
    for (int far = 0; far < 3; far++)
        for (uint32_t i = 0; i < 256; i++) crc_further[far][i] = crc_byte(far ? crc_further[far - 1][i] : crc_table[i], 0);
}
