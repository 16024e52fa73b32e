/* The columns of EVIDENCE, by name; reference/blocks/evidence.py says what each means. */
#include "evidence.h"
#include <math.h>
#include <string.h>

double logs[LOGS];

void logs_init(void) {
    if (logs[1] == 0)
        for (int k = 0; k < LOGS; k++) logs[k] = log1p(k);
}

#define SET(column, value) (x[E_##column] = (float)(value))
#define SET_AT(column, k, value) (x[E_##column + (k)] = (float)(value))

static void set_bits(float *x, uint64_t bits, int n) {
    for (int k = 0; k < n; k++) x[k] = (float)(bits >> k & 1);
}

static void set_hints(float *x, const int64_t *bits, int32_t page, int n) {
    if (bits) set_bits(x, (uint64_t)bits[page], n);
    else
        for (int k = 0; k < n; k++) x[k] = NAN;
}

/* Columns that all blocks of a page share: from E_page_named to E_LAST_ld. */
static void page_columns(const Work *w, int32_t page, float *x) {
    const Page *p = &w->pages[page];
    SET(page_named, ratio(p->n_named, p->n_rows));
    SET(page_words, log_of(p->words));
    SET(page_blocks, log_of(p->n_blocks));
    SET(page_links, ratio(p->linked, p->visible));
    SET(page_prose, ratio(p->prose, p->visible));
    SET(page_longest, p->longest);
    SET(page_sentences, p->n_sentences);
    SET(page_block_words, ratio(p->words, p->n_blocks));
    for (int k = 0; k < N_COUNTED; k++) SET_AT(page_counted, k, log_of(p->counted[k + 1]));
    set_hints(x + E_url, w->urls, page, N_URLS);
    set_hints(x + E_ld, w->types, page, N_TYPES);
}

#define UP(i) (w->rows.parent[i] < 0 ? (i) : w->rows.parent[i])

static void own_columns(const Work *w, int32_t k, float *x) {
    const Block *b = &w->blocks[k];
    const int16_t *tag = w->rows.tag;
    int32_t box = w->at.box[k], above = UP(box), further_up = UP(above), first_up = UP(w->at.first[k]);
    SET(words, b->words);
    SET(visible, b->visible);
    SET(link_density, b->density);
    SET(linked, b->linked);
    SET(stops, b->stops);
    SET(commas, b->commas);
    SET(stop_rate, ratio(b->stops, b->words));
    SET(comma_rate, ratio(b->commas, b->words));
    SET(upper_rate, ratio(b->upper, b->visible));
    SET(digit_rate, ratio(b->digits, b->visible));
    SET(symbol_rate, ratio(b->symbols, b->visible));
    SET(wide_rate, ratio(b->wide, b->visible));
    SET(word_length, ratio(b->visible, b->words));
    SET(ends_with_stop, b->ends_with_stop);
    SET(starts_upper, b->starts_upper);
    SET(text_nodes, b->n_text);
    SET(tag, tag[box]);
    SET(parent_tag, tag[above]);
    SET(grandparent_tag, tag[further_up]);
    SET(first_parent_tag, tag[first_up]);
    SET(depth, w->rows.depth[box]);
    uint64_t near = w->class_bits[box] | w->class_bits[above] | w->class_bits[first_up];
    uint64_t further = near | w->class_bits[further_up] | w->class_bits[UP(further_up)];
    if (!further) memset(x + E_near_class, 0, N_CLASSES * sizeof *x); /* half of all blocks */
    else
        for (int f = 0; f < N_CLASSES; f++) SET_AT(near_class, f, (near >> f & 1) + (further >> f & 1));
    set_bits(x + E_cue, b->cues, N_CUES);
}

static void place_columns(const Work *w, int32_t k, float *x) {
    const Block *b = &w->blocks[k];
    const Page *p = &w->pages[w->at.page[k]];
    int32_t order = k - p->first_block, page_end = p->first_block + p->n_blocks;
    SET(order, order);
    SET(order_share, ratio(order, p->n_blocks));
    SET(text_before, ratio(b->before, p->visible));
    SET(sentences_before, ratio(b->prose_before, p->prose));
    SET(since_heading, b->heading >= 0 ? k - b->heading : NAN);
    SET(heading_cues, b->heading >= 0 ? (double)(w->blocks[b->heading].cues & 31) : NAN);
    SET(heading_tag, b->heading >= 0 ? w->rows.tag[w->at.box[b->heading]] : NAN);
    SET(since_h1, p->h1 >= 0 ? k - p->h1 : NAN);
    SET(since_comment, b->comment >= 0 ? k - b->comment : NAN);
    SET(since_related, b->related >= 0 ? k - b->related : NAN);
    static const struct { int by, column, n; } AROUND[] = {
        {-3, E_three_before, 1}, {-2, E_two_before, 4}, {-1, E_one_before, 5}, {1, E_one_after, 5}, {2, E_two_after, 4}, {3, E_three_after, 1}};
    for (int j = 0; j < 6; j++) {
        int32_t other = k + AROUND[j].by;
        int is_there = other >= p->first_block && other < page_end;
        const Block *n = &w->blocks[is_there ? other : k];
        const double seen[5] = {n->log_words, n->density, n->stops, n->is_sentence, w->rows.tag[w->at.box[is_there ? other : k]]};
        for (int q = 0; q < AROUND[j].n; q++) x[AROUND[j].column + q] = is_there ? (float)seen[q] : NAN;
    }
    for (int j = 0; j < 2; j++) {
        int width = j ? 12 : 4;
        int32_t lo = k - width > p->first_block ? k - width : p->first_block, hi = k + width + 1 < page_end ? k + width + 1 : page_end;
        double text_lo = w->blocks[lo].before, prose_lo = w->blocks[lo].prose_before;
        double text_hi = hi < page_end ? w->blocks[hi].before : p->visible, prose_hi = hi < page_end ? w->blocks[hi].prose_before : p->prose;
        SET_AT(within, 2 * j, ratio(prose_hi - prose_lo, text_hi - text_lo));
        SET_AT(within, 2 * j + 1, log_of(text_hi - text_lo));
    }
    SET(same_box_before, k > 0 && w->at.box[k - 1] == w->at.box[k]);
}

static void ancestor_columns(const Work *w, int32_t k, float *x) {
    const Block *b = &w->blocks[k];
    const Page *p = &w->pages[w->at.page[k]];
    const int32_t *visible = w->visible, *chain = (const int32_t *)PyByteArray_AS_STRING(w->chain);
    double prose_of_page = at_least(p->prose, 1e-9), text_of_page = at_least(p->visible, 1e-9);
    int32_t page_start = visible[w->rows.text_start[p->first_row]];
    for (int level = 0; level < LEVELS; level++) {
        int32_t at = chain[(size_t)level * (size_t)w->n_blocks + (size_t)k];
        double total = visible[w->rows.text_end[at]] - visible[w->rows.text_start[at]], divisor = at_least(total, 1e-9);
        if (level) SET_AT(up_place, level - 1, (b->before - (visible[w->rows.text_start[at]] - page_start)) / divisor);
        if (k && at == chain[(size_t)level * (size_t)w->n_blocks + (size_t)k - 1]) { /* as of the block before: it has the same ancestor */
            static const int OF_ALL[] = {E_up_text, E_up_share, E_up_links, E_up_prose, E_up_prose_share, E_up_blocks, E_up_block_words,
                                         E_up_tag, E_up_like, E_up_posts, E_up_posts_share};
            static const int OF_MORE[] = {E_up_p, E_up_li, E_up_a, E_up_img};
            for (size_t c = 0; c < sizeof OF_ALL / sizeof *OF_ALL; c++) x[OF_ALL[c] + level] = x[OF_ALL[c] + level - N_EVIDENCE];
            for (size_t c = 0; level && c < sizeof OF_MORE / sizeof *OF_MORE; c++)
                x[OF_MORE[c] + level - 1] = x[OF_MORE[c] + level - 1 - N_EVIDENCE];
            continue;
        }
        const Held *lo = &w->held[at], *hi = &w->held[w->rows.end[at]];
        double prose = hi->prose - lo->prose, n_blocks = hi->blocks - lo->blocks;
        SET_AT(up_text, level, log_of(total));
        SET_AT(up_share, level, total / text_of_page);
        SET_AT(up_links, level, (hi->linked - lo->linked) / divisor);
        SET_AT(up_prose, level, prose / divisor);
        SET_AT(up_prose_share, level, prose / prose_of_page);
        SET_AT(up_blocks, level, log_of(n_blocks));
        SET_AT(up_block_words, level, (double)(hi->half_words - lo->half_words) / 2 / at_least(n_blocks, 1e-9));
        SET_AT(up_tag, level, w->rows.tag[at]);
        SET_AT(up_like, level, log_of(w->like[at]));
        SET_AT(up_posts, level, log_of(w->family_posts[w->family[at]]));
        SET_AT(up_posts_share, level, w->family_prose[w->family[at]] / prose_of_page);
        if (!level) continue;
        SET_AT(up_p, level - 1, hi->tags[HELD_p] - lo->tags[HELD_p]);
        SET_AT(up_li, level - 1, hi->tags[HELD_li] - lo->tags[HELD_li]);
        SET_AT(up_a, level - 1, hi->tags[HELD_a] - lo->tags[HELD_a]);
        SET_AT(up_img, level - 1, hi->tags[HELD_img] - lo->tags[HELD_img]);
    }
}

static void page_place_columns(const Work *w, int32_t k, float *x) {
    const Block *b = &w->blocks[k];
    const Page *p = &w->pages[w->at.page[k]];
    int32_t first = w->at.first[k];
    SET(comment_named_share, (b->in_comment ? 1 : -1) * ratio(p->named_prose, p->prose));
    SET(comment_after_share, (b->comment >= 0 ? 1 : -1) * ratio(p->after_prose, p->prose));
    for (int part = 0; part < N_PARTS; part++) {
        int32_t root = p->best[part];
        SET_AT(most_prose, 3 * part, first >= root && first < w->rows.end[root] ? 1 : first < root ? -1 : 0);
        SET_AT(most_prose, 3 * part + 1, ratio(w->visible[w->rows.text_end[root]] - w->visible[w->rows.text_start[root]], p->visible));
        SET_AT(most_prose, 3 * part + 2, w->rows.depth[w->at.box[k]] - w->rows.depth[root]);
    }
    SET(words_to_longest, ratio(b->words, p->longest));
    for (int which = 0; which < 2; which++) {
        const Alike *a = &w->alike[which][w->alike_number[which][k]];
        int at = N_ALIKE * which;
        SET_AT(alike, at, log_of(a->n));
        SET_AT(alike, at + 1, ratio(a->words, p->words));
        SET_AT(alike, at + 2, a->words / a->n);
        SET_AT(alike, at + 3, a->density / a->n);
        SET_AT(alike, at + 4, a->n > 1 ? (double)a->texts / a->n : NAN);
        SET_AT(alike, at + 5, (double)a->prose / a->n);
        SET_AT(alike, at + 6, (double)(a->last - a->first) / p->n_blocks);
    }
}

/* Share of a heading's words that are in the page's title; NaN for other blocks. -1: an exception. */
static int title_match(const Work *w, int32_t k, float *x) {
    SET(title_match, NAN);
    PyObject *title = PyTuple_GET_ITEM(w->titles, w->at.page[k]);
    if (!(x[E_in_group + GROUP_heading] > 0) || !PyObject_IsTrue(title)) return 0;
    PyObject *text = PyUnicode_Substring(w->text, w->at.text_start[k], w->at.text_end[k]);
    PyObject *low = text ? PyObject_CallMethod(text, "lower", NULL) : NULL;
    PyObject *words = low ? PyUnicode_Split(low, NULL, -1) : NULL;
    int found = words ? 0 : -1;
    Py_ssize_t n = words ? PyList_GET_SIZE(words) : 0;
    for (Py_ssize_t i = 0; i < n && found >= 0; i++) {
        int is_in = PySequence_Contains(title, PyList_GET_ITEM(words, i));
        found = is_in < 0 ? -1 : found + is_in;
    }
    if (found >= 0) SET(title_match, (double)found / (double)(n ? n : 1));
    Py_XDECREF(text);
    Py_XDECREF(low);
    Py_XDECREF(words);
    return found < 0 ? -1 : 0;
}

int write_columns(Work *w) {
    int32_t last_page = -1;
    float of_page[N_EVIDENCE];
    for (int32_t k = 0; k < w->n_blocks; k++) {
        float *x = matrix_of(w) + (size_t)k * N_EVIDENCE;
        if (w->at.page[k] != last_page) {
            last_page = w->at.page[k];
            page_columns(w, last_page, of_page);
        }
        own_columns(w, k, x);
        place_columns(w, k, x);
        ancestor_columns(w, k, x);
        page_place_columns(w, k, x);
        memcpy(x + E_page_named, of_page + E_page_named, (E_LAST_ld - E_page_named + 1) * sizeof *x);
        if (title_match(w, k, x)) return -1;
        topic_columns(w, k, x);
    }
    return 0;
}
