/* The rows of the tree that was built, and the kernel. */
#include "plain.h"

static int put_node(PageRows *page, const Plain *p, const Node *node) {
    int name = node->name, code = name < N_TAGS ? name : TAG_UNKNOWN;
    const char *written = "";
    size_t size = 0;
    if (name >= N_NAMES) {
        written = bytes_of(p, p->own_from[name - N_NAMES], 1);
        size = p->own_size[name - N_NAMES];
    } else if (name >= N_TAGS) {
        written = name_written(name, node->ns == SVG);
        size = strlen(written);
    }
    if (put_element(page, code, written, size)) return -1;
    for (uint32_t k = 0; k < node->size; k++) {
        const Attr *a = &p->attrs[node->from + k];
        if (put_attribute(page, code, a->name, bytes_of(p, a->from, a->is_made), a->size, 0)) return -1;
    }
    return 0;
}

/* All rows from <html> on, without recursion. */
static int put_rows(PageRows *page, const Plain *p) {
    const Node *nodes = p->nodes;
    int32_t at = p->html;
    while (at) {
        const Node *node = &nodes[at];
        int is_open = 0;
        if (node->kind == AN_ELEMENT) {
            if (put_node(page, p, node)) return -1;
            const int has_no_text = node->name < N_TAGS && page->tag_bits[node->name] & IS_NO_TEXT;
            if (page->is_json_ld)
                for (int32_t child = node->first; child; child = nodes[child].next)
                    if (nodes[child].kind == A_TEXT && nodes[child].size &&
                        put_json_ld(page, bytes_of(p, nodes[child].from, nodes[child].is_made), nodes[child].size))
                        return -1;
            if (node->first && !has_no_text) {
                if (open_row(page)) return -1;
                is_open = 1;
            }
        } else if (node->kind == A_TEXT) {
            if (node->is_blank && page->pre_row < 0) page->is_spaced = 1;
            else if (put_text(page, bytes_of(p, node->from, node->is_made), node->size, 0)) return -1;
        }
        if (is_open) {
            at = node->first;
            continue;
        }
        while (at != p->html && !nodes[at].next) {
            at = nodes[at].parent;
            close_row(page);
        }
        if (at == p->html) break;
        at = nodes[at].next;
    }
    return 0;
}

static Plain P; /* large, and only one at a time: the lock of the interpreter is held */

static int begin(Plain *p, const char *s, size_t n, int64_t limit, int64_t rows, const char *tag_bits) {
    memset(p, 0, offsetof(Plain, open));
    p->s = s;
    p->n = n;
    p->tag_bits = tag_bits;
    p->limit = limit;
    p->max_rows = rows;
    p->free_self_closed = FREE_SELF_CLOSED;
    p->free_implied = FREE_IMPLIED;
    p->nodes_cap = (int32_t)(n / 48) + 64;
    p->attrs_cap = (uint32_t)(n / 48) + 64;
    p->nodes = PyMem_RawMalloc((size_t)p->nodes_cap * sizeof *p->nodes);
    p->attrs = PyMem_RawMalloc((size_t)p->attrs_cap * sizeof *p->attrs);
    if (!p->nodes || !p->attrs || buf_need(&p->made, n / 16 + 64)) return -1;
    p->nodes[0] = (Node){.kind = AN_ELEMENT}; /* the document */
    p->n_nodes = 1;
    p->open[0] = (Open){0, TAG_UNKNOWN, IN_HTML | OF_SCOPE | OF_SPECIAL | OF_TABLE_SCOPE};
    p->n_open = 1;
    size_t start = 0;
    while (start < n && is_space((unsigned char)s[start])) start++;
    p->is_xml = n - start >= 5 && !memcmp(s + start, "<?xml", 5);
    if (n && memchr(s, 0, n)) give_up(p, "a zero byte");
    return 0;
}

/* read_plain(html, nesting, rows, tag_bits) -> (columns, text, values, json_ld), or why this page is for another reader. */
PyObject *native_read_plain(PyObject *self, PyObject *args) {
    const char *s, *tag_bits;
    Py_ssize_t size, limit, rows, n_bits;
    if (!PyArg_ParseTuple(args, "y#nny#", &s, &size, &limit, &rows, &tag_bits, &n_bits)) return NULL;
    if (n_bits != N_TAGS) return misfit("one byte for each tag");
    if (size > INT32_MAX / 4) return PyUnicode_FromString("a large page");
    plain_init();
    Plain *p = &P;
    PyObject *result = NULL;
    if (begin(p, s, (size_t)size, limit, rows, tag_bits)) PyErr_NoMemory();
    else {
        if (!p->why) read_page(p);
        if (!p->why) put_end(p);
        if (p->why == NO_MEMORY) PyErr_NoMemory();
        else if (p->why) result = PyUnicode_FromString(p->why);
        else {
            PageRows page;
            int is_failed = page_rows_begin(&page, tag_bits, n_bits) || put_rows(&page, p);
            result = page_rows_done(&page, is_failed);
        }
    }
    PyMem_RawFree(p->nodes);
    PyMem_RawFree(p->attrs);
    PyMem_RawFree(p->made.data);
    return result;
}
