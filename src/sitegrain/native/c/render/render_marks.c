/* Bold, italics, code and the like in a line of Markdown: `_Markdown.finish` and `mark` of sitegrain.render.markdown. */
#include "render.h"
#include <stdlib.h>
#include <string.h>

/* The next character that is no mark before and after a place; a space at the ends. */
static Py_UCS4 before(const char *at, size_t place) {
    size_t size;
    while (place > 0 && is_mark_sign((unsigned char)at[place - 1])) place--;
    return place ? char_before(at, place, &size) : ' ';
}

static Py_UCS4 after(const char *at, size_t n, size_t place) {
    place += char_size((unsigned char)at[place]);
    while (place < n && is_mark_sign((unsigned char)at[place])) place++;
    return place < n ? char_at(at + place, n - place) : ' ';
}

static int is_movable(Py_UCS4 c) {
    if (is_alnum(c) || Py_UNICODE_ISSPACE(c)) return 0;
    return c >= 128 || !c || !(strchr("\\`*_~[]()<>&!#", (int)c) || is_sign((unsigned char)c)); /* none that Markdown reads, and no escape of one */
}

/* A mark from the character at one place to that at another, as CommonMark would read it; 0 when it cannot stand there. */
static int placed(const char *at, size_t n, size_t *start, size_t *end) {
    size_t size;
    /* Marks that touch a letter outside and a sign inside, as in Japanese, move to the letters within. */
    if (is_alnum(before(at, *start)))
        for (;;) {
            size_t next = *start + char_size((unsigned char)at[*start]);
            if (next >= *end || !is_movable(char_at(at + next, n - next))) break;
            *start = next;
        }
    if (is_alnum(after(at, n, *end)))
        while (*start + char_size((unsigned char)at[*start]) < *end && is_movable(char_before(at, *end, &size))) *end -= size;
    Py_UCS4 outside = before(at, *start), first = after(at, n, *start), last = before(at, *end), beyond = after(at, n, *end);
    if (Py_UNICODE_ISSPACE(first) || Py_UNICODE_ISSPACE(last) || *start + char_size((unsigned char)at[*start]) == *end) return 0;
    return (is_alnum(first) || !is_alnum(outside)) && (is_alnum(last) || !is_alnum(beyond));
}

/* Where a mark is written, as a piece: `start` is the place, `n` orders those of one place and says which mark it is. */
static int by_place(const void *a, const void *b) {
    const Piece *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return (x->n > y->n) - (x->n < y->n);
}

static void put_marks(Render *r, Bytes *b, size_t *k, size_t place, int is_after) {
    /* Those before a character come first. */
    for (; *k < r->marked.n && r->marked.at[*k].start == place * 2 + (size_t)is_after; ++*k) {
        int mark = (int)(r->marked.at[*k].n & 31);
        if (mark == END_STRONG) PUT(r, b, "**");
        else if (mark == END_EM) PUT(r, b, "*");
        else PUT(r, b, "~~");
    }
}

/* The line with those marks written that CommonMark reads as marks. */
static void put_with_marks(Render *r, Bytes *b, const char *at, size_t n) {
    r->cells.n = r->marked.n = 0; /* open marks, and marks that are written */
    size_t order = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char sign = (unsigned char)at[i];
        if (!is_sign(sign)) continue;
        if (is_start(sign)) {
            Piece open = {i, 0};
            ADD(r, r->cells) = open;
        } else if (sign <= END_DEL) {
            while (r->cells.n && at[r->cells.at[r->cells.n - 1].start] != (char)(sign - 1)) r->cells.n--;
            if (!r->cells.n) continue;
            size_t start = r->cells.at[--r->cells.n].start, end = i;
            if (!placed(at, n, &start, &end)) continue;
            order++;
            Piece opens = {2 * start + 1, (SIZE_MAX / 64 - order) * 32 + sign}, closes = {2 * end, order * 32 + sign};
            ADD(r, r->marked) = opens;
            ADD(r, r->marked) = closes;
        }
    }
    if (r->marked.n) qsort(r->marked.at, r->marked.n, sizeof(Piece), by_place);
    size_t k = 0;
    for (size_t i = 0; i < n;) {
        /* Up to the next mark that is written all stays but signs. */
        size_t stop = k < r->marked.n ? r->marked.at[k].start / 2 : n;
        for (; i < stop; i++) {
            if (at[i] == IMAGE) put_byte(r, b, '!');
            else if (!is_mark_sign((unsigned char)at[i])) put_byte(r, b, at[i]);
        }
        if (i == n) break;
        size_t size = char_size((unsigned char)at[i]);
        put_marks(r, b, &k, i, 0);
        if (at[i] == IMAGE) put_byte(r, b, '!');
        else if (!is_mark_sign((unsigned char)at[i])) put(r, b, at + i, i + size <= n ? size : n - i);
        put_marks(r, b, &k, i, 1);
        i += size;
    }
}

void md_finish(Render *r, size_t start) {
    Bytes *b = &r->text_out, *line = &r->line;
    int has_signs = 0, has_marks = 0;
    for (size_t i = start; i < b->n; i++) {
        has_signs |= is_sign((unsigned char)b->at[i]);
        has_marks |= b->at[i] >= STRONG && b->at[i] <= END_DEL;
    }
    if (!has_signs) return;
    line->n = 0;
    if (line->room < b->n - start) need_room(r, line, b->n - start); /* it gets no longer */
    for (size_t i = start; i < b->n; i++) {
        char c = b->at[i];
        if (c == '!' && i + 1 < b->n && b->at[i + 1] == LINK) { /* a link is no picture */
            line->at[line->n++] = '\\';
            line->at[line->n++] = '!';
            i++;
        } else if (has_marks || (c != LINK && c != IMAGE)) line->at[line->n++] = c;
        else if (c == IMAGE) line->at[line->n++] = '!';
    }
    b->n = start;
    if (!has_marks) {
        put_own(r, b, line, 0, line->n);
        return;
    }
    for (int times = 0; times < 3; times++) { /* two marks of a kind side by side are one, then those within them */
        size_t n = 0;
        for (size_t i = 0; i < line->n; i++) {
            unsigned char c = (unsigned char)line->at[i];
            if ((c == END_STRONG || c == END_EM || c == END_DEL) && i + 1 < line->n && (unsigned char)line->at[i + 1] == c - 1) i++;
            else line->at[n++] = (char)c;
        }
        line->n = n;
    }
    put_with_marks(r, b, line->at, line->n);
}

size_t md_longest_ticks(const char *at, size_t n) {
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < n; i++) {
        run = at[i] == '`' ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    return longest;
}

static void put_code_mark(Render *r, Bytes *b, const char *inner, size_t n) {
    Bytes *bare = &r->line;
    bare->n = 0;
    for (size_t i = 0; i < n; i++) {
        char c = inner[i];
        if (c == IMAGE) be_odd(r);
        if (is_sign((unsigned char)c)) continue;
        put_byte(r, bare, c);
    }
    size_t m = 0;
    for (size_t i = 0; i < bare->n; i++) { /* what was escaped as it was, */
        char c = bare->at[i];
        if (c == '\\' && i + 1 < bare->n && bare->at[i + 1] && strchr("\\`*[]<~_&", bare->at[i + 1])) bare->at[m++] = bare->at[++i];
        else bare->at[m++] = c;
    }
    bare->n = m;
    for (size_t i = m = 0; i < bare->n; i++) { /* and line breaks as spaces */
        int is_break = bare->at[i] == '\\' && i + 1 < bare->n && bare->at[i + 1] == '\n';
        bare->at[m++] = is_break ? ' ' : bare->at[i];
        i += (size_t)is_break;
    }
    bare->n = m;
    if (!m || !stripped(bare->at, (Piece){0, m}).n) return;
    size_t n_ticks = md_longest_ticks(bare->at, m) + 1;
    int is_padded = bare->at[0] == '`' || bare->at[m - 1] == '`';
    for (size_t k = 0; k < n_ticks; k++) put_byte(r, b, '`');
    if (is_padded) put_byte(r, b, ' ');
    put_own(r, b, bare, 0, m);
    if (is_padded) put_byte(r, b, ' ');
    for (size_t k = 0; k < n_ticks; k++) put_byte(r, b, '`');
}

/* Whether what stands above or below the line is a number, a sign, a formula or a variable; `_RAISED` and `_VARIABLE`. */
static int is_raised(int mark, const char *inner, size_t n) {
    size_t n_signs = 0, n_chars = 0;
    for (size_t i = 0; i < n; n_chars++) {
        unsigned char c = (unsigned char)inner[i];
        int is_dash = n - i >= 3 && (!memcmp(inner + i, "\xe2\x88\x92", 3) || !memcmp(inner + i, "\xe2\x80\x93", 3));
        if (!is_dash && (c >= 128 || !c || !(Py_ISALNUM(c) || strchr("+=()., -", c)))) return 0;
        n_signs += is_dash || Py_ISDIGIT(c) || c == '+' || c == '-';
        i += is_dash ? 3 : 1;
    }
    if (n_signs) return n_chars <= 16;
    return n == 1 && Py_ISALPHA((unsigned char)*inner) && (mark == MARK_sub || !strchr("aeoAEO", *inner));
}

void md_mark(Render *r, Bytes *b, int mark, const char *inner, size_t n) {
    static const char STARTS[N_MARKS] = {[MARK_strong] = STRONG, [MARK_em] = EM, [MARK_del] = DEL};
    if (mark == MARK_code) {
        put_code_mark(r, b, inner, n);
        return;
    }
    if (mark == MARK_q) put_char(r, b, 0x201C);
    else if (STARTS[mark]) put_byte(r, b, STARTS[mark]);
    const char *raised = mark != MARK_sub && mark != MARK_sup ? NULL : !is_raised(mark, inner, n) ? NULL : mark == MARK_sub ? "sub>" : "sup>";
    if (raised) {
        PUT(r, b, "<");
        put(r, b, raised, 4);
    }
    put(r, b, inner, n);
    if (raised) {
        PUT(r, b, "</");
        put(r, b, raised, 4);
    }
    if (mark == MARK_q) put_char(r, b, 0x201D);
    else if (STARTS[mark]) put_byte(r, b, (char)(STARTS[mark] + 1));
}
