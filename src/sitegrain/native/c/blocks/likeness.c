/* Blocks that are alike on one page; see reference/blocks/likeness.py. */
#include "evidence.h"
#include "strings/numbers.h"

/* Per row: its tag and those of its class names that two or more elements of its page have. Every distinct class attribute
 * is cut into names once; names of a page are counted by going over its elements, twice. */
static uint64_t *own_keys(Work *w) {
    crc_init();
    size_t n_rows = (size_t)w->n_rows, n_names = 0, room = 64;
    uint64_t *own = PyMem_RawMalloc((n_rows + 1) * sizeof *own);
    int32_t *value_of = PyMem_RawMalloc((n_rows + 1) * sizeof *value_of);  /* per row: number of its class attribute */
    size_t *begins = PyMem_RawCalloc(n_rows + 2, sizeof *begins);          /* per attribute: its first name */
    uint32_t *names = PyMem_RawMalloc(room * sizeof *names);
    uint32_t *times = NULL;
    struct { uint64_t sum; int32_t rows, next; } *of_value = NULL; /* on the page that is looked at: its rows, and what its names add */
    RowNumbers values;
    Numbers numbers;
    memset(&values, 0, sizeof values);
    memset(&numbers, 0, sizeof numbers);
    int32_t *number = NULL;
    int failed = 1;
    if (!own || !value_of || !begins || !names || row_numbers_init(&values, (size_t)PyTuple_GET_SIZE(w->strings), n_rows)) goto done;
    for (int32_t i = 0; i < w->n_rows; i++) {
        own[i] = (uint64_t)w->rows.tag[i];
        value_of[i] = -1;
        if (w->class_value[i] < 0) continue;
        int is_new;
        int32_t id = value_of[i] = row_number(&values, w->class_value[i], &is_new); /* read_attributes has seen that it is there */
        if (!is_new) continue;
        PyObject *string = PyTuple_GET_ITEM(w->strings, w->class_value[i]);
        if (!PyUnicode_Check(string)) { bad("attributes are text"); goto done; }
        int kind = PyUnicode_KIND(string);
        const void *data = PyUnicode_DATA(string);
        Py_ssize_t size = PyUnicode_GET_LENGTH(string);
        int is_ascii = PyUnicode_IS_ASCII(string);
        for (Py_ssize_t at = 0; at < size;) {
            uint32_t crc = CRC_START;
            Py_ssize_t start = at;
            if (is_ascii) { /* nearly all */
                const uint8_t *s = data;
                while (at < size && (s[at] > ' ' || !Py_UNICODE_ISSPACE(s[at]))) at++;
                crc = crc_bytes(crc, s + start, (size_t)(at - start));
            } else
                for (; at < size; at++) {
                    Py_UCS4 c = PyUnicode_READ(kind, data, at);
                    if (Py_UNICODE_ISSPACE(c)) break;
                    crc = crc_char(crc, c);
                }
            if (at > start) {
                if (n_names == room) {
                    uint32_t *more = PyMem_RawRealloc(names, 2 * room * sizeof *names);
                    if (!more) goto done;
                    names = more;
                    room *= 2;
                }
                names[n_names++] = ~crc;
            }
            at++;
        }
        begins[id + 1] = n_names;
    }
    number = PyMem_RawMalloc((n_names + 1) * sizeof *number);
    times = PyMem_RawCalloc(n_names + 1, sizeof *times);
    of_value = PyMem_RawCalloc((size_t)values.n + 1, sizeof *of_value);
    if (!number || !times || !of_value || numbers_init(&numbers, n_names)) goto done;
    for (size_t k = 0; k < n_names; k++) number[k] = number_of(&numbers, names[k]);
    for (int32_t first = 0, next; first < w->n_rows; first = next) {
        int32_t seen = -1; /* the attributes of this page, each of which leads to the one seen before */
        for (next = first; next < w->n_rows && w->rows.page[next] == w->rows.page[first]; next++) {
            int32_t v = value_of[next];
            if (v >= 0 && !of_value[v].rows++) {
                of_value[v].next = seen;
                seen = v;
            }
        }
        for (int32_t v = seen; v >= 0; v = of_value[v].next)
            for (size_t k = begins[v]; k < begins[v + 1]; k++) times[number[k]] += (uint32_t)of_value[v].rows;
        for (int32_t v = seen; v >= 0; v = of_value[v].next) {
            uint64_t sum = 0;
            for (size_t k = begins[v]; k < begins[v + 1]; k++)
                if (times[number[k]] > 1) sum += names[k];
            of_value[v].sum = (sum & 0xFFFFFFFFFFFFull) << 9;
        }
        for (int32_t i = first; i < next; i++)
            if (value_of[i] >= 0) own[i] += of_value[value_of[i]].sum;
        for (int32_t v = seen; v >= 0; v = of_value[v].next) { /* the next page begins at nothing */
            of_value[v].rows = 0;
            for (size_t k = begins[v]; k < begins[v + 1]; k++) times[number[k]] = 0;
        }
    }
    failed = 0;
done:
    if (failed) {
        if (!PyErr_Occurred()) PyErr_NoMemory();
        PyMem_RawFree(own);
        own = NULL;
    }
    row_numbers_free(&values);
    numbers_free(&numbers);
    PyMem_RawFree(value_of);
    PyMem_RawFree(begins);
    PyMem_RawFree(names);
    PyMem_RawFree(number);
    PyMem_RawFree(times);
    PyMem_RawFree(of_value);
    return own;
}

/* A key of the first characters of a block's text that are no space, and of how many there are. */
static uint64_t text_key(const Work *w, int32_t k) {
    int kind = PyUnicode_KIND(w->text);
    const void *data = PyUnicode_DATA(w->text);
    int32_t start = w->at.text_start[k], end = w->at.text_end[k];
    if (end - start > TEXT_KEY_CHARS) end = start + TEXT_KEY_CHARS;
    Py_UCS4 seen[TEXT_KEY_CHARS + 2];
    int n = 0;
    for (int32_t i = start; i < end; i++) { /* no branch: where words end nobody can guess */
        seen[n] = PyUnicode_READ(kind, data, i);
        n += !(w->kind[i] & CHAR_SPACE);
    }
    seen[n] = 0;
    uint64_t key = (uint64_t)w->blocks[k].visible;
    for (int i = 0; i < n; i += 2) key = (key << 23 | key >> 41) * 0x9E3779B97F4A7C15ull + ((uint64_t)seen[i] << 32 | seen[i + 1]);
    return key;
}

/* Blocks of a page with the same text. */
static int count_copies(Work *w, const uint64_t *texts) {
    Numbers same;
    memset(&same, 0, sizeof same);
    int32_t *id = PyMem_RawMalloc(((size_t)w->n_blocks + 1) * sizeof *id), *times = PyMem_RawCalloc((size_t)w->n_blocks + 1, sizeof *times);
    int failed = !id || !times || numbers_init(&same, (size_t)w->n_blocks);
    for (int32_t k = 0; !failed && k < w->n_blocks; k++) {
        id[k] = number_of(&same, path_key(texts[k], (uint64_t)w->at.page[k]));
        w->blocks[k].copies_before = times[id[k]]++;
    }
    for (int32_t k = 0; !failed && k < w->n_blocks; k++) w->blocks[k].copies_after = times[id[k]] - 1 - w->blocks[k].copies_before;
    numbers_free(&same);
    PyMem_RawFree(id);
    PyMem_RawFree(times);
    if (failed) PyErr_NoMemory();
    return failed;
}

int find_alike(Work *w) {
    int32_t n = w->n_blocks;
    uint64_t *own = own_keys(w), *path = PyMem_RawMalloc(((size_t)w->n_rows + 1) * sizeof *path);
    uint64_t *texts = PyMem_RawMalloc(((size_t)n + 1) * sizeof *texts);
    int failed = 1;
    if (!own) goto done;
    if (!path || !texts) { PyErr_NoMemory(); goto done; }
    for (int32_t i = 0; i < w->n_rows; i++) path[i] = path_key(w->rows.parent[i] >= 0 ? path[w->rows.parent[i]] : 0, own[i]);
    for (int32_t k = 0; k < n; k++) texts[k] = text_key(w, k);
    if (count_copies(w, texts)) goto done;
    for (int which = 0; which < 2; which++) {
        w->alike[which] = PyMem_RawCalloc((size_t)n + 1, sizeof(Alike));
        w->alike_number[which] = PyMem_RawMalloc(((size_t)n + 1) * sizeof(int32_t));
        Numbers groups, pairs;
        memset(&groups, 0, sizeof groups);
        memset(&pairs, 0, sizeof pairs);
        if (!w->alike[which] || !w->alike_number[which] || numbers_init(&groups, (size_t)n) || numbers_init(&pairs, (size_t)n)) {
            numbers_free(&groups);
            numbers_free(&pairs);
            PyErr_NoMemory();
            goto done;
        }
        const uint64_t up = 0x9E3779B97F4A7C15ull;
        for (int32_t k = 0; k < n; k++) {
            const Block *b = &w->blocks[k];
            int32_t above = w->rows.parent[w->at.box[k]] < 0 ? w->at.box[k] : w->rows.parent[w->at.box[k]];
            int32_t further = w->rows.parent[above] < 0 ? above : w->rows.parent[above];
            uint64_t key = which ? own[w->at.box[k]] + own[above] * up + own[further] * up * up : path[w->at.box[k]];
            int32_t id = number_of(&groups, key + (uint64_t)w->at.page[k] * 0xC2B2AE3D27D4EB4Full);
            w->alike_number[which][k] = id;
            Alike *a = &w->alike[which][id];
            if (!a->n++) a->first = k;
            a->last = k;
            a->words += b->words;
            a->density += b->density;
            a->prose += b->is_sentence;
            if (!b->copies_before && !b->copies_after) { a->texts++; continue; } /* nearly all: no other block has this text */
            int32_t before = pairs.n;
            a->texts += number_of(&pairs, path_key(texts[k], (uint64_t)id)) == before;
        }
        numbers_free(&groups);
        numbers_free(&pairs);
    }
    failed = 0;
done:
    PyMem_RawFree(own);
    PyMem_RawFree(path);
    PyMem_RawFree(texts);
    return failed ? -1 : 0;
}
