/* Second bodies, in C, of functions that have an obvious Python body: here reading a serialized tree into columns
 * and guarding against deep nesting (tables/parse.py) and path keys; the others are in _words.c, _evidence.c,
 * _scores.c and _text.c. No function knows anything that its Python twin does not; tests compare them.
 *
 * Every index is checked against the input's length, and all memory is owned by one growable buffer per
 * column, so hostile input can make it slow (linear) but not wrong.
 */
#include "native.h"
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- growable columns */

typedef struct {
    char *data;
    size_t len, cap;
} Buf;

static int buf_need(Buf *b, size_t more) {
    if (b->len + more <= b->cap) return 0;
    size_t cap = b->cap ? b->cap * 2 : 4096;
    while (cap < b->len + more) cap *= 2;
    char *p = PyMem_RawRealloc(b->data, cap);
    if (!p) return -1;
    b->data = p;
    b->cap = cap;
    return 0;
}

static int buf_put(Buf *b, const void *src, size_t n) {
    if (buf_need(b, n)) return -1;
    if (n) memcpy(b->data + b->len, src, n);
    b->len += n;
    return 0;
}

static int put_i32(Buf *b, int32_t v) { return buf_put(b, &v, 4); }

/* ---------------------------------------------------------------- names -> codes */

#define SLOTS 1024
typedef struct {
    char name[24];
    uint8_t len;
    int16_t code;
} Slot;

typedef struct {
    Slot slots[SLOTS];
} Names;

static Names TAG_NAMES, ATTR_NAMES;
static int configured = 0;
static uint8_t tag_flags[512]; /* 1 void, 2 raw text, 4 no text, 8 uncounted in nesting, 16 SVG, 32 text only, 64 code */
static int32_t code_script = -1, code_noscript = -1, code_template = -1, code_pre = -1, attr_hidden = -1, attr_style = -1, attr_aria = -1,
               attr_type = -1, attr_tagname = 0;

static uint32_t hash_name(const char *s, size_t n) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++) h = (h ^ (uint8_t)s[i]) * 16777619u;
    return h;
}

static int names_get(const Names *t, const char *s, size_t n) {
    if (n == 0 || n >= sizeof(t->slots[0].name)) return -1;
    uint32_t h = hash_name(s, n) & (SLOTS - 1);
    while (t->slots[h].len) {
        if (t->slots[h].len == n && !memcmp(t->slots[h].name, s, n)) return t->slots[h].code;
        h = (h + 1) & (SLOTS - 1);
    }
    return -1;
}

static void names_put(Names *t, const char *s, size_t n, int code) {
    if (n == 0 || n >= sizeof(t->slots[0].name)) return;
    uint32_t h = hash_name(s, n) & (SLOTS - 1);
    while (t->slots[h].len) h = (h + 1) & (SLOTS - 1);
    memcpy(t->slots[h].name, s, n);
    t->slots[h].len = (uint8_t)n;
    t->slots[h].code = (int16_t)code;
}

static int fill_names(Names *t, PyObject *seq, Py_ssize_t limit) {
    memset(t, 0, sizeof(*t));
    Py_ssize_t n = PySequence_Size(seq);
    if (n < 0) return -1;
    if (n > limit) {
        PyErr_SetString(PyExc_ValueError, "too many names");
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = PySequence_GetItem(seq, i);
        if (!item) return -1;
        Py_ssize_t len;
        const char *s = PyUnicode_AsUTF8AndSize(item, &len);
        if (s) names_put(t, s, (size_t)len, (int)i);
        Py_DECREF(item);
        if (!s) return -1;
    }
    return 0;
}

/* configure(tags, attributes, flags): names in code order; flags is one byte per tag. */
static PyObject *native_configure(PyObject *self, PyObject *args) {
    PyObject *tags, *attrs;
    const char *flags;
    Py_ssize_t n_flags;
    if (!PyArg_ParseTuple(args, "OOy#", &tags, &attrs, &flags, &n_flags)) return NULL;
    if (n_flags > (Py_ssize_t)sizeof(tag_flags) || n_flags != PySequence_Size(tags)) {
        PyErr_SetString(PyExc_ValueError, "one flag per tag");
        return NULL;
    }
    if (fill_names(&TAG_NAMES, tags, 500) || fill_names(&ATTR_NAMES, attrs, 500)) return NULL;
    memset(tag_flags, 0, sizeof tag_flags);
    memcpy(tag_flags, flags, (size_t)n_flags);
    code_script = names_get(&TAG_NAMES, "script", 6);
    code_noscript = names_get(&TAG_NAMES, "noscript", 8);
    code_template = names_get(&TAG_NAMES, "template", 8);
    code_pre = names_get(&TAG_NAMES, "pre", 3);
    attr_hidden = names_get(&ATTR_NAMES, "hidden", 6);
    attr_style = names_get(&ATTR_NAMES, "style", 5);
    attr_aria = names_get(&ATTR_NAMES, "aria-hidden", 11);
    attr_type = names_get(&ATTR_NAMES, "type", 4);
    attr_tagname = names_get(&ATTR_NAMES, ":tag", 4);
    configured = 1;
    Py_RETURN_NONE;
}

/* ---------------------------------------------------------------- small scanners */

static int is_space(unsigned char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'; }
static int is_alpha(unsigned char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }
static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

/* First place at or after i where `needle` (lower case) stands, ignoring case; n when nowhere. */
static size_t find_nocase(const char *s, size_t i, size_t n, const char *needle, size_t m) {
    while (i + m <= n) {
        const char *p = memchr(s + i, needle[0], n - i - m + 1);
        if (!p) return n;
        i = (size_t)(p - s);
        size_t k = 1;
        while (k < m && lower(s[i + k]) == needle[k]) k++;
        if (k == m) return i;
        i++;
    }
    return n;
}

/* End of a script's text that starts at i: the place of its closing tag, as the HTML standard reads it
 * (inside <!-- ... <script ... --> a closing tag closes only the inner one). */
static size_t script_end(const char *s, size_t i, size_t n) {
    int escaped = 0, twice = 0;
    while (i < n) {
        const char *p = s + i;
        char c = *p;
        if (c == '<') {
            if (!escaped && n - i >= 4 && !memcmp(p, "<!--", 4)) {
                escaped = 1;
                i += 4;
                /* "<!-->" and "<!--->" end at once */
                if (i < n && s[i] == '>') escaped = 0;
                else if (i + 1 < n && s[i] == '-' && s[i + 1] == '>') escaped = 0;
                continue;
            }
            if (n - i >= 8 && s[i + 1] == '/' && find_nocase(s, i, i + 8, "</script", 8) == i) {
                char d = i + 8 < n ? s[i + 8] : '>';
                if (is_space((unsigned char)d) || d == '/' || d == '>') {
                    if (!twice) return i;
                    twice = 0;
                }
            } else if (escaped && n - i >= 7 && find_nocase(s, i, i + 7, "<script", 7) == i) {
                char d = i + 7 < n ? s[i + 7] : '>';
                if (is_space((unsigned char)d) || d == '/' || d == '>') twice = 1;
            }
            i++;
        } else if (c == '-' && escaped && n - i >= 3 && s[i + 1] == '-' && s[i + 2] == '>') {
            escaped = twice = 0;
            i += 3;
        } else {
            /* jump to the next byte that can matter */
            const char *a = memchr(p, '<', n - i);
            size_t next = a ? (size_t)(a - s) : n;
            if (escaped) {
                const char *b = memchr(p + 1, '-', n - i - 1);
                if (b && (size_t)(b - s) < next) next = (size_t)(b - s);
            }
            i = next > i ? next : i + 1;
        }
    }
    return n;
}

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

#define UNKNOWN_SLOTS 2048
#define FREE_SELF_CLOSED 3000
#define MAX_VALUE 4096 /* bytes kept of an attribute value: data: addresses are no evidence */

/* Append an attribute's value, at most MAX_VALUE bytes of it, cut between characters. */
static int put_value(Buf *out, const char *s, size_t i, size_t j, int unescape, int64_t *chars) {
    size_t from = out->len;
    int64_t before = *chars;
    if (j - i > 6 * MAX_VALUE) j = i + 6 * MAX_VALUE; /* the longest escape is 6 bytes */
    if (put_unescaped(out, s, i, j, unescape, chars)) return -1;
    if (out->len - from > MAX_VALUE) {
        size_t end = from + MAX_VALUE;
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

enum { TAG, PARENT, END, DEPTH, TSTART, TEND, FLAGS, ANODE, ANAME, AVALUE, VEND, TEXTBUF, ATTRBUF, STACK, VBYTES, BLANKS, N_BUFS };

/* scan(html) -> (tag, parent, end, depth, text_start, text_end, flags, attr_node, attr_name, attr_value,
 *                value_end, text, values, json_ld): value v is values[value_end[v - 1]:value_end[v]]
 * `html` is the serialization of a parsed tree: every element closed, every value in double quotes. */
static PyObject *native_scan(PyObject *self, PyObject *arg) {
    Py_ssize_t size;
    if (!configured) {
        PyErr_SetString(PyExc_RuntimeError, "configure() first");
        return NULL;
    }
    const char *s = PyUnicode_AsUTF8AndSize(arg, &size);
    if (!s) return NULL;
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
#define TOP() (b[STACK].len ? ((int32_t *)b[STACK].data)[b[STACK].len / 4 - 1] : -1)
#define DEPTH_NOW() ((int32_t)(b[STACK].len / 4))
#define OK(x) do { if (x) goto memory; } while (0)
#define PUT_VALUE(lo, hi, unescape)                                                                     \
    do {                                                                                                \
        size_t from_ = b[ATTRBUF].len;                                                                  \
        int64_t before_ = attr_chars;                                                                   \
        OK(put_value(&b[ATTRBUF], s, lo, hi, unescape, &attr_chars));                                   \
        int64_t v_ = seen_value(&seen, &b[ATTRBUF], from_, &b[VBYTES], &b[VEND], before_, &attr_chars); \
        OK(v_ < 0);                                                                                     \
        OK(put_i32(&b[AVALUE], (int32_t)v_));                                                           \
    } while (0)
#define NEW_ROW(code, flag)                                                              \
    do {                                                                                 \
        int16_t c16_ = (int16_t)(code);                                                  \
        uint8_t f8_ = (uint8_t)((flag) | (pending ? 1 : 0));                             \
        OK(buf_put(&b[TAG], &c16_, 2)); OK(put_i32(&b[PARENT], TOP()));                  \
        OK(put_i32(&b[END], row + 1)); OK(put_i32(&b[DEPTH], DEPTH_NOW()));              \
        OK(put_i32(&b[TSTART], (int32_t)chars)); OK(put_i32(&b[TEND], (int32_t)chars));  \
        OK(buf_put(&b[FLAGS], &f8_, 1));                                                 \
        pending = 0; row++;                                                              \
    } while (0)

    /* A text row; white space alone is no row, but in <pre> it is kept before the text that follows. */
#define PUT_TEXT(lo, hi, unescape)                                                                  \
    do {                                                                                            \
        if (only_space(s, lo, hi)) {                                                                \
            pending = 1;                                                                            \
            if (pre_row >= 0) OK(put_unescaped(&b[BLANKS], s, lo, hi, unescape, &blank_chars));     \
        } else {                                                                                    \
            NEW_ROW(0, 0);                                                                          \
            if (b[BLANKS].len) {                                                                    \
                OK(buf_put(&b[TEXTBUF], b[BLANKS].data, b[BLANKS].len));                            \
                chars += blank_chars;                                                               \
                b[BLANKS].len = 0;                                                                  \
                blank_chars = 0;                                                                    \
            }                                                                                       \
            OK(put_unescaped(&b[TEXTBUF], s, lo, hi, unescape, &chars));                            \
            ((int32_t *)b[TEND].data)[row - 1] = (int32_t)chars;                                    \
        }                                                                                           \
    } while (0)

    while (i < n) {
        if (s[i] != '<') { /* text up to the next tag */
            const char *p = memchr(s + i, '<', n - i);
            size_t j = p ? (size_t)(p - s) : n;
            if (!muted && b[STACK].len) {
                int32_t top = TOP();
                int flags = tag_flags[((int16_t *)b[TAG].data)[top]];
                if (!(flags & 4)) {
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
            int code = names_get(&TAG_NAMES, s + j, k - j);
            const char *p = k < n ? memchr(s + k, '>', n - k) : NULL;
            i = p ? (size_t)(p - s) + 1 : n;
            if (muted) {
                if (code == code_template && code >= 0) muted--;
                if (muted) continue;
            }
            if (b[STACK].len) {
                int32_t top = TOP();
                ((int32_t *)b[END].data)[top] = row;
                ((int32_t *)b[TEND].data)[top] = (int32_t)chars;
                b[STACK].len -= 4;
                if (top == pre_row) {
                    pre_row = -1;
                    b[BLANKS].len = 0;
                    blank_chars = 0;
                }
            }
            continue;
        }
        /* an opening tag */
        size_t j = i + 1, k = j;
        while (k < n && s[k] != '>' && s[k] != '/' && !is_space((unsigned char)s[k])) k++;
        int code = names_get(&TAG_NAMES, s + j, k - j);
        if (code < 2) code = 1;
        int flags = tag_flags[code];
        if (!muted) {
            NEW_ROW(code, 0);
            if (code == code_pre && pre_row < 0) pre_row = row - 1;
            if (code == 1) {
                size_t e = k - j > 64 ? j + 64 : k;
                while (e > j && ((unsigned char)s[e] & 0xC0) == 0x80) e--;
                OK(put_i32(&b[ANODE], row - 1));
                int16_t a16 = (int16_t)attr_tagname;
                OK(buf_put(&b[ANAME], &a16, 2));
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
            int name = names_get(&ATTR_NAMES, s + a, a_end - a);
            if (name < 0 || name == attr_tagname) continue;
            uint8_t *f = (uint8_t *)b[FLAGS].data + (row - 1);
            if (name == attr_hidden) *f |= 2;
            else if (name == attr_style && style_hides(s + v, v_end - v)) *f |= 2;
            else if (name == attr_aria && v_end - v == 4 && !memcmp(s + v, "true", 4)) *f |= 4;
            else if (name == attr_type && code == code_script && find_nocase(s, v, v_end, "ld+json", 7) < v_end)
                is_json_ld = 1;
            int16_t a16 = (int16_t)name;
            OK(put_i32(&b[ANODE], row - 1)); OK(buf_put(&b[ANAME], &a16, 2));
            PUT_VALUE(v, v_end, 1);
        }
        if (i < n) i++; /* '>' */
        if (flags & 1) continue;
        if (code == code_template && code >= 0) {
            if (!muted++) OK(put_i32(&b[STACK], row - 1));
            continue;
        }
        if (flags & 2) { /* raw text: up to its own closing tag */
            size_t e;
            if (code == code_script) e = script_end(s, i, n);
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
                OK(put_i32(&b[STACK], row - 1));
                if (!(flags & 4) && e > i) PUT_TEXT(i, e, 0);
            }
            i = e;
            continue;
        }
        if (!muted) OK(put_i32(&b[STACK], row - 1));
    }
    while (b[STACK].len) {
        int32_t top = TOP();
        ((int32_t *)b[END].data)[top] = row;
        ((int32_t *)b[TEND].data)[top] = (int32_t)chars;
        b[STACK].len -= 4;
    }
    result = PyTuple_New(14);
    if (!result) goto done;
    for (int c = 0; c < 14; c++) {
        PyObject *o;
        if (c == 11 || c == 12) o = PyUnicode_DecodeUTF8(b[c].data ? b[c].data : "", (Py_ssize_t)b[c].len, "replace");
        else if (c == 13) { o = json_ld; Py_INCREF(o); }
        else o = PyBytes_FromStringAndSize(b[c].data ? b[c].data : "", (Py_ssize_t)b[c].len);
        if (!o) { Py_CLEAR(result); goto done; }
        PyTuple_SET_ITEM(result, c, o);
    }
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

/* ---------------------------------------------------------------- nesting guard */

/* guard(html, limit) -> (page, flattened): the page without the code in <script> and <style> (but JSON-LD),
 * without the attributes that are not kept, and without the tags, with their closing tags, that are nested deeper than limit. One pass; `guard_python` in
 * tables/parse.py says the rule. */
static PyObject *native_guard(PyObject *self, PyObject *args) {
    const char *s;
    Py_ssize_t size, limit;
    if (!PyArg_ParseTuple(args, "y#n", &s, &size, &limit)) return NULL;
    size_t n = (size_t)size, i = 0, kept_from = 0, noscript_end = 0;
    Buf out, cuts;
    memset(&out, 0, sizeof out);
    memset(&cuts, 0, sizeof cuts);
    if (buf_need(&out, n + 1)) return PyErr_NoMemory();
    int dirty = 0;
    int64_t depth = 0;
    /* open and dropped tags by name: known tags by code, others by a keyed hash of the name, so that a page
     * cannot close one unknown tag by another's name */
    static int32_t open[512 + UNKNOWN_SLOTS], dropped[512 + UNKNOWN_SLOTS];
    static Py_hash_t unknown[UNKNOWN_SLOTS];
    int n_unknown = 0;
    int64_t free_self_closed = FREE_SELF_CLOSED;
    memset(open, 0, sizeof open);
    memset(dropped, 0, sizeof dropped);
    memset(unknown, 0, sizeof unknown);
    while (i < n) {
        const char *p = memchr(s + i, '<', n - i);
        if (!p) break;
        i = (size_t)(p - s);
        if (i + 1 >= n) break;
        unsigned char c = (unsigned char)s[i + 1];
        if (c == '!' || c == '?') {
            if (n - i >= 4 && !memcmp(s + i, "<!--", 4)) {
                size_t j = i + 2;
                for (;;) {
                    const char *q = j < n ? memchr(s + j, '>', n - j) : NULL;
                    if (!q) { j = n; break; }
                    j = (size_t)(q - s);
                    if (s[j - 1] == '-' && s[j - 2] == '-') break;
                    if (s[j - 1] == '!' && s[j - 2] == '-' && s[j - 3] == '-') break;
                    j++;
                }
                i = j < n ? j + 1 : n;
            } else { /* a doctype or a bogus comment: up to the next '>' */
                const char *q = memchr(s + i + 2, '>', n - i - 2);
                i = q ? (size_t)(q - s) + 1 : n;
            }
            continue;
        }
        int closing = c == '/';
        size_t j = i + 1 + (size_t)closing, k = j;
        if (j >= n) break;
        if (!is_alpha((unsigned char)s[j])) {
            if (closing) { /* "</>" is nothing, "</x" without a letter a bogus comment */
                const char *q = memchr(s + j, '>', n - j);
                i = q ? (size_t)(q - s) + 1 : n;
            } else i++;
            continue;
        }
        char name[24];
        size_t m = 0;
        while (k < n && s[k] != '>' && s[k] != '/' && !is_space((unsigned char)s[k])) {
            if (m < sizeof name) name[m] = lower(s[k]);
            m++; k++;
        }
        int code = m < sizeof name ? names_get(&TAG_NAMES, name, m) : 1;
        int flags = code >= 2 ? tag_flags[code] : 0;
        int at = code; /* place in open[] and dropped[]; -1: too many names, never counted as closed */
        if (code < 2) {
            /* lower case first: a bytes object of one letter is shared by the whole process */
            char small[256];
            size_t len = k - j > sizeof small ? sizeof small : k - j;
            for (size_t q = 0; q < len; q++) small[q] = lower(s[j + q]);
            PyObject *key = PyBytes_FromStringAndSize(small, (Py_ssize_t)len);
            if (!key) goto memory;
            Py_hash_t h = PyObject_Hash(key);
            Py_DECREF(key);
            if (h == 0) h = 1;
            size_t slot = (size_t)h & (UNKNOWN_SLOTS - 1);
            while (unknown[slot] && unknown[slot] != h) slot = (slot + 1) & (UNKNOWN_SLOTS - 1);
            if (unknown[slot] == h) at = 512 + (int)slot;
            else if (n_unknown < UNKNOWN_SLOTS / 2) { unknown[slot] = h; n_unknown++; at = 512 + (int)slot; }
            else at = -1;
        }
        /* attributes, as the HTML standard reads them; those that are not kept are cut out */
        size_t e = k;
        int slash = 0;
        cuts.len = 0;
        while (e < n) {
            slash = 0;
            while (e < n && (is_space((unsigned char)s[e]) || s[e] == '/')) { slash = s[e] == '/'; e++; }
            if (e >= n || s[e] == '>') break;
            size_t a = e;
            char small[24];
            size_t len = 0;
            while (e < n && s[e] != '>' && s[e] != '/' && !is_space((unsigned char)s[e]) && (s[e] != '=' || e == a)) {
                if (len < sizeof small) small[len] = lower(s[e]);
                len++; e++;
            }
            size_t w = e;
            while (w < n && is_space((unsigned char)s[w])) w++;
            if (w < n && s[w] == '=') {
                for (w++; w < n && is_space((unsigned char)s[w]); w++) {}
                if (w < n && (s[w] == '"' || s[w] == '\'')) {
                    const char *q = memchr(s + w + 1, s[w], n - w - 1);
                    e = q ? (size_t)(q - s) + 1 : n;
                } else {
                    while (w < n && s[w] != '>' && !is_space((unsigned char)s[w])) w++;
                    e = w;
                }
            }
            if (len >= sizeof small || names_get(&ATTR_NAMES, small, len) < 1) {
                size_t span[2] = {a, e};
                if (buf_put(&cuts, span, sizeof span)) goto memory;
            }
        }
        if (e >= n) break; /* an unfinished tag at the end opens nothing */
        e++;
        int drop = 0;
        /* <path/> is closed in SVG but not in HTML, and only the parser knows where it stands: the first few
         * thousand are taken for closed, which bounds the error */
        int closed = !closing && slash && (code < 2 || (flags & 16)) && free_self_closed-- > 0;
        if (!(flags & (1 | 8)) && !closed) {
            if (closing) {
                if (at >= 0 && dropped[at] > 0) { dropped[at]--; drop = 1; }
                else if (at >= 0 && open[at] > 0) { open[at]--; depth--; }
            } else if (depth >= limit) { if (at >= 0) dropped[at]++; drop = 1; }
            else { if (at >= 0) open[at]++; depth++; }
        }
        if ((flags & (2 | 32)) && !closing && !drop && code_noscript >= 0 && open[code_noscript] > 0) {
            /* text that is left open in <noscript> would take the rest of the page with it */
            if (noscript_end < e) noscript_end = find_nocase(s, e, n, "</noscript", 10);
            char close[32] = "</";
            memcpy(close + 2, name, m);
            if (noscript_end < n && find_nocase(s, e, noscript_end, close, m + 2) == noscript_end) {
                if (buf_put(&out, s + kept_from, i - kept_from)) goto memory;
                i = kept_from = noscript_end;
                continue;
            }
        }
        if (drop) {
            dirty = 1;
            if (buf_put(&out, s + kept_from, i - kept_from)) goto memory;
            kept_from = e;
        } else {
            for (size_t *span = (size_t *)cuts.data, *last = span + cuts.len / sizeof *span; span < last; span += 2) {
                if (buf_put(&out, s + kept_from, span[0] - kept_from)) goto memory;
                kept_from = span[1];
            }
        }
        i = e;
        if ((flags & (2 | 32)) && !closing && !drop) { /* text without tags; its closing tag comes next */
            if (code == code_script) i = script_end(s, e, n);
            else {
                char close[32] = "</";
                memcpy(close + 2, name, m);
                i = find_nocase(s, e, n, close, m + 2);
            }
            int is_code = (flags & 64) && i > e && i < n;
            /* JSON-LD is kept; its type may be written with escapes ("application/ld&#43;json") */
            int may_be_data = find_nocase(s, k, e, "json", 4) < e && find_nocase(s, k, e, "ld", 2) < e;
            if (is_code && !may_be_data) { /* scripts and styles are no text */
                if (buf_put(&out, s + kept_from, e - kept_from)) goto memory;
                kept_from = i;
            }
        }
    }
    if (buf_put(&out, s + kept_from, n - kept_from)) goto memory;
    PyObject *page = PyBytes_FromStringAndSize(out.data, (Py_ssize_t)out.len);
    PyMem_RawFree(out.data);
    PyMem_RawFree(cuts.data);
    return page ? Py_BuildValue("NO", page, dirty ? Py_True : Py_False) : NULL;
memory:
    PyMem_RawFree(out.data);
    PyMem_RawFree(cuts.data);
    return PyErr_NoMemory();
}

/* ---------------------------------------------------------------- bytes and strings */

/* is_utf8(data) -> whether `data.decode("utf-8")` would read it. */
static PyObject *native_is_utf8(PyObject *self, PyObject *arg) {
    Py_buffer data;
    if (PyObject_GetBuffer(arg, &data, PyBUF_SIMPLE)) return NULL;
    const uint8_t *s = data.buf;
    size_t n = (size_t)data.len, i = 0;
    int is_fine = 1;
    while (i < n) {
        uint64_t eight;
        if (n - i >= 8 && (memcpy(&eight, s + i, 8), !(eight & 0x8080808080808080ull))) { i += 8; continue; }
        uint8_t c = s[i];
        if (c < 0x80) { i++; continue; }
        /* the second byte's range rules out what is written too long, surrogates and numbers over 0x10FFFF */
        size_t more = c >= 0xC2 && c < 0xE0 ? 1 : c >= 0xE0 && c < 0xF0 ? 2 : c >= 0xF0 && c < 0xF5 ? 3 : 0;
        uint8_t low = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80, high = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : 0xBF;
        if (!more || n - i <= more || s[i + 1] < low || s[i + 1] > high) { is_fine = 0; break; }
        for (size_t k = 2; k <= more; k++) is_fine &= (s[i + k] & 0xC0) == 0x80;
        if (!is_fine) break;
        i += more + 1;
    }
    PyBuffer_Release(&data);
    return PyBool_FromLong(is_fine);
}

/* split(text, ends) -> the pieces of a text, by the (int32) end of each, as a tuple. */
static PyObject *native_split(PyObject *self, PyObject *args) {
    PyObject *text, *ends_object;
    if (!PyArg_ParseTuple(args, "UO", &text, &ends_object)) return NULL;
    Column ends;
    if (column_get(&ends, ends_object, 4, 0)) return NULL;
    PyObject *out = PyTuple_New(ends.n);
    Py_ssize_t from = 0;
    for (Py_ssize_t i = 0; out && i < ends.n; i++) {
        Py_ssize_t to = ((const int32_t *)ends.buffer.buf)[i];
        PyObject *piece = NULL;
        if (to < from || to > PyUnicode_GET_LENGTH(text)) PyErr_SetString(PyExc_ValueError, "ends do not fit the text");
        else piece = PyUnicode_Substring(text, from, to);
        if (piece) PyTuple_SET_ITEM(out, i, piece);
        else Py_CLEAR(out);
        from = to;
    }
    columns_release(&ends, 1);
    return out;
}

/* ---------------------------------------------------------------- path keys */

/* path_keys(parent, own) -> uint64 per row: a hash of the own values from the root down to the row. */
static PyObject *native_path_keys(PyObject *self, PyObject *args) {
    Py_buffer parent, own;
    if (!PyArg_ParseTuple(args, "y*y*", &parent, &own)) return NULL;
    Py_ssize_t n = parent.len / 4;
    PyObject *result = NULL;
    if (own.len < n * 8) PyErr_SetString(PyExc_ValueError, "one own value per row");
    else if ((result = PyBytes_FromStringAndSize(NULL, n * 8))) {
        uint64_t *key = (uint64_t *)PyBytes_AS_STRING(result);
        const uint64_t *o = own.buf;
        const int32_t *p = parent.buf;
        for (Py_ssize_t i = 0; i < n; i++) key[i] = path_key(p[i] >= 0 && p[i] < i ? key[p[i]] : 0, o[i]);
    }
    PyBuffer_Release(&parent);
    PyBuffer_Release(&own);
    return result;
}

static PyMethodDef methods[] = {
    {"configure", native_configure, METH_VARARGS, "Set the tag and attribute codes."},
    {"scan", native_scan, METH_O, "A serialized tree as columns."},
    {"is_utf8", native_is_utf8, METH_O, "Whether bytes are UTF-8."},
    {"split", native_split, METH_VARARGS, "The pieces of a text."},
    {"guard", native_guard, METH_VARARGS, "Drop code and tags nested deeper than a limit."},
    {"matcher", native_matcher, METH_VARARGS, "Words made ready for word_bits."},
    {"word_bits", native_word_bits, METH_VARARGS, "Bits of the words that stand in each name."},
    {"path_keys", native_path_keys, METH_VARARGS, "Hash of the path from the root to each row."},
    {"pack_trees", native_pack_trees, METH_VARARGS, "A tree ensemble made ready to be added up."},
    {"predict", native_predict, METH_VARARGS, "Add up a tree ensemble."},
    {"mean_score", native_mean_score, METH_VARARGS, "The mean of scores by their log odds."},
    {"evidence", native_evidence, METH_VARARGS, "The evidence of the blocks of some pages."},
    {"stage", native_stage, METH_VARARGS, "First scores around each block."},
    {"site_table", native_site_table, METH_VARARGS, "What was learned of a site made ready for the next three."},
    {"site_paths", native_site_paths, METH_VARARGS, "Hashes of the path to each row, with class names and without."},
    {"site_scores", native_site_scores, METH_VARARGS, "Mean first score at the path of each block."},
    {"site_columns", native_site_columns, METH_VARARGS, "What the site says of each block."},
    {"to_text", native_to_text, METH_VARARGS, "The kept text of a page."},
    {"decide", native_decide, METH_VARARGS, "Which blocks to keep."},
    {"text_hashes", native_text_hashes, METH_VARARGS, "The words of texts as numbers."},
    {"text_weights", native_text_weights, METH_VARARGS, "Weights of the words of texts."},
    {"name_hashes", native_name_hashes, METH_O, "The words of class names as numbers."},
    {"name_weights", native_name_weights, METH_VARARGS, "Weights of the class names above rows."},
    {"block_net", native_block_net, METH_VARARGS, "Log odds of blocks by a network."},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_core", "Second bodies in C; see __init__.py.", -1,
                                    methods};

PyMODINIT_FUNC PyInit__core(void) { return PyModule_Create(&module); }
