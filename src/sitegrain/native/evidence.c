/* The evidence of the blocks of some pages: the second body of `gather_python` in extractor/evidence.py, which says what
 * each column means. The columns are written in its order; tests compare the two column by column.
 *
 * All sums are of whole or half numbers in double, so they are exact and both bodies agree to the last bit but for
 * log1p. Every index is checked before it is used; time is linear in rows, characters and attributes.
 */
#include "native.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { WORD = 1, UPPER = 2, DIGIT = 4, STOP = 8, COMMA = 16, WIDE = 32, SPACE = 64, SYMBOL = 128 }; /* text/chars.py */
enum { LEVELS = 6, MAX_INSIDE = 64, MAX_COUNTED = 32, OWN_COLUMNS = 21, N_PARTS = 3, LIKENESS = 7, TEXT_KEY_CHARS = 120 };
static const double PARTS[N_PARTS] = {0.4, 0.7, 0.95};

/* Codes of tags, attributes and columns, in the order of `_CODES` in extractor/evidence.py. */
typedef struct {
    int br, hr, h1, class_name, id_name, role_name, prop_name;
    int anchor, heading, hidden, aria, first_class, n_classes, comment_class;
    int n_cues, comment_cue, related_cue, cue_chars, n_counted, n_urls, n_types, n_columns;
} Codes;

/* What is known of a tag, in the order of `_TAG_TABLE`. */
typedef struct {
    uint8_t group, counted, box, chain;
} TagInfo;
enum { NO_GROUP = 255, IS_BLOCK = 1, IS_INLINE_BOX = 2 };

typedef struct {
    int32_t box, page, first, last, start, end, n_text;
    int32_t heading, comment, related; /* the last such block on the page so far, or -1 */
    double visible, words, stops, commas, upper, digits, symbols, wide, linked, density, log_words, before, prose_before;
    uint64_t cues;
    uint8_t is_sentence, ends_with_stop, starts_upper, in_comment;
} Block;

typedef struct {
    double blocks, prose, words, linked, tags[4];
} Held; /* running sums over rows */

typedef struct {
    int32_t first_row, first_block, n_blocks, n_rows, n_named, h1, n_sentences;
    double visible, prose, words, linked, longest, named_prose, after_prose;
    int32_t best[N_PARTS], counted[MAX_COUNTED];
} Page;

typedef struct {
    double words, density;
    int32_t n, texts, prose, first, last;
} Alike; /* sums over blocks that are alike; see extractor/likeness.py */

static double ratio(double a, double b) { return b > 0 ? a / b : 0.0; }
static double at_least(double a, double least) { return a > least ? a : least; }

/* log1p of small whole numbers is asked for thousands of times a page. */
#define LOGS 2048
static double logs[LOGS];
static double log_of(double a) {
    if (a >= 0 && a < LOGS && a == (double)(int)a) return logs[(int)a];
    return log1p(a);
}

/* ---------------------------------------------------------------- numbers of pairs */

typedef struct {
    uint64_t *key;
    int32_t *id;
    size_t mask;
    int32_t n;
    uint64_t secret;
} Numbers;

static int numbers_init(Numbers *t, size_t n) {
    size_t cap = 16;
    while (cap < 2 * n) cap *= 2;
    t->key = PyMem_RawMalloc(cap * sizeof *t->key);
    t->id = PyMem_RawMalloc(cap * sizeof *t->id);
    if (!t->key || !t->id) return -1;
    memset(t->id, -1, cap * sizeof *t->id);
    t->mask = cap - 1;
    t->n = 0;
    t->secret = process_key();
    return 0;
}

static void numbers_free(Numbers *t) { PyMem_RawFree(t->key); PyMem_RawFree(t->id); }

/* The number of a key, counted in the order of first use. At most as many keys as `numbers_init` was told. */
static int32_t number_of(Numbers *t, uint64_t key) {
    uint64_t h = key ^ t->secret;
    h = (h ^ h >> 30) * 0xBF58476D1CE4E5B9ull;
    h = (h ^ h >> 27) * 0x94D049BB133111EBull;
    size_t at = (size_t)(h ^ h >> 31) & t->mask;
    while (t->id[at] >= 0) {
        if (t->key[at] == key) return t->id[at];
        at = (at + 1) & t->mask;
    }
    t->key[at] = key;
    return t->id[at] = t->n++;
}

/* ---------------------------------------------------------------- text */

static void kinds_of(PyObject *text, const uint8_t *table, uint8_t *kind, int32_t *visible) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    const void *data = PyUnicode_DATA(text);
    switch (PyUnicode_KIND(text)) {
    case PyUnicode_1BYTE_KIND:
        for (Py_ssize_t i = 0; i < n; i++) kind[i] = table[((const Py_UCS1 *)data)[i]];
        break;
    case PyUnicode_2BYTE_KIND:
        for (Py_ssize_t i = 0; i < n; i++) kind[i] = table[((const Py_UCS2 *)data)[i]];
        break;
    default:
        for (Py_ssize_t i = 0; i < n; i++) {
            Py_UCS4 c = ((const Py_UCS4 *)data)[i];
            kind[i] = c < 0x10000 ? table[c] : c >= 0x20000 && c < 0x32000 ? WORD | WIDE : SYMBOL;
        }
    }
    int32_t seen = 0;
    visible[0] = 0;
    for (Py_ssize_t i = 0; i < n; i++) visible[i + 1] = seen += !(kind[i] & SPACE);
}

/* Count the characters of one text row into its block. A word does not run over the end of a row. */
static void count_kinds(Block *b, const uint8_t *kind, int32_t from, int32_t to, const uint64_t *spread) {
    int narrow_before = 0;
    int64_t starts = 0, total[8] = {0};
    for (int32_t i = from; i < to;) {
        int32_t stop = to - i > 255 ? i + 255 : to; /* a lane of 8 bits holds 255 */
        uint64_t lanes = 0;
        for (; i < stop; i++) {
            uint8_t k = kind[i];
            lanes += spread[k];
            int narrow = (k & (WORD | WIDE)) == WORD;
            starts += narrow & !narrow_before;
            narrow_before = narrow;
        }
        for (int lane = 0; lane < 8; lane++) total[lane] += lanes >> (8 * lane) & 255;
    }
    b->upper += (double)total[1];
    b->digits += (double)total[2];
    b->stops += (double)total[3];
    b->commas += (double)total[4];
    b->wide += (double)total[5];
    b->symbols += (double)total[7];
    b->words += (double)starts + (double)total[5] / 2; /* two wide characters count as one word */
}

/* Cue words of a short text, read in lower case; -1 on an error. */
static int cue_bits(PyObject *text, const Matcher *matcher, int32_t from, int32_t to, uint64_t *bits) {
    char ascii[208];
    size_t n = 0;
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    for (int32_t i = from; i < to && n < sizeof ascii; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (c >= 128) {
            /* Only Python knows the lower case of everything; what is beyond the first 200 bytes does not count, but
             * a final sigma is told by what follows it, so the whole text is read. */
            PyObject *part = PyUnicode_Substring(text, from, to);
            PyObject *low = part ? PyObject_CallMethod(part, "lower", NULL) : NULL;
            Py_ssize_t size = 0;
            const char *s = low ? PyUnicode_AsUTF8AndSize(low, &size) : NULL;
            if (s) *bits = matcher_find(matcher, s, (size_t)size);
            Py_XDECREF(low);
            Py_XDECREF(part);
            return s ? 0 : -1;
        }
        ascii[n++] = (char)c;
    }
    *bits = matcher_find(matcher, ascii, n);
    return 0;
}

/* ---------------------------------------------------------------- the work */

enum { TAG, PARENT, END, DEPTH, PAGE, TSTART, TEND, FLAGS, ANODE, ANAME, AVALUE, CHARS, TAGINFO, CODES, URLS, TYPES, N_COLUMNS };
static const Py_ssize_t ITEM[N_COLUMNS] = {2, 4, 4, 4, 4, 4, 4, 1, 4, 2, 4, 1, 4, 4, 8, 8};

typedef struct {
    Column in[N_COLUMNS];
    int32_t n_rows, n_pages, n_blocks, n_attrs;
    const int16_t *tag;
    const int32_t *parent, *end, *depth, *page, *text_start, *text_end;
    const uint8_t *flags;
    const TagInfo *info;
    Codes code;
    PyObject *text, *strings, *roles, *props;
    int32_t first_row; /* rows of attributes are counted from the site's first */
    const Matcher *class_words, *cue_words;
    /* owned */
    uint8_t *kind;
    int32_t *visible, *node_block, *top, *family, *class_value;
    uint64_t *class_bits, *marks;
    double *like, *family_prose, *family_posts;
    Alike *alike[2];           /* groups of blocks: at the same path, and with the same three elements nearest */
    int32_t *alike_number[2]; /* per block: its group */
    Block *blocks;
    Page *pages;
    Held *held;
    uint8_t *in_anchor;
    PyObject *x, *chain;
} Work;

static void work_free(Work *w) {
    void *owned[] = {w->kind, w->visible, w->top, w->family, w->class_value, w->class_bits, w->marks, w->like, w->family_prose,
                     w->family_posts, w->blocks, w->pages, w->held, w->in_anchor, w->alike[0], w->alike[1],
                     w->alike_number[0], w->alike_number[1]};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) PyMem_RawFree(owned[i]);
    PyMem_RawFree(w->node_block);
    columns_release(w->in, N_COLUMNS);
}

static int bad(const char *what) {
    PyErr_SetString(PyExc_ValueError, what);
    return -1;
}

#define NEW(field, count)                                                                                         \
    do {                                                                                                          \
        if (!(w->field = PyMem_RawCalloc((size_t)(count) + 1, sizeof *w->field))) { PyErr_NoMemory(); return -1; } \
    } while (0)

static int check(Work *w) {
    Py_ssize_t n = w->in[TAG].n, size = PyUnicode_GET_LENGTH(w->text), n_attrs = w->in[ANODE].n;
    for (int c = TAG; c <= FLAGS; c++)
        if (w->in[c].n != n) return bad("columns of rows differ in length");
    if (w->in[ANAME].n != n_attrs || w->in[AVALUE].n != n_attrs) return bad("columns of attributes differ in length");
    if (n > INT32_MAX / 2 || size > INT32_MAX - 1 || n_attrs > INT32_MAX / 2) return bad("too many rows");
    if (w->in[CHARS].n != 0x10000) return bad("one kind for each of 65,536 characters");
    if (w->in[CODES].buffer.len != (Py_ssize_t)sizeof(Codes)) return bad("codes do not fit");
    memcpy(&w->code, w->in[CODES].buffer.buf, sizeof(Codes));
    const Codes *c = &w->code;
    if (c->n_classes < 0 || c->first_class < 0 || c->first_class + c->n_classes > MAX_INSIDE || c->anchor < 0 ||
        c->anchor >= c->first_class || c->heading < 0 || c->heading >= c->first_class || c->hidden < 0 ||
        c->hidden >= c->first_class || c->aria < 0 || c->aria >= c->first_class || c->comment_class < 0 ||
        c->comment_class >= c->n_classes || c->n_cues < 0 || c->n_cues > 63 || c->comment_cue < 0 || c->comment_cue > 63 ||
        c->related_cue < 0 || c->related_cue > 63 || c->n_counted < 1 || c->n_counted > MAX_COUNTED || c->n_urls < 0 ||
        c->n_urls > 63 || c->n_types < 0 || c->n_types > 63 || c->n_columns < 1 || c->n_columns > 100000)
        return bad("codes do not fit");
    if ((w->in[URLS].buffer.obj && w->in[URLS].n < w->n_pages) || (w->in[TYPES].buffer.obj && w->in[TYPES].n < w->n_pages))
        return bad("one number for each page");
    w->n_rows = (int32_t)n;
    w->n_attrs = (int32_t)n_attrs;
    w->tag = w->in[TAG].buffer.buf;
    w->parent = w->in[PARENT].buffer.buf;
    w->end = w->in[END].buffer.buf;
    w->depth = w->in[DEPTH].buffer.buf;
    w->page = w->in[PAGE].buffer.buf;
    w->text_start = w->in[TSTART].buffer.buf;
    w->text_end = w->in[TEND].buffer.buf;
    w->flags = w->in[FLAGS].buffer.buf;
    w->info = w->in[TAGINFO].buffer.buf;
    for (int32_t i = 0; i < (int32_t)n; i++) {
        if (w->tag[i] < 0 || w->tag[i] >= w->in[TAGINFO].n) return bad("a tag without a code");
        if (w->parent[i] < -1 || w->parent[i] >= i) return bad("a parent comes before its children");
        if (w->end[i] <= i || w->end[i] > n) return bad("a subtree holds its own row");
        if (w->page[i] < (i ? w->page[i - 1] : 0) || w->page[i] >= w->n_pages) return bad("rows are in the order of pages");
        if (w->text_start[i] < 0 || w->text_start[i] > w->text_end[i] || w->text_end[i] > size)
            return bad("text spans lie within the text");
    }
    for (Py_ssize_t t = 0; t < w->in[TAGINFO].n; t++)
        if ((w->info[t].group != NO_GROUP && w->info[t].group >= c->first_class) || w->info[t].counted >= c->n_counted ||
            w->info[t].chain > 4)
            return bad("codes do not fit");
    return 0;
}

/* Runs of text rows with the same nearest box, cut at two line breaks or a rule: `text_blocks` in extractor/blocks.py. */
static int find_blocks(Work *w) {
    int32_t n = w->n_rows, n_text = 0, breaks = 0, rules = 0;
    NEW(node_block, n);
    NEW(top, n); /* boxes for now */
    int32_t *box_of = w->top, *breaks_before;
    if (!(breaks_before = PyMem_RawMalloc(((size_t)n + 1) * sizeof *breaks_before))) { PyErr_NoMemory(); return -1; }
    for (int32_t i = 0; i < n; i++) {
        breaks_before[i] = breaks;
        breaks += w->tag[i] == w->code.br;
        n_text += w->tag[i] == 0;
    }
    breaks_before[n] = breaks;
    w->blocks = PyMem_RawCalloc((size_t)n_text + 1, sizeof *w->blocks);
    if (!w->blocks) { PyMem_RawFree(breaks_before); PyErr_NoMemory(); return -1; }
    Block *b = w->blocks - 1;
    int32_t last_row = -1, last_rules = 0;
    for (int32_t i = 0; i < n; i++) {
        uint8_t kind = w->info[w->tag[i]].box;
        /* An inline element that holds line breaks is used as a block. */
        int is_box = kind == IS_BLOCK || (kind == IS_INLINE_BOX && breaks_before[w->end[i]] > breaks_before[i]);
        box_of[i] = is_box ? i : w->parent[i] < 0 ? -1 : box_of[w->parent[i]];
        rules += w->tag[i] == w->code.hr;
        w->node_block[i] = -1;
        if (w->tag[i]) continue;
        int32_t box = box_of[i] < 0 ? 0 : box_of[i];
        if (last_row < 0 || box != b->box || breaks_before[i] - breaks_before[last_row] >= 2 || rules > last_rules ||
            w->page[i] != b->page) {
            b++;
            b->box = box;
            b->page = w->page[i];
            b->first = i;
            b->start = w->text_start[i];
        }
        b->last = i;
        b->end = w->text_end[i];
        b->n_text++;
        w->node_block[i] = (int32_t)(b - w->blocks);
        last_row = i;
        last_rules = rules;
    }
    w->n_blocks = (int32_t)(b - w->blocks) + 1;
    PyMem_RawFree(breaks_before);
    return 0;
}

/* Per row: families of its class and id names, its class, and what its role and itemprop say. */
static int read_attributes(Work *w) {
    const int32_t *node = w->in[ANODE].buffer.buf, *value = w->in[AVALUE].buffer.buf;
    const int16_t *name = w->in[ANAME].buffer.buf;
    Py_ssize_t n_strings = PyTuple_GET_SIZE(w->strings);
    const Codes *c = &w->code;
    NEW(class_bits, w->n_rows);
    NEW(class_value, w->n_rows);
    NEW(marks, w->n_attrs);
    memset(w->class_value, -1, (size_t)w->n_rows * sizeof *w->class_value);
    Numbers known;
    memset(&known, 0, sizeof known);
    uint64_t *of_value = PyMem_RawMalloc(((size_t)w->n_attrs + 1) * sizeof *of_value);
    int failed = 1;
    if (!of_value || numbers_init(&known, (size_t)w->n_attrs)) { PyErr_NoMemory(); goto done; }
    for (int32_t a = 0; a < w->n_attrs; a++) {
        int is_class = name[a] == c->class_name, is_id = name[a] == c->id_name;
        int is_role = name[a] == c->role_name, is_prop = name[a] == c->prop_name;
        if (!(is_class | is_id | is_role | is_prop)) continue;
        int64_t row = (int64_t)node[a] - w->first_row;
        if (row < 0 || row >= w->n_rows || value[a] < 0 || value[a] >= n_strings || (a && node[a] < node[a - 1])) {
            bad("attributes do not fit the rows");
            goto done;
        }
        PyObject *string = PyTuple_GET_ITEM(w->strings, value[a]);
        if (is_role | is_prop) {
            PyObject *found = PyObject_CallFunctionObjArgs(is_role ? w->roles : w->props, string, NULL);
            long column = found ? PyLong_AsLong(found) : -1;
            Py_XDECREF(found);
            if (PyErr_Occurred()) goto done;
            if (column >= c->first_class) { bad("codes do not fit"); goto done; }
            w->marks[a] = column >= 0 ? 1ull << column : 0;
            continue;
        }
        if (is_class) w->class_value[row] = value[a];
        if (!w->class_words) continue;
        int32_t before = known.n, id = number_of(&known, (uint64_t)(uint32_t)value[a]);
        if (id == before) {
            Py_ssize_t size;
            const char *s = PyUnicode_AsUTF8AndSize(string, &size);
            if (!s) goto done;
            of_value[id] = matcher_find(w->class_words, s, (size_t)size);
        }
        w->class_bits[row] |= of_value[id];
    }
    failed = 0;
done:
    numbers_free(&known);
    PyMem_RawFree(of_value);
    return failed ? -1 : 0;
}

/* One walk down the rows: how many open elements belong to each group, written at the first row of every block. */
static int walk(Work *w) {
    typedef struct { int32_t end; uint64_t mask; } Open;
    const Codes *c = &w->code;
    int n_inside = c->first_class + c->n_classes, n_columns = c->n_columns;
    const int32_t *node = w->in[ANODE].buffer.buf;
    uint64_t class_mask = (1ull << c->n_classes) - 1;
    Open *open = PyMem_RawMalloc(((size_t)w->n_rows + (size_t)w->n_attrs + 1) * sizeof *open);
    if (!open) { PyErr_NoMemory(); return -1; }
    int32_t n_open = 0, count[MAX_INSIDE] = {0}, a = 0;
    float *x = (float *)PyByteArray_AS_STRING(w->x);
#define COUNT(mask_, by)                                                            \
    for (uint64_t m_ = (mask_); m_; m_ &= m_ - 1) count[__builtin_ctzll(m_)] += (by)
    for (int32_t i = 0; i < w->n_rows; i++) {
        while (n_open && open[n_open - 1].end <= i) { n_open--; COUNT(open[n_open].mask, -1); }
        TagInfo info = w->info[w->tag[i]];
        Page *p = &w->pages[w->page[i]];
        p->n_rows++;
        p->counted[info.counted]++;
        uint64_t mask = info.group != NO_GROUP ? 1ull << info.group : 0;
        if (w->flags[i] & 2) mask |= 1ull << c->hidden;
        if (w->flags[i] & 4) mask |= 1ull << c->aria;
        if (w->class_bits[i]) {
            p->n_named++;
            mask |= (w->class_bits[i] & class_mask) << c->first_class;
        }
        if (mask) {
            COUNT(mask, 1);
            open[n_open++] = (Open){w->end[i], mask};
        }
        while (a < w->n_attrs && (int64_t)node[a] - w->first_row <= i) {
            if (w->marks[a]) { /* its own entry: a group can be marked by the tag and by the role */
                COUNT(w->marks[a], 1);
                open[n_open++] = (Open){w->end[i], w->marks[a]};
            }
            a++;
        }
        w->in_anchor[i] = count[c->anchor] > 0;
        int32_t b = w->node_block[i];
        if (b >= 0 && w->blocks[b].first == i) {
            float *out = x + (size_t)b * (size_t)n_columns + OWN_COLUMNS;
            for (int k = 0; k < n_inside; k++) out[k] = (float)count[k];
            w->blocks[b].in_comment = count[c->first_class + c->comment_class] > 0;
        }
    }
    PyMem_RawFree(open);
    return 0;
}

/* Characters and words of every block, and the sums over rows and pages that are made of them. */
static int count_blocks(Work *w) {
    const Codes *c = &w->code;
    Py_ssize_t size = PyUnicode_GET_LENGTH(w->text);
    NEW(kind, size);
    NEW(visible, size + 1);
    NEW(held, w->n_rows + 1);
    kinds_of(w->text, w->in[CHARS].buffer.buf, w->kind, w->visible);
    uint64_t spread[256];
    for (int k = 0; k < 256; k++) {
        spread[k] = 0;
        for (int lane = 0; lane < 8; lane++) spread[k] |= (uint64_t)(k >> lane & 1) << (8 * lane);
    }
    const int32_t *visible = w->visible;
    int32_t last_page = -1, heading = -1, comment = -1, related = -1;
    const float *x = (const float *)PyByteArray_AS_STRING(w->x);
    for (int32_t k = 0; k < w->n_blocks; k++) {
        Block *b = &w->blocks[k];
        Page *p = &w->pages[b->page];
        for (int32_t i = b->first; i <= b->last; i++)
            if (!w->tag[i]) {
                count_kinds(b, w->kind, w->text_start[i], w->text_end[i], spread);
                if (w->in_anchor[i]) b->linked += visible[w->text_end[i]] - visible[w->text_start[i]];
            }
        b->visible = visible[b->end] - visible[b->start];
        b->density = ratio(b->linked, b->visible);
        b->is_sentence = b->words >= 8 && b->stops + b->commas >= 1 && b->density < 0.4;
        b->log_words = log_of(b->words);
        for (int32_t i = b->end - 3 > b->start ? b->end - 3 : b->start; i < b->end; i++) b->ends_with_stop |= (w->kind[i] & STOP) > 0;
        for (int32_t i = b->start; i < b->start + 2 && i < size; i++) b->starts_upper += (w->kind[i] & UPPER) > 0;
        if (b->visible > 0 && b->visible <= c->cue_chars && cue_bits(w->text, w->cue_words, b->start, b->end, &b->cues)) return -1;
        if (b->page != last_page) {
            heading = comment = related = -1;
            p->first_block = k;
            last_page = b->page;
        }
        int is_heading = x[(size_t)k * (size_t)c->n_columns + OWN_COLUMNS + (size_t)c->heading] > 0;
        int is_cue = b->words <= 6 && b->density < 0.5;
        if (is_heading) {
            heading = k;
            if (w->tag[b->box] == c->h1 && p->h1 < 0) p->h1 = k;
        }
        if (is_cue && b->cues >> c->comment_cue & 1) comment = k;
        if (is_cue && b->cues >> c->related_cue & 1) related = k;
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
    for (int32_t i = 0; i < w->n_rows; i++) {
        Held h = w->held[i];
        int32_t k = w->node_block[i];
        if (k >= 0) {
            Block *b = &w->blocks[k];
            if (b->first == i) {
                h.blocks += 1;
                h.prose += b->is_sentence ? b->visible : 0;
                h.words += b->words;
            }
            if (w->in_anchor[i]) h.linked += visible[w->text_end[i]] - visible[w->text_start[i]];
        }
        uint8_t chain = w->info[w->tag[i]].chain;
        if (chain) h.tags[chain - 1] += 1;
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
    if (!kin || !times || numbers_init(&families, (size_t)n) || numbers_init(&likes, (size_t)n)) {
        PyErr_NoMemory();
        goto done;
    }
    for (int32_t i = 0; i < n; i++) {
        int32_t up = w->parent[i] < 0 ? i : w->parent[i];
        int32_t f = number_of(&families, (uint64_t)(uint32_t)up << 16 | (uint16_t)w->tag[i]);
        double prose = w->held[w->end[i]].prose - w->held[i].prose;
        w->family[i] = f;
        w->family_prose[f] += prose;
        w->family_posts[f] += prose > 0;
        kin[i] = number_of(&likes, (uint64_t)(uint32_t)f << 32 | ((uint32_t)w->class_value[i] + 1u));
        times[kin[i]]++;
        Page *p = &w->pages[w->page[i]];
        for (int k = 0; k < N_PARTS; k++)
            if (prose >= PARTS[k] * at_least(p->prose, 1e-9)) p->best[k] = i; /* the last is the deepest */
    }
    for (int32_t i = 0; i < n; i++) w->like[i] = times[kin[i]];
    failed = 0;
done:
    numbers_free(&families);
    numbers_free(&likes);
    PyMem_RawFree(kin);
    PyMem_RawFree(times);
    return failed;
}

/* ---------------------------------------------------------------- blocks that are alike */

/* Per row: its tag and those of its class names that two or more elements of its page have. Every distinct class attribute
 * is cut into names once; names of a page are counted by going over its elements, twice. */
static uint64_t *own_keys(Work *w) {
    crc_init();
    size_t n_rows = (size_t)w->n_rows, n_names = 0, room = 64;
    uint64_t *own = PyMem_RawMalloc((n_rows + 1) * sizeof *own);
    int32_t *value_of = PyMem_RawMalloc((n_rows + 1) * sizeof *value_of);  /* per row: number of its class attribute */
    size_t *begins = PyMem_RawCalloc(n_rows + 2, sizeof *begins);          /* per attribute: its first name */
    uint32_t *names = PyMem_RawMalloc(room * sizeof *names);
    uint32_t *times = NULL;
    Numbers values, numbers;
    memset(&values, 0, sizeof values);
    memset(&numbers, 0, sizeof numbers);
    int32_t *number = NULL;
    int failed = 1;
    if (!own || !value_of || !begins || !names || numbers_init(&values, n_rows)) goto done;
    for (int32_t i = 0; i < w->n_rows; i++) {
        own[i] = (uint64_t)w->tag[i];
        value_of[i] = -1;
        if (w->class_value[i] < 0) continue;
        int32_t before = values.n, id = value_of[i] = number_of(&values, (uint64_t)(uint32_t)w->class_value[i]);
        if (id < before) continue;
        PyObject *string = PyTuple_GET_ITEM(w->strings, w->class_value[i]);
        if (!PyUnicode_Check(string)) { bad("attributes are text"); goto done; }
        int kind = PyUnicode_KIND(string);
        const void *data = PyUnicode_DATA(string);
        Py_ssize_t size = PyUnicode_GET_LENGTH(string);
        for (Py_ssize_t at = 0; at < size;) {
            uint32_t crc = CRC_START;
            Py_ssize_t start = at;
            for (; at < size; at++) {
                Py_UCS4 c = PyUnicode_READ(kind, data, at);
                if (c > ' ' && c < 0x7F) crc = crc_byte(crc, c); /* nearly all */
                else if (Py_UNICODE_ISSPACE(c)) break;
                else crc = crc_char(crc, c);
            }
            if (at > start) {
                if (n_names == room) {
                    uint32_t *more = PyMem_RawRealloc(names, 2 * room * sizeof *names);
                    if (!more) goto done;
                    names = more;
                    room *= 2;
                }
                names[n_names++] = ~crc;
            }
            at++;
        }
        begins[id + 1] = n_names;
    }
    number = PyMem_RawMalloc((n_names + 1) * sizeof *number);
    times = PyMem_RawCalloc(n_names + 1, sizeof *times);
    if (!number || !times || numbers_init(&numbers, n_names)) goto done;
    for (size_t k = 0; k < n_names; k++) number[k] = number_of(&numbers, names[k]);
    for (int32_t first = 0, next; first < w->n_rows; first = next) {
        for (next = first; next < w->n_rows && w->page[next] == w->page[first]; next++)
            if (value_of[next] >= 0)
                for (size_t k = begins[value_of[next]]; k < begins[value_of[next] + 1]; k++) times[number[k]]++;
        for (int32_t i = first; i < next; i++)
            if (value_of[i] >= 0) {
                uint64_t sum = 0;
                for (size_t k = begins[value_of[i]]; k < begins[value_of[i] + 1]; k++)
                    if (times[number[k]] > 1) sum += names[k];
                own[i] += (sum & 0xFFFFFFFFFFFFull) << 9;
            }
        for (int32_t i = first; i < next; i++) /* the next page begins at nothing */
            if (value_of[i] >= 0)
                for (size_t k = begins[value_of[i]]; k < begins[value_of[i] + 1]; k++) times[number[k]] = 0;
    }
    failed = 0;
done:
    if (failed) {
        if (!PyErr_Occurred()) PyErr_NoMemory();
        PyMem_RawFree(own);
        own = NULL;
    }
    numbers_free(&values);
    numbers_free(&numbers);
    PyMem_RawFree(value_of);
    PyMem_RawFree(begins);
    PyMem_RawFree(names);
    PyMem_RawFree(number);
    PyMem_RawFree(times);
    return own;
}

/* A key of the first characters of a block's text that are no space, and of how many there are. */
static uint64_t text_key(const Work *w, const Block *b) {
    int kind = PyUnicode_KIND(w->text);
    const void *data = PyUnicode_DATA(w->text);
    int32_t end = b->end - b->start > TEXT_KEY_CHARS ? b->start + TEXT_KEY_CHARS : b->end;
    uint64_t key = (uint64_t)b->visible;
    for (int32_t i = b->start; i < end; i++)
        if (!(w->kind[i] & SPACE)) key = (key << 23 | key >> 41) * 0x9E3779B97F4A7C15ull + PyUnicode_READ(kind, data, i);
    return key;
}

static int find_alike(Work *w) {
    int32_t n = w->n_blocks;
    uint64_t *own = own_keys(w), *path = PyMem_RawMalloc(((size_t)w->n_rows + 1) * sizeof *path);
    uint64_t *texts = PyMem_RawMalloc(((size_t)n + 1) * sizeof *texts);
    int failed = 1;
    if (!own) goto done;
    if (!path || !texts) { PyErr_NoMemory(); goto done; }
    for (int32_t i = 0; i < w->n_rows; i++) path[i] = path_key(w->parent[i] >= 0 ? path[w->parent[i]] : 0, own[i]);
    for (int32_t k = 0; k < n; k++) texts[k] = text_key(w, &w->blocks[k]);
    for (int which = 0; which < 2; which++) {
        w->alike[which] = PyMem_RawCalloc((size_t)n + 1, sizeof(Alike));
        w->alike_number[which] = PyMem_RawMalloc(((size_t)n + 1) * sizeof(int32_t));
        Numbers groups, pairs;
        memset(&groups, 0, sizeof groups);
        memset(&pairs, 0, sizeof pairs);
        if (!w->alike[which] || !w->alike_number[which] || numbers_init(&groups, (size_t)n) || numbers_init(&pairs, (size_t)n)) {
            numbers_free(&groups);
            numbers_free(&pairs);
            PyErr_NoMemory();
            goto done;
        }
        const uint64_t up = 0x9E3779B97F4A7C15ull;
        for (int32_t k = 0; k < n; k++) {
            const Block *b = &w->blocks[k];
            int32_t above = w->parent[b->box] < 0 ? b->box : w->parent[b->box];
            int32_t further = w->parent[above] < 0 ? above : w->parent[above];
            uint64_t key = which ? own[b->box] + own[above] * up + own[further] * up * up : path[b->box];
            int32_t id = number_of(&groups, key + (uint64_t)b->page * 0xC2B2AE3D27D4EB4Full);
            w->alike_number[which][k] = id;
            Alike *a = &w->alike[which][id];
            if (!a->n++) a->first = k;
            a->last = k;
            a->words += b->words;
            a->density += b->density;
            a->prose += b->is_sentence;
            int32_t before = pairs.n;
            a->texts += number_of(&pairs, path_key(texts[k], (uint64_t)id)) == before;
        }
        numbers_free(&groups);
        numbers_free(&pairs);
    }
    failed = 0;
done:
    PyMem_RawFree(own);
    PyMem_RawFree(path);
    PyMem_RawFree(texts);
    return failed ? -1 : 0;
}

/* Ancestors of every block, each with more text than the one before. */
static void find_chains(Work *w) {
    int32_t n = w->n_rows, *top = w->top, *chain = (int32_t *)PyByteArray_AS_STRING(w->chain);
    const int32_t *visible = w->visible, *s = w->text_start, *e = w->text_end;
    for (int32_t i = 0; i < n; i++) {
        int32_t up = w->parent[i];
        int grows = up < 0 || visible[e[up]] - visible[s[up]] != visible[e[i]] - visible[s[i]];
        top[i] = grows ? i : top[up];
    }
    for (int32_t k = 0; k < w->n_blocks; k++) {
        int32_t at = top[w->blocks[k].box];
        for (int level = 0; level < LEVELS; level++) {
            chain[(size_t)level * (size_t)w->n_blocks + (size_t)k] = at;
            /* the parent of the top of the top; a top is its own top */
            int32_t up = w->parent[top[at]];
            at = up < 0 ? top[at] : up;
        }
    }
}

static float *bits_out(float *o, uint64_t bits, int n) {
    for (int k = 0; k < n; k++) *o++ = (float)(bits >> k & 1);
    return o;
}

/* Columns of the page, once for each page; the same for all its blocks. */
static size_t page_columns(const Work *w, int32_t page, float *o) {
    const Codes *c = &w->code;
    const Page *p = &w->pages[page];
    float *start = o;
    *o++ = (float)ratio(p->n_named, p->n_rows);
    *o++ = (float)log_of(p->words);
    *o++ = (float)log_of(p->n_blocks);
    *o++ = (float)ratio(p->linked, p->visible);
    *o++ = (float)ratio(p->prose, p->visible);
    *o++ = (float)p->longest;
    *o++ = (float)p->n_sentences;
    *o++ = (float)ratio(p->words, p->n_blocks);
    for (int k = 1; k < c->n_counted; k++) *o++ = (float)log_of(p->counted[k]);
    if (w->in[URLS].buffer.obj) o = bits_out(o, ((const uint64_t *)w->in[URLS].buffer.buf)[page], c->n_urls);
    else for (int k = 0; k < c->n_urls; k++) *o++ = NAN;
    if (w->in[TYPES].buffer.obj) o = bits_out(o, ((const uint64_t *)w->in[TYPES].buffer.buf)[page], c->n_types);
    else for (int k = 0; k < c->n_types; k++) *o++ = NAN;
    return (size_t)(o - start);
}

/* All columns of a block but those that `walk` wrote and those of the page; returns where it stopped. */
static float *block_columns(const Work *w, int32_t k, float *o) {
    const Codes *c = &w->code;
    const Block *b = &w->blocks[k];
    const Page *p = &w->pages[b->page];
    const int16_t *tag = w->tag;
    const int32_t *visible = w->visible;
#define UP(i) (w->parent[i] < 0 ? (i) : w->parent[i])
#define PUT(value) (*o++ = (float)(value))
    int32_t above = UP(b->box), further_up = UP(above), first_up = UP(b->first);
    /* --- the block itself */
    PUT(b->words); PUT(b->visible); PUT(b->density); PUT(b->linked); PUT(b->stops); PUT(b->commas);
    PUT(ratio(b->stops, b->words)); PUT(ratio(b->commas, b->words));
    PUT(ratio(b->upper, b->visible)); PUT(ratio(b->digits, b->visible)); PUT(ratio(b->symbols, b->visible));
    PUT(ratio(b->wide, b->visible)); PUT(ratio(b->visible, b->words));
    PUT(b->ends_with_stop); PUT(b->starts_upper); PUT(b->n_text);
    PUT(tag[b->box]); PUT(tag[above]); PUT(tag[further_up]); PUT(tag[first_up]); PUT(w->depth[b->box]);
    o += c->first_class + c->n_classes;
    uint64_t near = w->class_bits[b->box] | w->class_bits[above] | w->class_bits[first_up];
    uint64_t further = near | w->class_bits[further_up] | w->class_bits[UP(further_up)];
    for (int f = 0; f < c->n_classes; f++) PUT((near >> f & 1) + (further >> f & 1));
    o = bits_out(o, b->cues, c->n_cues);
    /* --- its place on the page */
    int32_t order = k - p->first_block, page_end = p->first_block + p->n_blocks;
    PUT(order); PUT(ratio(order, p->n_blocks)); PUT(ratio(b->before, p->visible)); PUT(ratio(b->prose_before, p->prose));
    PUT(b->heading >= 0 ? k - b->heading : NAN);
    PUT(b->heading >= 0 ? (double)(w->blocks[b->heading].cues & 31) : NAN);
    PUT(b->heading >= 0 ? tag[w->blocks[b->heading].box] : NAN);
    PUT(p->h1 >= 0 ? k - p->h1 : NAN);
    PUT(b->comment >= 0 ? k - b->comment : NAN);
    PUT(b->related >= 0 ? k - b->related : NAN);
    /* --- its neighbours */
    static const int BY[] = {-3, -2, -1, 1, 2, 3}, WANTED[] = {1, 4, 5, 5, 4, 1};
    for (int j = 0; j < 6; j++) {
        int32_t other = k + BY[j];
        if (other < p->first_block || other >= page_end) {
            for (int q = 0; q < WANTED[j]; q++) PUT(NAN);
            continue;
        }
        const Block *n = &w->blocks[other];
        PUT(n->log_words);
        if (WANTED[j] > 1) { PUT(n->density); PUT(n->stops); PUT(n->is_sentence); }
        if (WANTED[j] > 4) PUT(tag[n->box]);
    }
    for (int width = 4; width <= 12; width += 8) {
        int32_t lo = k - width > p->first_block ? k - width : p->first_block, hi = k + width + 1 < page_end ? k + width + 1 : page_end;
        double text_lo = w->blocks[lo].before, prose_lo = w->blocks[lo].prose_before;
        double text_hi = hi < page_end ? w->blocks[hi].before : p->visible, prose_hi = hi < page_end ? w->blocks[hi].prose_before : p->prose;
        PUT(ratio(prose_hi - prose_lo, text_hi - text_lo));
        PUT(log_of(text_hi - text_lo));
    }
    PUT(k > 0 && w->blocks[k - 1].box == b->box);
    /* --- its ancestors */
    const int32_t *chain = (const int32_t *)PyByteArray_AS_STRING(w->chain);
    double prose_of_page = at_least(p->prose, 1e-9), text_of_page = at_least(p->visible, 1e-9);
    int32_t page_start = visible[w->text_start[p->first_row]];
    float *up = o, *down = o + 11 * LEVELS;
    for (int level = 0; level < LEVELS; level++, up++) {
        int32_t at = chain[(size_t)level * (size_t)w->n_blocks + (size_t)k];
        const Held *lo = &w->held[at], *hi = &w->held[w->end[at]];
        double total = visible[w->text_end[at]] - visible[w->text_start[at]], divisor = at_least(total, 1e-9);
        double prose = hi->prose - lo->prose, n_blocks = hi->blocks - lo->blocks;
        up[0 * LEVELS] = (float)log_of(total);
        up[1 * LEVELS] = (float)(total / text_of_page);
        up[2 * LEVELS] = (float)((hi->linked - lo->linked) / divisor);
        up[3 * LEVELS] = (float)(prose / divisor);
        up[4 * LEVELS] = (float)(prose / prose_of_page);
        up[5 * LEVELS] = (float)log_of(n_blocks);
        up[6 * LEVELS] = (float)((hi->words - lo->words) / at_least(n_blocks, 1e-9));
        up[7 * LEVELS] = (float)tag[at];
        up[8 * LEVELS] = (float)log_of(w->like[at]);
        up[9 * LEVELS] = (float)log_of(w->family_posts[w->family[at]]);
        up[10 * LEVELS] = (float)(w->family_prose[w->family[at]] / prose_of_page);
        if (!level) continue;
        for (int t = 0; t < 4; t++) down[t * (LEVELS - 1)] = (float)(hi->tags[t] - lo->tags[t]);
        down[4 * (LEVELS - 1)] = (float)((b->before - (visible[w->text_start[at]] - page_start)) / divisor);
        down++;
    }
    o += 11 * LEVELS + 5 * (LEVELS - 1);
    PUT((b->in_comment ? 1 : -1) * ratio(p->named_prose, p->prose));
    PUT((b->comment >= 0 ? 1 : -1) * ratio(p->after_prose, p->prose));
    for (int part = 0; part < N_PARTS; part++) {
        int32_t root = p->best[part];
        PUT(b->first >= root && b->first < w->end[root] ? 1 : b->first < root ? -1 : 0);
        PUT(ratio(visible[w->text_end[root]] - visible[w->text_start[root]], p->visible));
        PUT(w->depth[b->box] - w->depth[root]);
    }
    PUT(ratio(b->words, p->longest));
    for (int which = 0; which < 2; which++) {
        const Alike *a = &w->alike[which][w->alike_number[which][k]];
        PUT(log_of(a->n)); PUT(ratio(a->words, p->words)); PUT(a->words / a->n); PUT(a->density / a->n);
        PUT(a->n > 1 ? (double)a->texts / a->n : NAN); PUT((double)a->prose / a->n);
        PUT((double)(a->last - a->first) / p->n_blocks);
    }
    return o;
}

static int write_columns(Work *w) {
    int32_t last_page = -1;
    float of_page[8 + MAX_COUNTED + 64 + 64], *x = (float *)PyByteArray_AS_STRING(w->x);
    size_t n_page = 0;
    for (int32_t k = 0; k < w->n_blocks; k++) {
        float *row = x + (size_t)k * (size_t)w->code.n_columns;
        if (w->blocks[k].page != last_page) {
            last_page = w->blocks[k].page;
            n_page = page_columns(w, last_page, of_page);
        }
        float *o = block_columns(w, k, row);
        memcpy(o, of_page, n_page * sizeof *o);
    }
    return 0;
}

/* How many columns the functions above write, so that a wrong count is an error and never a write outside. */
static int columns_written(const Codes *c) {
    return OWN_COLUMNS + c->first_class + c->n_classes + c->n_classes + c->n_cues + 10 + 20 + 4 + 1 + 11 * LEVELS + 5 * (LEVELS - 1) + 2 +
           3 * N_PARTS + 1 + 2 * LIKENESS + 8 + (c->n_counted - 1) + c->n_urls + c->n_types;
}

static PyObject *block_column(const Work *w, size_t offset, size_t size) {
    PyObject *out = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)((size_t)w->n_blocks * size));
    if (out)
        for (int32_t k = 0; k < w->n_blocks; k++)
            memcpy(PyByteArray_AS_STRING(out) + (size_t)k * size, (const char *)&w->blocks[k] + offset, size);
    return out;
}

/* evidence(columns, text, strings, first_row, n_pages, class_words, cue_words, roles, props)
 *   -> (x, chain, node_block, box, page, first, last, text_start, text_end, words, is_sentence)
 * `columns` are the buffers of the enum above; URLS and TYPES may be None, and so may class_words. x is float32
 * [blocks x n_columns]: columns after those written here are left for the caller, as NaN. */
PyObject *native_evidence(PyObject *self, PyObject *args) {
    Work work, *w = &work;
    memset(w, 0, sizeof *w);
    PyObject *columns, *class_words, *cue_words, *result = NULL;
    int first_row, n_pages;
    if (!PyArg_ParseTuple(args, "O!UO!iiOOOO", &PyTuple_Type, &columns, &w->text, &PyTuple_Type, &w->strings, &first_row, &n_pages,
                          &class_words, &cue_words, &w->roles, &w->props))
        return NULL;
    if (logs[1] == 0)
        for (int k = 0; k < LOGS; k++) logs[k] = log1p(k);
    w->first_row = first_row;
    w->n_pages = n_pages;
    if (PyTuple_GET_SIZE(columns) != N_COLUMNS || n_pages < 0) { bad("columns do not fit"); goto done; }
    for (int k = 0; k < N_COLUMNS; k++) {
        PyObject *column = PyTuple_GET_ITEM(columns, k);
        if (column != Py_None && column_get(&w->in[k], column, ITEM[k], 0)) goto done;
        if (column == Py_None && k != URLS && k != TYPES) { bad("columns do not fit"); goto done; }
    }
    if (class_words != Py_None && !(w->class_words = matcher_of(class_words))) goto done;
    if (!(w->cue_words = matcher_of(cue_words))) goto done;
    if (check(w)) goto done;
    int spare = w->code.n_columns - columns_written(&w->code);
    if (spare < 0) { bad("columns do not fit"); goto done; }
    w->pages = PyMem_RawCalloc((size_t)n_pages + 1, sizeof *w->pages);
    w->in_anchor = PyMem_RawCalloc((size_t)w->n_rows + 1, 1);
    if (!w->pages || !w->in_anchor) { PyErr_NoMemory(); goto done; }
    for (int32_t p = 0; p < n_pages; p++) w->pages[p].h1 = -1;
    for (int32_t i = w->n_rows - 1, p = n_pages - 1; p >= 0; p--) { /* an empty page stands at the row after it */
        while (i >= 0 && w->page[i] >= p) i--;
        int32_t row = i + 1 < w->n_rows ? i + 1 : w->n_rows - 1;
        w->pages[p].first_row = row;
        for (int k = 0; k < N_PARTS; k++) w->pages[p].best[k] = row;
    }
    if (find_blocks(w) || read_attributes(w)) goto done;
    size_t n = (size_t)w->n_blocks, width = (size_t)w->code.n_columns;
    if (!(w->x = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(n * width * sizeof(float)))) ||
        !(w->chain = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(n * LEVELS * sizeof(int32_t)))))
        goto done;
    float *x = (float *)PyByteArray_AS_STRING(w->x);
    for (size_t k = 0; k < n; k++)
        for (size_t q = width - (size_t)spare; q < width; q++) x[k * width + q] = NAN;
    if (walk(w) || count_blocks(w) || find_families(w) || find_alike(w)) goto done;
    find_chains(w);
    if (write_columns(w)) goto done;
    result = Py_BuildValue(
        "OONNNNNNNNN", w->x, w->chain,
        PyByteArray_FromStringAndSize((const char *)w->node_block, (Py_ssize_t)w->n_rows * 4),
        block_column(w, offsetof(Block, box), 4), block_column(w, offsetof(Block, page), 4),
        block_column(w, offsetof(Block, first), 4), block_column(w, offsetof(Block, last), 4),
        block_column(w, offsetof(Block, start), 4), block_column(w, offsetof(Block, end), 4),
        block_column(w, offsetof(Block, words), 8), block_column(w, offsetof(Block, is_sentence), 1));
done:
    Py_XDECREF(w->x);
    Py_XDECREF(w->chain);
    work_free(w);
    return result;
}
