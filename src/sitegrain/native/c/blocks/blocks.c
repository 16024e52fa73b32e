/* Cutting rows into blocks. */
#include "native.h"
#include <string.h>

enum { AT_box, AT_page, AT_first, AT_last, AT_text_start, AT_text_end, AT_node_block, N_OUT };

static void set(PyObject **out, int column, Py_ssize_t at, int32_t value) { ((int32_t *)PyByteArray_AS_STRING(out[column]))[at] = value; }

/* cut_blocks(rows, tag_kinds) -> (node_block, blocks): runs of text rows with the same nearest box, cut at two line breaks or a
 * rule. A text of which nothing is left is in none. */
PyObject *native_cut_blocks(PyObject *self, PyObject *args) {
    PyObject *row_columns, *kinds_object, *out[N_OUT] = {NULL}, *result = NULL;
    if (!PyArg_ParseTuple(args, "OO", &row_columns, &kinds_object)) return NULL;
    Rows rows;
    Column kinds = {{0}, 0};
    int32_t *box_of = NULL, *breaks_before = NULL;
    if (rows_get(&rows, row_columns) || column_get(&kinds, kinds_object, sizeof(TagKind))) goto done;
    if (rows_fit(&rows, INT32_MAX - 1, kinds.n, INT32_MAX)) goto done;
    const TagKind *kind = kinds.buffer.buf;
    int32_t n = (int32_t)rows.n, n_text = 0, breaks = 0, rules = 0;
    box_of = PyMem_RawMalloc(((size_t)n + 1) * sizeof *box_of);
    breaks_before = PyMem_RawMalloc(((size_t)n + 1) * sizeof *breaks_before);
    if (!box_of || !breaks_before) { PyErr_NoMemory(); goto done; }
    for (int32_t i = 0; i < n; i++) {
        breaks_before[i] = breaks;
        breaks += rows.tag[i] == TAG_br;
        n_text += rows.tag[i] == TAG_TEXT;
    }
    breaks_before[n] = breaks;
    for (int k = 0; k < N_OUT; k++)
        if (!(out[k] = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)4 * (k == AT_node_block ? n : n_text)))) goto done;
    int32_t b = -1, last_row = -1, last_rules = 0, last_box = -1;
    for (int32_t i = 0; i < n; i++) {
        uint8_t box_kind = kind[rows.tag[i]].box;
        /* An inline element that holds line breaks is used as a block. */
        int is_box = box_kind == IS_BLOCK || (box_kind == IS_INLINE_BOX && breaks_before[rows.end[i]] > breaks_before[i]);
        box_of[i] = is_box ? i : rows.parent[i] < 0 ? -1 : box_of[rows.parent[i]];
        rules += rows.tag[i] == TAG_hr;
        set(out, AT_node_block, i, -1);
        if (rows.tag[i] != TAG_TEXT || rows.text_start[i] == rows.text_end[i]) continue;
        int32_t box = box_of[i] < 0 ? 0 : box_of[i];
        if (last_row < 0 || box != last_box || breaks_before[i] - breaks_before[last_row] >= 2 || rules > last_rules ||
            rows.page[i] != rows.page[last_row]) {
            b++;
            set(out, AT_box, b, box);
            set(out, AT_page, b, rows.page[i]);
            set(out, AT_first, b, i);
            set(out, AT_text_start, b, rows.text_start[i]);
        }
        set(out, AT_last, b, i);
        set(out, AT_text_end, b, rows.text_end[i]);
        set(out, AT_node_block, i, b);
        last_row = i;
        last_rules = rules;
        last_box = box;
    }
    for (int k = 0; k < AT_node_block; k++)
        if (PyByteArray_Resize(out[k], (Py_ssize_t)4 * (b + 1))) goto done;
#define COLUMN_OUT(name, type) , out[AT_##name]
    PyObject *columns = PyTuple_Pack(0 BLOCKS(ONE_MORE) BLOCKS(COLUMN_OUT));
    if (columns) result = Py_BuildValue("ON", out[AT_node_block], columns);
done:
    for (int k = 0; k < N_OUT; k++) Py_XDECREF(out[k]);
    PyMem_RawFree(box_of);
    PyMem_RawFree(breaks_before);
    TABLE_RELEASE(rows);
    columns_release(&kinds, 1);
    return result;
}
