/* Reading a serialized tree into columns. Every index is checked against the input's length, and all memory is owned by one
 * growable buffer per column, so hostile input can make it slow (linear) but not wrong. */
#include "html.h"

static int put_i32(Buf *b, int32_t v) { return buf_put(b, &v, 4); }

/* Append s[i:j] and count its characters. */
static int put_run(Buf *out, const char *s, size_t i, size_t j, int64_t *chars) {
    int64_t count = 0;
    for (size_t k = i; k < j; k++) count += ((unsigned char)s[k] & 0xC0) != 0x80;
    *chars += count;
    return buf_put(out, s + i, j - i);
}

/* Append s[i:j] with the five escapes of a serializer undone; counts characters. */
static int put_unescaped(Buf *out, const char *s, size_t i, size_t j, int unescape, int64_t *chars) {
    static const struct { const char *escape; size_t len; const char *value; } ESCAPES[] = {
        {"&amp;", 5, "&"}, {"&nbsp;", 6, "\xC2\xA0"}, {"&lt;", 4, "<"}, {"&gt;", 4, ">"}, {"&quot;", 6, "\""}};
    while (unescape && i < j) {
        const char *p = memchr(s + i, '&', j - i);
        if (!p) break;
        size_t k = (size_t)(p - s);
        if (put_run(out, s, i, k, chars)) return -1;
        size_t e = 0;
        while (e < 5 && !(j - k >= ESCAPES[e].len && !memcmp(p, ESCAPES[e].escape, ESCAPES[e].len))) e++;
        const char *value = e < 5 ? ESCAPES[e].value : "&";
        if (buf_put(out, value, strlen(value))) return -1;
        (*chars)++;
        i = k + (e < 5 ? ESCAPES[e].len : 1);
    }
    return put_run(out, s, i, j, chars);
}

/* True when s[i:j] (escaped text) is only white space. */
static int only_space(const char *s, size_t i, size_t j) {
    while (i < j) {
        unsigned char c = (unsigned char)s[i];
        if (is_space(c)) i++;
        else if (c == '&' && j - i >= 6 && !memcmp(s + i, "&nbsp;", 6)) i += 6;
        else if (c == 0xC2 && j - i >= 2 && (unsigned char)s[i + 1] == 0xA0) i += 2;
        else return 0;
    }
    return 1;
}

/* A style value that hides: "display:none" or "visibility:hidden" with any spaces and case. */
static int style_hides(const char *s, size_t n) {
    char small[512];
    size_t m = 0;
    for (size_t i = 0; i < n && m < sizeof small - 1; i++)
        if (!is_space((unsigned char)s[i])) small[m++] = lower(s[i]);
    small[m] = 0;
    return strstr(small, "display:none") != NULL || strstr(small, "visibility:hidden") != NULL;
}

/* Append an attribute's value, at most MAX_VALUE_BYTES bytes of it, cut between characters. */
static int put_value(Buf *out, const char *s, size_t i, size_t j, int unescape, int64_t *chars) {
    size_t from = out->len;
    int64_t before = *chars;
    if (j - i > 6 * MAX_VALUE_BYTES) j = i + 6 * MAX_VALUE_BYTES; /* the longest escape is 6 bytes */
    if (put_unescaped(out, s, i, j, unescape, chars)) return -1;
    if (out->len - from > MAX_VALUE_BYTES) {
        size_t end = from + MAX_VALUE_BYTES;
        while (end > from && ((unsigned char)out->data[end] & 0xC0) == 0x80) end--;
        out->len = end;
        *chars = before;
        for (size_t k = from; k < end; k++) *chars += ((unsigned char)out->data[k] & 0xC0) != 0x80;
    }
    return 0;
}

/* Values seen on this page: each is stored once. Open addressing; `at` holds value number + 1. */
typedef struct {
    uint32_t *at;
    uint64_t *hash;
    size_t cap, n;
} Seen;

static int seen_grow(Seen *t) {
    size_t cap = t->cap ? t->cap * 2 : 1024;
    uint32_t *at = PyMem_RawCalloc(cap, sizeof *at);
    uint64_t *hash = PyMem_RawCalloc(cap, sizeof *hash);
    if (!at || !hash) { PyMem_RawFree(at); PyMem_RawFree(hash); return -1; }
    for (size_t i = 0; i < t->cap; i++)
        if (t->at[i]) {
            size_t h = t->hash[i] & (cap - 1);
            while (at[h]) h = (h + 1) & (cap - 1);
            at[h] = t->at[i];
            hash[h] = t->hash[i];
        }
    PyMem_RawFree(t->at);
    PyMem_RawFree(t->hash);
    t->at = at; t->hash = hash; t->cap = cap;
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
    for (size_t i = 0; i < n; i++) w = w << 8 | (uint8_t)s[i];
    h = (h ^ w) * 0xC4CEB9FE1A85EC53ull;
    return h ^ h >> 29;
}

/* Number of the value whose bytes are buf[from:], which is dropped again if it was there before; -1: no memory.
 * `ends` holds the byte end of every value, `char_ends` its character end. */
static int64_t seen_value(Seen *t, Buf *buf, size_t from, Buf *ends, Buf *char_ends, int64_t before, int64_t *chars) {
    if ((t->n + 1) * 2 > t->cap && seen_grow(t)) return -1;
    size_t n = buf->len - from;
    uint64_t hash = hash_value(buf->data + from, n);
    size_t h = hash & (t->cap - 1);
    for (; t->at[h]; h = (h + 1) & (t->cap - 1)) {
        if (t->hash[h] != hash) continue;
        size_t v = t->at[h] - 1;
        size_t lo = v ? ((uint64_t *)ends->data)[v - 1] : 0, hi = ((uint64_t *)ends->data)[v];
        if (hi - lo == n && !memcmp(buf->data + lo, buf->data + from, n)) {
            buf->len = from;
            *chars = before;
            return (int64_t)v;
        }
    }
    uint64_t end = buf->len;
    if (buf_put(ends, &end, 8) || put_i32(char_ends, (int32_t)*chars)) return -1;
    t->at[h] = (uint32_t)++t->n;
    t->hash[h] = hash;
    return (int64_t)t->n - 1;
}

/* ---------------------------------------------------------------- scan */

/* A buffer for each column, and some more. */
#define BUFFER(name, type) B_##name,
enum { SCANNED(BUFFER) B_TEXT, B_VALUES, B_OPEN, B_VALUE_BYTES, B_BLANKS, N_BUFS };

static PyObject *string_of(const Buf *b) { return PyUnicode_DecodeUTF8(b->data ? b->data : "", (Py_ssize_t)b->len, "replace"); }

/* scan(html, tag_bits) -> (columns, text, values, json_ld): value v is values[value_end[v - 1]:value_end[v]].
 * `html` is the serialization of a parsed tree: every element closed, every value in double quotes. */
PyObject *native_scan(PyObject *self, PyObject *args) {
    const char *s, *tag_bits;
    Py_ssize_t size, n_bits;
    if (!PyArg_ParseTuple(args, "s#y#", &s, &size, &tag_bits, &n_bits)) return NULL;
    if (n_bits != N_TAGS) return misfit("one byte for each tag");
    names_init();
    size_t n = (size_t)size, i = 0;
    Buf b[N_BUFS];
    memset(b, 0, sizeof b);
    PyObject *json_ld = PyList_New(0), *result = NULL;
    if (!json_ld) return NULL;
    int64_t chars = 0, attr_chars = 0;
    Seen seen;
    memset(&seen, 0, sizeof seen);
    int32_t row = 0;
    int pending = 0;      /* white space seen since the last row */
    int muted = 0;        /* inside this many <template> */
    int32_t pre_row = -1; /* the outermost <pre> we are in: there white space is kept, before the text that follows */
    int64_t blank_chars = 0;
#define TOP() (b[B_OPEN].len ? ((int32_t *)b[B_OPEN].data)[b[B_OPEN].len / 4 - 1] : -1)
#define DEPTH_NOW() ((int32_t)(b[B_OPEN].len / 4))
#define OK(x) do { if (x) goto memory; } while (0)
#define PUT_VALUE(lo, hi, unescape)                                                                     \
    do {                                                                                                \
        size_t from_ = b[B_VALUES].len;                                                                  \
        int64_t before_ = attr_chars;                                                                   \
        OK(put_value(&b[B_VALUES], s, lo, hi, unescape, &attr_chars));                                   \
        int64_t v_ = seen_value(&seen, &b[B_VALUES], from_, &b[B_VALUE_BYTES], &b[B_value_end], before_, &attr_chars); \
        OK(v_ < 0);                                                                                     \
        OK(put_i32(&b[B_attr_value], (int32_t)v_));                                                           \
    } while (0)
#define NEW_ROW(code, flag)                                                              \
    do {                                                                                 \
        int16_t c16_ = (int16_t)(code);                                                  \
        uint8_t f8_ = (uint8_t)((flag) | (pending ? IS_SPACE_BEFORE : 0));                             \
        OK(buf_put(&b[B_tag], &c16_, 2)); OK(put_i32(&b[B_parent], TOP()));                  \
        OK(put_i32(&b[B_end], row + 1)); OK(put_i32(&b[B_depth], DEPTH_NOW()));              \
        OK(put_i32(&b[B_text_start], (int32_t)chars)); OK(put_i32(&b[B_text_end], (int32_t)chars));  \
        OK(buf_put(&b[B_flags], &f8_, 1));                                                 \
        pending = 0; row++;                                                              \
    } while (0)

    /* A text row; white space alone is no row, but in <pre> it is kept before the text that follows. */
#define PUT_TEXT(lo, hi, unescape)                                                                  \
    do {                                                                                            \
        if (only_space(s, lo, hi)) {                                                                \
            pending = 1;                                                                            \
            if (pre_row >= 0) OK(put_unescaped(&b[B_BLANKS], s, lo, hi, unescape, &blank_chars));     \
        } else {                                                                                    \
            NEW_ROW(TAG_TEXT, 0);                                                                          \
            if (b[B_BLANKS].len) {                                                                    \
                OK(buf_put(&b[B_TEXT], b[B_BLANKS].data, b[B_BLANKS].len));                            \
                chars += blank_chars;                                                               \
                b[B_BLANKS].len = 0;                                                                  \
                blank_chars = 0;                                                                    \
            }                                                                                       \
            OK(put_unescaped(&b[B_TEXT], s, lo, hi, unescape, &chars));                            \
            ((int32_t *)b[B_text_end].data)[row - 1] = (int32_t)chars;                                    \
        }                                                                                           \
    } while (0)

    while (i < n) {
        if (s[i] != '<') { /* text up to the next tag */
            const char *p = memchr(s + i, '<', n - i);
            size_t j = p ? (size_t)(p - s) : n;
            if (!muted && b[B_OPEN].len) {
                int32_t top = TOP();
                int bits = tag_bits[((int16_t *)b[B_tag].data)[top]];
                if (!(bits & IS_NO_TEXT)) {
                    PUT_TEXT(i, j, 1);
                }
            }
            i = j;
            continue;
        }
        if (n - i >= 4 && !memcmp(s + i, "<!--", 4)) {
            size_t j = i + 4;
            for (;;) {
                const char *p = j < n ? memchr(s + j, '-', n - j) : NULL;
                if (!p) { j = n; break; }
                j = (size_t)(p - s);
                if (n - j >= 3 && s[j + 1] == '-' && s[j + 2] == '>') { j += 3; break; }
                j++;
            }
            i = j;
            continue;
        }
        if (i + 1 < n && (s[i + 1] == '!' || s[i + 1] == '?')) { /* doctype */
            const char *p = memchr(s + i, '>', n - i);
            i = p ? (size_t)(p - s) + 1 : n;
            continue;
        }
        if (i + 1 < n && s[i + 1] == '/') { /* a closing tag closes the top row */
            size_t j = i + 2, k = j;
            while (k < n && s[k] != '>' && !is_space((unsigned char)s[k])) k++;
            int code = tag_code(s + j, k - j);
            const char *p = k < n ? memchr(s + k, '>', n - k) : NULL;
            i = p ? (size_t)(p - s) + 1 : n;
            if (muted) {
                if (code == TAG_template) muted--;
                if (muted) continue;
            }
            if (b[B_OPEN].len) {
                int32_t top = TOP();
                ((int32_t *)b[B_end].data)[top] = row;
                ((int32_t *)b[B_text_end].data)[top] = (int32_t)chars;
                b[B_OPEN].len -= 4;
                if (top == pre_row) {
                    pre_row = -1;
                    b[B_BLANKS].len = 0;
                    blank_chars = 0;
                }
            }
            continue;
        }
        /* an opening tag */
        size_t j = i + 1, k = j;
        while (k < n && s[k] != '>' && s[k] != '/' && !is_space((unsigned char)s[k])) k++;
        int code = tag_code(s + j, k - j);
        if (code < 0) code = TAG_UNKNOWN;
        int bits = tag_bits[code];
        if (!muted) {
            NEW_ROW(code, 0);
            if (code == TAG_pre && pre_row < 0) pre_row = row - 1;
            if (code == TAG_UNKNOWN) {
                size_t e = k - j > 64 ? j + 64 : k;
                while (e > j && ((unsigned char)s[e] & 0xC0) == 0x80) e--;
                OK(put_i32(&b[B_attr_node], row - 1));
                int16_t a16 = (int16_t)ATTR_TAG_NAME;
                OK(buf_put(&b[B_attr_name], &a16, 2));
                PUT_VALUE(j, e, 0);
            }
        }
        int is_json_ld = 0;
        i = k;
        while (i < n && s[i] != '>') { /* attributes */
            if (is_space((unsigned char)s[i]) || s[i] == '/') { i++; continue; }
            size_t a = i;
            while (i < n && s[i] != '=' && s[i] != '>' && !is_space((unsigned char)s[i])) i++;
            size_t a_end = i, v = i, v_end = i;
            if (i < n && s[i] == '=') {
                i++;
                if (i < n && s[i] == '"') {
                    const char *p = memchr(s + i + 1, '"', n - i - 1);
                    v = i + 1;
                    v_end = p ? (size_t)(p - s) : n;
                    i = p ? v_end + 1 : n;
                } else {
                    v = i;
                    while (i < n && s[i] != '>' && !is_space((unsigned char)s[i])) i++;
                    v_end = i;
                }
            }
            if (a_end == a) { i += i < n && s[i] != '>' && v == v_end; continue; }
            if (muted) continue;
            int name = attr_code(s + a, a_end - a);
            if (name < 0) continue;
            uint8_t *f = (uint8_t *)b[B_flags].data + (row - 1);
            if (name == ATTR_hidden) *f |= IS_HIDDEN;
            else if (name == ATTR_style && style_hides(s + v, v_end - v)) *f |= IS_HIDDEN;
            else if (name == ATTR_aria_hidden && v_end - v == 4 && !memcmp(s + v, "true", 4)) *f |= IS_ARIA_HIDDEN;
            else if (name == ATTR_type && code == TAG_script && find_nocase(s, v, v_end, "ld+json", 7) < v_end)
                is_json_ld = 1;
            int16_t a16 = (int16_t)name;
            OK(put_i32(&b[B_attr_node], row - 1)); OK(buf_put(&b[B_attr_name], &a16, 2));
            PUT_VALUE(v, v_end, 1);
        }
        if (i < n) i++; /* '>' */
        if (bits & IS_VOID) continue;
        if (code == TAG_template) {
            if (!muted++) OK(put_i32(&b[B_OPEN], row - 1));
            continue;
        }
        if (bits & IS_RAW_TEXT) { /* raw text: up to its own closing tag */
            size_t e;
            if (code == TAG_script) e = script_end(s, i, n);
            else {
                char close[32] = "</";
                size_t m = k - j < 24 ? k - j : 24;
                memcpy(close + 2, s + j, m);
                e = find_nocase(s, i, n, close, m + 2);
            }
            if (!muted) {
                if (is_json_ld && e > i) {
                    PyObject *blob = PyUnicode_DecodeUTF8(s + i, (Py_ssize_t)(e - i), "replace");
                    if (!blob || PyList_Append(json_ld, blob)) { Py_XDECREF(blob); goto done; }
                    Py_DECREF(blob);
                }
                OK(put_i32(&b[B_OPEN], row - 1));
                if (!(bits & IS_NO_TEXT) && e > i) PUT_TEXT(i, e, 0);
            }
            i = e;
            continue;
        }
        if (!muted) OK(put_i32(&b[B_OPEN], row - 1));
    }
    while (b[B_OPEN].len) {
        int32_t top = TOP();
        ((int32_t *)b[B_end].data)[top] = row;
        ((int32_t *)b[B_text_end].data)[top] = (int32_t)chars;
        b[B_OPEN].len -= 4;
    }
    PyObject *columns = PyTuple_New(B_TEXT);
    for (int c = 0; columns && c < B_TEXT; c++) {
        PyObject *column = PyBytes_FromStringAndSize(b[c].data ? b[c].data : "", (Py_ssize_t)b[c].len);
        if (column) PyTuple_SET_ITEM(columns, c, column);
        else Py_CLEAR(columns);
    }
    if (columns)
        result = Py_BuildValue("NNNN", columns, string_of(&b[B_TEXT]), string_of(&b[B_VALUES]), PyList_AsTuple(json_ld));
    goto done;
memory:
    PyErr_NoMemory();
done:
    for (int c = 0; c < N_BUFS; c++) PyMem_RawFree(b[c].data);
    PyMem_RawFree(seen.at);
    PyMem_RawFree(seen.hash);
    Py_DECREF(json_ld);
    return result;
}
