/* One walk over the rows of a page that are written: `Walk` of sitegrain.render.walk with the sinks of its `sink`. */
#include "render.h"

#define TOP_SINK(r) (&(r)->sinks.at[(r)->sinks.n - 1])
#define TOP(r) (&(r)->stack.at[(r)->stack.n - 1])

static int kinds_of_tag(const Render *r, int16_t tag) { return r->kinds[tag]; }
static int is_heading(const Render *r, int16_t tag) { return kinds_of_tag(r, tag) & IN_HEADING; }
static size_t line_start(const Render *r, const Sink *sink) { return r->pieces.n > sink->piece ? r->pieces.at[sink->piece].start : r->text_out.n; }

/* ---------------------------------------------------------------- lines and blocks */

/* All that was put since `start` is a piece. */
static void end_piece(Render *r, size_t start) {
    Piece piece = {start, r->text_out.n - start};
    ADD(r, r->pieces) = piece;
}

static void add_piece(Render *r, const char *text) {
    size_t start = r->text_out.n;
    put(r, &r->text_out, text, strlen(text));
    end_piece(r, start);
}

static int is_piece(const Render *r, Piece piece, const char *text) { return is_text(r->text_out.at + piece.start, piece.n, text); }

/* All that was put since `start` is a block. */
static void end_block(Render *r, size_t start) {
    Entry block = {start, r->text_out.n - start, BLOCK, 0, 0, 0};
    Sink *sink = TOP_SINK(r);
    ADD(r, r->entries) = block;
    sink->n_loose++;
    sink->is_rule_last = is_text(r->text_out.at + start, block.n, RULE(r));
}

/* What is in `out` in place of all that was put since `start`, as a block. */
static void replace_with_block(Render *r, size_t start) {
    r->text_out.n = start;
    put_own(r, &r->text_out, &r->out, 0, r->out.n);
    end_block(r, start);
}

static void add_mark(Render *r, int kind) {
    Entry mark = {r->text_out.n, 0, kind, 0, 1, 1};
    ADD(r, r->entries) = mark;
}

/* The line from `start` on as `Sink.line` has it. */
void put_line(Render *r, size_t start) {
    if (!r->is_html) md_finish(r, start);
    Bytes *b = &r->text_out;
    if (b->n == start) return;
    char *at = b->at;
    size_t n = start;
    int has_breaks = 0;
    for (size_t i = start; i < b->n; i++) {
        /* Of spaces one is left; none before a backslash that breaks the line. */
        if (at[i] == ' ') {
            size_t j = i;
            while (j < b->n && at[j] == ' ') j++;
            if (j + 1 < b->n && at[j] == '\\' && at[j + 1] == '\n') { i = j - 1; continue; }
            at[n++] = ' ';
            i = j - 1;
            continue;
        }
        has_breaks |= at[i] == '\n';
        at[n++] = at[i];
    }
    if (!has_breaks) {
        Piece line = stripped_of(at, (Piece){start, n - start}, " ");
        memmove(at + start, at + line.start, line.n);
        b->n = start + line.n;
        return;
    }
    /* No spaces around line breaks, and no empty lines. */
    size_t m = start;
    for (size_t i = start; i < n; i++) {
        if (at[i] == '\n') {
            while (m > start && at[m - 1] == ' ') m--;
            at[m++] = '\n';
            while (i + 1 < n && at[i + 1] == ' ') i++;
        } else
            at[m++] = at[i];
    }
    Piece lines = stripped_of(at, (Piece){start, m - start}, " \n");
    size_t stop = lines.start + lines.n, i = lines.start;
    if (!lines.n || !memchr(at + i, '\n', lines.n)) {
        memmove(at + start, at + i, lines.n);
        b->n = start + lines.n;
        return;
    }
    for (n = start; i <= stop;) {
        const char *found = i < stop ? memchr(at + i, '\n', stop - i) : NULL;
        size_t j = found ? (size_t)(found - at) : stop;
        if (j > i && !(!r->is_html && j == i + 1 && at[i] == '\\')) { /* a backslash of the text is two in Markdown */
            if (n > start) at[n++] = '\n';
            memmove(at + n, at + i, j - i);
            n += j - i;
        }
        i = j + 1;
    }
    b->n = n;
}

/* The line from `start` on as a paragraph, if it says anything. */
static void end_paragraph(Render *r, size_t start) {
    put_line(r, start);
    Bytes *b = &r->text_out;
    if (b->n == start) return;
    r->out.n = 0;
    if (r->is_html) {
        PUT(r, &r->out, "<p>");
        put_own(r, &r->out, b, start, b->n - start);
        PUT(r, &r->out, "</p>");
    } else
        md_paragraph(r, &r->out, b->at + start, b->n - start);
    replace_with_block(r, start);
}

/* `Sink.flush`. */
static void flush_sink(Render *r) {
    Sink *sink = TOP_SINK(r);
    size_t start = line_start(r, sink), n = r->pieces.n;
    const char *line_break = LINE_BREAK(r);
    if (sink->is_line) {
        if (n > sink->piece) add_piece(r, " ");
        return;
    }
    if (n == sink->piece) return;
    size_t k = sink->piece;
    while (k < n && !is_piece(r, r->pieces.at[k], line_break)) k++;
    if (k == n) {
        r->pieces.n = sink->piece;
        end_paragraph(r, start);
        return;
    }
    /* Two line breaks in a row are how old pages part paragraphs. */
    Bytes *spare = &r->body, *b = &r->text_out;
    spare->n = 0;
    put_own(r, spare, b, start, b->n - start);
    size_t run = b->n = start, n_breaks = 0;
    int is_empty = 1; /* no pieces in the run */
    for (k = sink->piece; k < n; k++) {
        Piece piece = r->pieces.at[k];
        const char *at = spare->at + (piece.start - start);
        if (is_text(at, piece.n, line_break)) {
            n_breaks++;
            continue;
        }
        if (n_breaks && !(piece.n == 0 || (piece.n == 1 && *at == ' '))) {
            if (n_breaks > 1) {
                end_paragraph(r, run);
                run = b->n;
            } else if (!is_empty)
                put(r, b, line_break, strlen(line_break));
            is_empty = n_breaks > 1 ? 1 : is_empty;
            n_breaks = 0;
        }
        put(r, b, at, piece.n);
        is_empty = 0;
    }
    r->pieces.n = sink->piece;
    end_paragraph(r, run);
}

/* `Sink.line` of the innermost sink: the bytes from where it returns. */
static size_t end_line(Render *r) {
    Sink *sink = TOP_SINK(r);
    size_t start = line_start(r, sink);
    r->pieces.n = sink->piece;
    put_line(r, start);
    return start;
}

/* ---------------------------------------------------------------- links and marks */

static Piece short_of(const char *at, size_t n) {
    size_t i = 0;
    while (i + 3 <= n && memcmp(at + i, "://", 3)) i++;
    Piece rest = i + 3 <= n ? (Piece){i + 3, n - i - 3} : (Piece){n, 0};
    if (rest.n >= 10 && !memcmp(at + rest.start + rest.n - 10, "index.html", 10)) rest.n -= 10;
    while (rest.n && at[rest.start + rest.n - 1] == '/') rest.n--;
    return rest;
}

/* Whether an address is that of the page itself. */
static int is_here(const Render *r, size_t url, size_t n_url) {
    const char *at = r->urls.at + url;
    if (memchr(at, '#', n_url)) return 0;
    Piece own = short_of(at, n_url);
    return own.n == r->short_url.n && !memcmp(at + own.start, r->short_url.n ? r->short_url.at : "", own.n);
}

static void put_link(Render *r, Bytes *b, const char *inner, size_t n, size_t url, size_t n_url) {
    (r->is_html ? html_link : md_link)(r, b, inner, n, r->urls.at + url, n_url);
}

/* Write a link or a mark around what stands in the line since it was opened. */
static void mark_frame(Render *r, Frame *frame, int in_heading) {
    int mark = r->marks[frame->tag];
    if ((mark == MARK_a && frame->is_linked) || (mark == MARK_strong && in_heading)) return;
    if (mark == MARK_a && in_heading && is_here(r, frame->url, frame->n_url)) return;
    /* Spaces and line breaks at the ends stay outside of the mark. */
    const char *line_break = LINE_BREAK(r);
    Bytes *b = &r->text_out;
    const Piece *pieces = r->pieces.at;
    size_t first = frame->start, last = r->pieces.n;
#define IS_EMPTY(piece) (!(piece).n || is_piece(r, piece, " ") || is_piece(r, piece, line_break))
    while (first < last && IS_EMPTY(pieces[first])) first++;
    while (last > first && IS_EMPTY(pieces[last - 1])) last--;
    if (first >= last) return;
    Piece inner = {pieces[first].start, pieces[last - 1].start + pieces[last - 1].n - pieces[first].start};
    Piece bare = stripped(b->at, inner);
    if (!bare.n) return;
    frame->is_linked = 1;
    if (mark == MARK_a && r->open_marks[MARK_code]) { /* code holds no links: the link goes around it */
        r->code_url = frame->url;
        r->n_code_url = frame->n_url;
        return;
    }
    Bytes *out = &r->out;
    out->n = 0;
    if (mark == MARK_a) put_link(r, out, b->at + bare.start, bare.n, frame->url, frame->n_url);
    else (r->is_html ? html_mark : md_mark)(r, out, mark, b->at + bare.start, bare.n);
    if (mark == MARK_code && r->n_code_url) {
        r->body.n = 0;
        put_link(r, &r->body, out->at, out->n, r->code_url, r->n_code_url);
        out->n = 0;
        put_own(r, out, &r->body, 0, r->body.n);
        r->n_code_url = 0;
    }
    /* lead, written, tail and the pieces after them, in place of what was there */
    size_t n_written = out->n, after = inner.start + inner.n, n_tail = after - (bare.start + bare.n), n_lead = bare.start - inner.start;
    put_own(r, out, b, bare.start + bare.n, b->n - (bare.start + bare.n));
    b->n = bare.start;
    put_own(r, b, out, 0, out->n);
    size_t n_rest = r->pieces.n - last, at = inner.start;
    Piece made[3] = {{at, n_lead}, {at + n_lead, n_written}, {at + n_lead + n_written, n_tail}};
    at += n_lead + n_written + n_tail;
    while (r->pieces.n < first + 3 + n_rest) (void)ADD(r, r->pieces);
    memmove(r->pieces.at + first + 3, r->pieces.at + last, n_rest * sizeof(Piece));
    r->pieces.n = first + 3 + n_rest;
    memcpy(r->pieces.at + first, made, sizeof made);
    for (size_t k = first + 3; k < r->pieces.n; k++) {
        r->pieces.at[k].start = at;
        at += r->pieces.at[k].n;
    }
}

/* True for the sign beside a heading that leads to itself; it is taken away. */
static int is_permalink(Render *r, Frame *frame) {
    if (frame->tag != TAG_a || !memchr(r->urls.at + frame->url, '#', frame->n_url)) return 0;
    Bytes *b = &r->text_out;
    size_t start = frame->start < r->pieces.n ? r->pieces.at[frame->start].start : b->n;
    r->body.n = 0;
    for (size_t i = start; i < b->n; i++)
        if (b->at[i] != '\\') put_byte(r, &r->body, b->at[i]);
    Piece text = r->body.n ? stripped(r->body.at, (Piece){0, r->body.n}) : (Piece){0, 0};
    int n_chars = 0;
    for (size_t i = 0; i < text.n && n_chars <= 3; n_chars++) {
        Py_UCS4 c = char_at(r->body.at + text.start + i, text.n - i);
        if (is_word(c) || Py_UNICODE_ISSPACE(c) || (c < 128 && c && strchr("![]()", (int)c))) return 0;
        i += char_size((unsigned char)r->body.at[text.start + i]);
    }
    if (n_chars > 3) return 0;
    if (!r->n_headings && !r->n_terms && ask_of(r, "is_permalink", frame->row, NULL) != Py_True) return 0;
    b->n = start;
    if (r->pieces.n > frame->start) r->pieces.n = frame->start;
    return 1;
}

/* End the line of text; marks that go on are written on both sides of the break. */
static void flush(Render *r) {
    size_t top = TOP(r)->sink;
    Sink *sink = &r->sinks.at[top];
    if (r->pieces.n == sink->piece) return;
    if (sink->is_line || !r->outer.n) {
        flush_sink(r);
        return;
    }
    for (size_t k = r->outer.n; k-- > 0;) {
        Frame *frame = &r->stack.at[r->outer.at[k]];
        if (frame->sink == top) mark_frame(r, frame, 0);
    }
    flush_sink(r);
    for (size_t k = r->outer.n; k-- > 0;) {
        Frame *frame = &r->stack.at[r->outer.at[k]];
        if (frame->sink == top) frame->start = r->sinks.at[top].piece;
    }
}

/* ---------------------------------------------------------------- opening */

static int is_layout(const Render *r, Py_ssize_t row) {
    Py_ssize_t end = end_of(r, row), n_rows = 0, n_cells = 0, n_p = 0, n_full = 0, longest = 0;
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
            if (size > longest) longest = size;
        }
    }
    if (n_rows < 2 || n_cells < 2 * n_rows || n_p > n_cells) return 1;
    return !is_data && (longest > r->long_cell || n_full < 2);
}

/* The nearest open element with these bits, with no block between but wrappers (and, of tables, what is `through`). */
static Frame *enclosing(Render *r, int bits, int is_table) {
    for (size_t k = r->stack.n; k-- > 0;) {
        Frame *frame = &r->stack.at[k];
        int16_t tag = frame->tag;
        if (is_table ? tag == TAG_table : (kinds_of_tag(r, tag) & bits) != 0) return frame;
        int is_through = is_table && (tag == TAG_tr || tag == TAG_tbody || tag == TAG_thead || tag == TAG_tfoot);
        if (!is_through && kinds_of_tag(r, tag) & IN_BLOCK && tag != TAG_div) return NULL;
    }
    return NULL;
}

static int is_in_terms(const Render *r) { return TOP_SINK(r)->owner == TAG_dl; }

/* What stands in a `<dl>` outside of terms and definitions is a definition, and what stands in a list outside of items belongs
 * to the item before: the marks between entries say it. */
static void part(Render *r) {
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
            part(r);
            add_mark(r, ITEM);
        } else if (tag == TAG_dd && is_in_terms(r)) {
            part(r);
            add_mark(r, DEFINITION);
        }
        open_sink(r, frame, 0);
    } else if (is_heading(r, tag) || tag == TAG_dt) {
        if (tag == TAG_dt && is_in_terms(r)) part(r);
        r->n_terms += tag == TAG_dt;
        r->n_headings += tag != TAG_dt;
        open_sink(r, frame, 1);
    }
}

static void put_picture(Render *r, Py_ssize_t row) {
    PyObject *alt, *src, *found = ask_of(r, "picture", row, attrs_of(r, row));
    int is_again;
    if (found == Py_None) return;
    if (!PyArg_ParseTuple(found, "UUp", &alt, &src, &is_again)) fail(r);
    int is_known = is_again ? PySet_Contains(r->images, src) : 0;
    if (is_known < 0) fail(r);
    if (!is_known) {
        size_t start = r->text_out.n;
        (r->is_html ? html_image : md_image)(r, &r->text_out, alt, src);
        end_piece(r, start);
    }
    if (PySet_Add(r->images, src)) fail(r);
}

static void put_media(Render *r, Py_ssize_t row) {
    if (r->n_links) return;
    PyObject *name, *url, *found = ask_of(r, "media", row, attrs_of(r, row));
    if (found == Py_None) return;
    if (!PyArg_ParseTuple(found, "UU", &name, &url)) fail(r);
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
        flush(r);
        sink = TOP_SINK(r);
        if (!sink->is_line && sink->n_loose && !sink->is_rule_last) { /* what stood between two was left out */
            size_t start = r->text_out.n;
            put(r, &r->text_out, RULE(r), strlen(RULE(r)));
            end_block(r, start);
        }
    } else if (r->tag[row] == TAG_img) put_picture(r, row);
    else put_media(r, row);
}

static int has_url(Render *r, Frame *frame) {
    PyObject *said = attr_of(r, frame->row, ATTR_href), *url = said ? ask_of(r, "href", frame->row, said) : NULL;
    if (!url || !PyUnicode_Check(url) || !PyUnicode_GET_LENGTH(url)) return 0;
    if (!r->n_links && !r->n_code_url) r->urls.n = 0; /* no address is in use */
    frame->url = r->urls.n;
    put_string(r, &r->urls, url);
    frame->n_url = r->urls.n - frame->url;
    return 1;
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
        flush(r);
        frame.start = r->pieces.n;
        open_block(r, &frame);
    }
    ADD(r, r->stack) = frame;
}

/* ---------------------------------------------------------------- closing */

static PyObject *written(Render *r, size_t start) {
    Py_CLEAR(r->held);
    r->held = PyUnicode_DecodeUTF8(r->text_out.at + start, (Py_ssize_t)(r->text_out.n - start), "surrogatepass");
    if (!r->held) fail(r);
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
        if (is_known < 0 || PySet_Add(r->headings, text)) fail(r);
        if (is_known) {
            b->n = start;
            return;
        }
    }
    end_block(r, start);
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
    PyObject *language = ask_of(r, "language", frame->row, NULL);
    if (!PyUnicode_Check(language)) be_odd(r);
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
        part(r);
        close_list(r, frame, &sink);
    } else if (tag == TAG_dd) close_definition(r, &sink);
    else if (tag == TAG_dl) {
        part(r);
        r->sinks.n--;
        end_definitions(r, sink.entry, sink.text);
    } else if (tag == TAG_blockquote) close_quote(r, &sink);
    else if (kinds & IN_CELL || tag == TAG_caption) close_cell(r, frame, &sink);
    else close_table(r, &sink);
}

static void close_row(Render *r) {
    Frame frame = *TOP(r);
    size_t up = r->stack.at[r->stack.n - 2].sink;
    int mark = r->marks[frame.tag];
    if (frame.sink != up) {
        r->stack.n--;
        close_sink(r, &frame);
    } else if (kinds_of_tag(r, frame.tag) & IN_BLOCK) {
        flush(r);
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

/* ---------------------------------------------------------------- the walk */

static void put_code(Render *r, Py_ssize_t row, int is_line_due) {
    Bytes *b = &r->text_out;
    const Sink *sink = TOP_SINK(r);
    Py_ssize_t start = r->text_start[row], stop = r->text_end[row], i = start;
    size_t at = b->n;
    if (is_line_due && r->pieces.n > sink->piece) {
        Piece last = r->pieces.at[r->pieces.n - 1];
        int has_break = last.n && b->at[last.start + last.n - 1] == '\n';
        for (; i < stop && !has_break; i++) {
            Py_UCS4 c = PyUnicode_READ(r->text_kind, r->text_data, i);
            if (!Py_UNICODE_ISSPACE(c) && !(c < 32)) break;
            has_break = c == '\n';
        }
        if (!has_break) put_byte(r, b, '\n');
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
    if (!found && PyErr_Occurred()) fail(r);
    return found;
}

static void put_formula(Render *r, PyObject *formula) {
    PyObject *latex;
    int is_block;
    size_t start = r->text_out.n;
    Bytes *b = &r->text_out;
    if (!PyArg_ParseTuple(formula, "Up", &latex, &is_block)) fail(r);
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
    PyObject *found = ask(r, "places");
    if (!PyDict_Check(found)) be_odd(r);
    if (PyDict_GET_SIZE(found)) r->targets = Py_NewRef(found);
}

void walk(Render *r) {
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
    int32_t n_gaps = 0, n_spaces = 0;
    Py_ssize_t done = 0;
    int pre = 0, is_line_due = 0;
    for (Py_ssize_t row = 0; row < r->n; row++) {
        if (!r->seen[row] || row < done) continue; /* or within a formula that is written */
        while (TOP(r)->end <= row) {
            pre -= (kinds_of_tag(r, TOP(r)->tag) & IN_PRE) != 0;
            close_row(r);
        }
        if (r->gap[row] > n_gaps) {
            if (pre) is_line_due = 1;
            else flush(r);
        } else if (r->space[row] > n_spaces && !pre) add_piece(r, " ");
        n_gaps = r->gap[row];
        n_spaces = r->space[row];
        PyObject *formula;
        if (!r->tag[row]) {
            if (pre) {
                put_code(r, row, is_line_due);
                is_line_due = 0;
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
            if (r->tag[row] == TAG_br) add_piece(r, "\n");
            else if (is(r, row, IN_BLOCK)) is_line_due = 1; /* some highlighters make a block of every line */
        } else {
            open_row(r, row);
            if (TOP(r)->row == row && kinds_of_tag(r, TOP(r)->tag) & IN_PRE) {
                pre++;
                is_line_due = 0;
            }
        }
    }
    while (r->stack.n > 1) close_row(r);
    flush_sink(r);
}
