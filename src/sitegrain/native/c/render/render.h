/* A page as Markdown or clean HTML: what the files of that kernel share. The reference is the walk of `sitegrain.render`, and
 * functions here have the names of its. */
#ifndef SITEGRAIN_RENDER_H
#define SITEGRAIN_RENDER_H
#include "native.h"
#include <setjmp.h>
#include <string.h>

#define RENDER_PLACE(name) RENDER_AT_##name,
#define RENDER_BIT(name) IN_##name = 1 << RENDER_AT_##name,
#define MARK_CODE(name) MARK_##name,
enum { RENDER_BITS(RENDER_PLACE) };
enum { RENDER_BITS(RENDER_BIT) };
enum { RENDER_MARKS(MARK_CODE) N_MARKS };

/* Written characters, as UTF-8; a lone surrogate is three bytes. */
typedef struct {
    char *at;
    size_t n, room;
} Bytes;

/* A piece of a line; the pieces of a line stand one after the other. */
typedef struct {
    size_t start, n;
} Piece;

/* What was written in a sink, in order: blocks, and where an item of a list, a term, a definition, a row and a cell begin. A cell
 * says how many entries after it are its own; of captions the last counts. */
enum { BLOCK, ITEM, TERM, DEFINITION, ROW, CELL, CAPTION };
typedef struct {
    size_t start, n;
    int kind, is_header, colspan, rowspan;
} Entry;

/* Where written things go. Only the innermost is written to, so all share one stack of bytes, one of pieces and one of entries. */
typedef struct {
    size_t text, piece, entry; /* where its own begin */
    size_t n_loose;            /* blocks outside of items and definitions */
    int is_line, is_parted;
    int16_t owner; /* tag of the element that it was opened for */
} Sink;

typedef struct {
    int16_t tag;
    int32_t row, end;
    size_t sink, start; /* `start` is a place among the pieces */
    size_t url, n_url;
    int is_outer, is_linked;
} Frame;

/* A picture, and where it says that it is fetched from: values of attributes, -1 for none. */
enum { N_SOURCES = 6 };
static const int16_t SOURCES[N_SOURCES] = {ATTR_data_src, ATTR_data_original, ATTR_data_lazy_src, ATTR_data_srcset, ATTR_src, ATTR_srcset};
typedef struct {
    int32_t source[N_SOURCES];
    int32_t row, order, is_often;
} Picture;

enum { MAX_CODE_NAMES = 12 }; /* three of each of four elements */

#define VECTOR(type) \
    struct {         \
        type *at;    \
        size_t n, room; \
    }

typedef struct {
    jmp_buf error; /* where one leads */
    int is_odd;  /* 1: nothing failed, but this page is for the reference */
    /* what is given */
    PyObject *page, *strings, *text, *url, *repeated, *title;
    int is_html;
    Py_ssize_t n, first; /* rows of the page, and the first of them in the site */
    int text_kind;
    const void *text_data;
    const int16_t *tag; /* from here on rows of the page alone */
    const int32_t *parent, *end, *text_start, *text_end;
    const uint8_t *flags;
    const uint16_t *kinds; /* by tag: bits */
    const uint8_t *marks;  /* by tag: what it is written as */
    Py_ssize_t n_tags, max_reach, max_nesting, max_width, max_cells, long_cell, prose_cell, short_label, long_caption, max_box, max_card, often, max_span, thumbnail;
    double nearly_all;
    /* attributes of the page's rows; those of row i from attr[i] */
    const int16_t *attr_name;
    const int32_t *attr_value;
    int32_t *attr;
    /* by row */
    uint8_t *kept, *needed, *seen;
    int32_t *gap, *space, *layout; /* prefix sums, the last of rows before */
    int32_t *line_breaks;          /* the same, of line breaks of code that stand in line numbers; NULL where there are none */
    PyObject *formulas, *targets, *headings, *images, *held, *row_attrs, *names, *source, *language;
    int32_t code_names[MAX_CODE_NAMES]; /* of the last code: what its language is told by */
    int n_code_names;
    /* the walk */
    Bytes text_out, urls, line, body, out, short_url;
    void *room;
    VECTOR(Picture) pictures;
    VECTOR(Piece) pieces;
    VECTOR(Entry) entries;
    VECTOR(Sink) sinks;
    VECTOR(Frame) stack;
    VECTOR(size_t) outer; /* places in the stack */
    VECTOR(Piece) cells;
    VECTOR(int32_t) columns;
    int32_t *held_columns;
    VECTOR(Piece) marked;
    int open_marks[N_MARKS];
    size_t n_links, first_url, n_first_url, code_url, n_code_url, n_terms, n_headings;
    Py_ssize_t n_sinks;
} Render;

/* Errors: both do not return. `give_up` with an exception set (memory if none is). */
void give_up(Render *r);
void be_odd(Render *r);
void *grown(Render *r, void *at, size_t *room, size_t item);
#define ADD(r, v) (*((v).n < (v).room ? &(v).at[(v).n++] : ((v).at = grown((r), (v).at, &(v).room, sizeof *(v).at), &(v).at[(v).n++])))
void *zeroed(Render *r, size_t n, size_t item);
/* What an attribute of the page is, and what a method of it says of a row and what is known of it (NULL: nothing); held until the next
 * question. */
PyObject *ask_page(Render *r, const char *attribute);
PyObject *ask_of(Render *r, const char *method, Py_ssize_t row, PyObject *known);
/* The attributes of a row by their names; held until the next question. */
PyObject *attrs_of(Render *r, Py_ssize_t row);
/* The value of an attribute, or NULL; borrowed. */
PyObject *attr_of(const Render *r, Py_ssize_t row, int name);
int32_t value_of(const Render *r, Py_ssize_t row, int name);

static inline Py_ssize_t up_of(const Render *r, Py_ssize_t row) { return r->parent[row] < 0 ? -1 : r->parent[row] - r->first; }
static inline Py_ssize_t end_of(const Render *r, Py_ssize_t row) { return r->end[row] - r->first; }
static inline int is(const Render *r, Py_ssize_t row, int bits) { return (r->kinds[r->tag[row]] & bits) != 0; }

/* ---------------------------------------------------------------- bytes */

void need_room(Render *r, Bytes *b, size_t more);
static inline void put(Render *r, Bytes *b, const char *s, size_t n) {
    if (b->room - b->n < n) need_room(r, b, n);
    if (n) memcpy(b->at + b->n, s, n);
    b->n += n;
}
#define PUT(r, b, literal) put(r, b, literal, sizeof literal - 1)
static inline void put_byte(Render *r, Bytes *b, char c) {
    if (b->n == b->room) need_room(r, b, 1);
    b->at[b->n++] = c;
}
void put_char(Render *r, Bytes *b, Py_UCS4 c);
void put_string(Render *r, Bytes *b, PyObject *string);
/* From one of our own buffers to another, or further on in the same one. */
void put_own(Render *r, Bytes *b, const Bytes *from, size_t start, size_t n);

Py_UCS4 char_at(const char *at, size_t n);
static inline size_t char_size(unsigned char c) { return c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4; }
Py_UCS4 char_before(const char *start, size_t n, size_t *size);
static inline int is_alnum(Py_UCS4 c) { return c < 128 ? (c - '0' < 10u || (c | 32) - 'a' < 26u) : Py_UNICODE_ISALNUM(c); }
static inline int is_word(Py_UCS4 c) { return c == '_' || is_alnum(c); }
/* `str.strip` without and with these bytes. */
Piece stripped(const char *at, Piece of);
Piece stripped_of(const char *at, Piece of, const char *these);
static inline int is_text(const char *at, size_t n, const char *text) { return n == strlen(text) && !memcmp(at, text, n); }
static inline int begins(const char *at, size_t n, const char *text) { return n >= strlen(text) && !memcmp(at, text, strlen(text)); }

/* ---------------------------------------------------------------- render_rows.c, render_walk.c */

void find_rows(Render *r);
void walk_rows(Render *r);

/* ---------------------------------------------------------------- render_plain.c */

/* Writes what `Walk.href` says of a link, if that is plain to tell. */
int put_plain_href(Render *r, Bytes *b, PyObject *said);
/* What `Walk.picture` says of a row, held until the next question; NULL if it has to be asked. */
PyObject *plain_picture(Render *r, Py_ssize_t row);
/* What `Walk.language` says of code, NULL for nothing; borrowed. */
PyObject *language_of(Render *r, Py_ssize_t row);

/* ---------------------------------------------------------------- parts of the walk */

#define TOP_SINK(r) (&(r)->sinks.at[(r)->sinks.n - 1])
#define TOP(r) (&(r)->stack.at[(r)->stack.n - 1])
static inline int kinds_of_tag(const Render *r, int16_t tag) { return r->kinds[tag]; }
static inline int is_heading(const Render *r, int16_t tag) { return kinds_of_tag(r, tag) & IN_HEADING; }
/* Where the line of a sink begins. */
static inline size_t line_start(const Render *r, const Sink *sink) { return r->pieces.n > sink->piece ? r->pieces.at[sink->piece].start : r->text_out.n; }

/* render_lines.c; `put_line` makes what was put since `start` the line that `Sink.line` has */
void put_line(Render *r, size_t start);
void end_piece(Render *r, size_t start);
void add_piece(Render *r, const char *text);
void end_block(Render *r, size_t start);
void replace_with_block(Render *r, size_t start);
void add_mark(Render *r, int kind);
void flush_sink(Render *r);
size_t end_line(Render *r);
Piece short_of(const char *at, size_t n);
int is_here(const Render *r, size_t url, size_t n_url);
void put_link(Render *r, Bytes *b, const char *inner, size_t n, size_t url, size_t n_url);
void mark_frame(Render *r, Frame *frame, int in_heading);
int is_permalink(Render *r, Frame *frame);
void flush_line(Render *r);

/* render_walk.c */
Frame *enclosing(Render *r, int bits, int is_table);
int is_in_terms(const Render *r);
void end_part(Render *r);

/* render_close.c */
void close_frame(Render *r);

/* ---------------------------------------------------------------- the two formats: render_markdown.c, render_html.c */

/* A piece of the page's text or of a string as text: with control characters as spaces, with white space folded besides, or
 * with no more than our own signs as spaces. */
enum { AS_IS, FOLDED, WITHOUT_SIGNS };
typedef struct {
    int kind;
    const void *data;
    Py_ssize_t start, stop;
} Signs; /* a stretch of a text */
/* Writes a text; `put_one` the character `c`, which stands at i, unless it is in a run without any of `special`. */
void put_stretch(Render *r, Bytes *b, const Signs *of, int how, const char *special,
                 void (*put_one)(Render *r, Bytes *b, const Signs *of, Py_ssize_t i, Py_UCS4 c));
void md_text(Render *r, Bytes *b, int kind, const void *data, Py_ssize_t start, Py_ssize_t stop, int how);
void html_text(Render *r, Bytes *b, int kind, const void *data, Py_ssize_t start, Py_ssize_t stop, int how);
void html_escape(Render *r, Bytes *b, const char *at, size_t n, int is_quoted);
/* While a line is collected, marks stand as characters that mean nothing in a page. */
enum { STRONG = 14, END_STRONG, EM, END_EM, DEL, END_DEL, LINK, IMAGE };
static inline int is_sign(unsigned char c) { return c >= STRONG && c <= IMAGE; }
static inline int is_mark_sign(unsigned char c) { return c >= STRONG && c <= LINK; }
static inline int is_start(unsigned char c) { return c == STRONG || c == EM || c == DEL; }
size_t md_longest_ticks(const char *at, size_t n); /* runs of ` */
/* The line from `start` on with marks written. */
void md_finish(Render *r, size_t start);
void md_mark(Render *r, Bytes *b, int mark, const char *inner, size_t n);
void html_mark(Render *r, Bytes *b, int mark, const char *inner, size_t n);
void md_link(Render *r, Bytes *b, const char *inner, size_t n, const char *url, size_t n_url);
void html_link(Render *r, Bytes *b, const char *inner, size_t n, const char *url, size_t n_url);
void md_image(Render *r, Bytes *b, PyObject *alt, PyObject *src);
void html_image(Render *r, Bytes *b, PyObject *alt, PyObject *src);
void md_paragraph(Render *r, Bytes *b, const char *at, size_t n);
void md_heading(Render *r, Bytes *b, int level, const char *at, size_t n);
void html_heading(Render *r, Bytes *b, int level, const char *at, size_t n);
/* `language` may be NULL. */
void md_code(Render *r, Bytes *b, const char *at, size_t n, PyObject *language);
void html_code(Render *r, Bytes *b, const char *at, size_t n, PyObject *language);
/* Of entries from..to: blocks joined, quoted, as the items of a list, as a table. */
void md_join(Render *r, Bytes *b, size_t from, size_t to);
void html_join(Render *r, Bytes *b, size_t from, size_t to);
void md_quote(Render *r, Bytes *b, size_t from, size_t to);
void html_quote(Render *r, Bytes *b, size_t from, size_t to);
void md_items(Render *r, Bytes *b, size_t from, size_t to, int is_ordered, long start);
void html_items(Render *r, Bytes *b, size_t from, size_t to, int is_ordered, long start);
void md_term(Render *r, Bytes *b, const char *at, size_t n);
void html_definitions(Render *r, Bytes *b, size_t from, size_t to);
void md_table(Render *r, Bytes *b, size_t from, size_t to);
void html_table(Render *r, Bytes *b, size_t from, size_t to);

/* The next item among entries: its blocks are from..*stop; 0 when there is none with blocks. */
int next_item(const Render *r, size_t *from, size_t to, size_t *stop);
#define LINE_BREAK(r) ((r)->is_html ? "<br>\n" : "\\\n")
#define RULE(r) ((r)->is_html ? "<hr>" : "---")

#endif
