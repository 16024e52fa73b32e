/* What is there to mend after the decision; see reference/mending/mend.py and extractor/mending. */
#include "mend.h"
#include <string.h>

/* The first block, from `lo` on, that begins at a row or after it. */
static Py_ssize_t block_from(const Mend *w, Py_ssize_t lo, int32_t row) {
    Py_ssize_t hi = w->n;
    while (lo < hi) {
        Py_ssize_t mid = lo + (hi - lo) / 2;
        if (w->of->at.first[mid] < row) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

static int is_heading(const Mend *w, Py_ssize_t k) { return X(k, E_in_group + GROUP_heading) > 0; }

/* The last character of a block that is no space; 0 for none. */
static Py_UCS4 last_sign(const Mend *w, Py_ssize_t k) {
    for (Py_ssize_t i = w->of->at.text_end[k] - 1; i >= w->of->at.text_start[k]; i--) {
        Py_UCS4 c = PyUnicode_READ_CHAR(w->of->text, i);
        if (!Py_UNICODE_ISSPACE(c)) return c;
    }
    return 0;
}

static int ends_with_colon(const Mend *w, Py_ssize_t k) {
    Py_UCS4 c = last_sign(w, k);
    return c == ':' || c == 0xFF1A;
}

static int is_question(const Mend *w, Py_ssize_t k) {
    Py_UCS4 c = last_sign(w, k);
    return c == '?' || c == 0xFF1F || c == 0x61F;
}

/* Whether short lines are left out right above kept text, two or more, that are headings, in buttons or questions. */
static int of_heads(const Mend *w) {
    int n = 0;
    for (Py_ssize_t k = 0; k + 1 < w->n && n < 2; k++) {
        if (KEPT(k) || !KEPT(k + 1) || SCORE(k) < w->is.heading_score || WORDS(k) <= 0 || WORDS(k) > w->is.head_words || w->of->at.page[k] != w->of->at.page[k + 1]) continue;
        if (!(X(k, E_link_density) < (float)w->is.heading_links)) continue;
        n += is_heading(w, k) || X(k, E_in_group + GROUP_button) > 0 || is_question(w, k);
    }
    return n > 1 ? 1 << MEND_HEADS : 0;
}

static int of_list(const Mend *w, int32_t row, Py_ssize_t first, Py_ssize_t last) {
    int found = 0;
    int32_t parent = w->of->rows.parent[row], n_kept = w->n_kept[last] - w->n_kept[first];
    double mine = w->mine[last] - w->mine[first];
    int in_part = n_kept < last - first;
    if (parent >= 0 && w->of->rows.tag[parent] == TAG_li && in_part) {
        Py_ssize_t own = block_from(w, 0, parent);
        if (own < first && KEPT(own)) found |= 1 << MEND_SUBLISTS;
    }
    if (mine > 0 && last - first >= w->is.min_blocks && mine <= w->is.little * (w->size[last] - w->size[first])) found |= 1 << MEND_REMNANTS;
    Py_ssize_t lead = first - 1;
    if (lead >= 0 && in_part && KEPT(lead) && parent <= w->of->at.first[lead] && WORDS(lead) >= w->is.lead_words && !is_heading(w, lead) &&
        ends_with_colon(w, lead))
        found |= 1 << MEND_ANNOUNCED;
    return found;
}

static int of_heading(const Mend *w, int32_t row, Py_ssize_t k) {
    if (k < 1 || k + 1 >= w->n || KEPT(k) || !KEPT(k - 1) || !KEPT(k + 1) || is_heading(w, k + 1)) return 0;
    if (SCORE(k) < w->is.heading_score || !(X(k, E_link_density) < (float)w->is.heading_links)) return 0;
    int32_t parent = w->of->rows.parent[row];
    return parent >= 0 && parent <= w->of->at.first[k - 1] && w->of->at.first[k + 1] < w->of->rows.end[parent] ? 1 << MEND_HEADINGS : 0;
}

/* Whether a top heading under another may begin an article of its own: kept text of the length of one stands before and after it. */
static int of_top_heading(const Mend *w, Py_ssize_t k) {
    return !KEPT(k) && w->mine[k] >= w->is.article_words && w->mine[w->n] - w->mine[k] >= w->is.article_words ? 1 << MEND_ARTICLES : 0;
}

static int of_whole(const Mend *w, Py_ssize_t first, Py_ssize_t last) {
    int32_t n_kept = w->n_kept[last] - w->n_kept[first];
    if (!n_kept || n_kept == last - first) return 0;
    return w->shown[last] - w->shown[first] >= w->is.most_whole * (w->chars[last] - w->chars[first]) ? 1 << MEND_WHOLES : 0;
}

/* Whether a term is left out, of which the definition right below it, or below other terms, has a kept first line and words enough. */
static int of_terms(const Mend *w) {
    Py_ssize_t first = w->n; /* the first block from row i on */
    memset(w->looked_at, 0, (size_t)w->of->rows.n * sizeof *w->looked_at); /* now by row, the first ones of blocks: whether a definition begins, or a term of one */
    for (int32_t i = (int32_t)w->of->rows.n - 1; i >= 0; i--) { /* a term stands above what it goes with */
        int16_t tag = w->of->rows.tag[i];
        while (first > 0 && w->of->at.first[first - 1] >= i) first--;
        if ((tag != TAG_dt && tag != TAG_dd) || first == w->n || w->of->at.first[first] >= w->of->rows.end[i]) continue;
        Py_ssize_t last = block_from(w, first, w->of->rows.end[i]);
        if (tag == TAG_dd) {
            double words = w->size[last] - w->size[first] - (double)(last - first);
            if (KEPT(first) && words >= w->is.term_words) w->looked_at[w->of->at.first[first]] = 1;
        } else if (last < w->n && w->looked_at[w->of->at.first[last]] && w->of->at.page[first] == w->of->at.page[last]) {
            w->looked_at[w->of->at.first[first]] = 1;
            if (w->n_kept[last] - w->n_kept[first] < last - first) return 1 << MEND_TERMS;
        }
    }
    return 0;
}

static int of_rows(const Mend *w) {
    int found = 0;
    int32_t h1_page = -1;
    int has_terms = 0;
    Py_ssize_t first = 0; /* the first block from row i on */
    for (int32_t i = 0; i < w->of->rows.n; i++) {
        int16_t tag = w->of->rows.tag[i];
        switch (tag) {
        case TAG_dt: has_terms = 1; break;
        case TAG_audio: case TAG_video: case TAG_canvas: case TAG_math: case TAG_h1: case TAG_pre: case TAG_table: case TAG_select: case TAG_datalist: case TAG_option: case TAG_ul: case TAG_ol: case TAG_dl:
        case TAG_h2: case TAG_h3: case TAG_h4: case TAG_h5: case TAG_h6: {
            while (first < w->n && w->of->at.first[first] < i) first++;
            if (first == w->n || w->of->at.first[first] >= w->of->rows.end[i]) break;
            Py_ssize_t last = block_from(w, first, w->of->rows.end[i]);
            if (tag == TAG_h1) {
                if (w->of->rows.page[i] == h1_page) found |= of_top_heading(w, first);
                h1_page = w->of->rows.page[i];
            } else if (tag == TAG_pre || tag == TAG_table) found |= of_whole(w, first, last);
            else if (tag == TAG_select || tag == TAG_datalist || tag == TAG_option) {
                if (w->n_kept[last] > w->n_kept[first]) found |= 1 << MEND_OPTIONS;
            } else if (tag == TAG_audio || tag == TAG_video || tag == TAG_canvas) {
                if (w->n_kept[last] > w->n_kept[first]) found |= 1 << MEND_FALLBACKS;
            } else if (tag == TAG_math) {
                if (w->n_kept[last] - w->n_kept[first] < last - first) found |= 1 << MEND_FORMULAS;
            } else if (tag == TAG_ul || tag == TAG_ol || tag == TAG_dl) found |= of_list(w, i, first, last);
            else if (last - first == 1) found |= of_heading(w, i, first);
        }
        }
    }
    return found | (has_terms ? of_terms(w) : 0);
}

/* Whether a short kept line holds an address. */
static int of_lines(const Mend *w) {
    for (Py_ssize_t k = 0; k < w->n; k++) {
        if (!KEPT(k) || WORDS(k) > w->is.line_words) continue;
        Py_ssize_t start = w->of->at.text_start[k], end = w->of->at.text_end[k];
        for (Py_ssize_t i = start; (i = PyUnicode_FindChar(w->of->text, '/', i, end, 1)) >= 0; i++)
            if (i > start && i + 1 < end && PyUnicode_READ_CHAR(w->of->text, i - 1) == ':' && PyUnicode_READ_CHAR(w->of->text, i + 1) == '/')
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
static ALWAYS_INLINE int has_cookie(const Mend *w, int kind, const void *data, Py_ssize_t i, Py_ssize_t end, uint32_t begins) {
    for (; i < end; i++) {
        if (!(begins >> (PyUnicode_READ(kind, data, i) & 31) & 1)) continue;
        for (Py_ssize_t m = 0; m < PyTuple_GET_SIZE(w->is.cookie); m++)
            if (begins_with(w->of->text, i, end, PyTuple_GET_ITEM(w->is.cookie, m))) return 1;
    }
    return 0;
}

/* Whether a kept sentence that is doubtful speaks of cookies. */
static int of_consents(const Mend *w) {
    uint32_t begins = 0;
    const void *data = PyUnicode_DATA(w->of->text);
    for (Py_ssize_t m = 0; m < PyTuple_GET_SIZE(w->is.cookie); m++) begins |= 1u << (PyUnicode_READ_CHAR(PyTuple_GET_ITEM(w->is.cookie, m), 0) & 31);
    for (Py_ssize_t k = 0; k < w->n; k++) {
        if (!KEPT(k) || WORDS(k) < w->is.sentence_words || !(SCORE(k) < w->is.consent_doubt)) continue;
        BY_KIND(PyUnicode_KIND(w->of->text), if (has_cookie(w, KIND, data, w->of->at.text_start[k], w->of->at.text_end[k], begins)) return 1 << MEND_CONSENTS;)
    }
    return 0;
}

/* Where the innermost element ends that stands around the middle of the sure text of a page, by its blocks, and holds nearly all of it; -1 for none. `sure`
 * are running sums of that text from the first block on. */
static Py_ssize_t text_end(const Mend *w, Py_ssize_t first, Py_ssize_t last, const double *sure) {
    const double total = sure[last - first];
    Py_ssize_t middle = first;
    while (middle + 1 < last && sure[middle + 1 - first] < total / 2) middle++;
    for (int32_t row = w->of->rows.parent[w->of->at.first[middle]]; row >= 0; row = w->of->rows.parent[row]) {
        Py_ssize_t lo = block_from(w, 0, row), hi = block_from(w, middle, w->of->rows.end[row]);
        lo = lo < first ? first : lo, hi = hi > last ? last : hi;
        if (sure[hi - first] - sure[lo - first] >= w->is.of_text * total) return hi;
    }
    return -1;
}

/* Whether what a page keeps below its text is doubtful in the mean. `sure` has room for a number a block and one. */
static int of_below(const Mend *w, double *sure) {
    for (Py_ssize_t first = 0, last; first < w->n; first = last) {
        sure[0] = 0;
        for (last = first; last < w->n && w->of->at.page[last] == w->of->at.page[first]; last++)
            sure[last + 1 - first] = sure[last - first] + (KEPT(last) && SCORE(last) >= w->is.sure ? WORDS(last) : 0);
        if (sure[last - first] < w->is.sure_words) continue;
        double size = 0, scored = 0;
        Py_ssize_t k = text_end(w, first, last, sure);
        for (k = k < 0 ? first : k; k < last; k++) {
            size += KEPT(k) ? WORDS(k) + 1 : 0;
            scored += KEPT(k) ? (WORDS(k) + 1) * SCORE(k) : 0;
        }
        if (size > 0 && scored < w->is.doubt * size * (1 + 1e-9)) return 1 << MEND_BELOW; /* the step itself is exact */
    }
    return 0;
}

static int is_label(const Mend *w, Py_ssize_t k) { return WORDS(k) > 0 && WORDS(k) <= w->is.label_words && ends_with_colon(w, k); }

/* Counts the elements that begin with a block and hold the next one, few more and no label at the end, and no more words than a row has, by what they stand in;
 * whether there are any. */
static int add_rows(const Mend *w, Py_ssize_t k, RowsIn *of_roots, int *is_alike) {
    int32_t before = k ? w->of->at.first[k - 1] : -1, next = w->of->at.first[k + 1], parent;
    int32_t limit = k + w->is.row_blocks < w->n ? w->of->at.first[k + w->is.row_blocks] : (int32_t)w->of->rows.n;
    int n = 0;
    for (int32_t row = w->of->rows.parent[w->of->at.first[k]]; row > before && w->of->rows.end[row] <= limit; row = parent) {
        parent = w->of->rows.parent[row];
        if (w->of->rows.end[row] <= next) continue;
        Py_ssize_t last = k + 1;
        while (last + 1 < w->n && w->of->at.first[last + 1] < w->of->rows.end[row]) last++;
        if (is_label(w, last) || w->size[last + 1] - w->size[k] - (double)(last + 1 - k) > w->is.row_words) continue;
        n++;
        RowsIn *in = parent < 0 ? of_roots : w->rows_in + parent; /* roots of pages are alike, too */
        in->n++;
        in->n_numbers += X(last, E_digit_rate) > 0;
        *is_alike |= in->n >= w->is.min_rows || in->n_numbers >= w->is.min_numbers;
    }
    return n > 0;
}

/* Whether there are labels enough before short lines, one of them likely enough, and something of a row that is left out. */
static int of_values(const Mend *w) {
    int is_alike = 0, is_likely = 0, is_left = 0;
    RowsIn of_roots = {0, 0};
    for (Py_ssize_t k = 0; k + 1 < w->n; k++) {
        if (!(is_label(w, k) && WORDS(k) + WORDS(k + 1) <= w->is.row_words && add_rows(w, k, &of_roots, &is_alike))) continue;
        Py_ssize_t end = k + w->is.row_blocks < w->n ? k + w->is.row_blocks : w->n;
        is_likely |= SCORE(k) >= w->is.value_score;
        is_left |= w->n_kept[end] - w->n_kept[k] < end - k;
        if (is_alike && is_likely && is_left) return 1 << MEND_VALUES;
    }
    return 0;
}

static int of_alike(Mend *w) {
    const int32_t *id = (const int32_t *)w->of->alike.buffer.buf + w->n; /* the second row: by the last three elements */
    for (Py_ssize_t k = 0; k < w->n; k++) {
        w->count[id[k]]++;
        w->total[id[k]] += WORDS(k) + 1;
        w->own[id[k]] += KEPT(k) ? WORDS(k) + 1 : 0;
        w->of_page[w->of->at.page[k]] += KEPT(k) ? WORDS(k) + 1 : 0;
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
        if (!w->count[g] || w->own[g] < w->is.of_page * w->of_page[w->of->at.page[w->head[g] - 1]]) continue;
        for (int32_t k = w->head[g] - 1; k >= 0; k = w->next[k] - 1) {
            int32_t parent = w->of->rows.parent[w->of->at.box[k]], *seen = &w->looked_at[parent < 0 ? 0 : parent];
            n_parents += *seen != g + 1;
            *seen = (int32_t)g + 1;
            is_left |= !KEPT(k) && SCORE(k) >= w->is.post_score && WORDS(k) >= w->is.post_words && X(k, E_link_density) < (float)w->is.post_links;
        }
        if (is_left && n_parents >= w->is.min_posts && n_parents >= w->is.spread * w->count[g]) return 1 << MEND_POSTS;
    }
    return 0;
}

/* to_mend(of, score, kept, rules, urls) -> bits of MENDS, which steps have something to look at: see JudgedPages, MendRules. */
PyObject *native_to_mend(PyObject *self, PyObject *args) {
    Mend work, *w = &work;
    memset(w, 0, sizeof *w);
    JudgedPages own;
    PyObject *pages, *score, *kept, *result = NULL;
    double *memory = NULL;
    MendRules *is = &w->is;
    if (!PyArg_ParseTuple(args, "OOO(ddddddddddddddiiO!dddddddiiiddddO!)O!", &pages, &score, &kept, &is->little, &is->lead_words, &is->heading_score, &is->heading_links,
                          &is->most, &is->mean_words, &is->post_score, &is->post_words, &is->post_links, &is->line_words, &is->article_words, &is->of_page, &is->spread,
                          &is->most_whole, &is->min_blocks, &is->min_posts, &PyFrozenSet_Type, &is->turns, &is->sure, &is->sure_words, &is->of_text, &is->doubt,
                          &is->label_words, &is->row_words, &is->value_score, &is->row_blocks, &is->min_rows, &is->min_numbers, &is->sentence_words, &is->consent_doubt, &is->term_words, &is->head_words, &PyTuple_Type,
                          &is->cookie, &PyTuple_Type, &w->urls))
        return NULL;
    if (!(w->of = judged_of(pages, &own)) || column_get(&w->score, score, 8) || column_get(&w->kept, kept, 1)) goto done;
    size_t n = (size_t)(w->n = w->of->n);
    int n_pages = w->of->n_pages;
    if (w->score.n != w->n || w->kept.n != w->n) {
        bad("columns of blocks do not fit");
        goto done;
    }
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
    size_t n_doubles = 7 * n + 5 + (size_t)n_pages, n_rows = (size_t)w->of->rows.n;
    if (!(memory = PyMem_RawCalloc(n_doubles + 2 * n + 1 + n_rows / 2 + 1 + n_rows, sizeof *memory))) {
        PyErr_NoMemory();
        goto done;
    }
    w->size = memory;
    w->mine = w->size + n + 1;
    w->chars = w->mine + n + 1;
    w->shown = w->chars + n + 1;
    w->total = w->shown + n + 1;
    w->own = w->total + n;
    w->sure = w->own + n;
    w->of_page = w->sure + n + 1;
    w->count = (int32_t *)(memory + n_doubles);
    w->head = w->count + n; /* four of half the size, and one more */
    w->next = w->head + n;
    w->n_kept = w->next + n;
    w->looked_at = w->n_kept + n + 1;
    w->rows_in = (RowsIn *)(memory + n_doubles + 2 * n + 1 + n_rows / 2 + 1);
    int in_dialog = 0; /* or `<details>` */
    for (size_t k = 0; k < n; k++) {
        in_dialog |= KEPT(k) && X(k, E_in_group + GROUP_dialog) > 0;
        double n_chars = w->of->at.text_end[k] - w->of->at.text_start[k];
        w->size[k + 1] = w->size[k] + WORDS(k) + 1;
        w->mine[k + 1] = w->mine[k] + (KEPT(k) ? WORDS(k) + 1 : 0);
        w->chars[k + 1] = w->chars[k] + n_chars;
        w->shown[k + 1] = w->shown[k] + (KEPT(k) ? n_chars : 0);
        w->n_kept[k + 1] = w->n_kept[k] + (KEPT(k) != 0);
    }
    int found = of_alike(w), linked = mend_links(w), named = linked < 0 ? -1 : mend_names(w); /* the first one finds its memory empty */
    if (named >= 0) result = PyLong_FromLong(found | linked | named | of_consents(w) | of_rows(w) | of_lines(w) | in_dialog << MEND_DIALOGS | of_below(w, w->sure) | of_values(w) | of_heads(w));
done:
    PyMem_RawFree(memory);
    judged_release(&own);
    columns_release(&w->score, 1);
    columns_release(&w->kept, 1);
    return result;
}
