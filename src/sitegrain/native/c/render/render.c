/* The kept text of a page as Markdown or clean HTML. A page with what is not written here goes to the reference as a whole: elements nested
 * deeper than a person writes, numbers that are no ASCII, pictures within code. */
#include "render.h"

void give_up(Render *r) {
    if (!PyErr_Occurred()) PyErr_NoMemory();
    longjmp(r->error, 1);
}

void be_odd(Render *r) {
    r->is_odd = 1;
    longjmp(r->error, 1);
}

void *grown(Render *r, void *at, size_t *room, size_t item) {
    size_t wanted = *room ? 2 * *room : 32;
    void *found = wanted > SIZE_MAX / item / 2 ? NULL : PyMem_RawRealloc(at, wanted * item);
    if (!found) give_up(r);
    *room = wanted;
    return found;
}

void *zeroed(Render *r, size_t n, size_t item) {
    void *found = PyMem_RawCalloc(n, item);
    if (!found) give_up(r);
    return found;
}

PyObject *ask_page(Render *r, const char *attribute) {
    Py_CLEAR(r->held);
    r->held = PyObject_GetAttrString(r->page, attribute);
    if (!r->held) give_up(r);
    return r->held;
}

PyObject *ask_of(Render *r, const char *method, Py_ssize_t row, PyObject *known) {
    Py_CLEAR(r->held);
    r->held = PyObject_CallMethod(r->page, method, known ? "nO" : "n", row, known);
    if (!r->held) give_up(r);
    return r->held;
}

PyObject *attrs_of(Render *r, Py_ssize_t row) {
    Py_XSETREF(r->row_attrs, PyDict_New());
    if (!r->row_attrs) give_up(r);
    for (int32_t k = r->attr[row]; k < r->attr[row + 1]; k++) {
        PyObject *name = PyTuple_GET_ITEM(r->names, r->attr_name[k]), *value = PyTuple_GET_ITEM(r->strings, r->attr_value[k]);
        if (PyDict_SetItem(r->row_attrs, name, value)) give_up(r);
    }
    return r->row_attrs;
}

int32_t value_of(const Render *r, Py_ssize_t row, int name) {
    for (int32_t k = r->attr[row + 1]; k-- > r->attr[row];)
        if (r->attr_name[k] == name) return r->attr_value[k];
    return -1;
}

PyObject *attr_of(const Render *r, Py_ssize_t row, int name) {
    int32_t value = value_of(r, row, name);
    return value < 0 ? NULL : PyTuple_GET_ITEM(r->strings, value);
}

/* ---------------------------------------------------------------- bytes */

void need_room(Render *r, Bytes *b, size_t more) {
    size_t wanted = b->n + more;
    if (wanted < more || wanted > (size_t)PY_SSIZE_T_MAX / 2) give_up(r);
    wanted += wanted / 2 + 64;
    char *found = PyMem_RawRealloc(b->at, wanted);
    if (!found) give_up(r);
    b->at = found;
    b->room = wanted;
}

void put_char(Render *r, Bytes *b, Py_UCS4 c) {
    if (b->room - b->n < 4) need_room(r, b, 4);
    char *at = b->at + b->n;
    if (c < 0x80) *at++ = (char)c;
    else {
        if (c < 0x800) *at++ = (char)(0xC0 | c >> 6);
        else {
            if (c < 0x10000) *at++ = (char)(0xE0 | c >> 12);
            else {
                *at++ = (char)(0xF0 | c >> 18);
                *at++ = (char)(0x80 | (c >> 12 & 0x3F));
            }
            *at++ = (char)(0x80 | (c >> 6 & 0x3F));
        }
        *at++ = (char)(0x80 | (c & 0x3F));
    }
    b->n = (size_t)(at - b->at);
}

void put_string(Render *r, Bytes *b, PyObject *string) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(string);
    if (PyUnicode_IS_ASCII(string)) put(r, b, PyUnicode_DATA(string), (size_t)n);
    else
        for (Py_ssize_t i = 0; i < n; i++) put_char(r, b, PyUnicode_READ_CHAR(string, i));
}

void put_own(Render *r, Bytes *b, const Bytes *from, size_t start, size_t n) {
    if (b->room - b->n < n) need_room(r, b, n);
    if (n) memmove(b->at + b->n, from->at + start, n);
    b->n += n;
}

Py_UCS4 char_at(const char *at, size_t n) {
    const unsigned char *s = (const unsigned char *)at;
    if (s[0] < 0x80) return s[0];
    size_t size = char_size(s[0]);
    if (size > n) return ' '; /* not of ours: all that is written is whole */
    if (size == 2) return (Py_UCS4)(s[0] & 0x1F) << 6 | (s[1] & 0x3F);
    if (size == 3) return (Py_UCS4)(s[0] & 0xF) << 12 | (Py_UCS4)(s[1] & 0x3F) << 6 | (s[2] & 0x3F);
    return (Py_UCS4)(s[0] & 7) << 18 | (Py_UCS4)(s[1] & 0x3F) << 12 | (Py_UCS4)(s[2] & 0x3F) << 6 | (s[3] & 0x3F);
}

Py_UCS4 char_before(const char *start, size_t n, size_t *size) {
    size_t at = n - 1;
    while (at > 0 && n - at < 4 && ((unsigned char)start[at] & 0xC0) == 0x80) at--;
    *size = n - at;
    return char_at(start + at, n - at);
}

/* ASCII that is written as it is: no white space, no control character and none of `special`. As bits: what is above & and in neither of
 * *<>\\`[]~_, all that formats have for special. */
static inline int is_plain(int c, const char *special) {
    static const uint64_t ALWAYS[2] = {UINT64_C(0xaffffb8000000000), UINT64_C(0x3ffffffe47ffffff)};
    return (unsigned)c < 128 && (ALWAYS[c >> 6] >> (c & 63) & 1 || (c > ' ' && !strchr(special, c)));
}

/* How many characters are plain; single spaces within are, too. */
static size_t plain_run(const char *at, size_t n, const char *special) {
    size_t i = 0;
    for (; i < n; i++) {
        signed char c = (signed char)at[i];
        if (!is_plain(c, special) && !(c == ' ' && i && i + 1 < n && (signed char)at[i + 1] > ' ')) break;
    }
    return i;
}

/* White space that is no ASCII. */
static int is_wide_space(Py_UCS4 c) {
    return c == 0x85 || c == 0xA0 || (c >= 0x1680 && (c == 0x1680 || (c >= 0x2000 && (c <= 0x200A || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000))));
}

/* Writes what is plain at the start of characters of two bytes, or of four: all beyond ASCII but white space is. -> how many. */
static inline size_t put_wide_run(Render *r, Bytes *b, int kind, const void *at, size_t n, const char *special) {
    size_t i = 0;
    if ((b->room - b->n) / 4 < n) need_room(r, b, 4 * n);
    unsigned char *out = (unsigned char *)b->at + b->n;
    for (; i < n; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, at, i);
        if (c < 128) {
            Py_UCS4 next = c == ' ' && i && i + 1 < n ? PyUnicode_READ(kind, at, i + 1) : ' ';
            if (!is_plain((int)c, special) && !(next > ' ' && !is_wide_space(next))) break;
            *out++ = (unsigned char)c;
            continue;
        }
        if (is_wide_space(c)) break;
        if (c < 0x800) *out++ = (unsigned char)(0xC0 | c >> 6);
        else {
            if (c < 0x10000) *out++ = (unsigned char)(0xE0 | c >> 12);
            else {
                *out++ = (unsigned char)(0xF0 | c >> 18);
                *out++ = (unsigned char)(0x80 | (c >> 12 & 0x3F));
            }
            *out++ = (unsigned char)(0x80 | (c >> 6 & 0x3F));
        }
        *out++ = (unsigned char)(0x80 | (c & 0x3F));
    }
    b->n = (size_t)(out - (unsigned char *)b->at);
    return i;
}

void put_stretch(Render *r, Bytes *b, const Signs *of, int how, const char *special,
                 void (*put_one)(Render *r, Bytes *b, const Signs *of, Py_ssize_t i, Py_UCS4 c)) {
    int is_space = 0;
    size_t at = b->n;
    for (Py_ssize_t i = of->start; i < of->stop; i++) {
        size_t n = 0, rest = (size_t)(of->stop - i);
        if (of->kind == PyUnicode_1BYTE_KIND) {
            const char *here = (const char *)of->data + i;
            n = plain_run(here, rest, special);
            if (n && is_space) put_byte(r, b, ' ');
            if (n) put(r, b, here, n);
        } else {
            Py_UCS4 first = PyUnicode_READ(of->kind, of->data, i);
            if (is_space && (first < 128 ? is_plain((int)first, special) : !is_wide_space(first))) put_byte(r, b, ' ');
            n = of->kind == PyUnicode_2BYTE_KIND ? put_wide_run(r, b, PyUnicode_2BYTE_KIND, (const Py_UCS2 *)of->data + i, rest, special)
                                                 : put_wide_run(r, b, PyUnicode_4BYTE_KIND, (const Py_UCS4 *)of->data + i, rest, special);
        }
        if (n) { /* most text */
            is_space = 0;
            i += (Py_ssize_t)n - 1;
            continue;
        }
        Py_UCS4 c = PyUnicode_READ(of->kind, of->data, i);
        if (how == WITHOUT_SIGNS ? c < 32 && is_sign((unsigned char)c) : c < 9 || (c >= 14 && c < 32)) c = ' ';
        if (how == FOLDED && is_white(c)) { is_space = 1; continue; }
        if (is_space) put_byte(r, b, ' ');
        is_space = 0;
        put_one(r, b, of, i, c);
    }
    if (is_space || (how == FOLDED && b->n == at && of->stop > of->start)) put_byte(r, b, ' ');
}

Piece stripped(const char *at, Piece of) {
    size_t size;
    while (of.n && is_white(char_at(at + of.start, of.n))) {
        size = char_size((unsigned char)at[of.start]);
        of.start += size;
        of.n -= size;
    }
    while (of.n && is_white(char_before(at + of.start, of.n, &size))) of.n -= size;
    return of;
}

Piece stripped_of(const char *at, Piece of, const char *these) {
    while (of.n && strchr(these, at[of.start]) && at[of.start]) {
        of.start++;
        of.n--;
    }
    while (of.n && strchr(these, at[of.start + of.n - 1]) && at[of.start + of.n - 1]) of.n--;
    return of;
}

int next_item(const Render *r, size_t *from, size_t to, size_t *stop) {
    while (*from < to && r->entries.at[*from].kind != BLOCK) ++*from;
    *stop = *from;
    while (*stop < to && r->entries.at[*stop].kind == BLOCK) ++*stop;
    return *from < to;
}

/* ---------------------------------------------------------------- the kernel */

static int check_rows(const RenderRows *rows, Py_ssize_t first, Py_ssize_t stop, Py_ssize_t n_tags, Py_ssize_t text_size) {
    if (first < 0 || stop < first || stop > rows->n || stop > INT32_MAX / 2 || text_size > INT32_MAX / 2) return bad("no such page");
    for (Py_ssize_t i = first; i < stop; i++) {
        int is_up = rows->parent[i] >= first && rows->parent[i] < i;
        if (rows->tag[i] < 0 || rows->tag[i] >= n_tags || !(is_up || rows->parent[i] == -1) || rows->end[i] <= i || rows->end[i] > stop ||
            (is_up && rows->end[i] > rows->end[rows->parent[i]]) || rows->text_start[i] < 0 || rows->text_start[i] > rows->text_end[i] ||
            rows->text_end[i] > text_size)
            return bad("columns do not fit the page");
    }
    return 0;
}

static void take_attrs(Render *r, const Attrs *attrs) {
    Py_ssize_t lo = 0, hi = attrs->n, n_strings = PyTuple_GET_SIZE(r->strings);
    while (lo < hi) {
        Py_ssize_t mid = lo + (hi - lo) / 2;
        if (attrs->node[mid] < r->first) lo = mid + 1;
        else hi = mid;
    }
    r->attr_name = attrs->name + lo;
    r->attr_value = attrs->value + lo;
    r->attr = zeroed(r, (size_t)r->n + 1, sizeof *r->attr);
    Py_ssize_t row = 0, k = lo;
    for (; k < attrs->n && attrs->node[k] < r->first + r->n; k++) {
        Py_ssize_t own = attrs->node[k] - r->first;
        if (own < row || attrs->value[k] < 0 || attrs->value[k] >= n_strings || attrs->name[k] < 0 || attrs->name[k] >= N_ATTRIBUTES) {
            bad("attributes do not fit the page");
            give_up(r);
        }
        while (row < own) r->attr[++row] = (int32_t)(k - lo);
    }
    while (row < r->n) r->attr[++row] = (int32_t)(k - lo);
}

static PyObject *string_of(const Bytes *b) { return PyUnicode_DecodeUTF8(b->n ? b->at : "", (Py_ssize_t)b->n, "surrogatepass"); }

static void put_title(Render *r) {
    Bytes *b = &r->line, *out = &r->out;
    int kind = PyUnicode_KIND(r->title);
    const void *data = PyUnicode_DATA(r->title);
    Py_ssize_t n = PyUnicode_GET_LENGTH(r->title);
    b->n = 0;
    (r->is_html ? html_text : md_text)(r, b, kind, data, 0, n, AS_IS);
    for (int level = 6; level >= 1; level--) {
        out->n = 0;
        (r->is_html ? html_heading : md_heading)(r, out, level, b->at, b->n);
        Py_CLEAR(r->held);
        r->held = string_of(out);
        int is_known = r->held ? PySet_Contains(r->headings, r->held) : -1;
        if (is_known < 0) give_up(r);
        if (is_known) {
            out->n = 0;
            return;
        }
    }
}

static PyObject *rendered(Render *r) {
    find_rows(r);
    walk_rows(r);
    r->out.n = 0;
    if (PyUnicode_GET_LENGTH(r->title) && r->entries.n) put_title(r);
    if (r->out.n) { /* it stands before all blocks */
        Bytes *out = &r->text_out;
        Entry title = {out->n, r->out.n, BLOCK, 0, 0, 0};
        put_own(r, out, &r->out, 0, r->out.n);
        (void)ADD(r, r->entries);
        memmove(r->entries.at + 1, r->entries.at, (r->entries.n - 1) * sizeof(Entry));
        r->entries.at[0] = title;
    }
    r->out.n = 0;
    (r->is_html ? html_join : md_join)(r, &r->out, 0, r->entries.n);
    PyObject *found = string_of(&r->out);
    if (!found) give_up(r);
    return found;
}

static PyObject *run(Render *r, const Attrs *attrs) {
    if (setjmp(r->error)) return NULL;
    take_attrs(r, attrs);
    return rendered(r);
}

static void let_go(Render *r) {
    void *held[] = {r->attr, r->kept, r->needed, r->seen, r->gap, r->space, r->layout, r->line_breaks, r->text_out.at, r->urls.at, r->line.at, r->body.at, r->out.at,
                    r->short_url.at, r->pieces.at, r->entries.at, r->sinks.at, r->stack.at, r->outer.at, r->cells.at, r->columns.at, r->marked.at, r->pictures.at,
                    r->room, r->held_columns};
    for (size_t k = 0; k < sizeof held / sizeof *held; k++) PyMem_RawFree(held[k]);
    Py_CLEAR(r->formulas);
    Py_CLEAR(r->targets);
    Py_CLEAR(r->headings);
    Py_CLEAR(r->images);
    Py_CLEAR(r->held);
    Py_CLEAR(r->row_attrs);
    Py_CLEAR(r->source);
    Py_CLEAR(r->language);
}

/* render(page, of, rules, is_html, title) -> the page written */
PyObject *native_render(PyObject *self, PyObject *args) {
    PyObject *page, *of, *rules, *title, *row_columns, *attr_columns, *kept, *kinds, *marks, *limits, *result = NULL;
    int is_html;
    Py_ssize_t stop;
    if (!PyArg_ParseTuple(args, "OO!O!pU", &page, &PyTuple_Type, &of, &PyTuple_Type, &rules, &is_html, &title)) return NULL;
    RenderRows rows;
    Attrs attrs;
    Column columns[3];
    memset(&rows, 0, sizeof rows);
    memset(&attrs, 0, sizeof attrs);
    memset(columns, 0, sizeof columns);
    Render *r = PyMem_RawCalloc(1, sizeof *r);
    if (!r) return PyErr_NoMemory();
    r->page = page;
    r->is_html = is_html;
    r->title = title;
    if (!PyArg_ParseTuple(of, "OOO!UUnnOO!", &row_columns, &attr_columns, &PyTuple_Type, &r->strings, &r->text, &r->url, &r->first, &stop, &kept,
                          &PyFrozenSet_Type, &r->repeated) ||
        !PyArg_ParseTuple(rules, "OOO!O!", &kinds, &marks, &PyTuple_Type, &r->names, &PyTuple_Type, &limits) ||
        !PyArg_ParseTuple(limits, "nnnnnnnnnnnnnd", &r->max_reach, &r->max_nesting, &r->max_width, &r->max_cells, &r->long_cell, &r->prose_cell, &r->short_label, &r->long_caption, &r->max_box,
                          &r->max_card, &r->often, &r->max_span, &r->thumbnail, &r->nearly_all) ||
        render_rows_get(&rows, row_columns) || attrs_get(&attrs, attr_columns) || column_get(&columns[0], kinds, 2) || column_get(&columns[1], marks, 1) ||
        column_get(&columns[2], kept, 1))
        goto done;
    if (columns[0].n != N_TAGS || columns[1].n != N_TAGS || PyTuple_GET_SIZE(r->names) != N_ATTRIBUTES || r->max_width < 1 || r->max_width > 10000) { bad("rules do not fit"); goto done; }
    for (int k = 0; k < N_TAGS; k++)
        if (((const uint8_t *)columns[1].buffer.buf)[k] >= N_MARKS) { bad("rules do not fit"); goto done; }
    if (check_rows(&rows, r->first, stop, N_TAGS, PyUnicode_GET_LENGTH(r->text))) goto done;
    r->n = stop - r->first;
    if (columns[2].n != r->n) { bad("one value for each row of the page"); goto done; }
    r->tag = rows.tag + r->first;
    r->parent = rows.parent + r->first;
    r->end = rows.end + r->first;
    r->text_start = rows.text_start + r->first;
    r->text_end = rows.text_end + r->first;
    r->flags = rows.flags + r->first;
    r->kinds = columns[0].buffer.buf;
    r->marks = columns[1].buffer.buf;
    r->text_kind = PyUnicode_KIND(r->text);
    r->text_data = PyUnicode_DATA(r->text);
    r->headings = PySet_New(NULL);
    r->images = PySet_New(NULL);
    r->kept = PyMem_RawCalloc((size_t)r->n + 1, 1);
    if (!r->headings || !r->images || !r->kept) { PyErr_NoMemory(); goto done; }
    for (Py_ssize_t i = 0; i < r->n; i++) r->kept[i] = ((const uint8_t *)columns[2].buffer.buf)[i] && !r->tag[i];
    result = run(r, &attrs);
done:
    if (!result && r->is_odd && !PyErr_Occurred()) result = ask_reference("render", args);
    let_go(r);
    PyMem_RawFree(r);
    TABLE_RELEASE(rows);
    TABLE_RELEASE(attrs);
    columns_release(columns, 3);
    return result;
}
