/* The guard before the parser. One pass; every index is checked against the input's length, so hostile input can make it slow
 * (linear) but not wrong. */
#include "html.h"

enum { UNKNOWN_SLOTS = 2048 };

/* guard(html, limit, tag_bits) -> (page, flattened): the page without the code in <script> and <style> (but JSON-LD), without the
 * attributes that are not kept, and without the tags, with their closing tags, that are nested deeper than limit. tag_bits is a
 * byte for each tag. */
PyObject *native_guard(PyObject *self, PyObject *args) {
    const char *s, *tag_bits;
    Py_ssize_t size, limit, n_bits;
    if (!PyArg_ParseTuple(args, "y#ny#", &s, &size, &limit, &tag_bits, &n_bits)) return NULL;
    if (n_bits != N_TAGS) return misfit("one byte for each tag");
    names_init();
    size_t n = (size_t)size, i = 0, kept_from = 0, noscript_end = 0;
    Buf out, cuts;
    memset(&out, 0, sizeof out);
    memset(&cuts, 0, sizeof cuts);
    if (buf_need(&out, n + 1)) return PyErr_NoMemory();
    int dirty = 0;
    int64_t depth = 0;
    /* open and dropped tags by name: known tags by code, others by a keyed hash of the name, so that a page
     * cannot close one unknown tag by another's name */
    static int32_t open[N_TAGS + UNKNOWN_SLOTS], dropped[N_TAGS + UNKNOWN_SLOTS];
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
        int code = m < sizeof name ? tag_code(name, m) : 1;
        int bits = code > TAG_UNKNOWN ? tag_bits[code] : 0;
        int at = code; /* place in open[] and dropped[]; -1: too many names, never counted as closed */
        if (code <= TAG_UNKNOWN) {
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
            if (unknown[slot] == h) at = N_TAGS + (int)slot;
            else if (n_unknown < UNKNOWN_SLOTS / 2) { unknown[slot] = h; n_unknown++; at = N_TAGS + (int)slot; }
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
            if (len >= sizeof small || attr_code(small, len) < 0) {
                size_t span[2] = {a, e};
                if (buf_put(&cuts, span, sizeof span)) goto memory;
            }
        }
        if (e >= n) break; /* an unfinished tag at the end opens nothing */
        e++;
        int drop = 0;
        /* <path/> is closed in SVG but not in HTML, and only the parser knows where it stands: the first few
         * thousand are taken for closed, which bounds the error */
        int closed = !closing && slash && (code <= TAG_UNKNOWN || (bits & IS_SVG)) && free_self_closed-- > 0;
        if (!(bits & (IS_VOID | IS_UNCOUNTED)) && !closed) {
            if (closing) {
                if (at >= 0 && dropped[at] > 0) { dropped[at]--; drop = 1; }
                else if (at >= 0 && open[at] > 0) { open[at]--; depth--; }
            } else if (depth >= limit) { if (at >= 0) dropped[at]++; drop = 1; }
            else { if (at >= 0) open[at]++; depth++; }
        }
        if ((bits & (IS_RAW_TEXT | IS_TEXT_ONLY)) && !closing && !drop && open[TAG_noscript] > 0) {
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
        if ((bits & (IS_RAW_TEXT | IS_TEXT_ONLY)) && !closing && !drop) { /* text without tags; its closing tag comes next */
            if (code == TAG_script) i = script_end(s, e, n);
            else {
                char close[32] = "</";
                memcpy(close + 2, name, m);
                i = find_nocase(s, e, n, close, m + 2);
            }
            int is_code = (bits & IS_CODE) && i > e && i < n;
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
