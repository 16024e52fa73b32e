/* The reader of plain pages: bytes -> rows in one pass, without another parser.
 *
 * It follows the HTML standard as Lexbor does, so that a page gives the very same rows as by the guard, Lexbor and the reader of its
 * tree; `bench/readers.py` and tests compare the two. Whatever it is not sure of it gives up, with a word that says why, and the page goes the
 * long way: what the guard would cut, frames, what only few pages have.
 *
 * names.c says what tags are like, references.c reads character references (references.h), tree.c holds the tree that is being built,
 * rules.c and tables.c say where a tag goes, tokens.c reads the bytes and counts what the guard counts, rows.c writes the rows.
 *
 * Time is linear: the elements and marks that are open are bounded, and so is what may be moved or copied again. */
#ifndef SITEGRAIN_PLAIN_H
#define SITEGRAIN_PLAIN_H
#include "../pages/pagerows.h"
#include <stddef.h>

/* ---------------------------------------------------------------- names */

/* Names that rules know beside those of columns.h, and how SVG writes them. */
#define MORE_NAMES(X) \
    X(bgsound, "bgsound") X(keygen, "keygen") X(listing, "listing") X(rb, "rb") X(rtc, "rtc") X(mi, "mi") X(mo, "mo") X(mn, "mn") \
    X(ms, "ms") X(mtext, "mtext") X(annotation_xml, "annotation-xml") X(malignmark, "malignmark") X(mglyph, "mglyph") X(desc, "desc") \
    X(selectedcontent, "selectedcontent") X(foreignobject, "foreignObject") X(altglyph, "altGlyph") X(altglyphdef, "altGlyphDef") \
    X(altglyphitem, "altGlyphItem") X(animatecolor, "animateColor") X(animatemotion, "animateMotion") \
    X(animatetransform, "animateTransform") X(clippath, "clipPath") X(feblend, "feBlend") X(fecolormatrix, "feColorMatrix") \
    X(fecomponenttransfer, "feComponentTransfer") X(fecomposite, "feComposite") X(feconvolvematrix, "feConvolveMatrix") \
    X(fediffuselighting, "feDiffuseLighting") X(fedisplacementmap, "feDisplacementMap") X(fedistantlight, "feDistantLight") \
    X(fedropshadow, "feDropShadow") X(feflood, "feFlood") X(fefunca, "feFuncA") X(fefuncb, "feFuncB") X(fefuncg, "feFuncG") \
    X(fefuncr, "feFuncR") X(fegaussianblur, "feGaussianBlur") X(feimage, "feImage") X(femerge, "feMerge") \
    X(femergenode, "feMergeNode") X(femorphology, "feMorphology") X(feoffset, "feOffset") X(fepointlight, "fePointLight") \
    X(fespecularlighting, "feSpecularLighting") X(fespotlight, "feSpotLight") X(fetile, "feTile") X(feturbulence, "feTurbulence") \
    X(glyphref, "glyphRef") X(lineargradient, "linearGradient") X(radialgradient, "radialGradient") X(textpath, "textPath")
#define MORE_NAME(name, written) TAG_##name,
enum { BEFORE_MORE_NAMES = N_TAGS - 1, MORE_NAMES(MORE_NAME) N_NAMES }; /* from here on the names of the page's own */

/* What a name means to the rules, and to one that is open. */
enum {
    OF_SPECIAL = 1, OF_SCOPE = 2, OF_LIST_SCOPE = 4, OF_BUTTON_SCOPE = 8, OF_TABLE_SCOPE = 16, OF_IMPLIED = 32, OF_HEADING = 64,
    OF_TABLE = 128 /* text in it stands before the table */, OF_TABLE_BODY = 256, OF_CELL = 512, LEAVES_SVG = 1024,
    IN_HTML = 2048 /* namespace of what is open */, TAKES_HTML = 4096 /* HTML begins again in it, within SVG or MathML */
};
/* What is done with a tag in the body; each has a case in rules.c. */
enum {
    OPEN_OTHER, OPEN_BLOCK, OPEN_HEADING, OPEN_PRE, OPEN_FORM, OPEN_LI, OPEN_DD, OPEN_BUTTON, OPEN_A, OPEN_MARK, OPEN_NOBR, OPEN_OBJECT,
    OPEN_TABLE, OPEN_VOID, OPEN_INPUT, OPEN_PARAM, OPEN_HR, OPEN_IMAGE, OPEN_TEXTAREA, OPEN_XMP, OPEN_IFRAME, OPEN_SELECT, OPEN_OPTION,
    OPEN_OPTGROUP, OPEN_RB, OPEN_RT, OPEN_MATH, OPEN_SVG, OPEN_CELL, OPEN_HEAD, OPEN_HTML, OPEN_BODY, OPEN_NOTHING
};
enum { CLOSE_OTHER, CLOSE_BLOCK, CLOSE_FORM, CLOSE_P, CLOSE_LI, CLOSE_DD, CLOSE_HEADING, CLOSE_MARK, CLOSE_OBJECT, CLOSE_BR, CLOSE_HTML, CLOSE_TEMPLATE };
typedef struct {
    uint16_t bits;
    uint8_t open, close;
} NameKind;
extern NameKind NAME_KIND[N_NAMES];
#define KIND_OF_NAME(name) NAME_KIND[(name) < N_NAMES ? (name) : TAG_UNKNOWN]
/* To be called before. */
void plain_init(void);
/* The number of a tag, -1 for one that only the page has; of an attribute, -1 for one that is not kept; by its key and its bytes. */
typedef struct {
    uint64_t key;
    uint16_t size;
    int16_t code;
} NameSlot;
enum { TAG_SLOTS = 1024, ATTRIBUTE_SLOTS = 256 };
extern NameSlot TAG_SLOT[TAG_SLOTS], ATTRIBUTE_SLOT[ATTRIBUTE_SLOTS];
extern const char *const TAG_TEXTS[N_NAMES], *const ATTRIBUTE_TEXTS[N_ATTRIBUTES];
static inline uint32_t slot_of_name(uint64_t key, size_t n) { return (uint32_t)((key ^ n) * 0x9E3779B97F4A7C15ull >> 40); }
int is_name(const char *s, size_t n, const char *declared); /* a long one */
static ALWAYS_INLINE int name_in(const NameSlot *slots, uint32_t n_slots, const char *const *texts, uint64_t key, const char *s, size_t n) {
    for (uint32_t h = slot_of_name(key, n);; h++) {
        const NameSlot *slot = &slots[h & (n_slots - 1)];
        if (slot->key == key && slot->size == n && (n <= 8 || is_name(s, n, texts[slot->code]))) return slot->code;
        if (!slot->size) return -1;
    }
}
static inline int tag_name(uint64_t key, const char *s, size_t n) { return name_in(TAG_SLOT, TAG_SLOTS, TAG_TEXTS, key, s, n); }
static inline int attribute_name(uint64_t key, const char *s, size_t n) {
    return name_in(ATTRIBUTE_SLOT, ATTRIBUTE_SLOTS, ATTRIBUTE_TEXTS, key, s, n);
}
/* How a name beyond those of columns.h is written. */
const char *name_written(int name, int is_svg);

/* ---------------------------------------------------------------- bytes */

#ifdef __SSE2__
#include <emmintrin.h>
/* Bit k: byte k of sixteen may be white space (there are few other control characters) or is one of two or three signs. */
static inline unsigned small_of(__m128i bytes) {
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(' ')), bytes));
}
static inline unsigned sign_of(__m128i bytes, char sign) { return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(sign))); }
static inline __m128i sixteen(const char *s) { return _mm_loadu_si128((const __m128i *)s); }
#endif

/* The first byte of s[i:n] that is no white space, n: none. */
static inline size_t first_of_text(const char *s, size_t i, size_t n) {
#ifdef __SSE2__
    for (; n - i >= 16; i += 16) {
        const unsigned text = ~small_of(sixteen(s + i)) & 0xFFFF;
        if (text) {
            const size_t end = i + (size_t)__builtin_ctz(text);
            while (i < end && KIND_OF(s[i]) & BYTE_SPACE) i++;
            return i;
        }
        for (size_t k = 0; k < 16; k++)
            if (!(KIND_OF(s[i + k]) & BYTE_SPACE)) return i + k;
    }
#endif
    while (i < n && KIND_OF(s[i]) & BYTE_SPACE) i++;
    return i;
}

/* The first byte of s[i:n] of a kind, BYTE_ENDS_NAME or BYTE_ENDS_ATTRIBUTE; n: none. */
static ALWAYS_INLINE size_t end_of_name(const char *s, size_t i, size_t n, int kinds) {
#ifdef __SSE2__
    for (; n - i >= 16; i += 16) {
        const __m128i bytes = sixteen(s + i);
        unsigned ends = small_of(bytes) | sign_of(bytes, '>') | sign_of(bytes, '/');
        if (kinds == BYTE_ENDS_ATTRIBUTE) ends |= sign_of(bytes, '=');
        for (; ends; ends &= ends - 1) {
            const size_t k = i + (size_t)__builtin_ctz(ends);
            if (KIND_OF(s[k]) & kinds) return k;
        }
    }
#endif
    while (i < n && !(KIND_OF(s[i]) & kinds)) i++;
    return i;
}

/* The first '&' or line end of Windows, n: none. */
static inline size_t find_special(const char *s, size_t i, size_t n) {
#ifdef __SSE2__
    for (; n - i >= 16; i += 16) {
        const __m128i bytes = sixteen(s + i);
        const unsigned special = sign_of(bytes, '&') | sign_of(bytes, '\r');
        if (special) return i + (size_t)__builtin_ctz(special);
    }
#endif
    while (i < n && s[i] != '&' && s[i] != '\r') i++;
    return i;
}

/* Where `sign` stands at or after i, n: nowhere; and whether a '&' or a line end of Windows stands before it. */
static inline size_t find_sign(const char *s, size_t i, size_t n, char sign, int *is_special) {
#ifdef __SSE2__
    for (; n - i >= 16; i += 16) {
        const __m128i bytes = sixteen(s + i);
        const unsigned found = sign_of(bytes, sign), special = sign_of(bytes, '&') | sign_of(bytes, '\r');
        if (found) {
            *is_special |= (special & ((found & -found) - 1)) != 0;
            return i + (size_t)__builtin_ctz(found);
        }
        *is_special |= special != 0;
    }
#endif
    for (; i < n && s[i] != sign; i++) *is_special |= s[i] == '&' || s[i] == '\r';
    return i;
}

/* ---------------------------------------------------------------- the tree */

enum { HTML, SVG, MATH };
enum { AN_ELEMENT, A_TEXT, A_COMMENT };

typedef struct {
    int32_t parent, first, last, prev, next; /* 0: none */
    uint32_t from, size;                     /* its attributes, or the bytes of its text */
    int16_t name;
    uint8_t ns : 2, kind : 2, is_made : 1 /* text stands in `made` */, is_open : 1, is_blank : 1 /* white space */;
} Node;

typedef struct {
    uint32_t from, size;
    int16_t name;
    uint8_t is_made; /* in `made`, and not in the page */
} Attr;

typedef struct {
    int32_t node;
    int16_t name;
    uint16_t bits;
} Open;

typedef struct {
    int name;
    uint32_t first_attr, n_attrs;
    int has_slash, is_code;
} Tag;

enum { MAX_OPEN = 1024, MAX_OPEN_MARKS = 256, MAX_OWN_NAMES = 1000, OWN_SLOTS = 2048, MAX_TEMPLATES = 64, MARKER = -1 };
enum {
    INITIAL, BEFORE_HTML, BEFORE_HEAD, IN_HEAD, IN_HEAD_NOSCRIPT, AFTER_HEAD, IN_BODY, IN_TABLE, IN_CAPTION, IN_COLUMNS, IN_TABLE_BODY,
    IN_ROW, IN_CELL, IN_TEMPLATE, AFTER_BODY, AFTER_AFTER_BODY
};
enum { NO_QUIRKS, QUIRKS, QUIRKS_UNKNOWN };

/* A page that is being read. open[0] is the document, open[1] <html>. */
typedef struct {
    const char *s, *tag_bits;
    size_t n, i;
    const char *why; /* not NULL: given up, and why */
    Node *nodes;
    Attr *attrs;
    int32_t n_nodes, nodes_cap;
    uint32_t n_attrs, attrs_cap;
    Buf made; /* text and values without references, names of the page's own */
    int mode, quirks, is_fostering, is_newline_skipped, is_xml;
    int32_t html, head, form;
    int n_open, n_marks, n_templates;
    int64_t work; /* what was moved and copied again */
    uint8_t templates[MAX_TEMPLATES];
    int32_t marks[MAX_OPEN_MARKS];
    int32_t n_open_of[N_NAMES]; /* elements of HTML that are open */
    /* What the guard counts; see guard.c. */
    int64_t limit, depth, max_rows, rows, n_marks_left, reopened, free_self_closed, free_implied;
    size_t noscript_end;
    int is_sticky;
    int32_t bare_marks[N_TAGS], n_counted[N_NAMES + MAX_OWN_NAMES];
    int n_own;
    uint32_t own_from[MAX_OWN_NAMES], own_size[MAX_OWN_NAMES];
    uint16_t own_slot[OWN_SLOTS];
    Open open[MAX_OPEN];
} Plain;

extern const char NO_MEMORY[];
static inline void give_up(Plain *p, const char *why) { if (!p->why) p->why = why; }
static inline Open *top_of(Plain *p) { return &p->open[p->n_open - 1]; }
static inline const char *bytes_of(const Plain *p, uint32_t from, int is_made) { return (is_made ? p->made.data : p->s) + from; }
static inline int is_open_html(const Open *o, int name) { return o->name == name && o->bits & IN_HTML; }

/* tree.c. Elements are opened where they are inserted. */
int32_t insert_element(Plain *p, int name, int ns, uint32_t first_attr, uint32_t n_attrs);
static inline int32_t insert_tag(Plain *p, const Tag *t) { return insert_element(p, t->name, HTML, t->first_attr, t->n_attrs); }
static inline int32_t insert_bare(Plain *p, int name) { return insert_element(p, name, HTML, 0, 0); }
void insert_text(Plain *p, uint32_t from, uint32_t size, int is_made, int is_blank);
void insert_comment(Plain *p, int32_t parent); /* 0: where the next element would be */
void push_open(Plain *p, int32_t node);
void pop_open(Plain *p);
void pop_to(Plain *p, int place); /* place itself, too */
void pop_through(Plain *p, int name);
void remove_open(Plain *p, int32_t node);
int in_scope(const Plain *p, int name, int stops); /* its place among the open ones, 0: none */
int in_scope_of(const Plain *p, int bits, int stops);
void close_implied(Plain *p, int but);
void close_p(Plain *p); /* if it is in button scope */
void push_mark(Plain *p, int32_t node);
void push_marker(Plain *p);
void clear_marks(Plain *p);
void remove_mark(Plain *p, int32_t node);
int find_mark(const Plain *p, int name); /* since the last marker, or -1 */
void reopen_marks_slowly(Plain *p);
static inline void reopen_marks(Plain *p) {
    if (!p->n_marks) return;
    int32_t last = p->marks[p->n_marks - 1];
    if (last != MARKER && !p->nodes[last].is_open) reopen_marks_slowly(p);
}
int adopt(Plain *p, int name); /* the adoption agency; 1: the tag is closed as any other */
void merge_attributes(Plain *p, int32_t node, const Tag *t);

/* rules.c and tables.c. */
void open_tag(Plain *p, Tag *t);
void close_tag(Plain *p, const Tag *t);
void put_chars(Plain *p, uint32_t from, uint32_t size, int is_made, int is_blank);
void put_comment(Plain *p);
void put_end(Plain *p);
void in_body_open(Plain *p, Tag *t);
void in_body_close(Plain *p, const Tag *t);
void in_head_open(Plain *p, Tag *t);
void reset_mode(Plain *p);
/* 1: the tag is to be looked at once more, in the mode that is now. */
int in_table_mode_open(Plain *p, Tag *t);
int in_table_mode_close(Plain *p, const Tag *t);
void close_template(Plain *p);

/* tokens.c: the text of an element without tags in it, up to behind its closing tag. */
enum { RAW_TEXT, RAW_REFERENCES, RAW_SCRIPT };
void read_raw(Plain *p, const Tag *t, int kind);
void read_page(Plain *p);
/* references.c: append bytes with line ends made one, and references read as in text or as in a value; -1: no memory. */
enum { ONLY_LINES, AS_TEXT, AS_VALUE };
int put_decoded(Buf *out, const char *s, size_t n, int how);
#endif
