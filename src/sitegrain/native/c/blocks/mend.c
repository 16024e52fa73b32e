/* What is there to mend after the decision; see reference/blocks/mend.py and extractor/mending. */
#include "native.h"
#include <string.h>

typedef struct {
    double little, lead_words, heading_score, heading_links, most, mean_words, post_score, post_words, post_links, line_words, article_words, of_page, spread,
        most_whole;
    int min_blocks, min_posts;
    PyObject *turns;
    double sure, sure_words, of_text, doubt, label_words, row_words, value_score;
    int row_blocks, min_rows;
    double sentence_words, consent_doubt;
    PyObject *cookie;
} Rules;

typedef struct {
    Rows rows;
    Attrs attrs;
    Blocks at;
    Column x, words, alike, score, kept;
    PyObject *text, *strings, *urls;
    Rules is;
    Py_ssize_t n;
    double *size, *mine;   /* running sums over the blocks before each: words and one each, and those of the kept ones */
    double *chars, *shown; /* the same of characters */
    double *total, *own;   /* the first two of the blocks that are alike */
    double *of_page;       /* the second of each page */
    int32_t *count, *n_kept;
    int32_t *head, *next; /* the first block of those that are alike, plus one, and for each the next of them */
    int32_t *looked_at;   /* by row: the last of those that are alike in it, plus one */
} Work;

#define KEPT(k) (((const uint8_t *)w->kept.buffer.buf)[k])
#define WORDS(k) (((const double *)w->words.buffer.buf)[k])
#define SCORE(k) (((const double *)w->score.buffer.buf)[k])
#define X(k, column) (((const float *)w->x.buffer.buf)[(k) * N_EVIDENCE + (column)])

/* The first block, from `lo` on, that begins at a row or after it. */
static Py_ssize_t block_from(const Work *w, Py_ssize_t lo, int32_t row) {
    Py_ssize_t hi = w->n;
    while (lo < hi) {
        Py_ssize_t mid = lo + (hi - lo) / 2;
        if (w->at.first[mid] < row) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

static int is_heading(const Work *w, Py_ssize_t k) { return X(k, E_in_group + GROUP_heading) > 0; }

static int ends_with_colon(const Work *w, Py_ssize_t k) {
    for (Py_ssize_t i = w->at.text_end[k] - 1; i >= w->at.text_start[k]; i--) {
        Py_UCS4 c = PyUnicode_READ_CHAR(w->text, i);
        if (!Py_UNICODE_ISSPACE(c)) return c == ':' || c == 0xFF1A;
    }
    return 0;
}

static int of_list(const Work *w, int32_t row, Py_ssize_t first, Py_ssize_t last) {
    int found = 0;
    int32_t parent = w->rows.parent[row], n_kept = w->n_kept[last] - w->n_kept[first];
    double mine = w->mine[last] - w->mine[first];
    int in_part = n_kept < last - first;
    if (parent >= 0 && w->rows.tag[parent] == TAG_li && in_part) {
        Py_ssize_t own = block_from(w, 0, parent);
        if (own < first && KEPT(own)) found |= 1 << MEND_SUBLISTS;
    }
    if (mine > 0 && last - first >= w->is.min_blocks && mine <= w->is.little * (w->size[last] - w->size[first])) found |= 1 << MEND_REMNANTS;
    Py_ssize_t lead = first - 1;
    if (lead >= 0 && in_part && KEPT(lead) && parent <= w->at.first[lead] && WORDS(lead) >= w->is.lead_words && !is_heading(w, lead) &&
        ends_with_colon(w, lead))
        found |= 1 << MEND_ANNOUNCED;
    return found;
}

static int of_heading(const Work *w, int32_t row, Py_ssize_t k) {
    if (k < 1 || k + 1 >= w->n || KEPT(k) || !KEPT(k - 1) || !KEPT(k + 1) || is_heading(w, k + 1)) return 0;
    if (SCORE(k) < w->is.heading_score || !(X(k, E_link_density) < (float)w->is.heading_links)) return 0;
    int32_t parent = w->rows.parent[row];
    return parent >= 0 && parent <= w->at.first[k - 1] && w->at.first[k + 1] < w->rows.end[parent] ? 1 << MEND_HEADINGS : 0;
}

/* Whether a top heading under another may begin an article of its own: kept text of the length of one stands before and after it. */
static int of_top_heading(const Work *w, Py_ssize_t k) {
    return !KEPT(k) && w->mine[k] >= w->is.article_words && w->mine[w->n] - w->mine[k] >= w->is.article_words ? 1 << MEND_ARTICLES : 0;
}

static int of_whole(const Work *w, Py_ssize_t first, Py_ssize_t last) {
    int32_t n_kept = w->n_kept[last] - w->n_kept[first];
    if (!n_kept || n_kept == last - first) return 0;
    return w->shown[last] - w->shown[first] >= w->is.most_whole * (w->chars[last] - w->chars[first]) ? 1 << MEND_WHOLES : 0;
}

static int of_rows(const Work *w) {
    int found = 0;
    int32_t h1_page = -1;
    Py_ssize_t first = 0; /* the first block from row i on */
    for (int32_t i = 0; i < w->rows.n; i++) {
        int16_t tag = w->rows.tag[i];
        while (first < w->n && w->at.first[first] < i) first++;
        switch (tag) {
        case TAG_dt: found |= 1 << MEND_TERMS; break;
        case TAG_audio: case TAG_video: case TAG_canvas: found |= 1 << MEND_FALLBACKS; break;
        case TAG_h1: case TAG_pre: case TAG_table: case TAG_select: case TAG_datalist: case TAG_option: case TAG_ul: case TAG_ol: case TAG_dl:
        case TAG_h2: case TAG_h3: case TAG_h4: case TAG_h5: case TAG_h6: {
            if (first == w->n || w->at.first[first] >= w->rows.end[i]) break;
            Py_ssize_t last = block_from(w, first, w->rows.end[i]);
            if (tag == TAG_h1) {
                if (w->rows.page[i] == h1_page) found |= of_top_heading(w, first);
                h1_page = w->rows.page[i];
            } else if (tag == TAG_pre || tag == TAG_table) found |= of_whole(w, first, last);
            else if (tag == TAG_select || tag == TAG_datalist || tag == TAG_option) {
                if (w->n_kept[last] > w->n_kept[first]) found |= 1 << MEND_OPTIONS;
            } else if (tag == TAG_ul || tag == TAG_ol || tag == TAG_dl) found |= of_list(w, i, first, last);
            else if (last - first == 1) found |= of_heading(w, i, first);
        }
        }
    }
    return found;
}

/* Whether a short kept line holds an address. */
static int of_lines(const Work *w) {
    for (Py_ssize_t k = 0; k < w->n; k++) {
        if (!KEPT(k) || WORDS(k) > w->is.line_words) continue;
        Py_ssize_t start = w->at.text_start[k], end = w->at.text_end[k];
        for (Py_ssize_t i = start; (i = PyUnicode_FindChar(w->text, '/', i, end, 1)) >= 0; i++)
            if (i > start && i + 1 < end && PyUnicode_READ_CHAR(w->text, i - 1) == ':' && PyUnicode_READ_CHAR(w->text, i + 1) == '/')
                return 1 << MEND_ADDRESSES;
    }
    return 0;
}

static int begins_with(PyObject *text, Py_ssize_t i, Py_ssize_t end, PyObject *word) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(word), k = 0;
    if (n > end - i) return 0;
    while (k < n && PyUnicode_READ_CHAR(text, i + k) == PyUnicode_READ_CHAR(word, k)) k++;
    return k == n;
}

/* Whether one of the words for cookies stands in a part of the text; `begins` has a bit for what they begin with. */
static ALWAYS_INLINE int has_cookie(const Work *w, int kind, const void *data, Py_ssize_t i, Py_ssize_t end, uint32_t begins) {
    for (; i < end; i++) {
        if (!(begins >> (PyUnicode_READ(kind, data, i) & 31) & 1)) continue;
        for (Py_ssize_t m = 0; m < PyTuple_GET_SIZE(w->is.cookie); m++)
            if (begins_with(w->text, i, end, PyTuple_GET_ITEM(w->is.cookie, m))) return 1;
    }
    return 0;
}

/* Whether a kept sentence that is doubtful speaks of cookies. */
static int of_consents(const Work *w) {
    uint32_t begins = 0;
    const void *data = PyUnicode_DATA(w->text);
    for (Py_ssize_t m = 0; m < PyTuple_GET_SIZE(w->is.cookie); m++) begins |= 1u << (PyUnicode_READ_CHAR(PyTuple_GET_ITEM(w->is.cookie, m), 0) & 31);
    for (Py_ssize_t k = 0; k < w->n; k++) {
        if (!KEPT(k) || WORDS(k) < w->is.sentence_words || !(SCORE(k) < w->is.consent_doubt)) continue;
        BY_KIND(PyUnicode_KIND(w->text), if (has_cookie(w, KIND, data, w->at.text_start[k], w->at.text_end[k], begins)) return 1 << MEND_CONSENTS;)
    }
    return 0;
}

/* Whether a page keeps text that is doubtful in the mean after most of what is sure: an element around that ends no earlier. */
static int of_below(const Work *w) {
    for (Py_ssize_t first = 0, last; first < w->n; first = last) {
        double sure = 0, seen = 0;
        for (last = first; last < w->n && w->at.page[last] == w->at.page[first]; last++) sure += KEPT(last) && SCORE(last) >= w->is.sure ? WORDS(last) : 0;
        if (sure < w->is.sure_words) continue;
        double size = 0, scored = 0; /* of what is kept from a block on to the end of the page */
        for (Py_ssize_t k = last - 1; k >= first && seen <= (1 - w->is.of_text) * sure * (1 + 1e-9); k--) {
            if (!KEPT(k)) continue;
            size += WORDS(k) + 1;
            scored += (WORDS(k) + 1) * SCORE(k);
            if (scored < w->is.doubt * size * (1 + 1e-9)) return 1 << MEND_BELOW; /* the step itself is exact */
            seen += SCORE(k) >= w->is.sure ? WORDS(k) : 0;
        }
    }
    return 0;
}

static int is_label(const Work *w, Py_ssize_t k) { return WORDS(k) > 0 && WORDS(k) <= w->is.label_words && ends_with_colon(w, k); }

/* Counts the elements that begin with a block and hold the next one, few more and no label at the end, by what they stand in; whether there are any. */
static int add_rows(const Work *w, Py_ssize_t k, int32_t *n_roots, int *is_alike) {
    int32_t before = k ? w->at.first[k - 1] : -1, next = w->at.first[k + 1], parent;
    int32_t limit = k + w->is.row_blocks < w->n ? w->at.first[k + w->is.row_blocks] : (int32_t)w->rows.n;
    int n = 0;
    for (int32_t row = w->rows.parent[w->at.first[k]]; row > before && w->rows.end[row] <= limit; row = parent) {
        parent = w->rows.parent[row];
        if (w->rows.end[row] <= next) continue;
        Py_ssize_t last = k + 1;
        while (last + 1 < w->n && w->at.first[last + 1] < w->rows.end[row]) last++;
        if (is_label(w, last)) continue;
        n++;
        *is_alike |= ++*(parent < 0 ? n_roots : w->looked_at + parent) >= w->is.min_rows; /* roots of pages are alike, too */
    }
    return n > 0;
}

/* Whether there are labels enough before short lines, one of them likely enough, and something of a row that is left out. */
static int of_values(const Work *w) {
    int is_alike = 0, is_likely = 0, is_left = 0;
    int32_t n_roots = 0;
    memset(w->looked_at, 0, (size_t)w->rows.n * sizeof *w->looked_at); /* now by row: how many rows stand right in it */
    for (Py_ssize_t k = 0; k + 1 < w->n; k++) {
        if (!(is_label(w, k) && WORDS(k) + WORDS(k + 1) <= w->is.row_words && add_rows(w, k, &n_roots, &is_alike))) continue;
        Py_ssize_t end = k + w->is.row_blocks < w->n ? k + w->is.row_blocks : w->n;
        is_likely |= SCORE(k) >= w->is.value_score;
        is_left |= w->n_kept[end] - w->n_kept[k] < end - k;
        if (is_alike && is_likely && is_left) return 1 << MEND_VALUES;
    }
    return 0;
}

static int of_alike(Work *w) {
    const int32_t *id = (const int32_t *)w->alike.buffer.buf + w->n; /* the second row: by the last three elements */
    for (Py_ssize_t k = 0; k < w->n; k++) {
        if (id[k] < 0 || id[k] >= w->n) return bad("columns of blocks do not fit");
        w->count[id[k]]++;
        w->total[id[k]] += WORDS(k) + 1;
        w->own[id[k]] += KEPT(k) ? WORDS(k) + 1 : 0;
        w->of_page[w->at.page[k]] += KEPT(k) ? WORDS(k) + 1 : 0;
    }
    int is_any = 0;
    for (Py_ssize_t g = 0; g < w->n; g++) {
        double total = w->total[g];
        int32_t count = w->count[g];
        if (!count || count < w->is.min_posts || w->own[g] < w->is.most * total || total < (w->is.mean_words + 1) * count) w->count[g] = 0; /* no posts */
        is_any |= w->count[g];
    }
    if (!is_any) return 0;
    for (Py_ssize_t k = w->n - 1; k >= 0; k--) {
        w->next[k] = w->head[id[k]];
        w->head[id[k]] = (int32_t)k + 1;
    }
    for (Py_ssize_t g = 0; g < w->n; g++) {
        int32_t n_parents = 0;
        int is_left = 0;
        if (!w->count[g] || w->own[g] < w->is.of_page * w->of_page[w->at.page[w->head[g] - 1]]) continue;
        for (int32_t k = w->head[g] - 1; k >= 0; k = w->next[k] - 1) {
            int32_t parent = w->rows.parent[w->at.box[k]], *seen = &w->looked_at[parent < 0 ? 0 : parent];
            n_parents += *seen != g + 1;
            *seen = (int32_t)g + 1;
            is_left |= !KEPT(k) && SCORE(k) >= w->is.post_score && WORDS(k) >= w->is.post_words && X(k, E_link_density) < (float)w->is.post_links;
        }
        if (is_left && n_parents >= w->is.min_posts && n_parents >= w->is.spread * w->count[g]) return 1 << MEND_POSTS;
    }
    return 0;
}

/* ---------------------------------------------------------------- links */

static int is_in_heading(const Work *w, Py_ssize_t block) {
    int tag = w->rows.tag[w->at.box[block]];
    return tag == TAG_h1 || tag == TAG_h2 || tag == TAG_h3 || tag == TAG_h4 || tag == TAG_h5 || tag == TAG_h6;
}

/* Whether one of the words of a `rel` turns pages; 1 for what is no ASCII, -1: an exception. */
static int turns_pages(const Work *w, PyObject *rel) {
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
static PyObject *said_by(const Work *w, Py_ssize_t a) {
    int32_t row = w->attrs.node[a], value = w->attrs.value[a];
    int fits = row >= 0 && row < w->rows.n && value >= 0 && value < PyTuple_GET_SIZE(w->strings);
    PyObject *said = fits ? PyTuple_GET_ITEM(w->strings, value) : NULL;
    if (!said || !PyUnicode_Check(said)) {
        bad(fits ? "attributes are text" : "attributes do not fit the rows");
        return NULL;
    }
    return said;
}

/* Whether a link of a kept block leads down to a place of its own page whose text is left out; told of the first `MAX_MARKS` such links. -1: an
 * exception. */
static int leads_down(const Work *w) {
    PyObject *said[MAX_MARKS];
    Py_ssize_t from[MAX_MARKS], mark[MAX_MARKS], k = 0;
    int32_t page[MAX_MARKS];
    int n = 0;
    for (Py_ssize_t a = 0; a < w->attrs.n; a++) {
        if (w->attrs.name[a] != ATTR_href) continue;
        int32_t row = w->attrs.node[a];
        PyObject *href = said_by(w, a);
        if (!href) return -1;
        Py_ssize_t size = PyUnicode_GET_LENGTH(href), sign = PyUnicode_FindChar(href, '#', 0, size, 1);
        if (sign < 0 || sign + 1 == size) continue;
        while (k < w->n && w->at.last[k] < row) k++;
        if (k == w->n || !KEPT(k) || (sign && !names_page(href, sign, PyTuple_GET_ITEM(w->urls, w->rows.page[row])))) continue;
        if (n == MAX_MARKS) return 1;
        said[n] = href, from[n] = sign + 1, mark[n] = k, page[n++] = w->rows.page[row];
    }
    k = 0;
    for (Py_ssize_t a = 0; n && a < w->attrs.n; a++) {
        if (w->attrs.name[a] != ATTR_id && w->attrs.name[a] != ATTR_name) continue;
        int32_t row = w->attrs.node[a];
        PyObject *name = said_by(w, a);
        if (!name) return -1;
        while (k < w->n && w->at.last[k] < row) k++;
        for (int m = 0; k < w->n && !KEPT(k) && m < n; m++)
            if (mark[m] < k && page[m] == w->rows.page[row] && is_called(name, said[m], from[m])) return 1;
    }
    return 0;
}

/* Headings and links of kept blocks with a fragment enough for a list of contents, links with text that turn pages, and links into their own page
 * both in kept text and in text that is left out; -1: an exception. */
static int of_links(const Work *w) {
    int n_headings = 0, n_links = 0, found = 0;
    int is_kept = 0, is_left = 0, own_kept = 0, own_left = 0; /* of links to a place of a page; of those to its own page, its top too */
    int32_t looked_at[64]; /* values of `rel` that turn nothing: most links of a page have the same few */
    Py_ssize_t k = 0;      /* the first block from the row of an attribute on */
    Py_ssize_t mark = 0;   /* the first block that ends there or after it */
    memset(looked_at, 0xFF, sizeof looked_at);
    for (Py_ssize_t i = 0; i < w->n; i++) n_headings += is_in_heading(w, i);
    for (Py_ssize_t a = 0; a < w->attrs.n; a++) {
        int is_rel = w->attrs.name[a] == ATTR_rel && !(found & 1 << MEND_TURNS);
        int may_be_note = !(is_kept && is_left && own_kept && own_left), may_be_listed = n_headings >= MIN_CONTENTS && n_links < MIN_CONTENTS;
        if (!is_rel && (w->attrs.name[a] != ATTR_href || !(may_be_note || may_be_listed))) continue;
        int32_t row = w->attrs.node[a], value = w->attrs.value[a];
        if (row < 0 || row >= w->rows.n || value < 0 || value >= PyTuple_GET_SIZE(w->strings)) return bad("attributes do not fit the rows");
        PyObject *said = PyTuple_GET_ITEM(w->strings, value);
        if (is_rel) {
            if (looked_at[value & 63] == value || w->rows.text_start[row] == w->rows.text_end[row]) continue; /* or around a picture, or in the head */
            while (mark < w->n && w->at.last[mark] < row) mark++;
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
            while (mark < w->n && w->at.last[mark] < row) mark++;
            int is_own = !sign || names_page(said, sign, PyTuple_GET_ITEM(w->urls, w->rows.page[row]));
            if (mark < w->n) {
                if (KEPT(mark)) is_kept |= is_place, own_kept |= is_own;
                else is_left |= is_place, own_left |= is_own;
            }
        }
        while (k < w->n && w->at.first[k] < row) k++;
        if (!may_be_listed || k >= w->n || !KEPT(k) || w->at.last[k] >= w->rows.end[row] || is_in_heading(w, k)) continue;
        n_links += is_place;
    }
    int is_note = is_kept && is_left && own_kept && own_left ? leads_down(w) : 0;
    if (is_note < 0) return -1;
    found |= is_note << MEND_FOOTNOTES;
    return found | (n_headings >= MIN_CONTENTS && n_links >= MIN_CONTENTS ? 1 << MEND_CONTENTS : 0);
}

/* Whether an element is called comments as the themes of blogs do, on pages that keep something near what is called a comment: "comments-area",
 * "commentlist", "comment-list", "comments-list", "wp-block-comments", or what is no ASCII; -1: an exception. */
static int of_names(const Work *w) {
    int is_near = 0;
    for (Py_ssize_t k = 0; k < w->n && !is_near; k++) is_near = KEPT(k) && X(k, E_near_class + CLASS_comment) > 0;
    for (Py_ssize_t a = 0; is_near && a < w->attrs.n; a++) {
        if (w->attrs.name[a] != ATTR_class && w->attrs.name[a] != ATTR_id && w->attrs.name[a] != ATTR_itemprop) continue;
        if (w->attrs.value[a] < 0 || w->attrs.value[a] >= PyTuple_GET_SIZE(w->strings)) return bad("attributes do not fit the rows");
        PyObject *said = PyTuple_GET_ITEM(w->strings, w->attrs.value[a]);
        if (!PyUnicode_Check(said)) return bad("attributes are text");
        if (has_any(said, (const char *const[]){"comments-area", "commentlist", "comment-list", "comments-list", "wp-block-comments", NULL})) return 1 << MEND_NAMED;
    }
    return 0;
}

/* to_mend(of, score, kept, rules, urls) -> bits of MENDS, which steps have something to look at: see JudgedPages, MendRules. */
PyObject *native_to_mend(PyObject *self, PyObject *args) {
    Work work, *w = &work;
    memset(w, 0, sizeof *w);
    PyObject *rows, *attrs, *blocks, *x, *words, *alike, *score, *kept, *unused, *result = NULL;
    int n_pages;
    double *memory = NULL;
    Rules *is = &w->is;
    if (!PyArg_ParseTuple(args, "(OOOOUO!iOOOOOO)OO(ddddddddddddddiiO!dddddddiiddO!)O!", &rows, &attrs, &blocks, &unused, &w->text, &PyTuple_Type, &w->strings, &n_pages, &x, &unused, &alike,
                          &words, &unused, &unused, &score, &kept, &is->little, &is->lead_words, &is->heading_score, &is->heading_links, &is->most, &is->mean_words,
                          &is->post_score, &is->post_words, &is->post_links, &is->line_words, &is->article_words, &is->of_page, &is->spread, &is->most_whole,
                          &is->min_blocks, &is->min_posts, &PyFrozenSet_Type, &is->turns, &is->sure, &is->sure_words, &is->of_text, &is->doubt, &is->label_words, &is->row_words, &is->value_score,
                          &is->row_blocks, &is->min_rows, &is->sentence_words, &is->consent_doubt, &PyTuple_Type, &is->cookie, &PyTuple_Type, &w->urls))
        return NULL;
    Py_ssize_t n_columns;
    if (rows_get(&w->rows, rows) || attrs_get(&w->attrs, attrs) || blocks_get(&w->at, blocks) || matrix_get(&w->x, x, 4, w->at.n, &n_columns) || column_get(&w->words, words, 8) ||
        column_get(&w->alike, alike, 4) || column_get(&w->score, score, 8) || column_get(&w->kept, kept, 1))
        goto done;
    size_t n = (size_t)(w->n = w->at.n);
    Py_ssize_t text_size = PyUnicode_GET_LENGTH(w->text);
    if (n_columns != N_EVIDENCE || w->words.n != w->n || w->alike.n != 2 * w->n || w->score.n != w->n || w->kept.n != w->n) {
        bad("columns of blocks do not fit");
        goto done;
    }
    if (rows_fit(&w->rows, text_size, N_TAGS, n_pages)) goto done;
    int are_text = PyTuple_GET_SIZE(w->urls) == n_pages;
    for (Py_ssize_t p = 0; are_text && p < n_pages; p++) are_text = PyUnicode_Check(PyTuple_GET_ITEM(w->urls, p));
    if (!are_text) {
        bad("each page has an address");
        goto done;
    }
    int are_words = 1;
    for (Py_ssize_t m = 0; are_words && m < PyTuple_GET_SIZE(is->cookie); m++)
        are_words = PyUnicode_Check(PyTuple_GET_ITEM(is->cookie, m)) && PyUnicode_GET_LENGTH(PyTuple_GET_ITEM(is->cookie, m)) > 0;
    if (!are_words) {
        bad("a word for cookies is none");
        goto done;
    }
    for (Py_ssize_t k = 0; k < w->n; k++)
        if (w->at.text_start[k] < 0 || w->at.text_end[k] > text_size || w->at.box[k] < 0 || w->at.box[k] >= w->rows.n || w->at.first[k] < 0 || w->at.first[k] >= w->rows.n || w->at.page[k] < 0 || w->at.page[k] >= n_pages) {
            bad("columns of blocks do not fit");
            goto done;
        }
    size_t n_doubles = 6 * n + 4 + (size_t)n_pages, n_rows = (size_t)w->rows.n;
    if (!(memory = PyMem_RawCalloc(n_doubles + 2 * n + 1 + n_rows / 2 + 1, sizeof *memory))) {
        PyErr_NoMemory();
        goto done;
    }
    w->size = memory;
    w->mine = w->size + n + 1;
    w->chars = w->mine + n + 1;
    w->shown = w->chars + n + 1;
    w->total = w->shown + n + 1;
    w->own = w->total + n;
    w->of_page = w->own + n;
    w->count = (int32_t *)(memory + n_doubles);
    w->head = w->count + n; /* four of half the size, and one more */
    w->next = w->head + n;
    w->n_kept = w->next + n;
    w->looked_at = w->n_kept + n + 1;
    int in_dialog = 0; /* or `<details>` */
    for (size_t k = 0; k < n; k++) {
        in_dialog |= KEPT(k) && X(k, E_in_group + GROUP_dialog) > 0;
        double n_chars = w->at.text_end[k] - w->at.text_start[k];
        w->size[k + 1] = w->size[k] + WORDS(k) + 1;
        w->mine[k + 1] = w->mine[k] + (KEPT(k) ? WORDS(k) + 1 : 0);
        w->chars[k + 1] = w->chars[k] + n_chars;
        w->shown[k + 1] = w->shown[k] + (KEPT(k) ? n_chars : 0);
        w->n_kept[k + 1] = w->n_kept[k] + (KEPT(k) != 0);
    }
    int found = of_alike(w), linked = found < 0 ? -1 : of_links(w), named = linked < 0 ? -1 : of_names(w);
    if (named >= 0) result = PyLong_FromLong(found | linked | named | of_consents(w) | of_rows(w) | of_lines(w) | in_dialog << MEND_DIALOGS | of_below(w) | of_values(w));
done:
    PyMem_RawFree(memory);
    TABLE_RELEASE(w->rows);
    TABLE_RELEASE(w->attrs);
    TABLE_RELEASE(w->at);
    Column *own[] = {&w->x, &w->words, &w->alike, &w->score, &w->kept};
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) columns_release(own[k], 1);
    return result;
}
