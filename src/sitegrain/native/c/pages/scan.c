/* Reading a serialized tree into columns. Every index is checked against the input's length, so hostile input can make it slow
 * (linear) but not wrong. */
#include "pagerows.h"

/* scan(html, tag_bits) -> (columns, text, values, json_ld): value v is values[value_end[v - 1]:value_end[v]].
 * `html` is the serialization of a parsed tree: every element closed, every value in double quotes. */
PyObject *native_scan(PyObject *self, PyObject *args) {
    const char *s, *tag_bits;
    Py_ssize_t size, n_bits;
    if (!PyArg_ParseTuple(args, "s#y#", &s, &size, &tag_bits, &n_bits)) return NULL;
    PageRows page;
    if (page_rows_begin(&page, tag_bits, n_bits)) return page_rows_done(&page, 1);
    size_t n = (size_t)size, i = 0;
    int muted = 0; /* inside this many <template> */
#define OK(x) do { if (x) return page_rows_done(&page, 1); } while (0)

    while (i < n) {
        if (s[i] != '<') { /* text up to the next tag */
            const char *p = memchr(s + i, '<', n - i);
            size_t j = p ? (size_t)(p - s) : n;
            if (!muted && page.open.len && !(tag_bits[row_tag(&page, top_row(&page))] & IS_NO_TEXT))
                OK(put_text(&page, s + i, j - i, 1));
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
            if (code >= 0 && (tag_bits[code] & IS_VOID)) continue; /* of <svg><link></link>: it was never opened */
            close_row(&page);
            continue;
        }
        /* an opening tag */
        size_t j = i + 1, k = j;
        while (k < n && s[k] != '>' && s[k] != '/' && !is_space((unsigned char)s[k])) k++;
        int code = tag_code(s + j, k - j);
        if (code < 0) code = TAG_UNKNOWN;
        int bits = tag_bits[code];
        if (!muted) OK(put_element(&page, code, s + j, k - j));
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
            if (name >= 0) OK(put_attribute(&page, code, name, s + v, v_end - v, 1));
        }
        if (i < n) i++; /* '>' */
        if (bits & IS_VOID) continue;
        if (code == TAG_template) {
            if (!muted++) OK(open_row(&page));
            continue;
        }
        if (!muted) OK(open_row(&page));
        if (bits & IS_RAW_TEXT) { /* raw text: up to its own closing tag */
            size_t e;
            if (code == TAG_script) e = script_end(s, i, n);
            else if (code == TAG_plaintext) e = last_nocase(s, i, n, "</plaintext", 11); /* its text may hold the like */
            else {
                char close[32] = "</";
                size_t m = k - j < 24 ? k - j : 24;
                memcpy(close + 2, s + j, m);
                e = find_nocase(s, i, n, close, m + 2);
            }
            if (!muted && e > i) {
                if (page.is_json_ld) OK(put_json_ld(&page, s + i, e - i));
                if (!(bits & IS_NO_TEXT)) OK(put_text(&page, s + i, e - i, 0));
            }
            i = e;
        }
    }
    return page_rows_done(&page, 0);
}
