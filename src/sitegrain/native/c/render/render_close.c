/* What elements become when they end: `Walk._close` of sitegrain.render.walk. */
#include "render.h"

static PyObject *written(Render *r, size_t start) {
    Py_CLEAR(r->held);
    r->held = PyUnicode_DecodeUTF8(r->text_out.at + start, (Py_ssize_t)(r->text_out.n - start), "surrogatepass");
    if (!r->held) give_up(r);
    return r->held;
}

static void close_heading(Render *r, const Frame *frame, const Sink *sink) {
    Bytes *b = &r->text_out;
    size_t start = line_start(r, sink);
    if (r->n_links && !is_here(r, r->first_url, r->n_first_url)) { /* a link around a heading */
        Piece inner = stripped(b->at, (Piece){start, b->n - start});
        if (inner.n) {
            r->out.n = 0;
            put_link(r, &r->out, b->at + inner.start, inner.n, r->first_url, r->n_first_url);
            b->n = start;
            put_own(r, b, &r->out, 0, r->out.n);
        }
    }
    r->pieces.n = sink->piece;
    put_line(r, start);
    r->sinks.n--;
    if (b->n == start) return;
    r->out.n = 0;
    (r->is_html ? html_heading : md_heading)(r, &r->out, frame->tag - TAG_h1 + 1, b->at + start, b->n - start);
    b->n = start;
    put_own(r, b, &r->out, 0, r->out.n);
    if (frame->tag == TAG_h1 || PyUnicode_GET_LENGTH(r->title)) {
        PyObject *text = written(r, start);
        /* Themes print the title in a heading of their own above that of the text. */
        int is_known = frame->tag == TAG_h1 ? PySet_Contains(r->headings, text) : 0;
        if (is_known < 0 || PySet_Add(r->headings, text)) give_up(r);
        if (is_known) {
            b->n = start;
            return;
        }
    }
    end_block(r, start);
    TOP_SINK(r)->is_parted = 1;
}

static void close_code(Render *r, const Frame *frame, const Sink *sink) {
    Bytes *b = &r->text_out;
    size_t start = line_start(r, sink), n = start;
    r->pieces.n = sink->piece;
    r->sinks.n--;
    for (size_t i = start; i < b->n; i++)
        if (b->at[i] != '\r') b->at[n++] = b->at[i];
    Piece code = n > start ? stripped_of(b->at, (Piece){start, n - start}, "\n") : (Piece){start, 0};
    if (!code.n || !stripped(b->at, code).n) {
        b->n = start;
        return;
    }
    if (frame->tag == TAG_textarea) be_odd(r); /* prose, of which the walk makes paragraphs */
    PyObject *language = language_of(r, frame->row);
    r->out.n = 0;
    (r->is_html ? html_code : md_code)(r, &r->out, b->at + code.start, code.n, language);
    replace_with_block(r, start);
}

/* A number of an attribute: at least one and at most `n` digits, the first of them at least `least`; 1 for anything else. */
static long number_of(Render *r, PyObject *value, int n, Py_UCS4 least, int is_stripped) {
    if (!value) return 1;
    Py_ssize_t start = 0, stop = PyUnicode_GET_LENGTH(value);
    while (is_stripped && start < stop && Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(value, start))) start++;
    while (is_stripped && stop > start && Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(value, stop - 1))) stop--;
    if (stop == start || stop - start > n) return 1;
    long found = 0;
    for (Py_ssize_t i = start; i < stop; i++) {
        Py_UCS4 c = PyUnicode_READ_CHAR(value, i);
        if (c >= 128) be_odd(r);
        if (c < (i == start ? least : '0') || c > '9') return 1;
        found = 10 * found + (long)(c - '0');
    }
    return found;
}

static void close_list(Render *r, const Frame *frame, const Sink *sink) {
    size_t from = sink->entry, start = sink->text, at = from, stop;
    r->sinks.n--;
    if (!next_item(r, &at, r->entries.n, &stop)) {
        r->entries.n = from;
        r->text_out.n = start;
        return;
    }
    long first = number_of(r, attr_of(r, frame->row, ATTR_start), 6, '0', 0);
    r->out.n = 0;
    (r->is_html ? html_items : md_items)(r, &r->out, from, r->entries.n, frame->tag == TAG_ol, first);
    r->entries.n = from;
    replace_with_block(r, start);
}

/* Entries from `from` on, whose bytes begin at `start`, as definitions. */
static void end_definitions(Render *r, size_t from, size_t start) {
    size_t n = r->entries.n;
    if (r->is_html) {
        r->out.n = 0;
        html_definitions(r, &r->out, from, n);
        r->entries.n = from;
        r->text_out.n = start;
        if (r->out.n) replace_with_block(r, start);
        return;
    }
    /* Each block on its own, terms in bold. */
    Bytes *spare = &r->body, *b = &r->text_out;
    spare->n = 0;
    put_own(r, spare, b, start, b->n - start);
    r->marked.n = 0;
    int is_term = 0;
    for (size_t k = from; k < n; k++) {
        Entry *entry = &r->entries.at[k];
        if (entry->kind == BLOCK) {
            Piece one = {(entry->start - start) << 1 | (size_t)is_term, entry->n};
            ADD(r, r->marked) = one;
        }
        is_term = entry->kind == TERM;
    }
    r->entries.n = from;
    b->n = start;
    for (size_t k = 0; k < r->marked.n; k++) {
        Piece one = r->marked.at[k];
        size_t at = b->n;
        if (one.start & 1) md_term(r, b, spare->at + (one.start >> 1), one.n);
        else put_own(r, b, spare, one.start >> 1, one.n);
        end_block(r, at);
    }
}

static void close_term(Render *r) {
    size_t start = end_line(r);
    r->sinks.n--;
    if (r->text_out.n == start) return;
    size_t from = r->entries.n;
    Entry term = {start, r->text_out.n - start, BLOCK, 0, 0, 0};
    add_mark(r, TERM);
    ADD(r, r->entries) = term;
    if (is_in_terms(r)) add_mark(r, DEFINITION);
    else end_definitions(r, from, start); /* a term outside of any list */
}

static void close_definition(Render *r, const Sink *sink) {
    size_t from = sink->entry, start = sink->text;
    flush_sink(r);
    r->sinks.n--;
    if (is_in_terms(r)) add_mark(r, DEFINITION);
    else if (r->entries.n > from) end_definitions(r, from, start);
}

static void close_item(Render *r, const Sink *sink) {
    size_t from = sink->entry, start = sink->text;
    flush_sink(r);
    r->sinks.n--;
    if (enclosing(r, IN_LIST, 0) || r->entries.n == from) return; /* the list has it already */
    r->out.n = 0;
    (r->is_html ? html_items : md_items)(r, &r->out, from, r->entries.n, 0, 1);
    r->entries.n = from;
    replace_with_block(r, start);
}

static void close_quote(Render *r, const Sink *sink) {
    size_t from = sink->entry, start = sink->text;
    flush_sink(r);
    r->sinks.n--;
    if (r->entries.n == from) return;
    r->out.n = 0;
    (r->is_html ? html_quote : md_quote)(r, &r->out, from, r->entries.n);
    r->entries.n = from;
    replace_with_block(r, start);
}

static void close_cell(Render *r, const Frame *frame, const Sink *sink) {
    size_t own = sink->entry - 1; /* its mark */
    if (frame->tag == TAG_caption) {
        size_t start = end_line(r);
        r->entries.at[own].start = start;
        r->entries.at[own].n = r->text_out.n - start;
    } else {
        flush_sink(r);
        Entry *cell = &r->entries.at[own];
        cell->n = r->entries.n - own - 1;
        cell->is_header = frame->tag == TAG_th;
        long colspan = number_of(r, attr_of(r, frame->row, ATTR_colspan), 6, '1', 1), rowspan = number_of(r, attr_of(r, frame->row, ATTR_rowspan), 6, '1', 1);
        cell->colspan = (int)(colspan < r->max_span ? colspan : r->max_span);
        cell->rowspan = (int)(rowspan < r->max_span ? rowspan : r->max_span);
    }
    r->sinks.n--;
}

static void close_table(Render *r, const Sink *sink) {
    size_t from = sink->entry, start = sink->text;
    flush_sink(r);
    r->sinks.n--;
    int has_cells = 0, has_caption = 0;
    for (size_t k = from; k < r->entries.n; k++) {
        const Entry *entry = &r->entries.at[k];
        if (entry->kind == CAPTION) has_caption = entry->n > 0;
        if (entry->kind == CELL) {
            has_cells = 1;
            k += entry->n;
        }
    }
    r->out.n = 0;
    if (has_cells || has_caption) (r->is_html ? html_table : md_table)(r, &r->out, from, r->entries.n);
    /* What stands in it outside of cells comes first. */
    size_t n = r->entries.n;
    r->text_out.n = start;
    r->entries.n = from;
    for (size_t k = from; k < n; k++) {
        Entry entry = r->entries.at[k];
        if (entry.kind == CELL) k += entry.n;
        if (entry.kind != BLOCK) continue;
        size_t at = r->text_out.n;
        put_own(r, &r->text_out, &r->text_out, entry.start, entry.n);
        end_block(r, at);
    }
    if (has_cells || has_caption) replace_with_block(r, r->text_out.n);
}

static void close_sink(Render *r, const Frame *frame) {
    Sink sink = *TOP_SINK(r);
    int16_t tag = frame->tag;
    int kinds = kinds_of_tag(r, tag);
    r->n_sinks--;
    r->n_terms -= tag == TAG_dt;
    r->n_headings -= is_heading(r, tag) != 0;
    if (is_heading(r, tag)) close_heading(r, frame, &sink);
    else if (tag == TAG_dt) close_term(r);
    else if (kinds & IN_PRE) close_code(r, frame, &sink);
    else if (tag == TAG_li) close_item(r, &sink);
    else if (kinds & IN_LIST) {
        end_part(r);
        close_list(r, frame, &sink);
    } else if (tag == TAG_dd) close_definition(r, &sink);
    else if (tag == TAG_dl) {
        end_part(r);
        r->sinks.n--;
        end_definitions(r, sink.entry, sink.text);
    } else if (tag == TAG_blockquote) close_quote(r, &sink);
    else if (kinds & IN_CELL || tag == TAG_caption) close_cell(r, frame, &sink);
    else close_table(r, &sink);
}

void close_frame(Render *r) {
    Frame frame = *TOP(r);
    size_t up = r->stack.at[r->stack.n - 2].sink;
    int mark = r->marks[frame.tag];
    if (frame.sink != up) {
        r->stack.n--;
        close_sink(r, &frame);
    } else if (kinds_of_tag(r, frame.tag) & IN_BLOCK) {
        flush_line(r);
        r->stack.n--;
    } else if (mark) {
        if (frame.tag == TAG_a) r->n_links--;
        r->open_marks[mark]--;
        if (frame.is_outer) {
            r->outer.n--;
            if (!is_permalink(r, &frame)) mark_frame(r, &frame, r->n_headings > 0);
        }
        r->stack.n--;
    } else
        r->stack.n--;
}
