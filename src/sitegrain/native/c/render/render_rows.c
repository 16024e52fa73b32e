/* Which rows of a page are written: `WrittenRows` of sitegrain.render.rows, and `seen_rows` of its images. */
#include "render.h"
#include <stdlib.h>

/* A character as regular expressions that ignore case compare it. */
static Py_UCS4 folded_char(Py_UCS4 c) {
    c = lower_char(c);
    return c == 0x131 ? 'i' : c == 0x17F ? 's' : c;
}

/* Whether an address names a file of a picture: `_PICTURE`. */
static int is_picture_file(PyObject *href) {
    static const char *const ENDINGS[] = {".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg", ".bmp", ".tif", ".tiff"};
    if (!href) return 0;
    Py_ssize_t n = PyUnicode_FindChar(href, '?', 0, PyUnicode_GET_LENGTH(href), 1);
    if (n < 0) n = PyUnicode_GET_LENGTH(href);
    if (n && PyUnicode_READ_CHAR(href, n - 1) == '\n') n--;
    for (size_t k = 0; k < sizeof ENDINGS / sizeof *ENDINGS; k++) {
        Py_ssize_t size = (Py_ssize_t)strlen(ENDINGS[k]), i = 0;
        if (size > n) continue;
        while (i < size && folded_char(PyUnicode_READ_CHAR(href, n - size + i)) == (Py_UCS4)ENDINGS[k][i]) i++;
        if (i == size) return 1;
    }
    return 0;
}

/* Whether a class has one of the names of formulas as a word of its own: `_MATH_NAME`. */
static int is_math_name(PyObject *name) {
    static const char *const WORDS[] = {"math", "arithmatex", "tex"};
    Py_ssize_t n = PyUnicode_GET_LENGTH(name);
    const char *ascii = PyUnicode_IS_ASCII(name) ? PyUnicode_DATA(name) : NULL;
    if (ascii && !strstr(ascii, "tex") && !strstr(ascii, "math") && strlen(ascii) == (size_t)n) return 0; /* most names */
    int kind = PyUnicode_KIND(name), is_start = 1;
    const void *data = PyUnicode_DATA(name);
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (is_start && (c == 'm' || c == 'a' || c == 't'))
            for (int k = 0; k < 3; k++) {
                Py_ssize_t size = (Py_ssize_t)strlen(WORDS[k]), j = 0;
                while (j < size && i + j < n && PyUnicode_READ(kind, data, i + j) == (Py_UCS4)WORDS[k][j]) j++;
                if (j == size && (i + j == n || Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, i + j)))) return 1;
            }
        is_start = Py_UNICODE_ISSPACE(c);
    }
    return 0;
}

/* Whether a class may name the line numbers of code: all that `_GUTTER` finds, and more. */
static int may_be_gutter(PyObject *name) {
    static const char *const WORDS[] = {"lineno", "linenum", "line-num", "gutter", "ln", "blob-num"};
    Py_ssize_t n = PyUnicode_GET_LENGTH(name);
    int kind = PyUnicode_KIND(name), is_start = 1;
    const void *data = PyUnicode_DATA(name);
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i), lower = lower_char(c);
        if (is_start && (lower == 'l' || lower == 'g' || lower == 'b'))
            for (size_t k = 0; k < sizeof WORDS / sizeof *WORDS; k++) {
                Py_ssize_t j = 0;
                while (WORDS[k][j] && i + j < n && lower_char(PyUnicode_READ(kind, data, i + j)) == (Py_UCS4)WORDS[k][j]) j++;
                if (!WORDS[k][j]) return 1;
            }
        is_start = c == '-' || c == '_' || Py_UNICODE_ISSPACE(c);
    }
    return 0;
}

/* Whether any class of the page is such a name. Pages repeat their names: one that was looked at not long ago is passed over. */
static int has_name(const Render *r, int (*is_such)(PyObject *)) {
    int32_t looked_at[256];
    memset(looked_at, 0xFF, sizeof looked_at);
    for (int32_t k = 0; k < r->attr[r->n]; k++) {
        int32_t value = r->attr_value[k];
        if (r->attr_name[k] != ATTR_class || looked_at[value & 255] == value) continue;
        if (is_such(PyTuple_GET_ITEM(r->strings, value))) return 1;
        looked_at[value & 255] = value;
    }
    return 0;
}

/* Lines of code have their numbers taken out, which the reference finds. -> [(row, whether it holds a line break, how many stand before
 * its number)], or NULL. */
static PyObject *find_gutters(Render *r) {
    int has_code = 0, is_likely = 0;
    Py_ssize_t pre_end = -1;
    for (Py_ssize_t i = 0; i < r->n; i++) {
        has_code |= r->tag[i] == TAG_code;
        if (!is(r, i, IN_PRE)) continue;
        is_likely |= pre_end >= 0 && i - pre_end <= 4; /* one beside another */
        has_code = 1;
        pre_end = end_of(r, i);
    }
    if (!has_code || !(is_likely || has_name(r, may_be_gutter))) return NULL;
    PyObject *found = ask_page(r, "gutters");
    if (!PyList_Check(found)) be_odd(r);
    return PyList_GET_SIZE(found) ? found : NULL;
}

static void find_formulas(Render *r) {
    int has_any = 0;
    for (Py_ssize_t i = 0; i < r->n && !has_any; i++) has_any = r->tag[i] == TAG_math;
    if (!has_any && !has_name(r, is_math_name)) return;
    PyObject *found = ask_page(r, "formulas");
    if (!PyDict_Check(found)) be_odd(r);
    if (PyDict_GET_SIZE(found)) r->formulas = Py_NewRef(found);
}

/* ---------------------------------------------------------------- pictures */

typedef struct {
    int64_t *size, *kept_size; /* characters of texts before each row, of all and of those that are kept */
    int32_t *n_kept;
    uint8_t *before, *after; /* the nearest text: 0 for none, 1 left out, 2 kept */
    uint8_t *has_line; /* 1 for blocks with kept text in a line of their own */
    uint8_t *label; /* 1 for rows that only say what a picture beside them is */
} Pictures;

static int has_kept(const Render *r, const Pictures *p, Py_ssize_t row) { return p->n_kept[end_of(r, row)] > p->n_kept[row]; }

/* The smallest element that holds nearly all kept text and is more than a paragraph of it. */
static Py_ssize_t body_of(const Render *r, const Pictures *p) {
    double wanted = r->nearly_all * p->n_kept[r->n];
    Py_ssize_t row = 0;
    while (p->n_kept[row + 1] <= p->n_kept[r->n] / 2) row++;
    while (row > 0 && (is(r, row, IN_HOLDS_TEXT) || p->n_kept[end_of(r, row)] - p->n_kept[row] < wanted)) row = up_of(r, row);
    return row < 0 ? 0 : row;
}

/* The highest element above a picture that holds no kept text, itself if none; `own` is the first figure of them, or else the first link. */
static Py_ssize_t top_of(const Render *r, const Pictures *p, Py_ssize_t row, Py_ssize_t *own) {
    Py_ssize_t top = row, up = up_of(r, row);
    *own = row;
    for (Py_ssize_t k = 0; up >= 0 && k < r->max_reach && !has_kept(r, p, up); k++) {
        top = up;
        if ((r->tag[up] == TAG_figure && r->tag[*own] != TAG_figure) || (r->tag[up] == TAG_a && *own == row)) *own = up;
        up = up_of(r, up);
    }
    return top;
}

/* Whether a link may hand an address on: what stands after its question mark has a slash, be it written as an escape. */
static int may_share(PyObject *href) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(href), query = PyUnicode_FindChar(href, '?', 0, n, 1);
    return query >= 0 && (PyUnicode_FindChar(href, '/', query, n, 1) >= 0 || PyUnicode_FindChar(href, '%', query, n, 1) >= 0);
}

/* A small box with one picture and what is said below it, without links and fields. */
static int is_captioned(const Render *r, const Pictures *p, Py_ssize_t row, Py_ssize_t top) {
    Py_ssize_t end = end_of(r, top);
    if (end - top > r->max_box || p->size[row] > p->size[top]) return 0;
    for (Py_ssize_t i = top; i < end;) {
        int tag = r->tag[i];
        if (tag == TAG_noscript) {
            i = end_of(r, i);
            continue;
        }
        int is_field = tag == TAG_form || tag == TAG_input || tag == TAG_button || tag == TAG_select || tag == TAG_textarea;
        if (i != row && (is(r, i, IN_PICTURES) || is_field || (tag == TAG_a && p->size[end_of(r, i)] > p->size[i]))) return 0;
        i++;
    }
    return 1;
}

/* A sign or a logo, by the format of its file. */
static int is_drawn(const Render *r, Py_ssize_t row) {
    static const char ENDING[] = ".svg";
    PyObject *source = attr_of(r, row, ATTR_src);
    Py_ssize_t n = source ? PyUnicode_GET_LENGTH(source) : 0, query = n ? PyUnicode_FindChar(source, '?', 0, n, 1) : -1;
    if (query >= 0) n = query;
    if (n < 4) return 0;
    for (Py_ssize_t k = 0; k < 4; k++) {
        Py_UCS4 c = PyUnicode_READ_CHAR(source, n - 4 + k);
        if (c != (Py_UCS4)ENDING[k] && !(c >= 'A' && c <= 'Z' && (c | 32) == (Py_UCS4)ENDING[k])) return 0;
    }
    return 1;
}

/* What the figure or link around a picture says of it, left out of the text; 0 if it says too much for that. */
static int64_t label_of(const Render *r, const Pictures *p, Py_ssize_t own, int is_of_picture) {
    int64_t label = p->size[end_of(r, own)] - p->size[own];
    return label <= (is_of_picture ? r->long_caption : r->short_label) ? label : 0;
}

/* A figure, or a link to the picture itself. */
static int is_of_picture(const Render *r, Py_ssize_t own) {
    return r->tag[own] == TAG_figure || (r->tag[own] == TAG_a && is_picture_file(attr_of(r, own, ATTR_href)));
}

/* Labels of the pictures of a row: the text beside the next one is what stands before the row. */
static void find_labels(const Render *r, Pictures *p) {
    for (Py_ssize_t row = 0; row < r->n; row++) {
        Py_ssize_t own;
        if (!is(r, row, IN_PICTURES)) continue;
        top_of(r, p, row, &own);
        if (own != row && !p->label[own] && is_of_picture(r, own) && label_of(r, p, own, 1))
            memset(p->label + own, 1, (size_t)(end_of(r, own) - own));
    }
}

static int is_seen(Render *r, const Pictures *p, Py_ssize_t row, Py_ssize_t body) {
    Py_ssize_t own, top = top_of(r, p, row, &own), link = row;
    for (Py_ssize_t k = 0; k < r->max_card; k++) {
        link = up_of(r, link);
        if (link < 0 || r->tag[link] == TAG_a) break;
        if (k + 1 == r->max_card) link = -1;
    }
    if (link >= 0) {
        Py_ssize_t end = end_of(r, link);
        PyObject *href = attr_of(r, link, ATTR_href);
        int64_t said = p->size[end] - p->size[link];
        if (2 * (p->kept_size[end] - p->kept_size[link]) < said && !is_picture_file(href)) return 0;
        if (said && href && ask_of(r, "is_card", link, href) == Py_True) return 0;
        if (href && may_share(href) && ask_of(r, "is_shared", link, href) == Py_True) return 0;
    }
    if (up_of(r, top) < 0) return 0;
    int before = p->before[top] == 2, after = p->after[end_of(r, top)] == 2;
    int64_t all = p->size[end_of(r, top)] - p->size[top];
    if (all > label_of(r, p, own, is_of_picture(r, own)) &&
        !(before && after && all <= r->long_caption && is_captioned(r, p, row, top) && !is_drawn(r, row)))
        return 0;
    Py_ssize_t up = up_of(r, top), end = end_of(r, up);
    int within = (row >= body && row < end_of(r, body)) || p->size[end] - p->size[up] == p->kept_size[end] - p->kept_size[up];
    return (before && after) || ((before || after) && within && r->tag[row] != TAG_hr);
}

/* A repeated picture that is linked, but not to a larger one, or stands in no line of text of its block. */
static int is_button(const Render *r, const Pictures *p, Py_ssize_t row) {
    Py_ssize_t up = up_of(r, row);
    for (; up >= 0 && !is(r, up, IN_BLOCK); up = up_of(r, up))
        if (r->tag[up] == TAG_a) return !is_picture_file(attr_of(r, up, ATTR_href));
    return up < 0 || !p->has_line[up];
}

/* The blocks that have kept text in a line of their own, and not in a block within. */
static void find_lines(const Render *r, Pictures *p) {
    for (Py_ssize_t i = 0; i < r->n; i++) {
        if (r->tag[i] || !r->kept[i]) continue;
        Py_ssize_t up = up_of(r, i);
        while (up >= 0 && !is(r, up, IN_BLOCK)) up = up_of(r, up);
        if (up >= 0) p->has_line[up] = 1;
    }
}

static int by_source(const void *a, const void *b) {
    const Picture *x = a, *y = b;
    int order = memcmp(x->source, y->source, sizeof x->source);
    return order ? order : (x->order > y->order) - (x->order < y->order);
}

static int has_source(const Picture *p) {
    for (int k = 0; k < N_SOURCES; k++)
        if (p->source[k] >= 0) return 1;
    return 0;
}

/* By the surest of what it says of where it is fetched from: stand-ins of pictures that are loaded late are shared. */
static int is_repeated(Render *r, const Picture *p) {
    if (!PySet_GET_SIZE(r->repeated)) return 0;
    for (int k = 0; k < N_SOURCES; k++) {
        PyObject *value = p->source[k] < 0 ? NULL : PyTuple_GET_ITEM(r->strings, p->source[k]);
        if (!value || !PyUnicode_GET_LENGTH(value)) continue;
        int found = PySet_Contains(r->repeated, value);
        if (found < 0) give_up(r);
        return found > 0;
    }
    return 0;
}

static void count_often(const Render *r, Picture *all, size_t n) {
    qsort(all, n, sizeof *all, by_source);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && !memcmp(all[i].source, all[j].source, sizeof all[i].source);) j++;
        if ((Py_ssize_t)(j - i) >= r->often && has_source(&all[i]))
            for (size_t k = i; k < j; k++) all[k].is_often = 1;
    }
}

/* Of pictures that belong to the kept text: the rows that hold nothing else are written, too. */
static void add_pictures(Render *r, Pictures *p) {
    int32_t n_kept = 0;
    int64_t size = 0, kept_size = 0;
    int any = 0;
    for (Py_ssize_t i = 0; i <= r->n; i++) {
        p->n_kept[i] = n_kept;
        p->size[i] = size;
        p->kept_size[i] = kept_size;
        if (i == r->n) break;
        if (!r->tag[i]) {
            int64_t own = r->text_end[i] - r->text_start[i];
            size += own;
            if (r->kept[i]) { n_kept++; kept_size += own; }
        }
        any |= is(r, i, IN_PICTURES);
    }
    for (Py_ssize_t i = 0; i < r->n; i++) r->needed[i] = (uint8_t)has_kept(r, p, i);
    if (!any || !n_kept) return;
    find_labels(r, p);
    for (Py_ssize_t i = 0, last = 0; i <= r->n; i++) {
        p->before[i] = (uint8_t)last;
        if (i < r->n && !r->tag[i] && !p->label[i]) last = r->kept[i] ? 2 : 1;
    }
    for (Py_ssize_t i = r->n, next = 0; i >= 0; i--) {
        if (i < r->n && !r->tag[i] && !p->label[i]) next = r->kept[i] ? 2 : 1;
        p->after[i] = (uint8_t)next;
    }
    Py_ssize_t body = body_of(r, p);
    for (Py_ssize_t i = 0; i < r->n; i++)
        if (is(r, i, IN_PICTURES) && is_seen(r, p, i, body)) {
            Picture one = {{0}, (int32_t)i, (int32_t)r->pictures.n, 0};
            for (int k = 0; k < N_SOURCES; k++) {
                one.source[k] = value_of(r, i, SOURCES[k]);
                if (one.source[k] >= 0 && !PyUnicode_GET_LENGTH(PyTuple_GET_ITEM(r->strings, one.source[k]))) one.source[k] = -1;
            }
            ADD(r, r->pictures) = one;
        }
    /* A site knows the pictures of its template; a page that stands alone has only itself to tell them by. */
    if (!PySet_GET_SIZE(r->repeated) && (Py_ssize_t)r->pictures.n >= r->often) count_often(r, r->pictures.at, r->pictures.n);
    if (r->pictures.n) find_lines(r, p);
    for (size_t k = 0; k < r->pictures.n; k++) {
        const Picture *one = &r->pictures.at[k];
        Py_ssize_t row = one->row, own;
        if ((one->is_often || is_repeated(r, one)) && is_button(r, p, row)) continue;
        Py_ssize_t top = top_of(r, p, row, &own);
        for (Py_ssize_t i = row;; i = up_of(r, i)) {
            r->needed[i] = 1;
            if (i == top) break;
        }
    }
}

static void find_needed(Render *r) {
    size_t m = (size_t)r->n + 1;
    Pictures p;
    p.size = r->room = zeroed(r, m, 2 * sizeof(int64_t) + sizeof(int32_t) + 4);
    p.kept_size = p.size + m;
    p.n_kept = (int32_t *)(p.kept_size + m);
    p.before = (uint8_t *)(p.n_kept + m);
    p.after = p.before + m;
    p.has_line = p.after + m;
    p.label = p.has_line + m;
    add_pictures(r, &p);
    PyMem_RawFree(r->room);
    r->room = NULL;
}

void find_rows(Render *r) {
    size_t m = (size_t)r->n + 1;
    r->needed = zeroed(r, m, 1);
    r->seen = zeroed(r, m, 1);
    r->gap = zeroed(r, m, sizeof *r->gap);
    r->space = zeroed(r, m, sizeof *r->space);
    r->layout = zeroed(r, m, sizeof *r->layout);
    PyObject *gutters = find_gutters(r);
    if (gutters) r->line_breaks = zeroed(r, m, sizeof *r->line_breaks);
    for (Py_ssize_t k = 0; gutters && k < PyList_GET_SIZE(gutters); k++) {
        Py_ssize_t row;
        int has_break, n_breaks;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(gutters, k), "npi", &row, &has_break, &n_breaks)) give_up(r);
        if (row < 0 || row >= r->n) be_odd(r);
        memset(r->kept + row, 0, (size_t)(end_of(r, row) - row));
        if (has_break) r->gap[row] = 1; /* odd: no other count, see below */
        r->line_breaks[row] = n_breaks;
    }
    find_formulas(r);
    find_needed(r);
    for (Py_ssize_t i = r->n - 1; i > 0; i--) /* from the last: a row is asked before what is above it may change */
        if (!r->needed[i] && (is(r, i, IN_CELL) || r->tag[i] == TAG_br) && up_of(r, i) >= 0) r->needed[i] = r->needed[up_of(r, i)];
    Py_ssize_t pre_end = 0;
    for (Py_ssize_t i = 0; i < r->n; i++) { /* empty lines */
        if (r->needed[i] && is(r, i, IN_PRE) && end_of(r, i) > pre_end) pre_end = end_of(r, i);
        if (i < pre_end && r->tag[i] == TAG_br) r->needed[i] = 1;
    }
    /* What is left out or only a wrapper still parts the text on its two sides. 2 in `seen` is within a formula. */
    Py_ssize_t at = 0;
    PyObject *key, *value;
    while (r->formulas && PyDict_Next(r->formulas, &at, &key, &value)) {
        Py_ssize_t row = PyLong_AsSsize_t(key);
        if (row < 0 || row >= r->n) be_odd(r);
        memset(r->seen + row, 2, (size_t)(end_of(r, row) - row));
    }
    for (Py_ssize_t i = 0; i < r->n; i++) {
        int is_own = r->needed[i] && is(r, i, IN_WRITTEN), is_block = is(r, i, IN_BLOCK), is_formula = r->seen[i] == 2;
        int is_wrapper = r->needed[i] && !is_own && !is_formula && is_block;
        r->seen[i] = (uint8_t)is_own;
        if (is_wrapper) r->gap[end_of(r, i)] += 2;
        if (is_wrapper || (is_block && !r->needed[i])) r->gap[i] += 2;
    }
    at = 0;
    while (r->formulas && PyDict_Next(r->formulas, &at, &key, &value)) r->seen[PyLong_AsSsize_t(key)] = 1;
    int32_t gap = 0, space = 0, layout = 0;
    for (Py_ssize_t i = 0; i < r->n; i++) {
        r->layout[i] = layout;
        layout += r->needed[i] && is(r, i, IN_LAYOUT);
        gap += r->gap[i] & 1 ? 1 : r->gap[i] / 2;
        space += r->flags[i] & IS_SPACE_BEFORE;
        r->gap[i] = gap;
        r->space[i] = space;
    }
    r->layout[r->n] = layout;
    for (Py_ssize_t i = 1; r->line_breaks && i < r->n; i++) r->line_breaks[i] += r->line_breaks[i - 1];
}
