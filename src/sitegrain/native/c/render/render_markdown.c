/* Markdown: the `_Markdown` of sitegrain.render.markdown. */
#include "render.h"

/* ---------------------------------------------------------------- text */

static int is_entity(int kind, const void *data, Py_ssize_t i, Py_ssize_t stop) {
    if (i < stop && PyUnicode_READ(kind, data, i) == '#') i++;
    Py_ssize_t n = 0;
    while (i + n < stop && n <= 32 && is_word(PyUnicode_READ(kind, data, i + n))) n++;
    return n >= 1 && n <= 32 && i + n < stop && PyUnicode_READ(kind, data, i + n) == ';';
}

static int is_special(int kind, const void *data, Py_ssize_t start, Py_ssize_t i, Py_ssize_t stop) {
    switch (PyUnicode_READ(kind, data, i)) {
    case '\\': case '`': case '*': case '[': case ']': case '<': case '~': return 1;
    case '_':
        return !(i > start && is_alnum(PyUnicode_READ(kind, data, i - 1)) && i + 1 < stop && is_alnum(PyUnicode_READ(kind, data, i + 1)));
    case '&': return is_entity(kind, data, i + 1, stop);
    default: return 0;
    }
}

static void put_marked(Render *r, Bytes *b, const Signs *of, Py_ssize_t i, Py_UCS4 c) {
    if (c < 128 && c > ' ' && is_special(of->kind, of->data, of->start, i, of->stop)) put_byte(r, b, '\\');
    put_char(r, b, c);
}

void md_text(Render *r, Bytes *b, int kind, const void *data, Py_ssize_t start, Py_ssize_t stop, int how) {
    put_stretch(r, b, &(Signs){kind, data, start, stop}, how, "\\`*[]<~_&", put_marked);
}

/* ---------------------------------------------------------------- links and pictures */

static void put_target(Render *r, Bytes *b, const char *url, size_t n) {
    if (n && (memchr(url, '(', n) || memchr(url, ')', n))) {
        put_byte(r, b, '<');
        put(r, b, url, n);
        put_byte(r, b, '>');
        return;
    }
    size_t plain = 0;
    while (plain < n && (signed char)url[plain] > ' ' && url[plain] != '<' && url[plain] != '>') plain++;
    put(r, b, url, plain);
    for (size_t i = plain; i < n;) {
        Py_UCS4 c = char_at(url + i, n - i);
        if (c == '<' || c == '>' || Py_UNICODE_ISSPACE(c)) {
            char escape[16];
            put(r, b, escape, (size_t)snprintf(escape, sizeof escape, "%%%02X", (unsigned)c));
        } else
            put_char(r, b, c);
        i += char_size((unsigned char)url[i]);
    }
}

void md_link(Render *r, Bytes *b, const char *inner, size_t n, const char *url, size_t n_url) {
    put_byte(r, b, LINK);
    put_byte(r, b, '[');
    put(r, b, inner, n);
    PUT(r, b, "](");
    put_target(r, b, url, n_url);
    put_byte(r, b, ')');
}

void md_image(Render *r, Bytes *b, PyObject *alt, PyObject *src) {
    r->line.n = 0;
    put_string(r, &r->line, src);
    size_t start = b->n;
    put_byte(r, b, IMAGE);
    put_byte(r, b, '[');
    size_t at = b->n;
    md_text(r, b, PyUnicode_KIND(alt), PyUnicode_DATA(alt), 0, PyUnicode_GET_LENGTH(alt), WITHOUT_SIGNS);
    if (begins(r->line.at, r->line.n, "data:")) { /* a picture that is its own address is named only */
        if (!stripped(b->at, (Piece){at, b->n - at}).n) b->n = start;
        else PUT(r, b, "]()");
        return;
    }
    PUT(r, b, "](");
    put_target(r, b, r->line.at, r->line.n);
    put_byte(r, b, ')');
}

/* ---------------------------------------------------------------- blocks */

static int is_space_or_end(const char *at, size_t n, size_t i) { return i >= n || Py_UNICODE_ISSPACE(char_at(at + i, n - i)); }

/* Digits at the start of a line, and what they take of it. */
static size_t digits(const char *at, size_t n, size_t *size) {
    size_t found = 0;
    *size = 0;
    while (*size < n && found <= 9 && Py_UNICODE_ISDECIMAL(char_at(at + *size, n - *size))) {
        *size += char_size((unsigned char)at[*size]);
        found++;
    }
    return found;
}

/* Whether a line would be read as the start of a block. */
static int is_block_start(const char *at, size_t n) {
    size_t i = 0;
    if (!n) return 0;
    switch (at[0]) {
    case '>': case '|': return 1;
    case '#':
        while (i < n && at[i] == '#') i++;
        return i <= 6 && is_space_or_end(at, n, i);
    case '+': return is_space_or_end(at, n, 1);
    case '-': case '=': case ':':
        if (at[0] == '-' && is_space_or_end(at, n, 1)) return 1;
        if (at[0] != '=') {
            while (i < n && strchr("-:| ", at[i]) && at[i]) i++;
            if (i == n) return 1;
            i = 0;
        }
        if (at[0] == ':') return 0;
        while (i < n && at[i] == at[0]) i++;
        while (i < n && Py_UNICODE_ISSPACE(char_at(at + i, n - i))) i += char_size((unsigned char)at[i]);
        return i == n;
    default: return 0;
    }
}

static void put_start_escaped(Render *r, Bytes *b, const char *at, size_t n) {
    size_t size, found = n ? digits(at, n, &size) : 0;
    if (found && found <= 9 && size < n && (at[size] == '.' || at[size] == ')') && is_space_or_end(at, n, size + 1)) {
        put(r, b, at, size);
        put_byte(r, b, '\\');
        put(r, b, at + size, n - size);
        return;
    }
    if (is_block_start(at, n)) put_byte(r, b, '\\');
    put(r, b, at, n);
}

/* For each line of text: `line` and `n_line`. */
#define EACH_LINE(at, n)                                                                                            \
    for (size_t from_ = 0, n_line = 0; from_ <= (n); from_ += n_line + 1)                                            \
        for (const char *line = (at) + from_, *found_ = from_ < (n) ? memchr(line, '\n', (n) - from_) : NULL; line;  \
             line = NULL)                                                                                           \
            if (n_line = found_ ? (size_t)(found_ - line) : (n) - from_, 1)

void md_paragraph(Render *r, Bytes *b, const char *at, size_t n) {
    EACH_LINE(at, n) {
        if (line != at) put_byte(r, b, '\n');
        put_start_escaped(r, b, line, n_line);
    }
}

void md_heading(Render *r, Bytes *b, int level, const char *at, size_t n) {
    for (int k = 0; k < level; k++) put_byte(r, b, '#');
    put_byte(r, b, ' ');
    size_t bare = n;
    while (bare && at[bare - 1] == '#') bare--; /* a closing run would be taken for decoration */
    for (size_t i = 0; i < n; i++) {
        if (i == bare) put_byte(r, b, '\\');
        put_byte(r, b, at[i] == '\n' ? ' ' : at[i]);
    }
}

void md_code(Render *r, Bytes *b, const char *at, size_t n, PyObject *language) {
    size_t n_ticks = md_longest_ticks(at, n) + 1;
    if (n_ticks < 3) n_ticks = 3;
    for (size_t k = 0; k < n_ticks; k++) put_byte(r, b, '`');
    if (language) put_string(r, b, language);
    put_byte(r, b, '\n');
    put(r, b, at, n);
    put_byte(r, b, '\n');
    for (size_t k = 0; k < n_ticks; k++) put_byte(r, b, '`');
}

/* The sign of the list that a block or a line begins with: - * . ) or 0; `*place` is where it stands. */
static char list_sign(const char *at, size_t n, size_t *place) {
    if (n < 2) return 0;
    *place = 0;
    if ((at[0] == '-' || at[0] == '*') && at[1] == ' ') return at[0];
    size_t found = digits(at, n, place);
    if (found && found <= 9 && *place + 1 < n && (at[*place] == '.' || at[*place] == ')') && at[*place + 1] == ' ') return at[*place];
    return 0;
}

static int is_bullet(char sign) { return sign == '-' || sign == '*'; }

void md_join(Render *r, Bytes *b, size_t from, size_t to) {
    char last = 0;
    for (size_t k = from; k < to; k++) {
        const char *at = r->text_out.at + r->entries.at[k].start;
        size_t n = r->entries.at[k].n, place;
        char sign = list_sign(at, n, &place);
        if (k > from) PUT(r, b, "\n\n");
        if (sign && sign == last) { /* of two lists in a row the second gets other bullets, or they would be one */
            int is_plain = is_bullet(sign);
            sign = is_plain ? (sign == '-' ? '*' : '-') : sign == '.' ? ')' : '.';
            EACH_LINE(at, n) {
                if (line != at) put_byte(r, b, '\n');
                char own = list_sign(line, n_line, &place);
                if (own && is_bullet(own) == is_plain) {
                    put(r, b, line, place);
                    put_byte(r, b, sign);
                    put(r, b, line + place + 1, n_line - place - 1);
                } else
                    put(r, b, line, n_line);
            }
        } else
            put(r, b, at, n);
        last = sign;
    }
}

void md_quote(Render *r, Bytes *b, size_t from, size_t to) {
    Bytes *body = &r->body;
    body->n = 0;
    md_join(r, body, from, to);
    EACH_LINE(body->at, body->n) {
        if (line != body->at) put_byte(r, b, '\n');
        put(r, b, "> ", n_line ? 2 : 1);
        put(r, b, line, n_line);
    }
}

void md_items(Render *r, Bytes *b, size_t from, size_t to, int is_ordered, long start) {
    static const char PAD[] = "                ";
    Bytes *body = &r->body;
    size_t stop, place, before_all = b->n;
    for (long number = start; next_item(r, &from, to, &stop); from = stop, number++) {
        char bullet[32] = "- ";
        size_t n_bullet = is_ordered ? (size_t)snprintf(bullet, sizeof bullet, "%ld. ", number) : 2;
        const Entry *blocks = &r->entries.at[from];
        const char *text = r->text_out.at;
        body->n = 0;
        /* A list right under the text of its item stays close; other blocks need a blank line to be blocks. */
        if (stop - from == 2 && (begins(text + blocks[1].start, blocks[1].n, "- ") || begins(text + blocks[1].start, blocks[1].n, "1. ")) &&
            !list_sign(text + blocks[0].start, blocks[0].n, &place)) {
            put_own(r, body, &r->text_out, blocks[0].start, blocks[0].n);
            put_byte(r, body, '\n');
            put_own(r, body, &r->text_out, blocks[1].start, blocks[1].n);
        } else
            md_join(r, body, from, stop);
        if (b->n > before_all) put_byte(r, b, '\n');
        EACH_LINE(body->at, body->n) {
            if (line != body->at) put_byte(r, b, '\n');
            if (line == body->at) put(r, b, bullet, n_bullet);
            else if (n_line) put(r, b, PAD, n_bullet);
            put(r, b, line, n_line);
        }
    }
}

void md_term(Render *r, Bytes *b, const char *at, size_t n) {
    size_t size;
    int is_plain = !memchr(at, '*', n) && !memchr(at, '`', n) && is_word(char_at(at, n)) && is_word(char_before(at, n, &size));
    if (!is_plain) {
        md_paragraph(r, b, at, n);
        return;
    }
    PUT(r, b, "**");
    put(r, b, at, n);
    PUT(r, b, "**");
}

/* ---------------------------------------------------------------- tables */

/* The blocks of a cell in one line. */
static void put_cell(Render *r, Bytes *b, size_t from, size_t to) {
    size_t before_all = b->n;
    for (size_t k = from; k < to; k++) {
        const char *at = r->text_out.at + r->entries.at[k].start;
        size_t n = r->entries.at[k].n;
        EACH_LINE(at, n) {
            Piece bare = stripped(line, (Piece){0, n_line});
            if (bare.n && line[bare.start + bare.n - 1] == '\\') bare.n--;
            if (!bare.n) continue;
            if (b->n > before_all) PUT(r, b, "<br>");
            for (size_t i = bare.start; i < bare.start + bare.n; i++) {
                if (line[i] == '|') put_byte(r, b, '\\');
                put_byte(r, b, line[i]);
            }
        }
    }
}

/* A row of the columns that are used; `cells` are in the order of their columns. */
static void put_row(Render *r, Bytes *b, const Piece *cells, size_t n_cells, const int32_t *columns, size_t n_used, size_t *n_lines) {
    size_t k = 0;
    if ((*n_lines)++) put_byte(r, b, '\n');
    put_byte(r, b, '|');
    for (size_t u = 0; u < n_used; u++) {
        while (k < n_cells && (int32_t)(cells[k].start >> 48) < columns[u]) k++;
        put_byte(r, b, ' ');
        if (k < n_cells && (int32_t)(cells[k].start >> 48) == columns[u]) put_own(r, b, &r->line, cells[k].start & 0xFFFFFFFFFFFFull, cells[k].n);
        PUT(r, b, " |");
    }
}

void md_table(Render *r, Bytes *b, size_t from, size_t to) {
    /* Cells at their places: a spanning cell stands first and leaves the rest empty. A cell is a piece of `line`, with its column in the upper
     * bits of its start; a row ends with a piece of column 0xFFFF. */
    int32_t *held = r->held_columns ? r->held_columns : (r->held_columns = zeroed(r, (size_t)r->max_width * 2, sizeof *held)), *used = held + r->max_width;
    const uint64_t END = 0xFFFFull << 48;
    memset(held, 0, (size_t)r->max_width * 2 * sizeof *held);
    Bytes *texts = &r->line;
    texts->n = 0;
    r->cells.n = 0;
    size_t n_rows = 0;
    int is_first_row = 1, has_head = 0;
    const Entry *caption = NULL;
    Py_ssize_t x = 0;
    for (size_t k = from; k < to; k++) {
        Entry cell = r->entries.at[k];
        if (cell.kind == CAPTION) caption = &r->entries.at[k];
        if (cell.kind == ROW || (cell.kind == CELL && !n_rows)) {
            if (n_rows) {
                Piece end = {END, 0};
                ADD(r, r->cells) = end;
                for (Py_ssize_t i = 0; i < r->max_width; i++) held[i] -= held[i] > 0;
                is_first_row = 0;
            }
            n_rows++;
            x = 0;
        }
        if (cell.kind != CELL) continue;
        if (is_first_row) has_head |= cell.is_header;
        while (x < r->max_width && held[x]) x++;
        if (x > r->max_width - 1) x = r->max_width - 1; /* what is wider shares the last column */
        Piece *last = r->cells.n ? &r->cells.at[r->cells.n - 1] : NULL;
        if (last && last->start >> 48 == (uint64_t)x) {
            put_byte(r, texts, ' ');
            size_t at = texts->n;
            put_cell(r, texts, k + 1, k + 1 + cell.n);
            last->n += 1 + texts->n - at;
        } else {
            size_t at = texts->n;
            put_cell(r, texts, k + 1, k + 1 + cell.n);
            Piece one = {(uint64_t)x << 48 | at, texts->n - at};
            last = &ADD(r, r->cells);
            *last = one;
        }
        if (last->n) used[x] = 1;
        Py_ssize_t span = x + cell.colspan <= r->max_width ? cell.colspan : 1;
        if (cell.rowspan > 1 && x + span <= r->max_width)
            for (Py_ssize_t i = x; i < x + span; i++) held[i] = cell.rowspan;
        x += span;
        k += cell.n;
    }
    r->columns.n = 0;
    for (Py_ssize_t i = 0; i < r->max_width; i++)
        if (used[i]) ADD(r, r->columns) = (int32_t)i;
    int is_padded = (Py_ssize_t)(r->columns.n * n_rows) <= r->max_cells;
    size_t n_lines = 0, n_cells = r->cells.n;
    if (caption && caption->n) md_paragraph(r, b, r->text_out.at + caption->start, caption->n);
    if (!r->columns.n) return;
    if (caption && caption->n) PUT(r, b, "\n\n");
    int is_first = 1;
    for (size_t k = 0, stop; k < n_cells; k = stop + 1) {
        const Piece *cells = r->cells.at + k;
        int32_t longest = -1;
        for (stop = k; stop < n_cells && r->cells.at[stop].start >> 48 != 0xFFFF; stop++)
            if (r->cells.at[stop].n) longest = (int32_t)(r->cells.at[stop].start >> 48);
        if (longest < 0) continue; /* nothing in this row */
        size_t n_used = r->columns.n;
        while (!is_padded && !is_first && n_used && r->columns.at[n_used - 1] > longest) n_used--;
        if (is_first) {
            put_row(r, b, cells, has_head ? stop - k : 0, r->columns.at, n_used, &n_lines);
            PUT(r, b, "\n|");
            for (size_t u = 0; u < n_used; u++) PUT(r, b, " --- |");
            n_lines++;
        }
        if (!is_first || !has_head) put_row(r, b, cells, stop - k, r->columns.at, n_used, &n_lines);
        is_first = 0;
    }
}
