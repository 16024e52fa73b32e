/* The line that is being written, and the blocks that lines become: `Sink` of sitegrain.render.sink, and the marks and links of its
 * `Walk`. */
#include "render.h"

/* ---------------------------------------------------------------- lines and blocks */

/* All that was put since `start` is a piece. */
void end_piece(Render *r, size_t start) {
    Piece piece = {start, r->text_out.n - start};
    ADD(r, r->pieces) = piece;
}

void add_piece(Render *r, const char *text) {
    size_t start = r->text_out.n;
    put(r, &r->text_out, text, strlen(text));
    end_piece(r, start);
}

static int is_piece(const Render *r, Piece piece, const char *text) { return is_text(r->text_out.at + piece.start, piece.n, text); }

/* All that was put since `start` is a block. */
void end_block(Render *r, size_t start) {
    Entry block = {start, r->text_out.n - start, BLOCK, 0, 0, 0};
    Sink *sink = TOP_SINK(r);
    ADD(r, r->entries) = block;
    sink->n_loose++;
    sink->is_parted = is_text(r->text_out.at + start, block.n, RULE(r));
}

/* What is in `out` in place of all that was put since `start`, as a block. */
void replace_with_block(Render *r, size_t start) {
    r->text_out.n = start;
    put_own(r, &r->text_out, &r->out, 0, r->out.n);
    end_block(r, start);
}

void add_mark(Render *r, int kind) {
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
    int has_breaks = 0, has_runs = 0;
    for (size_t i = start + 1; i < b->n; i++) has_runs |= at[i] == ' ' && at[i - 1] == ' ';
    for (size_t i = start; i < b->n; i++) has_breaks |= at[i] == '\n';
    if (!has_runs && !has_breaks) n = b->n;
    for (size_t i = start; n < b->n && i < b->n; i++) {
        /* Of spaces one is left; none before a backslash that breaks the line. */
        if (at[i] == ' ') {
            size_t j = i;
            while (j < b->n && at[j] == ' ') j++;
            if (j + 1 < b->n && at[j] == '\\' && at[j + 1] == '\n') { i = j - 1; continue; }
            at[n++] = ' ';
            i = j - 1;
            continue;
        }
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
void flush_sink(Render *r) {
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
size_t end_line(Render *r) {
    Sink *sink = TOP_SINK(r);
    size_t start = line_start(r, sink);
    r->pieces.n = sink->piece;
    put_line(r, start);
    return start;
}

/* ---------------------------------------------------------------- links and marks */

Piece short_of(const char *at, size_t n) {
    size_t i = 0;
    while (i + 3 <= n && memcmp(at + i, "://", 3)) i++;
    Piece rest = i + 3 <= n ? (Piece){i + 3, n - i - 3} : (Piece){n, 0};
    if (rest.n >= 10 && !memcmp(at + rest.start + rest.n - 10, "index.html", 10)) rest.n -= 10;
    while (rest.n && at[rest.start + rest.n - 1] == '/') rest.n--;
    return rest;
}

/* Whether an address is that of the page itself. */
int is_here(const Render *r, size_t url, size_t n_url) {
    const char *at = r->urls.at + url;
    if (memchr(at, '#', n_url)) return 0;
    Piece own = short_of(at, n_url);
    if (own.start == n_url) return 0; /* no whole address: that of the page is not known */
    return own.n == r->short_url.n && !memcmp(at + own.start, r->short_url.n ? r->short_url.at : "", own.n);
}

void put_link(Render *r, Bytes *b, const char *inner, size_t n, size_t url, size_t n_url) {
    (r->is_html ? html_link : md_link)(r, b, inner, n, r->urls.at + url, n_url);
}

/* Whether code that is written in `out` goes on with the code right before the piece `first`, in Markdown: two ticks side by side are other ticks. */
static int goes_on(Render *r, const Bytes *out, size_t low, size_t first) {
    for (int mark = 0; mark < N_MARKS; mark++)
        if (mark != MARK_code && r->open_marks[mark]) return 0; /* what was opened between the two stays between them */
    while (first > low && !r->pieces.at[first - 1].n) first--;
    if (first <= low || out->n < 3 || out->at[0] != '`') return 0;
    Piece before = r->pieces.at[first - 1];
    const char *end = r->text_out.at + before.start + before.n;
    if (before.n < 2 || end[-1] != '`') return 0;
    if (out->at[1] != '`' && end[-2] != '`' && end[-2] != '\\') return 1;
    if (end[-2] != '\\' || end[-(Py_ssize_t)before.n] == '`') be_odd(r); /* ticks in one of them: the walk keeps the two apart */
    return 0;
}

/* Write a link or a mark around what stands in the line since it was opened. */
void mark_frame(Render *r, Frame *frame, int in_heading) {
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
    size_t n_joined = mark == MARK_code && !r->is_html && !n_lead && goes_on(r, out, TOP_SINK(r)->piece, first);
    put_own(r, out, b, bare.start + bare.n, b->n - (bare.start + bare.n));
    b->n = bare.start - n_joined;
    put_own(r, b, out, n_joined, out->n - n_joined);
    if (n_joined) {
        size_t k = first;
        while (!r->pieces.at[--k].n) r->pieces.at[k].start--;
        r->pieces.at[k].n--;
    }
    n_written -= n_joined;
    size_t n_rest = r->pieces.n - last, at = inner.start - n_joined;
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
int is_permalink(Render *r, Frame *frame) {
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
void flush_line(Render *r) {
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
