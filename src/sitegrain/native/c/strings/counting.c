/* What is counted of all texts, terms and rows of a site: what strings are like, how often terms come, on how many pages keys are, which
 * siblings are alike. */
#include "numbers.h"
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- strings */

static inline int is_decimal(Py_UCS4 c) { return c < 128 ? c - '0' < 10u : Py_UNICODE_ISDECIMAL(c); }

typedef struct {
    int32_t words;
    uint8_t bits;
} Facts;

static Facts facts_of(PyObject *text, PyObject *stops) {
    Facts out = {0, PyUnicode_IS_ASCII(text) ? STRING_IS_ASCII : 0};
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t n = PyUnicode_GET_LENGTH(text), n_digits = 0;
    int in_word = 0, was_digit = 0;
    BY_KIND(PyUnicode_KIND(text), for (Py_ssize_t i = 0; i < n; i++) {
        Py_UCS4 c = PyUnicode_READ(KIND, data, i);
        int is_digit = is_decimal(c), is_space = !is_digit && Py_UNICODE_ISSPACE(c);
        out.words += !is_space && !in_word;
        in_word = !is_space;
        if (is_digit && was_digit) out.bits |= STRING_HAS_TWO_DIGITS;
        was_digit = is_digit;
        n_digits += is_digit;
    })
    if (n && n_digits == n) out.bits |= STRING_IS_DECIMAL;
    for (Py_ssize_t i = n > 2 ? n - 2 : 0; i < n; i++)
        if (PyUnicode_FindChar(stops, PyUnicode_READ_CHAR(text, i), 0, PyUnicode_GET_LENGTH(stops), 1) >= 0)
            out.bits |= STRING_ENDS_WITH_STOP;
    return out;
}

/* string_facts(strings, stops) -> characters, words and bits of each */
PyObject *native_string_facts(PyObject *self, PyObject *args) {
    PyObject *strings, *stops;
    if (!PyArg_ParseTuple(args, "O!U", &PyList_Type, &strings, &stops)) return NULL;
    Py_ssize_t n = PyList_GET_SIZE(strings);
    PyObject *length = PyBytes_FromStringAndSize(NULL, n * 4), *words = PyBytes_FromStringAndSize(NULL, n * 4);
    PyObject *bits = PyBytes_FromStringAndSize(NULL, n), *result = NULL;
    if (!length || !words || !bits) goto done;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *text = PyList_GET_ITEM(strings, i);
        if (!PyUnicode_Check(text)) {
            PyErr_SetString(PyExc_TypeError, "strings have facts, and nothing else");
            goto done;
        }
        Facts found = facts_of(text, stops);
        ((int32_t *)PyBytes_AS_STRING(length))[i] = (int32_t)PyUnicode_GET_LENGTH(text);
        ((int32_t *)PyBytes_AS_STRING(words))[i] = found.words;
        ((uint8_t *)PyBytes_AS_STRING(bits))[i] = found.bits;
    }
    result = PyTuple_Pack(3, length, words, bits);
done:
    Py_XDECREF(length);
    Py_XDECREF(words);
    Py_XDECREF(bits);
    return result;
}

/* ---------------------------------------------------------------- terms */

/* Terms of the pages that are chosen, by `page_offset`; -1 with an exception for a number that is none. */
static int count_terms(const int32_t *ids, const int64_t *offset, const uint8_t *chosen, Py_ssize_t n_pages, const int64_t *worth,
                       Py_ssize_t n_worth, int32_t *on_page, int64_t (*out)[3], Py_ssize_t n_terms) {
    for (Py_ssize_t page = 0; page < n_pages; page++) {
        if (!chosen[page]) continue;
        for (int64_t i = offset[page]; i < offset[page + 1]; i++) {
            if (ids[i] < 0 || ids[i] >= n_terms) return bad("no such term");
            on_page[ids[i]]++;
        }
        for (int64_t i = offset[page]; i < offset[page + 1]; i++) {
            int32_t times = on_page[ids[i]];
            if (!times) continue; /* added up before */
            if (times >= n_worth) return bad("a term comes more often than its worth is known for");
            on_page[ids[i]] = 0;
            out[ids[i]][0] += 1;
            out[ids[i]][1] += times;
            out[ids[i]][2] += worth[times];
        }
    }
    return 0;
}

/* term_counts(ids, page_offset, chosen, n_terms, worth) -> pages, times and worth of each term */
PyObject *native_term_counts(PyObject *self, PyObject *args) {
    PyObject *given[4];
    Py_ssize_t n_terms;
    if (!PyArg_ParseTuple(args, "OOOnO", &given[0], &given[1], &given[2], &n_terms, &given[3])) return NULL;
    static const Py_ssize_t item[4] = {4, 8, 1, 8};
    Column column[4] = {0};
    PyObject *result = NULL;
    int32_t *on_page = NULL;
    for (int k = 0; k < 4; k++)
        if (column_get(&column[k], given[k], item[k])) goto done;
    const int64_t *offset = column[1].buffer.buf;
    Py_ssize_t n_pages = column[2].n;
    int fits = n_terms >= 0 && column[1].n == n_pages + 1 && offset[0] == 0 && offset[n_pages] == column[0].n;
    for (Py_ssize_t page = 0; fits && page < n_pages; page++) fits = offset[page] <= offset[page + 1];
    if (!fits) {
        misfit("terms do not fit their pages");
        goto done;
    }
    on_page = PyMem_RawCalloc((size_t)n_terms + 1, sizeof *on_page);
    result = on_page ? PyBytes_FromStringAndSize(NULL, n_terms * 24) : PyErr_NoMemory();
    if (!result) goto done;
    memset(PyBytes_AS_STRING(result), 0, (size_t)n_terms * 24);
    if (count_terms(column[0].buffer.buf, offset, column[2].buffer.buf, n_pages, column[3].buffer.buf, column[3].n, on_page,
                    (int64_t(*)[3])PyBytes_AS_STRING(result), n_terms))
        Py_CLEAR(result);
done:
    PyMem_RawFree(on_page);
    columns_release(column, 4);
    return result;
}

/* ---------------------------------------------------------------- keys */

enum { FEW = 12 };
/* Things that are sorted one by one. */

typedef struct {
    uint64_t key;
    int32_t id;
} Keyed;

static int by_key(const void *a, const void *b) {
    uint64_t x = ((const Keyed *)a)->key, y = ((const Keyed *)b)->key;
    return x < y ? -1 : x > y;
}

/* Different keys in ascending order. They are hashes, so their first bits put most of them in their places; where they do not, qsort does. */
static int sort_keys(Keyed *keys, int32_t n) {
    int bits = 0;
    while (bits < 24 && (int32_t)1 << bits < n) bits++;
    if (n < 2) return 0;
    int32_t *start = PyMem_RawCalloc(((size_t)1 << bits) + 2, sizeof *start);
    Keyed *placed = PyMem_RawMalloc((size_t)n * sizeof *placed);
    if (!start || !placed) {
        PyMem_RawFree(start);
        PyMem_RawFree(placed);
        PyErr_NoMemory();
        return -1;
    }
    const int shift = 64 - bits;
    for (int32_t i = 0; i < n; i++) start[(keys[i].key >> shift) + 2]++;
    for (int32_t b = 1; b <= (int32_t)1 << bits; b++) start[b + 1] += start[b];
    for (int32_t i = 0; i < n; i++) placed[start[(keys[i].key >> shift) + 1]++] = keys[i]; /* after which `start` is where each begins */
    for (int32_t b = 0; b < (int32_t)1 << bits; b++) {
        if (start[b + 1] - start[b] > FEW) {
            qsort(placed + start[b], (size_t)(start[b + 1] - start[b]), sizeof *placed, by_key);
            continue;
        }
        for (int32_t i = start[b] + 1; i < start[b + 1]; i++) {
            Keyed own = placed[i];
            int32_t at = i;
            for (; at > start[b] && placed[at - 1].key > own.key; at--) placed[at] = placed[at - 1];
            placed[at] = own;
        }
    }
    memcpy(keys, placed, (size_t)n * sizeof *keys);
    PyMem_RawFree(start);
    PyMem_RawFree(placed);
    return 0;
}

/* page_keys(page, key) -> the different keys, ascending, on how many pages each is, which of them each given one is, and whether it is the
 * first of its page; the rows of a page that have the same key stand together, but for other keys of the page */
PyObject *native_page_keys(PyObject *self, PyObject *args) {
    PyObject *given[2], *which = NULL, *is_first = NULL, *found = NULL, *times = NULL, *result = NULL;
    if (!PyArg_ParseTuple(args, "OO", &given[0], &given[1])) return NULL;
    Column column[2] = {0};
    Numbers numbers = {0};
    Keyed *keys = NULL;
    int32_t *last_page = NULL, *pages = NULL, *place = NULL;
    if (column_get(&column[0], given[0], 4) || column_get(&column[1], given[1], 8)) goto done;
    const int32_t *page = column[0].buffer.buf;
    const uint64_t *key = column[1].buffer.buf;
    Py_ssize_t n = column[1].n;
    if (column[0].n != n || n >= INT32_MAX / 2) {
        misfit("a page for each key");
        goto done;
    }
    size_t room = (size_t)n + 1;
    which = PyBytes_FromStringAndSize(NULL, n * 4);
    is_first = PyBytes_FromStringAndSize(NULL, n);
    keys = PyMem_RawMalloc(room * sizeof *keys);
    last_page = PyMem_RawMalloc(room * sizeof *last_page);
    pages = PyMem_RawMalloc(room * sizeof *pages);
    place = PyMem_RawMalloc(room * sizeof *place);
    if (!which || !is_first || !keys || !last_page || !pages || !place || numbers_init(&numbers, (size_t)n)) {
        PyErr_NoMemory();
        goto done;
    }
    int32_t *id = (int32_t *)PyBytes_AS_STRING(which);
    char *first = PyBytes_AS_STRING(is_first);
    for (Py_ssize_t i = 0; i < n; i++) {
        int32_t before = numbers.n, k = id[i] = number_of(&numbers, key[i]);
        int is_new = k == before;
        if (is_new) {
            keys[k] = (Keyed){key[i], k};
            pages[k] = 0;
        }
        first[i] = (char)(is_new || last_page[k] != page[i]);
        pages[k] += first[i];
        last_page[k] = page[i];
    }
    const int32_t n_keys = numbers.n;
    found = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)n_keys * 8);
    times = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)n_keys * 8);
    if (!found || !times || sort_keys(keys, n_keys)) goto done;
    for (int32_t k = 0; k < n_keys; k++) {
        ((uint64_t *)PyBytes_AS_STRING(found))[k] = keys[k].key;
        ((int64_t *)PyBytes_AS_STRING(times))[k] = pages[keys[k].id];
        place[keys[k].id] = k;
    }
    for (Py_ssize_t i = 0; i < n; i++) id[i] = place[id[i]];
    result = PyTuple_Pack(4, found, times, which, is_first);
done:
    Py_XDECREF(which);
    Py_XDECREF(is_first);
    Py_XDECREF(found);
    Py_XDECREF(times);
    PyMem_RawFree(keys);
    PyMem_RawFree(last_page);
    PyMem_RawFree(pages);
    PyMem_RawFree(place);
    numbers_free(&numbers);
    columns_release(column, 2);
    return result;
}

/* ---------------------------------------------------------------- siblings */

typedef struct {
    int64_t kind, name;
    int32_t row, at; /* `at`: which child of its parent */
} Item;

static int by_kind_and_name(const void *a, const void *b) {
    const Item *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->name != y->name) return x->name < y->name ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static void sort_items(Item *items, Py_ssize_t n) {
    if (n > FEW) {
        qsort(items, (size_t)n, sizeof *items, by_kind_and_name);
        return;
    }
    for (Py_ssize_t i = 1; i < n; i++) {
        Item own = items[i];
        Py_ssize_t at = i;
        for (; at > 0 && by_kind_and_name(&items[at - 1], &own) > 0; at--) items[at] = items[at - 1];
        items[at] = own;
    }
}

static int is_same(const Item *a, const Item *b) { return a->kind == b->kind && a->name == b->name; }

typedef struct {
    const int32_t *parent;
    const int64_t *kind, *token_row, *token;
    Py_ssize_t n, n_tokens;
    int32_t *kid_offset, *kids;   /* children that may be items, by their parent */
    Py_ssize_t *first_token;      /* of each row */
    Item *items, *named;          /* of one parent */
    int32_t *best_count;          /* of each child of one parent */
    int32_t *row_group;
    int64_t *size, *holder;
    Py_ssize_t n_groups;
} Siblings;

/* The name that most siblings of the same kind share, of each child; the smaller number on equal counts. */
static void name_items(Siblings *of, Py_ssize_t n_kids) {
    Py_ssize_t n = 0;
    for (Py_ssize_t k = 0; k < n_kids; k++) {
        int32_t row = of->items[k].row;
        for (Py_ssize_t t = of->first_token[row]; t < of->first_token[row + 1]; t++)
            of->named[n++] = (Item){of->items[k].kind, of->token[t], row, (int32_t)k};
        of->best_count[k] = 0;
    }
    sort_items(of->named, n);
    for (Py_ssize_t start = 0, end; start < n; start = end) {
        for (end = start + 1; end < n && is_same(&of->named[start], &of->named[end]); end++) {}
        for (Py_ssize_t i = start; i < end; i++) {
            int32_t k = of->named[i].at;
            if (end - start > of->best_count[k]) { /* names come in ascending order */
                of->best_count[k] = (int32_t)(end - start);
                of->items[k].name = of->named[i].name;
            }
        }
    }
}

static void group_kids(Siblings *of, int32_t parent) {
    const int32_t *kids = of->kids + of->kid_offset[parent];
    Py_ssize_t n = of->kid_offset[parent + 1] - of->kid_offset[parent];
    if (n < 2) return;
    int has_names = 0;
    for (Py_ssize_t k = 0; k < n; k++) {
        of->items[k] = (Item){of->kind[kids[k]], -1, kids[k], (int32_t)k};
        has_names |= of->first_token[kids[k] + 1] > of->first_token[kids[k]];
    }
    if (has_names) name_items(of, n);
    sort_items(of->items, n);
    for (Py_ssize_t start = 0, end; start < n; start = end) {
        for (end = start + 1; end < n && is_same(&of->items[start], &of->items[end]); end++) {}
        if (end - start < 2) continue;
        for (Py_ssize_t i = start; i < end; i++) of->row_group[of->items[i].row] = (int32_t)of->n_groups;
        of->size[of->n_groups] = end - start;
        of->holder[of->n_groups++] = parent;
    }
}

/* Children by their parent, and the names of each row; -1 with an exception when they do not fit. */
static int list_kids(Siblings *of) {
    Py_ssize_t t = 0;
    for (Py_ssize_t row = 0; row < of->n; row++) {
        if (of->parent[row] >= row || of->parent[row] < -1) return bad("a parent comes before its children");
        of->first_token[row] = t;
        while (t < of->n_tokens && of->token_row[t] == row) t++;
        if (of->kind[row] >= 0 && of->parent[row] >= 0) of->kid_offset[of->parent[row] + 2]++;
    }
    of->first_token[of->n] = t;
    if (t < of->n_tokens) return bad("names are given by row");
    for (Py_ssize_t row = 0; row < of->n; row++) of->kid_offset[row + 1] += of->kid_offset[row];
    for (Py_ssize_t row = 0; row < of->n; row++) /* after which the list of a row begins where that of the one before it ends */
        if (of->kind[row] >= 0 && of->parent[row] >= 0) of->kids[of->kid_offset[of->parent[row] + 1]++] = (int32_t)row;
    return 0;
}

/* like_siblings(parent, kind, token_row, token) -> the group of each row, and the size and parent of each group */
PyObject *native_like_siblings(PyObject *self, PyObject *args) {
    PyObject *given[4];
    if (!PyArg_ParseTuple(args, "OOOO", &given[0], &given[1], &given[2], &given[3])) return NULL;
    static const Py_ssize_t item[4] = {4, 8, 8, 8};
    Column column[4] = {0};
    Siblings of = {0};
    PyObject *groups = NULL, *result = NULL;
    for (int k = 0; k < 4; k++)
        if (column_get(&column[k], given[k], item[k])) goto done;
    of.parent = column[0].buffer.buf, of.kind = column[1].buffer.buf;
    of.token_row = column[2].buffer.buf, of.token = column[3].buffer.buf;
    of.n = column[0].n, of.n_tokens = column[2].n;
    if (column[1].n != of.n || column[3].n != of.n_tokens || of.n >= INT32_MAX) {
        misfit("columns of rows do not fit");
        goto done;
    }
    size_t n = (size_t)of.n + 1;
    of.kid_offset = PyMem_RawCalloc(n + 1, sizeof *of.kid_offset);
    of.kids = PyMem_RawMalloc(n * sizeof *of.kids);
    of.first_token = PyMem_RawMalloc(n * sizeof *of.first_token);
    of.items = PyMem_RawMalloc(n * sizeof *of.items);
    of.named = PyMem_RawMalloc(((size_t)of.n_tokens + 1) * sizeof *of.named);
    of.best_count = PyMem_RawMalloc(n * sizeof *of.best_count);
    of.size = PyMem_RawMalloc(n * sizeof *of.size);
    of.holder = PyMem_RawMalloc(n * sizeof *of.holder);
    groups = PyBytes_FromStringAndSize(NULL, of.n * 4);
    if (!of.kid_offset || !of.kids || !of.first_token || !of.items || !of.named || !of.best_count || !of.size || !of.holder || !groups) {
        PyErr_NoMemory();
        goto done;
    }
    of.row_group = (int32_t *)PyBytes_AS_STRING(groups);
    memset(of.row_group, 0xFF, (size_t)of.n * 4); /* -1 */
    if (list_kids(&of)) goto done;
    for (Py_ssize_t row = 0; row < of.n; row++) group_kids(&of, (int32_t)row);
    result = Py_BuildValue("Oy#y#", groups, of.size, of.n_groups * 8, of.holder, of.n_groups * 8);
done:
    Py_XDECREF(groups);
    PyMem_RawFree(of.kid_offset);
    PyMem_RawFree(of.kids);
    PyMem_RawFree(of.first_token);
    PyMem_RawFree(of.items);
    PyMem_RawFree(of.named);
    PyMem_RawFree(of.best_count);
    PyMem_RawFree(of.size);
    PyMem_RawFree(of.holder);
    columns_release(column, 4);
    return result;
}
