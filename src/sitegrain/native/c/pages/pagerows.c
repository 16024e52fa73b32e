/* The columns of a page, row by row. All memory is owned by growable buffers; those of the rows grow together. */
#include "pagerows.h"

static int put_i32(Buf *b, int32_t v) { return buf_put(b, &v, 4); }

/* ---------------------------------------------------------------- characters */

/* How many characters begin in s[0:n]: all bytes but those that go on with one. */
static int64_t count_chars(const char *s, size_t n) {
    size_t i = 0, more = 0;
    for (; n - i >= 8; i += 8) {
        uint64_t eight;
        memcpy(&eight, s + i, 8);
        if (!(eight & 0x8080808080808080ull)) continue;
        more += (size_t)(((eight >> 7 & ~eight >> 6 & 0x0101010101010101ull) * 0x0101010101010101ull) >> 56);
    }
    for (; i < n; i++) more += ((unsigned char)s[i] & 0xC0) == 0x80;
    return (int64_t)(n - more);
}

static int put_run(Buf *out, const char *s, size_t n, int64_t *chars) {
    *chars += count_chars(s, n);
    return buf_put(out, s, n);
}

/* Append text, with the five escapes of a serializer undone; counts characters. */
static int put_unescaped(Buf *out, const char *s, size_t n, int is_escaped, int64_t *chars) {
    static const struct { const char *escape; size_t len; const char *value; } ESCAPES[] = {
        {"&amp;", 5, "&"}, {"&nbsp;", 6, "\xC2\xA0"}, {"&lt;", 4, "<"}, {"&gt;", 4, ">"}, {"&quot;", 6, "\""}};
    size_t i = 0;
    while (is_escaped && i < n) {
        const char *p = memchr(s + i, '&', n - i);
        if (!p) break;
        size_t k = (size_t)(p - s);
        if (put_run(out, s + i, k - i, chars)) return -1;
        size_t e = 0;
        while (e < 5 && !(n - k >= ESCAPES[e].len && !memcmp(p, ESCAPES[e].escape, ESCAPES[e].len))) e++;
        const char *value = e < 5 ? ESCAPES[e].value : "&";
        if (buf_put(out, value, strlen(value))) return -1;
        (*chars)++;
        i = k + (e < 5 ? ESCAPES[e].len : 1);
    }
    return put_run(out, s + i, n - i, chars);
}

static int only_space(const char *s, size_t n, int is_escaped) {
    for (size_t i = 0; i < n;) {
        unsigned char c = (unsigned char)s[i];
        if (KIND_OF(c) & BYTE_SPACE) i++;
        else if (is_escaped && c == '&' && n - i >= 6 && !memcmp(s + i, "&nbsp;", 6)) i += 6;
        else if (c == 0xC2 && n - i >= 2 && (unsigned char)s[i + 1] == 0xA0) i += 2;
        else return 0;
    }
    return 1;
}

/* ---------------------------------------------------------------- attribute values */

/* A style value that hides: "display:none" or "visibility:hidden" with any spaces and case. */
static int style_hides(const char *s, size_t n) {
    char small[512];
    size_t m = 0;
    if (!memchr(s, 'y', n) && !memchr(s, 'Y', n)) return 0; /* both have one */
    for (size_t i = 0; i < n && m < sizeof small - 1; i++)
        if (!(KIND_OF(s[i]) & BYTE_SPACE)) small[m++] = (char)BYTE_LOWER[(uint8_t)s[i]];
    small[m] = 0;
    return strstr(small, "display:none") != NULL || strstr(small, "visibility:hidden") != NULL;
}

static int seen_grow(Seen *t) {
    size_t cap = t->cap ? t->cap * 2 : 2048; /* most pages have fewer than a thousand values */
    SeenSlot *slots = PyMem_RawCalloc(cap, sizeof *slots);
    if (!slots) return -1;
    for (size_t i = 0; i < t->cap; i++)
        if (t->slots[i].at) {
            size_t h = t->slots[i].hash & (cap - 1);
            while (slots[h].at) h = (h + 1) & (cap - 1);
            slots[h] = t->slots[i];
        }
    PyMem_RawFree(t->slots);
    t->slots = slots;
    t->cap = cap;
    return 0;
}

/* A page must not be able to choose values that collide: the hash is keyed by an address of this process. */
static uint64_t hash_value(const char *s, size_t n) {
    uint64_t h = process_key();
    while (n >= 8) {
        uint64_t w;
        memcpy(&w, s, 8);
        h = (h ^ w) * 0xFF51AFD7ED558CCDull;
        h ^= h >> 32;
        s += 8; n -= 8;
    }
    uint64_t w = n;
    if (n >= 4) { /* the first four and the last four, which may be the same ones */
        uint32_t first, last;
        memcpy(&first, s, 4);
        memcpy(&last, s + n - 4, 4);
        w = (uint64_t)first << 32 | last;
        h += n;
    } else
        for (size_t i = 0; i < n; i++) w = w << 8 | (uint8_t)s[i];
    h = (h ^ w) * 0xC4CEB9FE1A85EC53ull;
    return h ^ h >> 29;
}

/* The place of a value among those seen, or where it would be. */
static size_t seen_place(const PageRows *page, const char *s, size_t n, uint32_t hash) {
    const Seen *t = &page->seen;
    const uint64_t *ends = (const uint64_t *)page->value_bytes.data;
    size_t h = hash & (t->cap - 1);
    for (; t->slots[h].at; h = (h + 1) & (t->cap - 1)) {
        if (t->slots[h].hash != hash) continue;
        size_t v = t->slots[h].at - 1, lo = v ? ends[v - 1] : 0;
        if (ends[v] - lo == n && (!n || !memcmp(page->values.data + lo, s, n))) break;
    }
    return h;
}

/* A value of the last row, at most MAX_VALUE_BYTES bytes of it, cut between characters. */
static int put_value(PageRows *page, int name, const char *s, size_t n, int is_escaped) {
    Buf *values = &page->values;
    Seen *t = &page->seen;
    size_t from = values->len;
    int64_t before = page->value_chars;
    int is_put = is_escaped || n > MAX_VALUE_BYTES; /* others are put only where they are new */
    if (is_put) {
        if (n > 6 * MAX_VALUE_BYTES) n = 6 * MAX_VALUE_BYTES; /* the longest escape is 6 bytes */
        if (buf_need(values, n + 1) || put_unescaped(values, s, n, is_escaped, &page->value_chars)) return -1;
        if (values->len - from > MAX_VALUE_BYTES) {
            size_t end = from + MAX_VALUE_BYTES;
            while (end > from && ((unsigned char)values->data[end] & 0xC0) == 0x80) end--;
            values->len = end;
            page->value_chars = before + count_chars(values->data + from, end - from);
        }
        s = values->data + from;
        n = values->len - from;
    }
    if ((t->n + 1) * 2 > t->cap && seen_grow(t)) return -1;
    uint32_t hash = (uint32_t)hash_value(s, n);
    size_t h = seen_place(page, s, n, hash);
    if (t->slots[h].at) {
        values->len = from;
        page->value_chars = before;
    } else {
        if (!is_put && put_run(values, s, n, &page->value_chars)) return -1;
        uint64_t end = values->len;
        if (buf_put(&page->value_bytes, &end, 8) || put_i32(&page->column[C_AT_value_end], (int32_t)page->value_chars)) return -1;
        t->slots[h] = (SeenSlot){(uint32_t)++t->n, hash};
    }
    int16_t name16 = (int16_t)name;
    return put_i32(&page->column[C_AT_attr_node], page->row - 1) || buf_put(&page->column[C_AT_attr_name], &name16, 2) ||
                   put_i32(&page->column[C_AT_attr_value], (int32_t)t->slots[h].at - 1) ? -1 : 0;
}

/* ---------------------------------------------------------------- rows */

static int rows_grow(PageRows *page) {
    if (page->row == INT32_MAX) return -1;
    size_t cap = page->cap ? page->cap * 2 : 1024;
#define GROW(name, type)                                                                                   \
    if (C_AT_##name <= C_AT_flags) {                                                                       \
        char *p = PyMem_RawRealloc(page->column[C_AT_##name].data, cap * sizeof(C_##type));                \
        if (!p) return -1;                                                                                 \
        page->column[C_AT_##name].data = p;                                                                \
    }
    SCANNED(GROW)
    page->cap = cap;
    return 0;
}

#define AT(page, name, type) ((C_##type *)(page)->column[C_AT_##name].data)

static int put_row(PageRows *page, int code) {
    if ((size_t)page->row == page->cap && rows_grow(page)) return -1;
    int32_t row = page->row++;
    AT(page, tag, int16)[row] = (int16_t)code;
    AT(page, parent, int32)[row] = top_row(page);
    AT(page, end, int32)[row] = row + 1;
    AT(page, depth, int32)[row] = (int32_t)(page->open.len / 4);
    AT(page, text_start, int32)[row] = AT(page, text_end, int32)[row] = (int32_t)page->chars;
    AT(page, flags, uint8)[row] = page->is_spaced ? IS_SPACE_BEFORE : 0;
    page->is_spaced = 0;
    return 0;
}

/* White space at the end of a line of code is not seen; it would stand at the start of the next. */
static void end_line(PageRows *page) {
    const char *blanks = page->blanks.data;
    size_t len = page->blanks.len;
    while (len && blanks[len - 1] != '\n') {
        len--;
        page->blank_chars -= ((unsigned char)blanks[len] & 0xC0) != 0x80;
    }
    page->blanks.len = len;
}

int put_element(PageRows *page, int code, const char *name, size_t size) {
    if (put_row(page, code)) return -1;
    if (code == TAG_br) end_line(page);
    page->is_json_ld = 0;
    if (code != TAG_UNKNOWN) return 0;
    if (size > 64)
        for (size = 64; size > 0 && ((unsigned char)name[size] & 0xC0) == 0x80;) size--;
    return put_value(page, ATTR_TAG_NAME, name, size, 0);
}

int put_attribute(PageRows *page, int code, int name, const char *value, size_t size, int is_escaped) {
    uint8_t *flags = AT(page, flags, uint8) + (page->row - 1);
    if (name == ATTR_hidden) *flags |= IS_HIDDEN;
    else if (name == ATTR_style && style_hides(value, size)) *flags |= IS_HIDDEN;
    else if (name == ATTR_aria_hidden && size == 4 && !memcmp(value, "true", 4)) *flags |= IS_ARIA_HIDDEN;
    else if (name == ATTR_type && code == TAG_script && find_nocase(value, 0, size, "ld+json", 7) < size) page->is_json_ld = 1;
    return put_value(page, name, value, size, is_escaped);
}

int open_row(PageRows *page) {
    int32_t row = page->row - 1;
    if (row_tag(page, row) == TAG_pre && page->pre_row < 0) page->pre_row = row;
    return put_i32(&page->open, row);
}

void close_row(PageRows *page) {
    int32_t top = top_row(page);
    if (top < 0) return;
    AT(page, end, int32)[top] = page->row;
    AT(page, text_end, int32)[top] = (int32_t)page->chars;
    page->open.len -= 4;
    if (top == page->pre_row) {
        page->pre_row = -1;
        page->blanks.len = 0;
        page->blank_chars = 0;
    }
}

int put_text(PageRows *page, const char *s, size_t size, int is_escaped) {
    if (only_space(s, size, is_escaped)) {
        page->is_spaced = 1;
        return page->pre_row >= 0 ? put_unescaped(&page->blanks, s, size, is_escaped, &page->blank_chars) : 0;
    }
    if (put_row(page, TAG_TEXT)) return -1;
    if (page->blanks.len) {
        if (buf_put(&page->text, page->blanks.data, page->blanks.len)) return -1;
        page->chars += page->blank_chars;
        page->blanks.len = 0;
        page->blank_chars = 0;
    }
    if (put_unescaped(&page->text, s, size, is_escaped, &page->chars)) return -1;
    AT(page, text_end, int32)[page->row - 1] = (int32_t)page->chars;
    return 0;
}

int put_json_ld(PageRows *page, const char *s, size_t size) {
    PyObject *blob = PyUnicode_DecodeUTF8(s, (Py_ssize_t)size, "replace");
    int is_bad = !blob || PyList_Append(page->json_ld, blob);
    Py_XDECREF(blob);
    return is_bad ? -1 : 0;
}

/* ---------------------------------------------------------------- a page */

int page_rows_begin(PageRows *page, const char *tag_bits, Py_ssize_t n_bits) {
    memset(page, 0, sizeof *page);
    page->tag_bits = tag_bits;
    page->pre_row = -1;
    if (n_bits != N_TAGS) return bad("one byte for each tag");
    names_init();
    page->json_ld = PyList_New(0);
    return page->json_ld ? 0 : -1;
}

static PyObject *string_of(const Buf *b) { return PyUnicode_DecodeUTF8(b->data ? b->data : "", (Py_ssize_t)b->len, "replace"); }

PyObject *page_rows_done(PageRows *page, int is_failed) {
    PyObject *result = NULL, *columns = NULL;
    while (!is_failed && page->open.len) close_row(page);
#define SIZED(name, type) \
    if (C_AT_##name <= C_AT_flags) page->column[C_AT_##name].len = (size_t)page->row * sizeof(C_##type);
    SCANNED(SIZED)
    if (!is_failed) columns = PyTuple_New(N_SCANNED);
    for (int c = 0; columns && c < N_SCANNED; c++) {
        const Buf *b = &page->column[c];
        PyObject *column = PyBytes_FromStringAndSize(b->data ? b->data : "", (Py_ssize_t)b->len);
        if (column) PyTuple_SET_ITEM(columns, c, column);
        else Py_CLEAR(columns);
    }
    if (columns)
        result = Py_BuildValue("NNNN", columns, string_of(&page->text), string_of(&page->values), PyList_AsTuple(page->json_ld));
    else if (!PyErr_Occurred()) PyErr_NoMemory();
    for (int c = 0; c < N_SCANNED; c++) PyMem_RawFree(page->column[c].data);
    Buf *more[] = {&page->text, &page->values, &page->value_bytes, &page->open, &page->blanks};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) PyMem_RawFree(more[i]->data);
    PyMem_RawFree(page->seen.slots);
    Py_XDECREF(page->json_ld);
    return result;
}
