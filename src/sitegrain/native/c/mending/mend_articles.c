/* What stands around the text of articles and may be no part of it, or may be its opening; see reference/mending/mend_lines.py. */
#include "mend_lines.h"
#include <string.h>

/* Whether a block reads like prose, by its columns; -1 where rounding to them may have changed that. */
static int is_sentence(const Lines *w, Py_ssize_t k) {
    if (WORDS(k) < 8 || X(k, E_stops) + X(k, E_commas) < 1 || X(k, E_link_density) > 0.4f) return 0;
    return X(k, E_link_density) == 0.4f ? -1 : 1;
}

/* Whether a lead or a paragraph may be left out shortly above the first kept sentence of a page. */
static int has_opening(const Lines *w, Py_ssize_t first, Py_ssize_t last) {
    Py_ssize_t text = first;
    for (; text < last; text++) {
        if (!KEPT(text) || IN(text, heading)) continue;
        int is = is_sentence(w, text);
        if (is < 0) return 1;
        if (is) break;
    }
    if (text == last) return 0;
    for (Py_ssize_t k = text - w->is.lead_above > first ? text - w->is.lead_above : first; k < text; k++) {
        if (KEPT(k) || SCORE(k) < w->is.lead_score || WORDS(k) < w->is.lead_words || !(X(k, E_link_density) < (float)w->is.lead_links) || !is_sentence(w, k)) continue;
        if ((w->of->rows.tag[w->of->at.box[k]] == TAG_p && SCORE(k) >= w->is.paragraph_score) || X(k, E_about) >= (float)w->is.lead_about) return 1;
    }
    return 0;
}

static int count_pictures(Lines *w) {
    if (!(w->n_pictures = PyMem_RawMalloc((size_t)(w->of->rows.n + 1) * sizeof *w->n_pictures))) {
        PyErr_NoMemory();
        return -1;
    }
    w->n_pictures[0] = 0;
    for (Py_ssize_t i = 0; i < w->of->rows.n; i++) w->n_pictures[i + 1] = w->n_pictures[i] + (w->of->rows.tag[i] == TAG_img);
    return 0;
}

/* What a caption and what stands beside it score and are not. */
static int is_doubtful(const Lines *w, Py_ssize_t k) { return SCORE(k) < w->is.caption_score && !IN(k, heading); }

/* Whether an element around a block holds a picture, and few blocks, all of them doubtful. */
static int is_beside_picture(const Lines *w, Py_ssize_t k) {
    Py_ssize_t first = k, last = k; /* the blocks that begin in the element */
    for (int32_t row = w->of->at.box[k]; row >= 0; row = w->of->rows.parent[row]) {
        while (first > 0 && last - first < w->is.caption_blocks && w->of->at.first[first - 1] >= row) first--;
        while (last + 1 < w->n && last - first < w->is.caption_blocks && w->of->at.first[last + 1] < w->of->rows.end[row]) last++;
        if (last - first >= w->is.caption_blocks) return 0;
        for (Py_ssize_t m = first; m <= last; m++)
            if (!is_doubtful(w, m)) return 0;
        if (w->n_pictures[w->of->rows.end[row]] > w->n_pictures[row]) return 1;
    }
    return 0;
}

/* -1: an exception. */
static int has_caption(Lines *w, Py_ssize_t first, Py_ssize_t last) {
    double sure = 0;
    for (Py_ssize_t k = first; k < last; k++) sure += KEPT(k) && SCORE(k) >= w->is.text_score ? WORDS(k) : 0;
    if (sure < w->is.text_words) return 0;
    for (Py_ssize_t k = first; k < last; k++) {
        if (!KEPT(k) || !is_doubtful(w, k) || WORDS(k) > w->is.caption_words || IN(k, table)) continue;
        if (!w->n_pictures && count_pictures(w)) return -1;
        if (is_beside_picture(w, k)) return 1;
    }
    return 0;
}

static int has_two_digits(const Lines *w, Py_ssize_t k) {
    for (Py_ssize_t i = w->of->at.text_start[k] + 1; i < w->of->at.text_end[k]; i++)
        if (Py_UNICODE_ISDECIMAL(CHAR(i)) && Py_UNICODE_ISDECIMAL(CHAR(i - 1))) return 1;
    return 0;
}

/* Whether ASCII of any case stands in the text from a place on; `said` is in lower case. */
static int says(const Lines *w, Py_ssize_t i, Py_ssize_t end, const char *said) {
    for (; *said; said++, i++)
        if (i >= end || CHAR(i) >= 128 || (char)(CHAR(i) >= 'A' && CHAR(i) <= 'Z' ? CHAR(i) | 32 : CHAR(i)) != *said) return 0;
    return 1;
}

/* Letters that no language of the West has, signs that are none of its punctuation, and what is an "i" to who ignores case. */
static int is_of_others(Py_UCS4 c) { return c == 0xA9 || c == 0x130 || c == 0x131 || (c >= 0x370 && !(c >= 0x2000 && c < 0x2100)); }

/* Whether a line may say whose text it is ("copyright", "(c)", "reserved", "riservati", "vorbehalten"; or in letters of others) or has an address. */
static int may_be_notice(const Lines *w, Py_ssize_t k) {
    for (Py_ssize_t i = w->of->at.text_start[k], end = w->of->at.text_end[k]; i < end; i++) {
        Py_UCS4 c = CHAR(i);
        if (c == '@' || is_of_others(c)) return 1;
        if (c < 128) switch (c | 32) {
        case '(' | 32: if (says(w, i, end, "(c)")) return 1; break;
        case 'p': if (says(w, i, end, "pyright")) return 1; break;
        case 's': if (says(w, i, end, "serv")) return 1; break;
        case 'b': if (says(w, i, end, "behalten")) return 1; break;
        }
    }
    return 0;
}

/* Whether one of the first kept lines of a text may say the day, or one of the last be a notice. */
static int has_notice(const Lines *w, Py_ssize_t first, Py_ssize_t last) {
    double words = 0;
    for (Py_ssize_t k = first; k < last; k++) words += KEPT(k) ? WORDS(k) : 0;
    if (words < w->is.noticed_words) return 0;
    int n = 0;
    for (Py_ssize_t k = first; k < last && n < w->is.top_blocks; k++) {
        if (!KEPT(k)) continue;
        n++;
        if (WORDS(k) <= w->is.day_words && has_two_digits(w, k)) return 1;
    }
    n = 0;
    for (Py_ssize_t k = last - 1; k >= first && n < w->is.last_blocks; k--) {
        if (!KEPT(k)) continue;
        n++;
        if (WORDS(k) <= w->is.notice_words && may_be_notice(w, k)) return 1;
    }
    return 0;
}

/* A paragraph or a heading. */
static int is_line(const Lines *w, Py_ssize_t k) {
    switch (w->of->rows.tag[w->of->at.box[k]]) {
    case TAG_p: case TAG_h1: case TAG_h2: case TAG_h3: case TAG_h4: case TAG_h5: case TAG_h6: return 1;
    }
    return 0;
}

static int is_paragraph(const Lines *w, Py_ssize_t k) { return w->of->rows.tag[w->of->at.box[k]] == TAG_p && WORDS(k) >= w->is.enclosed_words; }

static int count_left(Lines *w) {
    if (!(w->n_left = PyMem_RawMalloc((size_t)(w->n + 1) * sizeof *w->n_left))) {
        PyErr_NoMemory();
        return -1;
    }
    w->n_left[0] = 0;
    for (Py_ssize_t k = 0; k < w->n; k++) w->n_left[k + 1] = w->n_left[k] + !KEPT(k);
    return 0;
}

/* Whether an element with these blocks may be part of the text; see mending/together/enclosed.py. */
static int is_in_text(const Lines *w, uint8_t tag, Py_ssize_t first, Py_ssize_t last) {
    int is_above = last < w->n && KEPT(last) && w->of->at.page[last] == w->of->at.page[first];
    int is_begun = w->n_left[last] - w->n_left[first] < last - first;
    if (is_above && is_line(w, first - 1) && is_line(w, last) && (is_paragraph(w, first - 1) || is_paragraph(w, last))) return 1;
    switch (tag) {
    case TAG_ul: case TAG_ol: case TAG_dl: return is_above && is_begun;
    case TAG_table: return is_above || is_begun;
    case TAG_pre: return is_paragraph(w, first - 1);
    }
    return 0;
}

/* Whether something of which a part is left out may belong to the kept text above it. -1: an exception. */
static int is_enclosed(Lines *w) {
    const Blocks *at = &w->of->at;
    Py_ssize_t first = 0; /* the first block from row i on */
    for (int32_t i = 0; i < w->of->rows.n; i++) {
        uint8_t tag = (uint8_t)w->of->rows.tag[i];
        switch (tag) {
        case TAG_ul: case TAG_ol: case TAG_dl: case TAG_table: case TAG_pre: case TAG_details: case TAG_blockquote: break;
        default: continue;
        }
        while (first < w->n && at->first[first] < i) first++;
        if (!first || first == w->n || at->first[first] >= w->of->rows.end[i] || !KEPT(first - 1) || at->page[first - 1] != at->page[first]) continue;
        Py_ssize_t last = first + 1, high = w->n; /* the first block behind it */
        while (last < high) {
            Py_ssize_t middle = last + (high - last) / 2;
            if (at->first[middle] < w->of->rows.end[i]) last = middle + 1;
            else high = middle;
        }
        if (!w->n_left && count_left(w)) return -1;
        if (w->n_left[last] > w->n_left[first] && is_in_text(w, tag, first, last)) return 1;
    }
    return 0;
}

/* -1: an exception. */
int lines_of_articles(Lines *w) {
    int found = 0;
    for (Py_ssize_t first = 0, last; first < w->n; first = last) {
        for (last = first; last < w->n && w->of->at.page[last] == w->of->at.page[first]; last++) {}
        int is_caption = found & 1 << LINE_CAPTIONS ? 1 : has_caption(w, first, last);
        if (is_caption < 0) return -1;
        found |= is_caption << LINE_CAPTIONS;
        if (!(found & 1 << LINE_OPENINGS)) found |= has_opening(w, first, last) << LINE_OPENINGS;
        if (!(found & 1 << LINE_NOTICES)) found |= has_notice(w, first, last) << LINE_NOTICES;
    }
    int is_some = is_enclosed(w);
    return is_some < 0 ? -1 : found | is_some << LINE_ENCLOSED;
}
