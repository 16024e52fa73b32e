/* The columns of a page as its tree is read, row by row: what the two readers of trees share. */
#ifndef SITEGRAIN_PAGEROWS_H
#define SITEGRAIN_PAGEROWS_H
#include "html.h"

#define COLUMN_PLACE(name, type) C_AT_##name,
enum { SCANNED(COLUMN_PLACE) N_SCANNED };

/* Values seen on this page: each is stored once. Open addressing; a slot has half of a hash, and the value's number + 1. */
typedef struct {
    uint32_t at, hash;
} SeenSlot;
typedef struct {
    SeenSlot *slots;
    size_t cap, n;
} Seen;

typedef struct {
    const char *tag_bits;
    Buf column[N_SCANNED];
    Buf text, values, value_bytes, open, blanks;
    Seen seen;
    PyObject *json_ld;
    int64_t chars, value_chars, blank_chars;
    size_t cap; /* rows that there is room for */
    int32_t row;
    int32_t pre_row;  /* the outermost <pre> we are in, or -1: there white space is kept, before the text that follows */
    int is_spaced;    /* white space seen since the last row */
    int is_json_ld;   /* the last row is a script of JSON-LD */
} PageRows;

/* Every function but the last two gives -1 when there is no memory, else 0; an exception is set by page_rows_done. */
int page_rows_begin(PageRows *page, const char *tag_bits, Py_ssize_t n_bits);
/* An element, and its attributes; it is closed at once, or opened for what follows. `name` is that of an unknown tag. */
int put_element(PageRows *page, int code, const char *name, size_t size);
int put_attribute(PageRows *page, int code, int name, const char *value, size_t size, int is_escaped);
int open_row(PageRows *page);
void close_row(PageRows *page);
/* A text row; white space alone is no row. */
int put_text(PageRows *page, const char *s, size_t size, int is_escaped);
int put_json_ld(PageRows *page, const char *s, size_t size);
/* (columns, text, values, json_ld), or NULL with an exception; all is given back. */
PyObject *page_rows_done(PageRows *page, int is_failed);

static inline int32_t top_row(const PageRows *page) {
    return page->open.len ? ((const int32_t *)page->open.data)[page->open.len / 4 - 1] : -1;
}
static inline int16_t row_tag(const PageRows *page, int32_t row) { return ((const int16_t *)page->column[C_AT_tag].data)[row]; }

#endif
