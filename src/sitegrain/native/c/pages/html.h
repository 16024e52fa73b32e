/* What the guard and the reader of serialized trees share: growable columns, names and their codes, places in a page. */
#ifndef SITEGRAIN_HTML_H
#define SITEGRAIN_HTML_H
#include "native.h"
#include <string.h>

typedef struct {
    char *data;
    size_t len, cap;
} Buf;

static inline int buf_need(Buf *b, size_t more) {
    if (b->len + more <= b->cap) return 0;
    size_t cap = b->cap ? b->cap * 2 : 4096;
    while (cap < b->len + more) cap *= 2;
    char *p = PyMem_RawRealloc(b->data, cap);
    if (!p) return -1;
    b->data = p;
    b->cap = cap;
    return 0;
}

static inline int buf_put(Buf *b, const void *src, size_t n) {
    if (buf_need(b, n)) return -1;
    if (n) memcpy(b->data + b->len, src, n);
    b->len += n;
    return 0;
}

/* The code of a tag or of an attribute; -1 for others. Names are in lower case. */
int tag_code(const char *s, size_t n);
int attr_code(const char *s, size_t n);
/* The same where the key of the name is known: its first eight bytes as a number, the last one lowest. It is made of the bytes as they are read: to
 * load again what was just written byte by byte takes longer than all the rest. */
int tag_code_by(uint64_t key, const char *s, size_t n);
int attr_code_by(uint64_t key, const char *s, size_t n);
/* To be called before. */
void names_init(void);

/* What a byte is in a tag, and in lower case; set by `names_init`. */
enum { BYTE_SPACE = 1, BYTE_ENDS_NAME = 2 /* white space, '/' and '>' */, BYTE_ENDS_ATTRIBUTE = 4 /* and '=' */ };
extern uint8_t BYTE_KIND[256], BYTE_LOWER[256];
#define KIND_OF(c) BYTE_KIND[(uint8_t)(c)]

/* The key of a name of `len` bytes at s, which may be read up to `end`. */
static inline uint64_t key_in(const char *s, const char *end, size_t len) {
    uint64_t w = 0;
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (end - s >= 8) { /* capitals are those bytes of ASCII that reach 128 by one of two sums and not by the other */
        const uint64_t each = 0x0101010101010101ull;
        memcpy(&w, s, 8);
        if (len < 8) w = len ? w << 8 * (8 - len) : 0; /* the first byte is the lowest, and is to become the highest of them */
        const uint64_t low = w & 127 * each, is_capital = ~w & ((low + (128 - 'A') * each) ^ (low + (127 - 'Z') * each)) & 128 * each;
        return __builtin_bswap64(w | is_capital >> 2);
    }
#endif
    for (size_t i = 0; i < len && i < 8; i++) w = w << 8 | BYTE_LOWER[(uint8_t)s[i]];
    return w;
}

static inline int is_space(unsigned char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'; }
static inline int is_alpha(unsigned char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }
static inline char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

/* First place at or after i where `needle` (lower case) stands, ignoring case; n when nowhere. */
size_t find_nocase(const char *s, size_t i, size_t n, const char *needle, size_t m);
/* The last such place. */
size_t last_nocase(const char *s, size_t i, size_t n, const char *needle, size_t m);
/* End of a script's text that starts at i: the place of its closing tag, as the HTML standard reads it
 * (inside <!-- ... <script ... --> a closing tag closes only the inner one). */
size_t script_end(const char *s, size_t i, size_t n);

/* What the guard takes for closed: a tag that is nested only in SVG and MathML, or where its parent is missing; there, so many are believed to be closed
 * by the next of their kind. (Those that leave SVG cannot nest in it.) */
int is_implied(int code, int bits, int is_suspect);

#endif
