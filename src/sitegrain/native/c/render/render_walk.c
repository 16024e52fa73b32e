/* One walk over the rows of a page that are written: `Walk` of sitegrain.render.walk. */
#include "render.h"

/* ---------------------------------------------------------------- opening */

static int is_layout(const Render *r, Py_ssize_t row) {
    Py_ssize_t end = end_of(r, row), n_rows = 0, n_cells = 0, n_p = 0, n_full = 0, longest = 0, total = 0;
    int is_data = 0;
    if (r->layout[end] > r->layout[row + 1]) return 1;
    PyObject *role = attr_of(r, row, ATTR_role);
    if (role && (!PyUnicode_CompareWithASCIIString(role, "presentation") || !PyUnicode_CompareWithASCIIString(role, "none"))) return 1;
    for (Py_ssize_t i = row + 1; i < end; i++) {
        if (!r->needed[i]) continue;
        n_rows += r->tag[i] == TAG_tr;
        n_p += r->tag[i] == TAG_p;
        is_data |= r->tag[i] == TAG_th || r->tag[i] == TAG_caption;
        if (is(r, i, IN_CELL)) {
            Py_ssize_t size = r->text_end[i] - r->text_start[i];
            n_cells++;
            n_full += size > 0;
            total += size;
            if (size > longest) longest = size;
        }
    }
    if (n_rows < 2 || n_cells < 2 * n_rows || (n_p > n_cells && total > r->prose_cell * n_cells)) return 1;
    return !is_data && (longest > r->long_cell || n_full < 2);
}

/* The nearest open element with these bits, with no block between but wrappers (and, of tables, what is `through`). */
Frame *enclosing(Render *r, int bits, int is_table) {
    for (size_t k = r->stack.n; k-- > 0;) {
        Frame *frame = &r->stack.at[k];
        int16_t tag = frame->tag;
        if (is_table ? tag == TAG_table : (kinds_of_tag(r, tag) & bits) != 0) return frame;
        int is_through = is_table && (tag == TAG_tr || tag == TAG_tbody || tag == TAG_thead || tag == TAG_tfoot);
        if (!is_through && kinds_of_tag(r, tag) & IN_BLOCK && tag != TAG_div) return NULL;
    }
    return NULL;
}

int is_in_terms(const Render *r) { return TOP_SINK(r)->owner == TAG_dl; }

/* What stands in a `<dl>` outside of terms and definitions is a definition, and what stands in a list outside of items belongs
 * to the item before: the marks between entries say it. */
void end_part(Render *r) {
    flush_sink(r);
    TOP_SINK(r)->n_loose = 0;
}

static void open_sink(Render *r, Frame *frame, int is_line) {
    Sink sink = {r->text_out.n, r->pieces.n, r->entries.n, 0, is_line, 0, frame->tag};
    ADD(r, r->sinks) = sink;
    frame->sink = r->sinks.n - 1;
    frame->start = r->pieces.n;
    r->n_sinks++;
}

static void open_block(Render *r, Frame *frame) {
    int16_t tag = frame->tag;
    int kinds = kinds_of_tag(r, tag);
    if (TOP_SINK(r)->is_line && tag != TAG_tr && !(kinds & IN_CELL)) {
        frame->tag = TAG_span;
        return;
    }
    if (r->n_sinks >= r->max_nesting || (tag == TAG_table && is_layout(r, frame->row))) frame->tag = TAG_div;
    else if (kinds & IN_OF_TABLE) {
        if (!enclosing(r, 0, 1)) frame->tag = TAG_div;
        else if (tag == TAG_tr) add_mark(r, ROW);
        else {
            add_mark(r, tag == TAG_caption ? CAPTION : CELL);
            open_sink(r, frame, tag == TAG_caption);
        }
    } else if (kinds & IN_OWN_SINK) {
        if (tag == TAG_li && enclosing(r, IN_LIST, 0)) {
            end_part(r);
            add_mark(r, ITEM);
        } else if (tag == TAG_dd && is_in_terms(r)) {
            end_part(r);
            add_mark(r, DEFINITION);
        }
        open_sink(r, frame, 0);
    } else if (is_heading(r, tag) || tag == TAG_dt) {
        if (tag == TAG_dt && is_in_terms(r)) end_part(r);
        r->n_terms += tag == TAG_dt;
        r->n_headings += tag != TAG_dt;
        open_sink(r, frame, 1);
    }
}

static void put_picture(Render *r, Py_ssize_t row) {
    PyObject *alt, *src, *found = plain_picture(r, row);
    int is_again;
    if (!found) found = ask_of(r, "picture", row, attrs_of(r, row));
    if (found == Py_None) return;
    if (!PyArg_ParseTuple(found, "UUp", &alt, &src, &is_again)) give_up(r);
    int is_known = is_again ? PySet_Contains(r->images, src) : 0;
    if (is_known < 0) give_up(r);
    if (!is_known) {
        size_t start = r->text_out.n;
        (r->is_html ? html_image : md_image)(r, &r->text_out, alt, src);
        end_piece(r, start);
    }
    if (PySet_Add(r->images, src)) give_up(r);
}

static void put_media(Render *r, Py_ssize_t row) {
    if (r->n_links) return;
    PyObject *name, *url, *found = ask_of(r, "media", row, attrs_of(r, row));
    if (found == Py_None) return;
    if (!PyArg_ParseTuple(found, "UU", &name, &url)) give_up(r);
    r->body.n = r->line.n = 0;
    (r->is_html ? html_text : md_text)(r, &r->body, PyUnicode_KIND(name), PyUnicode_DATA(name), 0, PyUnicode_GET_LENGTH(name), AS_IS);
    put_string(r, &r->line, url);
    add_piece(r, " ");
    size_t start = r->text_out.n;
    (r->is_html ? html_link : md_link)(r, &r->text_out, r->body.at, r->body.n, r->line.at, r->line.n);
    end_piece(r, start);
    add_piece(r, " ");
}

static void put_leaf(Render *r, Py_ssize_t row) {
    Sink *sink = TOP_SINK(r);
    if (r->tag[row] == TAG_br) add_piece(r, sink->is_line ? " " : LINE_BREAK(r));
    else if (r->tag[row] == TAG_hr) {
        flush_line(r);
        sink = TOP_SINK(r);
        if (!sink->is_line && sink->n_loose && !sink->is_parted) { /* what stood between two was left out; below a heading it parts nothing */
            size_t start = r->text_out.n;
            put(r, &r->text_out, RULE(r), strlen(RULE(r)));
            end_block(r, start);
        }
    } else if (r->tag[row] == TAG_img) put_picture(r, row);
    else put_media(r, row);
}

static int has_url(Render *r, Frame *frame) {
    PyObject *said = attr_of(r, frame->row, ATTR_href);
    if (!said) return 0;
    if (!r->n_links && !r->n_code_url) r->urls.n = 0; /* no address is in use */
    frame->url = r->urls.n;
    if (!put_plain_href(r, &r->urls, said)) {
        /* Most have been asked for before: the page is written twice. In HTML a place of the page may be linked as such. */
        int may_be_place = PyUnicode_GET_LENGTH(said) && PyUnicode_READ_CHAR(said, 0) == '#';
        PyObject *known = may_be_place ? NULL : ask_page(r, "addresses"), *url = NULL;
        if (known && PyDict_Check(known)) url = PyDict_GetItemWithError(known, said);
        if (!url) url = ask_of(r, "href", frame->row, said);
        if (PyUnicode_Check(url)) put_string(r, &r->urls, url);
    }
    frame->n_url = r->urls.n - frame->url;
    return frame->n_url > 0;
}

static void open_row(Render *r, Py_ssize_t row) {
    int16_t tag = r->tag[row];
    if (is(r, row, IN_LEAF)) {
        put_leaf(r, row);
        return;
    }
    if ((Py_ssize_t)r->stack.n >= r->max_reach) be_odd(r);
    Frame frame = {tag, (int32_t)row, (int32_t)end_of(r, row), TOP(r)->sink, r->pieces.n, 0, 0, 1, 0};
    int mark = r->marks[tag];
    if (tag == TAG_a && !has_url(r, &frame)) frame.tag = TAG_span;
    else if (mark) {
        if (tag == TAG_a) {
            if (!r->n_links++) {
                r->first_url = frame.url;
                r->n_first_url = frame.n_url;
            }
        }
        frame.is_outer = !r->open_marks[mark];
        if (frame.is_outer) ADD(r, r->outer) = r->stack.n;
        r->open_marks[mark]++;
    } else if (is(r, row, IN_BLOCK)) {
        flush_line(r);
        frame.start = r->pieces.n;
        open_block(r, &frame);
    }
    ADD(r, r->stack) = frame;
}

/* ---------------------------------------------------------------- the walk */

/* Whether what is written of code does not end with its line. */
static int is_in_line(Render *r) {
    if (r->pieces.n <= TOP_SINK(r)->piece) return 0;
    Piece last = r->pieces.at[r->pieces.n - 1];
    return !last.n || r->text_out.at[last.start + last.n - 1] != '\n';
}

static int is_line(const Render *r, Py_ssize_t row) { return r->tag[row] == TAG_div || r->tag[row] == TAG_p || r->tag[row] == TAG_li; }

/* How many lines without text stand among the rows from `i` to `row`: blocks that are children of code, as the line after them is. */
static Py_ssize_t empty_lines(const Render *r, Py_ssize_t i, Py_ssize_t row) {
    Py_ssize_t n = 0;
    while (i < row) {
        Py_ssize_t last = end_of(r, i), k = i, up = up_of(r, i);
        if (last <= row && is_line(r, i) && is_line(r, last) && up >= 0 && up == up_of(r, last) && (r->tag[up] == TAG_pre || r->tag[up] == TAG_code))
            while (k < last && r->tag[k]) k++;
        int is_empty = k == last;
        n += is_empty;
        i = is_empty ? last : i + 1;
    }
    return n;
}

/* With so many line breaks before it, which stood with line numbers; `after` is the row after what was written before. */
static void put_code(Render *r, Py_ssize_t row, int is_line_due, int32_t n_breaks, Py_ssize_t after) {
    Bytes *b = &r->text_out;
    Py_ssize_t start = r->text_start[row], stop = r->text_end[row], i = start;
    size_t at = b->n;
    for (int32_t k = 0; k < n_breaks; k++) put_byte(r, b, '\n');
    if (is_line_due && !n_breaks && is_in_line(r)) {
        Py_ssize_t n_lines = 0;
        for (; i < stop; i++) {
            Py_UCS4 c = PyUnicode_READ(r->text_kind, r->text_data, i);
            if (!Py_UNICODE_ISSPACE(c) && !(c < 32)) break;
            n_lines += c == '\n';
        }
        if (!n_lines || n_lines <= empty_lines(r, after, row)) put_byte(r, b, '\n');
    }
    for (i = start; i < stop; i++) {
        Py_UCS4 c = PyUnicode_READ(r->text_kind, r->text_data, i);
        put_char(r, b, c < 9 || (c >= 14 && c < 32) ? ' ' : c);
    }
    end_piece(r, at);
}

static PyObject *item_of(Render *r, PyObject *dict, Py_ssize_t row) {
    PyObject *key = dict ? PyLong_FromSsize_t(row) : NULL, *found = key ? PyDict_GetItemWithError(dict, key) : NULL;
    Py_XDECREF(key);
    if (!found && PyErr_Occurred()) give_up(r);
    return found;
}

static void put_formula(Render *r, PyObject *formula) {
    PyObject *latex;
    int is_block;
    size_t start = r->text_out.n;
    Bytes *b = &r->text_out;
    if (!PyArg_ParseTuple(formula, "Up", &latex, &is_block)) give_up(r);
    r->body.n = 0;
    put_string(r, &r->body, latex);
    if (r->is_html) {
        put(r, b, is_block ? "\\[" : "\\(", 2);
        html_escape(r, b, r->body.at, r->body.n, 0);
        put(r, b, is_block ? "\\]" : "\\)", 2);
    } else {
        put(r, b, "$$", is_block ? 2 : 1);
        put_own(r, b, &r->body, 0, r->body.n);
        put(r, b, "$$", is_block ? 2 : 1);
    }
    end_piece(r, start);
}

static void put_places(Render *r, Py_ssize_t row) {
    PyObject *names = item_of(r, r->targets, row);
    for (Py_ssize_t k = 0; names && PyList_Check(names) && k < PyList_GET_SIZE(names); k++) {
        size_t start = r->text_out.n;
        PyObject *name = PyList_GET_ITEM(names, k);
        if (!PyUnicode_Check(name)) be_odd(r);
        PUT(r, &r->text_out, "<span id=\"at-");
        put_string(r, &r->text_out, name); /* of letters, digits and signs that need no escape */
        PUT(r, &r->text_out, "\"></span>");
        end_piece(r, start);
    }
}

/* Places that the page's own links lead to: only where a link begins with a #. */
static void find_targets(Render *r) {
    int has_any = 0;
    for (int32_t k = 0; k < r->attr[r->n] && !has_any; k++) {
        if (r->attr_name[k] != ATTR_href) continue;
        PyObject *href = PyTuple_GET_ITEM(r->strings, r->attr_value[k]);
        Py_ssize_t i = 0, n = PyUnicode_GET_LENGTH(href);
        while (i < n && Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(href, i))) i++;
        has_any = i < n && PyUnicode_READ_CHAR(href, i) == '#';
    }
    if (!has_any) return;
    PyObject *found = ask_page(r, "places");
    if (!PyDict_Check(found)) be_odd(r);
    if (PyDict_GET_SIZE(found)) r->targets = Py_NewRef(found);
}

void walk_rows(Render *r) {
    Frame root = {TAG_UNKNOWN, -1, (int32_t)r->n + 1, 0, 0, 0, 0, 1, 0};
    Sink sink = {0, 0, 0, 0, 0, 0, TAG_UNKNOWN};
    ADD(r, r->sinks) = sink;
    ADD(r, r->stack) = root;
    r->body.n = 0;
    put_string(r, &r->body, r->url);
    if (r->body.n) {
        Piece own = short_of(r->body.at, r->body.n);
        put_own(r, &r->short_url, &r->body, own.start, own.n);
    }
    Bytes *all[] = {&r->urls, &r->out, &r->line, &r->body, &r->text_out};
    for (int k = 0; k < 5; k++) { /* so that there are bytes to point at */
        put_byte(r, all[k], ' ');
        all[k]->n = 0;
    }
    if (r->is_html) find_targets(r);
    int32_t n_gaps = 0, n_spaces = 0, n_breaks = 0;
    Py_ssize_t done = 0, after = 0;
    int pre = 0, is_line_due = 0;
    for (Py_ssize_t row = 0; row < r->n; row++) {
        if (!r->seen[row] || row < done) continue; /* or within a formula that is written */
        while (TOP(r)->end <= row) {
            pre -= (kinds_of_tag(r, TOP(r)->tag) & IN_PRE) != 0;
            close_frame(r);
        }
        if (r->gap[row] > n_gaps) {
            if (pre) is_line_due = 1;
            else flush_line(r);
        } else if (r->space[row] > n_spaces && !pre) add_piece(r, " ");
        n_gaps = r->gap[row];
        n_spaces = r->space[row];
        PyObject *formula;
        if (!r->tag[row]) {
            if (pre) {
                int32_t breaks = r->line_breaks ? r->line_breaks[row] : 0;
                put_code(r, row, is_line_due, breaks - n_breaks, after);
                is_line_due = 0, n_breaks = breaks, after = row + 1;
                continue;
            }
            if (r->targets) put_places(r, row);
            size_t start = r->text_out.n;
            (r->is_html ? html_text : md_text)(r, &r->text_out, r->text_kind, r->text_data, r->text_start[row], r->text_end[row], FOLDED);
            end_piece(r, start);
        } else if (!pre && r->formulas && (formula = item_of(r, r->formulas, row)) != NULL) {
            done = end_of(r, row);
            n_gaps = r->gap[done - 1];
            n_spaces = r->space[done - 1];
            put_formula(r, formula);
        } else if (pre) {
            if (r->tag[row] == TAG_img) be_odd(r); /* a picture parts the code in two */
            if (r->tag[row] == TAG_br) add_piece(r, is_line_due && is_in_line(r) ? "\n\n" : "\n");
            else if (is(r, row, IN_BLOCK)) is_line_due = 1; /* some highlighters make a block of every line */
        } else {
            open_row(r, row);
            if (TOP(r)->row == row && kinds_of_tag(r, TOP(r)->tag) & IN_PRE) {
                pre++;
                is_line_due = 0, n_breaks = r->line_breaks ? r->line_breaks[row] : 0, after = row + 1;
            }
        }
    }
    while (r->stack.n > 1) close_frame(r);
    flush_sink(r);
}
