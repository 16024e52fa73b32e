/* What is there to mend of links and names of elements; see reference/mending/mend.py. */
#include "mend.h"
#include <string.h>

static int is_in_heading(const Mend *w, Py_ssize_t block) {
    int tag = w->of->rows.tag[w->of->at.box[block]];
    return tag == TAG_h1 || tag == TAG_h2 || tag == TAG_h3 || tag == TAG_h4 || tag == TAG_h5 || tag == TAG_h6;
}

/* Whether one of the words of a `rel` turns pages; 1 for what is no ASCII, -1: an exception. */
static int turns_pages(const Mend *w, PyObject *rel) {
    if (!PyUnicode_Check(rel)) return bad("attributes are text");
    if (!PyUnicode_IS_ASCII(rel)) return 1;
    const char *at = PyUnicode_DATA(rel), *end = at + PyUnicode_GET_LENGTH(rel);
    int found = 0;
    while (at < end && !found) {
        char word[64];
        size_t n = 0;
        while (at < end && Py_UNICODE_ISSPACE((unsigned char)*at)) at++;
        for (; at < end && !Py_UNICODE_ISSPACE((unsigned char)*at); at++, n++)
            if (n < sizeof word) word[n] = (char)(*at >= 'A' && *at <= 'Z' ? *at | 32 : *at);
        if (!n || n > sizeof word) continue; /* longer than any of them */
        PyObject *said = PyUnicode_FromStringAndSize(word, (Py_ssize_t)n);
        found = said ? PySet_Contains(w->is.turns, said) : -1;
        Py_XDECREF(said);
    }
    return found;
}

/* Whether what stands before the sign is the last part of an address. */
static int names_page(PyObject *said, Py_ssize_t n, PyObject *url) {
    Py_ssize_t from = PyUnicode_GET_LENGTH(url) - n;
    if (from < 1 || PyUnicode_READ_CHAR(url, from - 1) != '/') return 0;
    for (Py_ssize_t i = 0; i < n; i++)
        if (PyUnicode_READ_CHAR(said, i) != PyUnicode_READ_CHAR(url, from + i)) return 0;
    return 1;
}

/* Whether the name of a place is what stands behind the sign. */
static int is_called(PyObject *name, PyObject *said, Py_ssize_t from) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(said) - from;
    if (PyUnicode_GET_LENGTH(name) != n) return 0;
    for (Py_ssize_t i = 0; i < n; i++)
        if (PyUnicode_READ_CHAR(name, i) != PyUnicode_READ_CHAR(said, from + i)) return 0;
    return 1;
}

/* What an attribute says; NULL with an exception. */
static PyObject *said_by(const Mend *w, Py_ssize_t a) {
    int32_t row = w->of->attrs.node[a], value = w->of->attrs.value[a];
    int fits = row >= 0 && row < w->of->rows.n && value >= 0 && value < PyTuple_GET_SIZE(w->of->strings);
    PyObject *said = fits ? PyTuple_GET_ITEM(w->of->strings, value) : NULL;
    if (!said || !PyUnicode_Check(said)) {
        bad(fits ? "attributes are text" : "attributes do not fit the rows");
        return NULL;
    }
    return said;
}

/* Whether a link of a kept block leads down to a place of its own page whose text is left out; told of the first `MAX_MARKS` such links. -1: an
 * exception. */
static int leads_down(const Mend *w) {
    PyObject *said[MAX_MARKS];
    Py_ssize_t from[MAX_MARKS], mark[MAX_MARKS], k = 0;
    int32_t page[MAX_MARKS];
    int n = 0;
    for (Py_ssize_t a = 0; a < w->of->attrs.n; a++) {
        if (w->of->attrs.name[a] != ATTR_href) continue;
        int32_t row = w->of->attrs.node[a];
        PyObject *href = said_by(w, a);
        if (!href) return -1;
        Py_ssize_t size = PyUnicode_GET_LENGTH(href), sign = PyUnicode_FindChar(href, '#', 0, size, 1);
        if (sign < 0 || sign + 1 == size) continue;
        while (k < w->n && w->of->at.last[k] < row) k++;
        if (k == w->n || !KEPT(k) || (sign && !names_page(href, sign, PyTuple_GET_ITEM(w->urls, w->of->rows.page[row])))) continue;
        if (n == MAX_MARKS) return 1;
        said[n] = href, from[n] = sign + 1, mark[n] = k, page[n++] = w->of->rows.page[row];
    }
    k = 0;
    for (Py_ssize_t a = 0; n && a < w->of->attrs.n; a++) {
        if (w->of->attrs.name[a] != ATTR_id && w->of->attrs.name[a] != ATTR_name) continue;
        int32_t row = w->of->attrs.node[a];
        PyObject *name = said_by(w, a);
        if (!name) return -1;
        while (k < w->n && w->of->at.last[k] < row) k++;
        for (int m = 0; k < w->n && !KEPT(k) && m < n; m++)
            if (mark[m] < k && page[m] == w->of->rows.page[row] && is_called(name, said[m], from[m])) return 1;
    }
    return 0;
}

/* Headings and links of kept blocks with a fragment enough for a list of contents, links with text that turn pages, and links into their own page
 * both in kept text and in text that is left out; -1: an exception. */
int mend_links(const Mend *w) {
    int n_headings = 0, n_links = 0, found = 0;
    int is_kept = 0, is_left = 0, own_kept = 0, own_left = 0; /* of links to a place of a page; of those to its own page, its top too */
    int32_t looked_at[64]; /* values of `rel` that turn nothing: most links of a page have the same few */
    Py_ssize_t k = 0;      /* the first block from the row of an attribute on */
    Py_ssize_t mark = 0;   /* the first block that ends there or after it */
    memset(looked_at, 0xFF, sizeof looked_at);
    for (Py_ssize_t i = 0; i < w->n; i++) n_headings += is_in_heading(w, i);
    for (Py_ssize_t a = 0; a < w->of->attrs.n; a++) {
        int is_rel = w->of->attrs.name[a] == ATTR_rel && !(found & 1 << MEND_TURNS);
        int may_be_note = !(is_kept && is_left && own_kept && own_left), may_be_listed = n_headings >= MIN_CONTENTS && n_links < MIN_CONTENTS;
        if (!is_rel && (w->of->attrs.name[a] != ATTR_href || !(may_be_note || may_be_listed))) continue;
        int32_t row = w->of->attrs.node[a], value = w->of->attrs.value[a];
        if (row < 0 || row >= w->of->rows.n || value < 0 || value >= PyTuple_GET_SIZE(w->of->strings)) return bad("attributes do not fit the rows");
        PyObject *said = PyTuple_GET_ITEM(w->of->strings, value);
        if (is_rel) {
            if (looked_at[value & 63] == value || w->of->rows.text_start[row] == w->of->rows.text_end[row]) continue; /* or around a picture, or in the head */
            while (mark < w->n && w->of->at.last[mark] < row) mark++;
            if (mark == w->n || !KEPT(mark)) continue;
            int is_turn = turns_pages(w, said);
            if (is_turn < 0) return -1;
            if (is_turn) found |= 1 << MEND_TURNS;
            looked_at[value & 63] = value;
            continue;
        }
        if (!PyUnicode_Check(said)) return bad("attributes are text");
        Py_ssize_t size = PyUnicode_GET_LENGTH(said);
        Py_ssize_t sign = PyUnicode_FindChar(said, '#', 0, size, 1);
        int is_place = sign >= 0 && size > 1 && PyUnicode_READ_CHAR(said, size - 1) != '#';
        if (may_be_note && sign >= 0) {
            while (mark < w->n && w->of->at.last[mark] < row) mark++;
            int is_own = !sign || names_page(said, sign, PyTuple_GET_ITEM(w->urls, w->of->rows.page[row]));
            if (mark < w->n) {
                if (KEPT(mark)) is_kept |= is_place, own_kept |= is_own;
                else is_left |= is_place, own_left |= is_own;
            }
        }
        while (k < w->n && w->of->at.first[k] < row) k++;
        if (!may_be_listed || k >= w->n || !KEPT(k) || w->of->at.last[k] >= w->of->rows.end[row] || is_in_heading(w, k)) continue;
        n_links += is_place;
    }
    int is_note = is_kept && is_left && own_kept && own_left ? leads_down(w) : 0;
    if (is_note < 0) return -1;
    found |= is_note << MEND_FOOTNOTES;
    return found | (n_headings >= MIN_CONTENTS && n_links >= MIN_CONTENTS ? 1 << MEND_CONTENTS : 0);
}

/* Whether an element is called comments as the themes of blogs do, and another is a numbered one, on pages that keep something near what is called a comment:
 * "comments-area", "commentlist", "comment-list", "comments-list", "wp-block-comments"; "comment-7"; or what is no ASCII. -1: an exception. */
int mend_names(const Mend *w) {
    static const char *const ALL[] = {"comments-area", "commentlist", "comment-list", "comments-list", "wp-block-comments", NULL};
    static const char *const ONE[] = {"comment-0", "comment-1", "comment-2", "comment-3", "comment-4", "comment-5", "comment-6", "comment-7", "comment-8", "comment-9", NULL};
    int is_near = 0, has_all = 0, has_one = 0;
    for (Py_ssize_t k = 0; k < w->n && !is_near; k++) is_near = KEPT(k) && X(k, E_near_class + CLASS_comment) > 0;
    for (Py_ssize_t a = 0; is_near && a < w->of->attrs.n; a++) {
        if (w->of->attrs.name[a] != ATTR_class && w->of->attrs.name[a] != ATTR_id && w->of->attrs.name[a] != ATTR_itemprop) continue;
        if (w->of->attrs.value[a] < 0 || w->of->attrs.value[a] >= PyTuple_GET_SIZE(w->of->strings)) return bad("attributes do not fit the rows");
        PyObject *said = PyTuple_GET_ITEM(w->of->strings, w->of->attrs.value[a]);
        if (!PyUnicode_Check(said)) return bad("attributes are text");
        has_all = has_all || has_any(said, ALL);
        has_one = has_one || has_any(said, ONE);
        if (has_all && has_one) return 1 << MEND_NAMED;
    }
    return 0;
}
