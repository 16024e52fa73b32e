/* The bytes of a page as tags, texts and comments, and what the guard counts of them (guard.c): where it would change the page, the page is
 * given up. */
#include "plain.h"

/* ---------------------------------------------------------------- what the guard counts */

static int is_suspect(const Plain *p) { return p->is_sticky || p->n_counted[TAG_svg] || p->n_counted[TAG_math] || p->n_counted[TAG_select]; }

static int is_integration(int name) {
    switch (name) {
        case TAG_foreignobject: case TAG_desc: case TAG_annotation_xml: case TAG_mi: case TAG_mo: case TAG_mn: case TAG_ms: case TAG_mtext:
        case TAG_template: return 1;
        default: return 0;
    }
}

static int guard_bits(const Plain *p, int name) { return name > TAG_UNKNOWN && name < N_TAGS ? (unsigned char)p->tag_bits[name] : 0; }

/* A tag of this many rows, or one that the guard takes for so many. */
static void count_tag(Plain *p, int is_mark, int rows) {
    if (!is_mark) p->reopened += p->n_marks_left;
    if (p->reopened > 2 * p->max_rows) give_up(p, "marks are left open");
    p->rows += rows;
    if (p->rows > p->max_rows) give_up(p, "too many rows");
}

static void count_open(Plain *p, const Tag *t, int bits) {
    const int name = t->name, is_mark = (bits & IS_FORMATTING) != 0;
    int is_counted = !(bits & (IS_VOID | IS_UNCOUNTED));
    if (t->has_slash && (name >= N_TAGS || bits & IS_SVG) && p->free_self_closed-- > 0) is_counted = 0;
    else if (is_implied(name, bits, is_suspect(p))) is_counted = p->free_implied-- <= 0;
    if (is_counted) {
        if (p->depth >= p->limit) give_up(p, "nested too deep");
        p->depth++;
        p->n_counted[name]++;
        if (is_mark) p->n_marks_left += t->n_attrs || ++p->bare_marks[name] <= 3;
    }
    if (is_integration(name) && is_suspect(p)) p->is_sticky = 1;
    count_tag(p, is_mark, 1);
}

static void count_close(Plain *p, int name, int bits) {
    const int is_mark = (bits & IS_FORMATTING) != 0;
    if (p->n_counted[name] > 0) {
        p->n_counted[name]--;
        p->depth--;
        if (is_mark) {
            if (p->bare_marks[name] > 0) p->n_marks_left -= p->bare_marks[name]-- <= 3;
            else p->n_marks_left--;
        }
    }
    count_tag(p, is_mark, name == TAG_p || name == TAG_br);
}

/* ---------------------------------------------------------------- names and attributes */

/* The number of a name that only this page has. */
static int own_name(Plain *p, size_t from, size_t n) {
    if (n > 250) { give_up(p, "a long name"); return TAG_UNKNOWN; }
    Buf *made = &p->made;
    if (buf_need(made, n)) { give_up(p, NO_MEMORY); return TAG_UNKNOWN; }
    char *name = made->data + made->len;
    uint64_t hash = process_key() ^ n;
    for (size_t k = 0; k < n; k++) {
        name[k] = (char)BYTE_LOWER[(uint8_t)p->s[from + k]];
        hash = (hash ^ (uint8_t)name[k]) * 0xFF51AFD7ED558CCDull;
        hash ^= hash >> 32;
    }
    size_t slot = hash & (OWN_SLOTS - 1);
    for (; p->own_slot[slot]; slot = (slot + 1) & (OWN_SLOTS - 1)) {
        int own = p->own_slot[slot] - 1;
        if (p->own_size[own] == n && !memcmp(made->data + p->own_from[own], name, n)) return N_NAMES + own;
    }
    if (p->n_own == MAX_OWN_NAMES) { give_up(p, "too many names"); return TAG_UNKNOWN; }
    p->own_from[p->n_own] = (uint32_t)made->len;
    p->own_size[p->n_own] = (uint32_t)n;
    made->len += n;
    p->own_slot[slot] = (uint16_t)++p->n_own;
    return N_NAMES + p->n_own - 1;
}

/* The name of a tag that begins at `from`; p->i comes to stand behind it. */
static int read_name(Plain *p, size_t from) {
    const char *s = p->s;
    const size_t n = p->n;
    const size_t e = end_of_name(s, from, n, BYTE_ENDS_NAME);
    p->i = e;
    const size_t m = e - from;
    if (m >= 24) return own_name(p, from, m);
    const uint64_t key = key_in(s + from, s + n, m);
    const int name = tag_name(key, s + from, m);
    return name < 0 ? own_name(p, from, m) : name;
}

static void put_attr(Plain *p, Tag *t, int name, size_t from, size_t size, int is_special) {
    if (p->n_attrs == p->attrs_cap) {
        Attr *attrs = p->attrs_cap < UINT32_MAX / 4 ? PyMem_RawRealloc(p->attrs, (size_t)p->attrs_cap * 2 * sizeof *attrs) : NULL;
        if (!attrs) { give_up(p, NO_MEMORY); return; }
        p->attrs = attrs;
        p->attrs_cap *= 2;
    }
    Attr *a = &p->attrs[p->n_attrs++];
    *a = (Attr){(uint32_t)from, (uint32_t)size, (int16_t)name, 0};
    t->n_attrs++;
    if (is_special) {
        a->from = (uint32_t)p->made.len;
        if (put_decoded(&p->made, p->s + from, size, AS_VALUE)) give_up(p, NO_MEMORY);
        a->is_made = 1;
        a->size = (uint32_t)p->made.len - a->from;
    }
}

/* Attributes from p->i on, up to behind '>'; those that are kept go to `attrs`, the first of each name. 0: the page ends in the tag. */
static int read_attributes(Plain *p, Tag *t) {
    const char *s = p->s;
    const size_t n = p->n;
    size_t e = p->i;
    uint64_t seen = 0;
    int is_odd = 0; /* without an attribute that is not kept, the slash before it would close the tag */
    t->first_attr = p->n_attrs;
    t->n_attrs = 0;
    t->has_slash = 0;
    while (e < n) {
        t->has_slash = 0;
        while (e < n && KIND_OF(s[e]) & BYTE_ENDS_NAME && s[e] != '>') { t->has_slash = s[e] == '/'; e++; }
        if (e >= n || s[e] == '>') break;
        const size_t a = e++;
        e = end_of_name(s, e, n, BYTE_ENDS_ATTRIBUTE);
        const size_t len = e - a;
        int name = -1, is_special = 0;
        if (len < 24) name = attribute_name(key_in(s + a, s + n, len), s + a, len);
        size_t w = e, from = e, size = 0;
        while (w < n && KIND_OF(s[w]) & BYTE_SPACE) w++;
        if (w < n && s[w] == '=') {
            for (w++; w < n && KIND_OF(s[w]) & BYTE_SPACE; w++) {}
            if (w < n && (s[w] == '"' || s[w] == '\'')) {
                from = w + 1;
                e = find_sign(s, from, n, s[w], &is_special);
                if (e == n) return 0;
                size = e++ - from;
            } else {
                from = w;
                for (; w < n && s[w] != '>' && !(KIND_OF(s[w]) & BYTE_SPACE); w++) is_special |= s[w] == '&';
                e = w;
                size = e - from;
            }
        }
        if (name < 0) is_odd |= s[a - 1] == '/';
        else {
            if (!(seen >> name & 1)) put_attr(p, t, name, from, size, is_special);
            seen |= 1ull << name;
        }
    }
    if (e >= n) return 0;
    p->i = e + 1;
    if (is_odd && (is_suspect(p) || t->name == TAG_svg || t->name == TAG_math || p->is_xml)) give_up(p, "an odd slash");
    return 1;
}

/* ---------------------------------------------------------------- text without tags */

static size_t closing_of(const Tag *t, char *close) {
    static const char *const NAMES[] = {"script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"};
    static const int16_t CODES[] = {TAG_script, TAG_style, TAG_title, TAG_textarea, TAG_xmp, TAG_iframe, TAG_noembed, TAG_noframes};
    size_t k = 0;
    while (k < sizeof CODES / sizeof *CODES && CODES[k] != t->name) k++;
    if (k == sizeof CODES / sizeof *CODES) return 0;
    const size_t n = strlen(NAMES[k]);
    close[0] = '<';
    close[1] = '/';
    memcpy(close + 2, NAMES[k], n);
    return n + 2;
}

/* As guard.c: no code is JSON-LD, whose type may be written with references. `from` is where the tag begins. */
static int is_code(const Plain *p, const Tag *t, size_t from) {
    return (guard_bits(p, t->name) & IS_CODE) &&
           !(t->n_attrs && find_nocase(p->s, from, p->i, "json", 4) < p->i && find_nocase(p->s, from, p->i, "ld", 2) < p->i);
}

/* Before a tag whose text the guard reads as raw, which ends at p->i: gives the page up where it would change it. In SVG, where it is read
 * as tags, code is passed over. */
static void check_raw(Plain *p, const Tag *t) {
    char close[16];
    const size_t m = closing_of(t, close), e = p->i;
    if (!m) { give_up(p, "a rare tag"); return; }
    if (p->is_xml && t->has_slash) { give_up(p, "XML"); return; }
    if (p->n_counted[TAG_noscript] > 0) {
        if (p->noscript_end < e) p->noscript_end = find_nocase(p->s, e, p->n, "</noscript", 10);
        if (p->noscript_end < p->n && find_nocase(p->s, e, p->noscript_end, close, m) == p->noscript_end) { give_up(p, "open in noscript"); return; }
    }
    const int is_foreign = !(top_of(p)->bits & (IN_HTML | TAKES_HTML));
    if (!is_suspect(p)) {
        if (is_foreign) give_up(p, "raw text");
        return;
    }
    if (t->has_slash) { give_up(p, "raw text"); return; }
    size_t end = find_nocase(p->s, e, p->n, close, m);
    if (end == p->n) { give_up(p, "raw text"); return; }
    if (!t->is_code && memchr(p->s + e, '<', end - e)) { give_up(p, "raw text"); return; }
    if (t->name == TAG_script && script_end(p->s, e, p->n) != end) { give_up(p, "raw text"); return; }
    if (is_foreign && t->is_code) p->i = end;
}

static int ends_tag(const Plain *p, size_t i) { return i < p->n && KIND_OF(p->s[i]) & BYTE_ENDS_NAME; }

void read_raw(Plain *p, const Tag *t, int kind) {
    char close[16];
    const size_t m = closing_of(t, close), from = p->i, n = p->n;
    const int place = p->n_open;
    insert_tag(p, t);
    size_t end = kind == RAW_SCRIPT ? script_end(p->s, from, n) : find_nocase(p->s, from, n, close, m);
    if (end < n && !ends_tag(p, end + m)) { give_up(p, "raw text"); return; } /* "</titles", or the page ends there */
    if (end > from) {
        size_t start = from, size = end - from;
        int is_made = 0;
        const int is_read = !(guard_bits(p, t->name) & IS_NO_TEXT) || (kind == RAW_SCRIPT && !t->is_code);
        if (is_read) {
            const int has_references = kind == RAW_REFERENCES && memchr(p->s + from, '&', size);
            if (has_references || memchr(p->s + from, '\r', size)) {
                start = p->made.len;
                if (put_decoded(&p->made, p->s + from, size, has_references ? AS_TEXT : ONLY_LINES)) give_up(p, NO_MEMORY);
                size = p->made.len - start;
                is_made = 1;
            }
            if (t->name == TAG_textarea && size && *bytes_of(p, (uint32_t)start, is_made) == '\n') { start++; size--; }
            if (t->name == TAG_textarea && size) reopen_marks(p); /* so does Lexbor */
            if (size) insert_text(p, (uint32_t)start, (uint32_t)size, is_made, 0);
        }
    }
    pop_to(p, place);
    p->i = n;
    if (end == n) return;
    Tag closing = {.name = t->name};
    p->i = end + m;
    uint32_t n_attrs = p->n_attrs;
    if (!read_attributes(p, &closing)) { p->i = n; return; }
    p->n_attrs = n_attrs;
    count_close(p, t->name, guard_bits(p, t->name));
    p->rows++; /* its text */
}

/* ---------------------------------------------------------------- comments and doctypes */

/* After a comment, a doctype or what is read as a comment, which begins at i. */
static size_t after_comment(Plain *p, size_t i) {
    const char *s = p->s;
    const size_t n = p->n;
    if (n - i >= 4 && !memcmp(s + i, "<!--", 4)) {
        for (size_t j = i + 2;; j++) {
            const char *q = j < n ? memchr(s + j, '>', n - j) : NULL;
            if (!q) return n;
            j = (size_t)(q - s);
            if (s[j - 1] == '-' && s[j - 2] == '-') return j + 1;
            if (s[j - 1] == '!' && s[j - 2] == '-' && s[j - 3] == '-') {
                if (j < i + 7) give_up(p, "an odd comment"); /* "<!--!>" ends for the guard only */
                return j + 1;
            }
        }
    }
    const char *q = memchr(s + i + 2, '>', n - i - 2);
    return q ? (size_t)(q - s) + 1 : n;
}

/* Public names that pages have: those of Netscape's days, whose browsers had no paragraph end before a table, and those where it depends on whether an
 * address follows. */
static const struct { const char *name; int with, without; } DOCTYPES[] = {
    {"-//w3c//dtd html 3.2//", QUIRKS, QUIRKS}, {"-//w3c//dtd html 3.2 final//", QUIRKS, QUIRKS},
    {"-//w3c//dtd html 4.0 transitional//", QUIRKS, QUIRKS}, {"-//w3c//dtd html 4.0 frameset//", QUIRKS, QUIRKS},
    {"-//ietf//dtd html//", QUIRKS, QUIRKS}, {"-//ietf//dtd html 2.0//", QUIRKS, QUIRKS},
    {"-//w3c//dtd html 4.01 transitional//", NO_QUIRKS, QUIRKS}, {"-//w3c//dtd html 4.01 frameset//", NO_QUIRKS, QUIRKS},
    {"-//w3c//dtd html 4.01//", NO_QUIRKS, NO_QUIRKS}, {"-//w3c//dtd html 4.0//", NO_QUIRKS, NO_QUIRKS},
    {"-//w3c//dtd xhtml 1.", NO_QUIRKS, NO_QUIRKS}};

static size_t after_spaces(const Plain *p, size_t i, size_t e) {
    while (i < e && KIND_OF(p->s[i]) & BYTE_SPACE) i++;
    return i;
}
static int has_word_at(const Plain *p, size_t i, size_t e, const char *word) {
    const size_t n = strlen(word);
    return e - i >= n && find_nocase(p->s, i, i + n, word, n) == i;
}
/* After a quoted string; 0: there is none. */
static size_t after_quoted(const Plain *p, size_t i, size_t e) {
    if (i == e || (p->s[i] != '"' && p->s[i] != '\'')) return 0;
    const char *q = memchr(p->s + i + 1, p->s[i], e - i - 1);
    return q ? (size_t)(q - p->s) + 1 : 0;
}

/* How a page with the doctype s[i:e] reads a table in a paragraph. */
static int quirks_of(const Plain *p, size_t i, size_t e) {
    size_t a = after_spaces(p, i + 9, --e);
    if (a == i + 9 || !has_word_at(p, a, e, "html")) return QUIRKS_UNKNOWN;
    size_t b = after_spaces(p, a + 4, e);
    if (b == e) return NO_QUIRKS;
    if (b == a + 4 || !has_word_at(p, b, e, "public")) return QUIRKS_UNKNOWN;
    const size_t name = after_spaces(p, b + 6, e), after = after_quoted(p, name, e);
    if (!after) return QUIRKS_UNKNOWN;
    const size_t address = after_spaces(p, after, e);
    if (after_quoted(p, address, e) == address + 2) return QUIRKS_UNKNOWN; /* an empty one */
    if (address < e && after_spaces(p, after_quoted(p, address, e), e) != e) return QUIRKS_UNKNOWN;
    if (address < e && find_nocase(p->s, address, e, "ibm.com", 7) < e) return QUIRKS_UNKNOWN;
    for (size_t k = 0; k < sizeof DOCTYPES / sizeof *DOCTYPES; k++)
        if (has_word_at(p, name + 1, after - 1, DOCTYPES[k].name)) return address < e ? DOCTYPES[k].with : DOCTYPES[k].without;
    return QUIRKS_UNKNOWN;
}

static void read_declaration(Plain *p, size_t i) {
    const char *s = p->s;
    const size_t n = p->n, end = after_comment(p, i);
    p->i = end;
    if (n - i >= 9 && s[i + 1] == '!') {
        if (!memcmp(s + i, "<![CDATA[", 9) && (is_suspect(p) || !(top_of(p)->bits & IN_HTML))) { give_up(p, "CDATA"); return; }
        if (find_nocase(s, i, i + 9, "<!doctype", 9) == i) {
            p->is_newline_skipped = 0;
            if (p->mode == IN_COLUMNS || (end == n && s[n - 1] != '>')) { give_up(p, "doctype"); return; }
            if (p->mode != INITIAL) return;
            p->quirks = quirks_of(p, i, end);
            p->mode = BEFORE_HTML;
            return;
        }
    }
    put_comment(p);
}

/* ---------------------------------------------------------------- a page */

static void read_text(Plain *p, size_t from, size_t to, int is_special) {
    const size_t size = to - from;
    if (first_of_text(p->s, from, to) == to) { /* white space, most of it between tags */
        if (!is_special) {
            put_chars(p, (uint32_t)from, (uint32_t)size, 0, 1);
            return;
        }
    } else p->rows++;
    if (is_special) {
        size_t start = p->made.len;
        if (put_decoded(&p->made, p->s + from, size, AS_TEXT)) { give_up(p, NO_MEMORY); return; }
        put_chars(p, (uint32_t)start, (uint32_t)(p->made.len - start), 1, 0);
    } else put_chars(p, (uint32_t)from, (uint32_t)size, 0, 0);
}

/* A tag whose '<' stands at i; 0: the page ends in it. */
static int read_tag(Plain *p, size_t i, int is_closing) {
    Tag t;
    t.name = read_name(p, i + 1 + (size_t)is_closing);
    const size_t attributes = p->i;
    const uint32_t n_attrs = p->n_attrs;
    if (!read_attributes(p, &t)) return 0;
    const int bits = guard_bits(p, t.name);
    if (is_closing) {
        p->n_attrs = n_attrs;
        t.n_attrs = 0;
        count_close(p, t.name, bits);
        close_tag(p, &t);
        return 1;
    }
    t.is_code = is_code(p, &t, attributes);
    count_open(p, &t, bits);
    if (bits & (IS_RAW_TEXT | IS_TEXT_ONLY)) check_raw(p, &t);
    if (!p->why) open_tag(p, &t);
    return 1;
}

void read_page(Plain *p) {
    const char *s = p->s;
    const size_t n = p->n;
    const int64_t most_work = 4 * (int64_t)n + 100000;
    int is_special = 0;
    size_t text = 0, at = 0; /* where the text begins, and from where a '<' is looked for */
    while (!p->why) {
        const size_t i = find_sign(s, at, n, '<', &is_special);
        if (i + 2 >= n && i < n) { give_up(p, "cut in a tag"); return; }
        int is_tag = 0, is_closing = 0;
        if (i < n) {
            const unsigned char c = (unsigned char)s[i + 1];
            is_closing = c == '/';
            is_tag = is_alpha(c) || (is_closing && is_alpha((unsigned char)s[i + 2]));
            if (!is_tag && !is_closing && c != '!' && c != '?') {
                at = i + 1;
                continue;
            }
        }
        if (i > text) read_text(p, text, i, is_special);
        if (i == n || p->why) return;
        if (is_tag) {
            if (!read_tag(p, i, is_closing)) return;
        } else if (is_closing && s[i + 2] == '>') { /* nothing; in a table the texts around it are looked at as one */
            if (p->mode > IN_BODY && p->mode <= IN_ROW) { give_up(p, "an empty tag in a table"); return; }
            p->i = i + 3;
        }
        else read_declaration(p, i);
        text = at = p->i;
        is_special = 0;
        if (p->work > most_work) give_up(p, "too much moved");
    }
}
