/* The guard before the parser. One pass (two for a page that is all marks); every index is checked against the input's length,
 * so hostile input can make it slow (linear) but not wrong.
 *
 * What a page makes of the parser is bounded here, by counts that are never below the parser's, up to a small factor. In
 * <svg>, <math> and <select> only the parser knows how a tag is read: there, a page is changed so that all readings agree. */
#include "html.h"

enum { UNKNOWN_SLOTS = 2048 };
/* Marks of a kind without attributes that the parser opens again (the "Noah's Ark clause" of the HTML standard). */
enum { ALIKE_MARKS = 3 };

typedef struct {
    const char *s;
    size_t n, kept_from;
    Buf out;
    int64_t limit, depth, rows, max_rows, marks, reopened, free_self_closed, free_implied;
    int cuts;        /* what was cut, bits of CUTS */
    int is_bare;     /* second pass: marks are dropped */
    int is_xml;
    int is_sticky;   /* from here on nobody but the parser knows whether we are in SVG */
    int n_unknown, n_open_p;
    char is_never_closed[N_TAGS]; /* there is no closing tag of this raw text any more */
    int32_t open[N_TAGS + UNKNOWN_SLOTS], dropped[N_TAGS + UNKNOWN_SLOTS], bare_marks[N_TAGS];
    Py_hash_t unknown[UNKNOWN_SLOTS];
} Guard;

typedef struct {
    size_t start, name_start, name_end, end; /* '<', the name, after '>' */
    char name[24];                           /* in lower case, cut */
    size_t name_len;
    int code, bits, at, is_closing, has_slash, has_attributes; /* kept ones */
} Tag;

/* Copy the page up to `to` and go on behind `from`. */
static int cut_out(Guard *g, size_t to, size_t from) {
    if (buf_put(&g->out, g->s + g->kept_from, to - g->kept_from)) return -1;
    g->kept_from = from;
    return 0;
}

/* Drop every '<' of s[i:j]. */
static int cut_signs(Guard *g, size_t i, size_t j) {
    const char *p;
    while (i < j && (p = memchr(g->s + i, '<', j - i))) {
        i = (size_t)(p - g->s) + 1;
        if (cut_out(g, i - 1, i)) return -1;
    }
    return 0;
}

/* Place in open[] and dropped[]; -1: too many names, never counted as closed; -2: no memory. Known tags by code, others by a
 * keyed hash of the name, so that a page cannot close one unknown tag by another's name. */
static int place_of(Guard *g, const Tag *t) {
    if (t->code > TAG_UNKNOWN) return t->code;
    /* lower case first: a bytes object of one letter is shared by the whole process */
    char small[256];
    size_t len = t->name_end - t->name_start;
    if (len > sizeof small) len = sizeof small;
    for (size_t q = 0; q < len; q++) small[q] = lower(g->s[t->name_start + q]);
    PyObject *key = PyBytes_FromStringAndSize(small, (Py_ssize_t)len);
    if (!key) return -2;
    Py_hash_t h = PyObject_Hash(key);
    Py_DECREF(key);
    if (h == 0) h = 1;
    size_t slot = (size_t)h & (UNKNOWN_SLOTS - 1);
    while (g->unknown[slot] && g->unknown[slot] != h) slot = (slot + 1) & (UNKNOWN_SLOTS - 1);
    if (g->unknown[slot] != h) {
        if (g->n_unknown >= UNKNOWN_SLOTS / 2) return -1;
        g->unknown[slot] = h;
        g->n_unknown++;
    }
    return N_TAGS + (int)slot;
}

/* Attributes, as the HTML standard reads them, from t->name_end on; the spans of those that are not kept go to `spans`.
 * Sets t->end; 1: the page ends within the tag; -1: no memory. */
static int read_attributes(const char *s, size_t n, Tag *t, Buf *spans) {
    size_t e = t->name_end;
    spans->len = 0;
    t->has_slash = t->has_attributes = 0;
    while (e < n) {
        t->has_slash = 0;
        while (e < n && KIND_OF(s[e]) & BYTE_ENDS_NAME && s[e] != '>') { t->has_slash = s[e] == '/'; e++; }
        if (e >= n || s[e] == '>') break;
        const size_t a = e++; /* a name may begin with '=' */
        while (e < n && !(KIND_OF(s[e]) & BYTE_ENDS_ATTRIBUTE)) e++;
        const size_t len = e - a;
        char small[24];
        if (len > 8 && len < sizeof small)
            for (size_t q = 0; q < len; q++) small[q] = lower(s[a + q]);
        size_t w = e;
        while (w < n && KIND_OF(s[w]) & BYTE_SPACE) w++;
        if (w < n && s[w] == '=') {
            for (w++; w < n && KIND_OF(s[w]) & BYTE_SPACE; w++) {}
            if (w < n && (s[w] == '"' || s[w] == '\'')) {
                const char *q = memchr(s + w + 1, s[w], n - w - 1);
                e = q ? (size_t)(q - s) + 1 : n;
            } else {
                while (w < n && s[w] != '>' && !(KIND_OF(s[w]) & BYTE_SPACE)) w++;
                e = w;
            }
        }
        if (len >= sizeof small || attr_code_by(key_in(s + a, s + n, len), small, len) < 0) {
            size_t span[2] = {a, e};
            if (buf_put(spans, span, sizeof span)) return -1;
        } else t->has_attributes = 1;
    }
    if (e >= n) return 1;
    t->end = e + 1;
    return 0;
}

/* After a comment, a doctype or what is read as a comment, which begins at i with "<!", "<?" or "</". */
static size_t after_comment(const char *s, size_t i, size_t n) {
    if (n - i >= 4 && !memcmp(s + i, "<!--", 4)) {
        size_t j = i + 2;
        for (;;) {
            const char *q = j < n ? memchr(s + j, '>', n - j) : NULL;
            if (!q) return n;
            j = (size_t)(q - s);
            if (s[j - 1] == '-' && s[j - 2] == '-') return j + 1;
            if (s[j - 1] == '!' && s[j - 2] == '-' && s[j - 3] == '-') return j + 1;
            j++;
        }
    }
    const char *q = memchr(s + i + 2, '>', n - i - 2);
    return q ? (size_t)(q - s) + 1 : n;
}

/* True where tags may be read by other rules than those of HTML's body. */
static int is_suspect(const Guard *g) { return g->is_sticky || g->open[TAG_svg] || g->open[TAG_math] || g->open[TAG_select]; }

/* In these HTML begins again within SVG or MathML, so that its closing tag may be passed over. */
static int is_integration(const Tag *t) {
    static const char *const NAMES[] = {"foreignobject", "desc", "annotation-xml", "mi", "mo", "mn", "ms", "mtext", "template"};
    for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++)
        if (strlen(NAMES[k]) == t->name_len && !memcmp(NAMES[k], t->name, t->name_len)) return 1;
    return 0;
}

/* Count a tag; 1 if it is dropped. */
static int is_dropped(Guard *g, const Tag *t) {
    int is_mark = (t->bits & IS_FORMATTING) != 0;
    if (g->is_bare && is_mark) return 1;
    int is_counted = !(t->bits & (IS_VOID | IS_UNCOUNTED));
    if (t->is_closing) {
        if (t->at >= 0 && g->dropped[t->at] > 0) { g->dropped[t->at]--; return 1; }
        if (t->at >= 0 && g->open[t->at] > 0) {
            g->open[t->at]--;
            g->depth--;
            if (is_mark) {
                if (g->bare_marks[t->code] > 0) g->marks -= g->bare_marks[t->code]-- <= ALIKE_MARKS;
                else g->marks--;
            }
        }
    } else {
        /* <path/> is closed in SVG but not in HTML, and only the parser knows where it stands: the first few
         * thousand are taken for closed, which bounds the error */
        if (t->has_slash && (t->code <= TAG_UNKNOWN || (t->bits & IS_SVG)) && g->free_self_closed-- > 0) is_counted = 0;
        else if (is_implied(t->code, t->bits, is_suspect(g))) is_counted = g->free_implied-- <= 0;
        if (is_counted) {
            if (g->depth >= g->limit) {
                if (t->at >= 0) g->dropped[t->at]++;
                g->cuts |= CUT_DEEP;
                return 1;
            }
            if (t->at >= 0) g->open[t->at]++;
            g->depth++;
            if (is_mark) g->marks += t->has_attributes || ++g->bare_marks[t->code] <= ALIKE_MARKS;
        }
        if (is_suspect(g) && is_integration(t)) g->is_sticky = 1;
        g->rows++;
    }
    /* An end of what holds a text may take its marks along, which are then opened again for the next text. */
    if (!is_mark) g->reopened += g->marks;
    if (t->code == TAG_p) { /* </p> without a <p> is an empty one */
        g->rows += t->is_closing && !g->n_open_p;
        g->n_open_p = !t->is_closing;
    } else if (t->code == TAG_br) g->rows += t->is_closing;
    return 0;
}

/* Where the closing tag of a raw text stands that begins at t->end; n when nowhere. */
static size_t closing_tag(Guard *g, const Tag *t) {
    if (g->is_never_closed[t->code]) return g->n;
    char close[32] = "</";
    memcpy(close + 2, t->name, t->name_len);
    size_t at = find_nocase(g->s, t->end, g->n, close, t->name_len + 2);
    g->is_never_closed[t->code] = at == g->n;
    return at;
}

/* True for an element whose text is code, and no data: JSON-LD is kept; its type may be written with escapes
 * ("application/ld&#43;json"). */
static int is_code(const char *s, const Tag *t) {
    size_t k = t->name_end, e = t->end;
    return (t->bits & IS_CODE) && !(find_nocase(s, k, e, "json", 4) < e && find_nocase(s, k, e, "ld", 2) < e);
}

/* Text without tags that begins at t->end: where to go on (its closing tag comes next), or SIZE_MAX: no memory. */
static size_t after_raw_text(Guard *g, const Tag *t) {
    size_t e = t->end, i;
    if (is_suspect(g)) { /* raw text or tags? Without '<' both are the same. */
        i = closing_tag(g, t);
        return (is_code(g->s, t) ? cut_out(g, e, i) : cut_signs(g, e, i)) ? SIZE_MAX : i;
    }
    i = t->code == TAG_script ? script_end(g->s, e, g->n) : closing_tag(g, t);
    return i > e && i < g->n && is_code(g->s, t) && cut_out(g, e, i) ? SIZE_MAX : i;
}

/* True when s[i:j] holds more than white space. */
static int has_text(const char *s, size_t i, size_t j) {
    while (i < j && KIND_OF(s[i]) & BYTE_SPACE) i++;
    return i < j;
}

/* The whole page into g->out; -1: no memory. */
static int guard_page(Guard *g, const char *tag_bits, Buf *spans) {
    const char *s = g->s;
    size_t n = g->n, i = 0, text_from = 0, noscript_end = 0;
    while (i < n) {
        const char *p = memchr(s + i, '<', n - i);
        if (!p) break;
        i = (size_t)(p - s);
        if (i + 1 >= n) break;
        unsigned char c = (unsigned char)s[i + 1];
        if (c == '!' || c == '?') {
            if (n - i >= 9 && !memcmp(s + i, "<![CDATA[", 9) && is_suspect(g)) {
                if (cut_out(g, i, i + 9)) return -1;
                i += 9;
            } else {
                g->rows += has_text(s, text_from, i);
                i = text_from = after_comment(s, i, n);
            }
            continue;
        }
        Tag t;
        t.start = i;
        t.is_closing = c == '/';
        t.name_start = t.name_end = i + 1 + (size_t)t.is_closing;
        if (t.name_start >= n) break;
        if (!is_alpha((unsigned char)s[t.name_start])) {
            i = t.is_closing ? after_comment(s, i, n) : i + 1; /* "</>" is nothing, "</x" without a letter a bogus comment */
            continue;
        }
        while (t.name_end < n && !(KIND_OF(s[t.name_end]) & BYTE_ENDS_NAME)) t.name_end++;
        const size_t m = t.name_end - t.name_start;
        t.name_len = m < sizeof t.name ? m : sizeof t.name;
        for (size_t q = 0; q < t.name_len; q++) t.name[q] = lower(s[t.name_start + q]);
        t.code = m < sizeof t.name ? tag_code_by(key_in(s + t.name_start, s + n, m), t.name, m) : TAG_UNKNOWN;
        t.bits = t.code > TAG_UNKNOWN ? (unsigned char)tag_bits[t.code] : 0;
        if ((t.at = place_of(g, &t)) == -2) return -1;
        int is_unfinished = read_attributes(s, n, &t, spans);
        if (is_unfinished < 0) return -1;
        if (is_unfinished) break; /* an unfinished tag at the end opens nothing */
        size_t e = t.end;
        g->rows += has_text(s, text_from, i);
        text_from = e;
        int is_raw = (t.bits & (IS_RAW_TEXT | IS_TEXT_ONLY)) && !t.is_closing;
        if (is_raw && g->is_xml && t.has_slash) { /* in XML it is closed */
            g->rows++;
            if (cut_out(g, e, e) || buf_put(&g->out, "</", 2) || buf_put(&g->out, t.name, t.name_len) ||
                buf_put(&g->out, ">", 1))
                return -1;
            i = e;
            continue;
        }
        int drop = is_dropped(g, &t);
        if (g->rows > g->max_rows) { /* the page ends here */
            g->cuts |= CUT_ROWS;
            g->n = i;
            break;
        }
        if (g->reopened > 2 * g->max_rows) return 0; /* once more, without marks */
        if (is_raw && !drop && g->open[TAG_noscript] > 0) {
            /* text that is left open in <noscript> would take the rest of the page with it */
            if (noscript_end < e) noscript_end = find_nocase(s, e, n, "</noscript", 10);
            char close[32] = "</";
            memcpy(close + 2, t.name, t.name_len);
            if (noscript_end < n && find_nocase(s, e, noscript_end, close, t.name_len + 2) == noscript_end) {
                if (cut_out(g, i, noscript_end)) return -1;
                i = noscript_end;
                continue;
            }
        }
        i = e;
        /* a raw text without an end that may be none: what follows is tags */
        drop = drop || (is_raw && is_suspect(g) && !is_code(s, &t) && closing_tag(g, &t) == g->n);
        if (drop) {
            if (cut_out(g, t.start, e)) return -1;
            continue;
        }
        for (size_t *span = (size_t *)spans->data, *last = span + spans->len / sizeof *span; span < last; span += 2)
            if (cut_out(g, span[0], span[1])) return -1;
        if (is_raw && (i = after_raw_text(g, &t)) == SIZE_MAX) return -1;
    }
    return cut_out(g, g->n, g->n);
}

/* guard(html, nesting, rows, tag_bits) -> (page, cuts): see `sitegrain.native.guard`. tag_bits is a byte for each tag. */
PyObject *native_guard(PyObject *self, PyObject *args) {
    const char *s, *tag_bits;
    Py_ssize_t size, limit, rows, n_bits;
    if (!PyArg_ParseTuple(args, "y#nny#", &s, &size, &limit, &rows, &tag_bits, &n_bits)) return NULL;
    if (n_bits != N_TAGS) return misfit("one byte for each tag");
    names_init();
    size_t start = 0;
    while (start < (size_t)size && is_space((unsigned char)s[start])) start++;
    Buf spans, out;
    memset(&spans, 0, sizeof spans);
    memset(&out, 0, sizeof out);
    static Guard g; /* large, and only one at a time: the lock of the interpreter is held */
    PyObject *page = NULL;
    int failed = buf_need(&out, (size_t)size + 1);
    for (int is_bare = 0; !failed && is_bare < 2; is_bare++) {
        memset(&g, 0, sizeof g);
        g.s = s;
        g.n = (size_t)size;
        g.out = out;
        g.out.len = 0;
        g.limit = limit;
        g.max_rows = rows;
        g.free_self_closed = FREE_SELF_CLOSED;
        g.free_implied = FREE_IMPLIED;
        g.is_bare = is_bare;
        g.is_xml = (size_t)size - start >= 5 && !memcmp(s + start, "<?xml", 5);
        g.cuts = is_bare ? CUT_MARKS : 0;
        failed = guard_page(&g, tag_bits, &spans);
        out = g.out;
        if (g.reopened <= 2 * g.max_rows) break;
    }
    if (!failed) page = PyBytes_FromStringAndSize(out.data, (Py_ssize_t)out.len);
    else PyErr_NoMemory();
    PyMem_RawFree(out.data);
    PyMem_RawFree(spans.data);
    return page ? Py_BuildValue("Ni", page, g.cuts) : NULL;
}
