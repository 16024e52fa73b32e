/* What pages say of their blocks: the kernel, and what is counted before columns are written. */
#include "evidence.h"
#include "strings/numbers.h"
#include <math.h>

_Static_assert(E_is_hidden == E_in_group + N_GROUPS && E_in_class == E_in_group + N_GROUPS + 3 && N_INSIDE <= 64, "one bit a column");
static const double PARTS[N_PARTS] = {0.4, 0.7, 0.95};

static void work_free(Work *w) {
    void *owned[] = {w->kind, w->visible, w->top, w->family, w->class_value, w->class_bits, w->like, w->family_prose, w->family_posts,
                     w->blocks, w->pages, w->held, w->topic, w->hash, w->n_hash, w->in_anchor, w->alike[0], w->alike[1], w->alike_number[0], w->alike_number[1]};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) PyMem_RawFree(owned[i]);
    TABLE_RELEASE(w->rows);
    TABLE_RELEASE(w->attrs);
    TABLE_RELEASE(w->at);
    columns_release(w->in, sizeof w->in / sizeof *w->in);
    Py_XDECREF(w->x);
    Py_XDECREF(w->chain);
}

static int check(Work *w) {
    const Blocks *at = &w->at;
    Py_ssize_t size = PyUnicode_GET_LENGTH(w->text);
    if (rows_fit(&w->rows, size, w->n_tag_kinds, w->n_pages)) return -1;
    if (w->attrs.n > INT32_MAX / 2 || at->n > w->rows.n) return bad("too many rows");
    w->n_rows = (int32_t)w->rows.n;
    w->n_attrs = (int32_t)w->attrs.n;
    w->n_blocks = (int32_t)at->n;
    for (Py_ssize_t t = 0; t < w->n_tag_kinds; t++)
        if ((w->tag_kind[t].group != NO_GROUP && w->tag_kind[t].group >= N_GROUPS) || w->tag_kind[t].counted > N_COUNTED ||
            w->tag_kind[t].held > N_HELD)
            return bad("kinds of tags do not fit");
    for (int32_t m = 0; m < w->n_marks; m++)
        if (w->mark_row[m] < (m ? w->mark_row[m - 1] : 0) || w->mark_row[m] >= w->n_rows || w->mark_column[m] < 0 ||
            w->mark_column[m] >= FIRST_CLASS)
            return bad("marks do not fit the rows");
    for (int32_t k = 0; k < w->n_blocks; k++)
        if (at->first[k] <= (k ? at->last[k - 1] : -1) || at->last[k] < at->first[k] || at->last[k] >= w->n_rows || at->box[k] < 0 ||
            at->box[k] >= w->n_rows || w->rows.tag[at->first[k]] || at->page[k] != w->rows.page[at->first[k]] ||
            at->page[k] != w->rows.page[at->last[k]] || at->text_start[k] != w->rows.text_start[at->first[k]] ||
            at->text_end[k] != w->rows.text_end[at->last[k]] || at->text_start[k] > at->text_end[k])
            return bad("blocks do not fit the rows: they are cut from other pages");
    return 0;
}

/* ---------------------------------------------------------------- text */

static void kinds_of(PyObject *text, const uint8_t *table, uint8_t *kind, int32_t *visible) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    const void *data = PyUnicode_DATA(text);
    int32_t seen = visible[0] = 0;
#define READ_KINDS(type, of_char)                                   \
    for (Py_ssize_t i = 0; i < n; i++) {                            \
        Py_UCS4 c = ((const type *)data)[i];                        \
        kind[i] = of_char;                                          \
        visible[i + 1] = seen += !(kind[i] & CHAR_SPACE);           \
    }
    switch (PyUnicode_KIND(text)) {
    case PyUnicode_1BYTE_KIND: READ_KINDS(Py_UCS1, table[c]) break;
    case PyUnicode_2BYTE_KIND: READ_KINDS(Py_UCS2, table[c]) break;
    default: READ_KINDS(Py_UCS4, c < 0x10000 ? table[c] : astral_kind(c))
    }
#undef READ_KINDS
}

#ifdef __GNUC__
typedef uint8_t Kinds __attribute__((vector_size(16)));
typedef struct { Kinds upper, digit, stop, comma, wide, symbol, starts; } KindCounts;

static double total_of(Kinds counts) {
    uint64_t half[2];
    memcpy(half, &counts, sizeof half);
    uint64_t pairs = 0; /* lanes of 16 bits */
    for (int k = 0; k < 2; k++) pairs += (half[k] & 0x00FF00FF00FF00FFull) + (half[k] >> 8 & 0x00FF00FF00FF00FFull);
    return (double)(pairs * 0x0001000100010001ull >> 48);
}

/* Add 16 characters, and of them those that begin a word: a word does not run over the end of a row. */
static inline void add_counts(KindCounts *c, Kinds k, Kinds before) {
#define HAS(bit) (Kinds)((k & (uint8_t)(bit)) != 0)
    const Kinds narrow = (Kinds)((k & (uint8_t)(CHAR_WORD | CHAR_WIDE)) == CHAR_WORD);
    const Kinds narrow_before = (Kinds)((before & (uint8_t)(CHAR_WORD | CHAR_WIDE)) == CHAR_WORD);
    c->upper -= HAS(CHAR_UPPER); /* what is so is -1 */
    c->digit -= HAS(CHAR_DIGIT);
    c->stop -= HAS(CHAR_STOP);
    c->comma -= HAS(CHAR_COMMA);
    c->wide -= HAS(CHAR_WIDE);
    c->symbol -= HAS(CHAR_SYMBOL);
    c->starts -= narrow & ~narrow_before;
#undef HAS
}

/* Count the characters of one text row into its block. */
static void count_kinds(Block *b, const uint8_t *kind, int32_t from, int32_t to) {
    static const uint8_t ALL_THEN_NONE[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    for (int32_t i = from; i < to;) {
        const int32_t stop = to - i > 16 * 255 ? i + 16 * 255 : to; /* a lane of 8 bits holds 255 */
        KindCounts c = {0};
        Kinds k, before = {0}, mask;
        for (; i < stop; i += 16) {
            memcpy(&k, kind + i, 16); /* there is room behind the last one */
            if (stop - i < 16) {
                memcpy(&mask, ALL_THEN_NONE + 16 - (stop - i), 16);
                k &= mask;
            }
            if (i) memcpy(&before, kind + i - 1, 16);
            else for (int lane = 1; lane < 16; lane++) before[lane] = kind[lane - 1];
            if (i == from) {
                memcpy(&mask, ALL_THEN_NONE + 16, 16);
                mask[0] = 255;
                before &= ~mask;
            }
            add_counts(&c, k, before);
        }
        i = stop;
        const double wide = total_of(c.wide);
        b->upper += total_of(c.upper);
        b->digits += total_of(c.digit);
        b->stops += total_of(c.stop);
        b->commas += total_of(c.comma);
        b->wide += wide;
        b->symbols += total_of(c.symbol);
        b->words += total_of(c.starts) + wide / 2; /* two wide characters count as one word */
    }
}
#else
static void count_kinds(Block *b, const uint8_t *kind, int32_t from, int32_t to) {
    int narrow_before = 0;
    for (int32_t i = from; i < to; i++) {
        const uint8_t k = kind[i];
        const int narrow = (k & (CHAR_WORD | CHAR_WIDE)) == CHAR_WORD;
        b->upper += (k & CHAR_UPPER) != 0;
        b->digits += (k & CHAR_DIGIT) != 0;
        b->stops += (k & CHAR_STOP) != 0;
        b->commas += (k & CHAR_COMMA) != 0;
        b->wide += (k & CHAR_WIDE) != 0;
        b->symbols += (k & CHAR_SYMBOL) != 0;
        b->words += (narrow & !narrow_before) + ((k & CHAR_WIDE) != 0) / 2.0;
        narrow_before = narrow;
    }
}
#endif

/* Cue words of a short text, read in lower case; -1 on an error. */
static int cue_bits(PyObject *text, const Matcher *matcher, int32_t from, int32_t to, uint64_t *bits) {
    char low[MAX_NAME_BYTES + 8];
    size_t n = 0;
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    for (int32_t i = from; i < to; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (c == 0x130 || c == 0x3A3 || (c >= 0xD800 && c < 0xE000)) {
            /* Only Python knows the lower case of these: two characters, and a sigma that is told by what follows it. */
            PyObject *part = PyUnicode_Substring(text, from, to);
            PyObject *lower = part ? PyObject_CallMethod(part, "lower", NULL) : NULL;
            Py_ssize_t size = 0;
            const char *s = lower ? PyUnicode_AsUTF8AndSize(lower, &size) : NULL;
            if (s) *bits = matcher_find(matcher, s, (size_t)size);
            Py_XDECREF(lower);
            Py_XDECREF(part);
            return s ? 0 : -1;
        }
        if (n >= MAX_NAME_BYTES) continue; /* what is beyond does not count */
        c = lower_char(c);
        if (c < 0x80) low[n++] = (char)c;
        else {
            if (c < 0x800) low[n++] = (char)(0xC0 | c >> 6);
            else {
                if (c < 0x10000) low[n++] = (char)(0xE0 | c >> 12);
                else {
                    low[n++] = (char)(0xF0 | c >> 18);
                    low[n++] = (char)(0x80 | (c >> 12 & 0x3F));
                }
                low[n++] = (char)(0x80 | (c >> 6 & 0x3F));
            }
            low[n++] = (char)(0x80 | (c & 0x3F));
        }
    }
    *bits = matcher_find(matcher, low, n);
    return 0;
}

/* ---------------------------------------------------------------- rows and blocks */

/* Per row: families of its class and id names, and its class. */
static int read_attributes(Work *w) {
    const int32_t *node = w->attrs.node, *value = w->attrs.value;
    const int16_t *name = w->attrs.name;
    Py_ssize_t n_strings = PyTuple_GET_SIZE(w->strings);
    NEW(class_bits, w->n_rows);
    if (!(w->class_value = PyMem_RawMalloc(((size_t)w->n_rows + 1) * sizeof *w->class_value))) { PyErr_NoMemory(); return -1; }
    memset(w->class_value, -1, (size_t)w->n_rows * sizeof *w->class_value);
    RowNumbers known;
    memset(&known, 0, sizeof known);
    uint64_t *of_value = PyMem_RawMalloc(((size_t)w->n_attrs + 1) * sizeof *of_value);
    int failed = 1;
    if (!of_value || row_numbers_init(&known, (size_t)n_strings, (size_t)w->n_attrs)) { PyErr_NoMemory(); goto done; }
    for (int32_t a = 0; a < w->n_attrs; a++) {
        if (name[a] != ATTR_class && name[a] != ATTR_id) continue;
        int32_t row = node[a];
        if (row < 0 || row >= w->n_rows || value[a] < 0 || value[a] >= n_strings) {
            bad("attributes do not fit the rows");
            goto done;
        }
        PyObject *string = PyTuple_GET_ITEM(w->strings, value[a]);
        if (name[a] == ATTR_class) w->class_value[row] = value[a];
        if (!w->class_words) continue;
        int is_new;
        int32_t id = row_number(&known, value[a], &is_new);
        if (is_new) {
            Py_ssize_t size;
            const char *s = utf8_and_size(string, &size);
            if (!s) goto done;
            of_value[id] = matcher_find(w->class_words, s, (size_t)size);
        }
        w->class_bits[row] |= of_value[id];
    }
    failed = 0;
done:
    row_numbers_free(&known);
    PyMem_RawFree(of_value);
    return failed ? -1 : 0;
}

/* One walk down the rows: how many open elements belong to each group, written at the first row of every block. */
static int walk(Work *w) {
    typedef struct { int32_t end; uint64_t mask; } Open;
    uint64_t class_mask = (1ull << N_CLASSES) - 1;
    Open *open = PyMem_RawMalloc(((size_t)w->n_rows + (size_t)w->n_marks + 1) * sizeof *open);
    if (!open) { PyErr_NoMemory(); return -1; }
    int32_t n_open = 0, count[N_INSIDE] = {0}, m = 0, b = 0;
    float *x = matrix_of(w);
#define COUNT(mask_, by)                                                            \
    for (uint64_t m_ = (mask_); m_; m_ &= m_ - 1) count[__builtin_ctzll(m_)] += (by)
    for (int32_t i = 0; i < w->n_rows; i++) {
        while (n_open && open[n_open - 1].end <= i) { n_open--; COUNT(open[n_open].mask, -1); }
        TagKind info = w->tag_kind[w->rows.tag[i]];
        Page *p = &w->pages[w->rows.page[i]];
        p->n_rows++;
        p->counted[info.counted]++;
        uint64_t mask = info.group != NO_GROUP ? 1ull << info.group : 0;
        if (w->rows.flags[i] & IS_HIDDEN) mask |= 1ull << (E_is_hidden - E_in_group);
        if (w->rows.flags[i] & IS_ARIA_HIDDEN) mask |= 1ull << (E_is_aria_hidden - E_in_group);
        if (w->class_bits[i]) {
            p->n_named++;
            mask |= (w->class_bits[i] & class_mask) << FIRST_CLASS;
        }
        if (mask) {
            COUNT(mask, 1);
            open[n_open++] = (Open){w->rows.end[i], mask};
        }
        for (; m < w->n_marks && w->mark_row[m] == i; m++) { /* its own entry: a group can be marked by the tag and by the role */
            uint64_t mark = 1ull << w->mark_column[m];
            COUNT(mark, 1);
            open[n_open++] = (Open){w->rows.end[i], mark};
        }
        w->in_anchor[i] = count[GROUP_anchor] > 0;
        if (b < w->n_blocks && w->at.first[b] == i) {
            float *out = x + (size_t)b * N_EVIDENCE + E_in_group;
            for (int k = 0; k < N_INSIDE; k++) out[k] = (float)count[k];
            w->blocks[b++].in_comment = count[FIRST_CLASS + CLASS_comment] > 0;
        }
    }
    PyMem_RawFree(open);
    return 0;
}

/* Characters and words of every block, and the sums over rows and pages that are made of them. */
static int count_blocks(Work *w) {
    Py_ssize_t size = PyUnicode_GET_LENGTH(w->text);
    if (!(w->kind = PyMem_RawMalloc((size_t)size + 17)) || !(w->visible = PyMem_RawMalloc(((size_t)size + 2) * sizeof *w->visible))) {
        PyErr_NoMemory();
        return -1;
    }
    if (!(w->held = PyMem_RawMalloc(((size_t)w->n_rows + 1) * sizeof *w->held))) { PyErr_NoMemory(); return -1; }
    memset(w->held, 0, sizeof *w->held);
    kinds_of(w->text, w->char_kinds, w->kind, w->visible);
    const int32_t *visible = w->visible;
    int32_t last_page = -1, heading = -1, comment = -1, related = -1;
    const float *x = matrix_of(w);
    for (int32_t k = 0; k < w->n_blocks; k++) {
        Block *b = &w->blocks[k];
        Page *p = &w->pages[w->at.page[k]];
        int32_t start = w->at.text_start[k], end = w->at.text_end[k];
        for (int32_t i = w->at.first[k]; i <= w->at.last[k]; i++)
            if (!w->rows.tag[i]) {
                b->n_text++;
                count_kinds(b, w->kind, w->rows.text_start[i], w->rows.text_end[i]);
                if (w->in_anchor[i]) b->linked += visible[w->rows.text_end[i]] - visible[w->rows.text_start[i]];
            }
        b->visible = visible[end] - visible[start];
        b->density = ratio(b->linked, b->visible);
        b->is_sentence = b->words >= 8 && b->stops + b->commas >= 1 && b->density < 0.4;
        b->log_words = log_of(b->words);
        for (int32_t i = end - 3 > start ? end - 3 : start; i < end; i++) b->ends_with_stop |= (w->kind[i] & CHAR_STOP) > 0;
        for (int32_t i = start; i < start + 2 && i < size; i++) b->starts_upper += (w->kind[i] & CHAR_UPPER) > 0;
        if (b->visible > 0 && b->visible <= CUE_CHARS && cue_bits(w->text, w->cue_words, start, end, &b->cues)) return -1;
        if (w->at.page[k] != last_page) {
            heading = comment = related = -1;
            p->first_block = k;
            last_page = w->at.page[k];
        }
        int is_heading = x[(size_t)k * N_EVIDENCE + E_in_group + GROUP_heading] > 0;
        int is_cue = b->words <= 6 && b->density < 0.5;
        if (is_heading) {
            heading = k;
            if (w->rows.tag[w->at.box[k]] == TAG_h1 && p->h1 < 0) p->h1 = k;
        }
        if (is_cue && b->cues >> CUE_comment & 1) comment = k;
        if (is_cue && b->cues >> CUE_related & 1) related = k;
        b->heading = heading;
        b->comment = comment;
        b->related = related;
        double prose = b->is_sentence ? b->visible : 0;
        b->before = p->visible;
        b->prose_before = p->prose;
        p->n_blocks++;
        p->visible += b->visible;
        p->prose += prose;
        p->words += b->words;
        p->linked += b->linked;
        p->n_sentences += b->is_sentence;
        if (b->in_comment) p->named_prose += prose;
        if (comment >= 0) p->after_prose += prose;
        double longest = b->density < 0.5 ? b->words : 0;
        if (longest > p->longest) p->longest = longest;
    }
    Held h = {0};
    for (int32_t i = 0, k = 0; i < w->n_rows; i++) {
        if (k < w->n_blocks && w->at.first[k] == i) {
            const Block *b = &w->blocks[k++];
            h.blocks += 1;
            h.prose += b->is_sentence ? (int32_t)b->visible : 0;
            h.half_words += (int32_t)(2 * b->words);
        }
        if (!w->rows.tag[i] && w->in_anchor[i]) h.linked += visible[w->rows.text_end[i]] - visible[w->rows.text_start[i]];
        uint8_t held = w->tag_kind[w->rows.tag[i]].held;
        if (held) h.tags[held - 1] += 1;
        w->held[i + 1] = h;
    }
    return 0;
}

/* Siblings of the same tag (and class), and the smallest subtrees that hold most of the page's prose. */
static int find_families(Work *w) {
    int32_t n = w->n_rows;
    NEW(family, n);
    NEW(like, n);
    NEW(family_prose, n);
    NEW(family_posts, n);
    Numbers families, likes;
    memset(&families, 0, sizeof families);
    memset(&likes, 0, sizeof likes);
    int failed = -1;
    int32_t *kin = PyMem_RawMalloc(((size_t)n + 1) * sizeof *kin), *times = PyMem_RawCalloc((size_t)n + 1, sizeof *times);
    int32_t *last = PyMem_RawMalloc(((size_t)n + 1) * sizeof *last); /* per row: its last child so far */
    if (last) memset(last, -1, ((size_t)n + 1) * sizeof *last);
    if (!kin || !times || !last || numbers_init(&families, (size_t)n) || numbers_init(&likes, (size_t)n)) {
        PyErr_NoMemory();
        goto done;
    }
    for (int32_t i = 0; i < n; i++) {
        double prose = w->held[w->rows.end[i]].prose - w->held[i].prose;
        Page *p = &w->pages[w->rows.page[i]];
        if (prose > 0)
            for (int k = 0; k < N_PARTS; k++)
                if (prose >= PARTS[k] * at_least(p->prose, 1e-9)) p->best[k] = i; /* the last is the deepest */
        kin[i] = 0;
        if (!w->rows.tag[i]) continue; /* only elements are asked about */
        int32_t up = w->rows.parent[i] < 0 ? i : w->rows.parent[i], before = last[up];
        int is_same = before >= 0 && w->rows.tag[before] == w->rows.tag[i]; /* as the element before: most are */
        int32_t f = is_same ? w->family[before] : number_of(&families, (uint64_t)(uint32_t)up << 16 | (uint16_t)w->rows.tag[i]);
        last[up] = i;
        w->family[i] = f;
        w->family_prose[f] += prose;
        w->family_posts[f] += prose > 0;
        kin[i] = is_same && w->class_value[before] == w->class_value[i]
                     ? kin[before]
                     : number_of(&likes, (uint64_t)(uint32_t)f << 32 | ((uint32_t)w->class_value[i] + 1u));
        times[kin[i]]++;
    }
    for (int32_t i = 0; i < n; i++) w->like[i] = times[kin[i]];
    failed = 0;
done:
    numbers_free(&families);
    numbers_free(&likes);
    PyMem_RawFree(kin);
    PyMem_RawFree(times);
    PyMem_RawFree(last);
    return failed;
}

/* Ancestors of every block, each with more text than the one before. */
static void find_chains(Work *w) {
    int32_t n = w->n_rows, *top = w->top, *chain = (int32_t *)PyByteArray_AS_STRING(w->chain);
    const int32_t *visible = w->visible, *s = w->rows.text_start, *e = w->rows.text_end;
    for (int32_t i = 0; i < n; i++) {
        int32_t up = w->rows.parent[i];
        int grows = up < 0 || visible[e[up]] - visible[s[up]] != visible[e[i]] - visible[s[i]];
        top[i] = grows ? i : top[up];
    }
    for (int32_t k = 0; k < w->n_blocks; k++) {
        int32_t at = top[w->at.box[k]];
        for (int level = 0; level < LEVELS; level++) {
            chain[(size_t)level * (size_t)w->n_blocks + (size_t)k] = at;
            /* the parent of the top of the top; a top is its own top */
            int32_t up = w->rows.parent[top[at]];
            at = up < 0 ? top[at] : up;
        }
    }
}

/* ---------------------------------------------------------------- the kernel */

static int columns_of(Work *w, PyObject *const *o) {
    static const Py_ssize_t ITEM[6] = {1, sizeof(TagKind), 8, 8, 4, 4};
    for (int k = 0; k < 6; k++)
        if (o[k] != Py_None && column_get(&w->in[k], o[k], ITEM[k])) return -1;
    if (w->in[0].n != 0x10000) return bad("one kind for each of 65,536 characters");
    w->char_kinds = w->in[0].buffer.buf;
    w->tag_kind = w->in[1].buffer.buf;
    w->n_tag_kinds = w->in[1].n;
    w->urls = w->in[2].buffer.buf;
    w->types = w->in[3].buffer.buf;
    if ((w->urls && w->in[2].n != w->n_pages) || (w->types && w->in[3].n != w->n_pages) || PyTuple_GET_SIZE(w->titles) != w->n_pages ||
        PyTuple_GET_SIZE(w->about) != 2 * (Py_ssize_t)w->n_pages)
        return bad("one number and one title for each page");
    w->mark_row = w->in[4].buffer.buf;
    w->mark_column = w->in[5].buffer.buf;
    w->n_marks = (int32_t)w->in[4].n;
    if (w->in[5].n != w->n_marks) return bad("marks do not fit the rows");
    return 0;
}

/* evidence(pages, vocabulary, hints) -> (x, chain, alike, words, is_sentence, hashes, n_hashes): see PageTables, Vocabulary, PageHints. x is
 * float32 [blocks x EVIDENCE], chain int32 [LEVELS x blocks], alike int32 [2 x blocks]; the last two are the words of blocks as uint32, and how
 * many each has. */
PyObject *native_evidence(PyObject *self, PyObject *args) {
    Work work, *w = &work;
    memset(w, 0, sizeof *w);
    PyObject *rows, *attrs, *blocks, *class_words, *cue_words, *o[6], *result = NULL;
    if (!PyArg_ParseTuple(args, "(OOOUO!i)(OOOO)(OOO!O!OO)", &rows, &attrs, &blocks, &w->text, &PyTuple_Type, &w->strings, &w->n_pages,
                          &o[0], &o[1], &class_words, &cue_words, &o[2], &o[3], &PyTuple_Type, &w->titles,
                          &PyTuple_Type, &w->about, &o[4], &o[5]))
        return NULL;
    logs_init();
    if (w->n_pages < 0 || rows_get(&w->rows, rows) || attrs_get(&w->attrs, attrs) || blocks_get(&w->at, blocks)) {
        if (!PyErr_Occurred()) bad("columns do not fit");
        goto done;
    }
    if (columns_of(w, o) || check(w)) goto done;
    if (class_words != Py_None && !(w->class_words = matcher_of(class_words))) goto done;
    if (!(w->cue_words = matcher_of(cue_words))) goto done;
    int32_t n_pages = w->n_pages;
    size_t n = (size_t)w->n_blocks;
    w->pages = PyMem_RawCalloc((size_t)n_pages + 1, sizeof *w->pages);
    w->in_anchor = PyMem_RawCalloc((size_t)w->n_rows + 1, 1);
    w->blocks = PyMem_RawCalloc(n + 1, sizeof *w->blocks);
    w->top = PyMem_RawMalloc(((size_t)w->n_rows + 1) * sizeof *w->top);
    if (!w->pages || !w->in_anchor || !w->blocks || !w->top) { PyErr_NoMemory(); goto done; }
    for (int32_t p = 0; p < n_pages; p++) w->pages[p].h1 = -1;
    for (int32_t i = w->n_rows - 1, p = n_pages - 1; p >= 0; p--) { /* an empty page stands at the row after it */
        while (i >= 0 && w->rows.page[i] >= p) i--;
        int32_t row = i + 1 < w->n_rows ? i + 1 : w->n_rows - 1;
        w->pages[p].first_row = row;
        for (int k = 0; k < N_PARTS; k++) w->pages[p].best[k] = row;
    }
    if (!(w->x = new_matrix((Py_ssize_t)n, N_EVIDENCE)) ||
        !(w->chain = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(n * LEVELS * sizeof(int32_t)))))
        goto done;
    if (read_attributes(w) || walk(w) || count_blocks(w) || find_families(w) || find_alike(w) || find_topics(w)) goto done;
    find_chains(w);
    if (write_columns(w) || matrix_is_set(w->x, w->n_blocks, N_EVIDENCE, "EVIDENCE")) goto done;
    PyObject *words = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(n * sizeof(double)));
    PyObject *is_sentence = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)n);
    PyObject *alike = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(2 * n * sizeof(int32_t)));
    for (size_t which = 0; alike && which < 2; which++)
        memcpy(PyByteArray_AS_STRING(alike) + which * n * sizeof(int32_t), w->alike_number[which], n * sizeof(int32_t));
    for (size_t k = 0; words && is_sentence && k < n; k++) {
        ((double *)PyByteArray_AS_STRING(words))[k] = w->blocks[k].words;
        PyByteArray_AS_STRING(is_sentence)[k] = (char)w->blocks[k].is_sentence;
    }
    PyObject *hashes = PyBytes_FromStringAndSize((const char *)w->hash, (Py_ssize_t)(w->n_hashes * sizeof *w->hash));
    PyObject *n_hashes = PyBytes_FromStringAndSize((const char *)w->n_hash, (Py_ssize_t)n);
    result = Py_BuildValue("OONNNNN", w->x, w->chain, alike, words, is_sentence, hashes, n_hashes);
done:
    work_free(w);
    return result;
}
