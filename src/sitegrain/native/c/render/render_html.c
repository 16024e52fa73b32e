/* Clean HTML: the `_Html` of sitegrain.render.html. Nothing of the page's own markup is copied. */
#include "render.h"

#define MARK_NAME(name) #name,
static const char *const MARK_NAMES[] = {RENDER_MARKS(MARK_NAME)};

static void put_escaped(Render *r, Bytes *b, const Signs *of, Py_ssize_t i, Py_UCS4 c) {
    (void)of, (void)i;
    if (c == '&') PUT(r, b, "&amp;");
    else if (c == '<') PUT(r, b, "&lt;");
    else if (c == '>') PUT(r, b, "&gt;");
    else put_char(r, b, c);
}

void html_text(Render *r, Bytes *b, int kind, const void *data, Py_ssize_t start, Py_ssize_t stop, int how) {
    put_stretch(r, b, &(Signs){kind, data, start, stop}, how, "&<>", put_escaped);
}

void html_escape(Render *r, Bytes *b, const char *at, size_t n, int is_quoted) {
    for (size_t i = 0; i < n; i++) {
        if (at[i] == '&') PUT(r, b, "&amp;");
        else if (at[i] == '<') PUT(r, b, "&lt;");
        else if (at[i] == '>') PUT(r, b, "&gt;");
        else if (is_quoted && at[i] == '"') PUT(r, b, "&quot;");
        else if (is_quoted && at[i] == '\'') PUT(r, b, "&#x27;");
        else put_byte(r, b, at[i]);
    }
}

void html_mark(Render *r, Bytes *b, int mark, const char *inner, size_t n) {
    const char *name = MARK_NAMES[mark];
    put_byte(r, b, '<');
    put(r, b, name, strlen(name));
    put_byte(r, b, '>');
    put(r, b, inner, n);
    PUT(r, b, "</");
    put(r, b, name, strlen(name));
    put_byte(r, b, '>');
}

static int begins_with(const char *at, size_t n, const char *text) {
    size_t size = strlen(text);
    if (n < size) return 0;
    for (size_t i = 0; i < size; i++)
        if (lower_char((unsigned char)at[i]) != (Py_UCS4)text[i]) return 0;
    return 1;
}

static int is_web(const char *at, size_t n) { return begins_with(at, n, "http://") || begins_with(at, n, "https://"); }

/* As `RELATIVE` of sitegrain.tables.address. */
static int is_relative(const char *url, size_t n) {
    return begins_with(url, n, "./") || begins_with(url, n, "../") || begins_with(url, n, "/");
}

void html_link(Render *r, Bytes *b, const char *inner, size_t n, const char *url, size_t n_url) {
    int is_safe = is_web(url, n_url) || is_relative(url, n_url) || begins_with(url, n_url, "mailto:") || begins_with(url, n_url, "#at-");
    if (is_safe) {
        PUT(r, b, "<a href=\"");
        html_escape(r, b, url, n_url, 1);
        PUT(r, b, "\">");
    }
    put(r, b, inner, n);
    if (is_safe) PUT(r, b, "</a>");
}

void html_image(Render *r, Bytes *b, PyObject *alt, PyObject *src) {
    r->line.n = 0;
    put_string(r, &r->line, src);
    if (!is_web(r->line.at, r->line.n) && !is_relative(r->line.at, r->line.n) && !begins_with(r->line.at, r->line.n, "data:image/")) return;
    PUT(r, b, "<img src=\"");
    html_escape(r, b, r->line.at, r->line.n, 1);
    r->line.n = 0;
    put_string(r, &r->line, alt);
    PUT(r, b, "\" alt=\"");
    html_escape(r, b, r->line.at, r->line.n, 1);
    PUT(r, b, "\">");
}

void html_heading(Render *r, Bytes *b, int level, const char *at, size_t n) {
    PUT(r, b, "<h");
    put_byte(r, b, (char)('0' + level));
    put_byte(r, b, '>');
    put(r, b, at, n);
    PUT(r, b, "</h");
    put_byte(r, b, (char)('0' + level));
    put_byte(r, b, '>');
}

void html_code(Render *r, Bytes *b, const char *at, size_t n, PyObject *language) {
    PUT(r, b, "<pre><code");
    if (language && PyUnicode_GET_LENGTH(language)) {
        PUT(r, b, " class=\"language-");
        r->line.n = 0;
        put_string(r, &r->line, language);
        html_escape(r, b, r->line.at, r->line.n, 1);
        put_byte(r, b, '"');
    }
    put_byte(r, b, '>');
    html_escape(r, b, at, n, 0);
    PUT(r, b, "</code></pre>");
}

void html_join(Render *r, Bytes *b, size_t from, size_t to) {
    for (size_t k = from; k < to; k++) {
        if (k > from) put_byte(r, b, '\n');
        put_own(r, b, &r->text_out, r->entries.at[k].start, r->entries.at[k].n);
    }
}

void html_quote(Render *r, Bytes *b, size_t from, size_t to) {
    PUT(r, b, "<blockquote>\n");
    html_join(r, b, from, to);
    PUT(r, b, "\n</blockquote>");
}

/* Blocks joined; a first paragraph needs no tag of its own. */
static void put_inner(Render *r, Bytes *b, size_t from, size_t to) {
    if (from == to) return;
    Entry first = r->entries.at[from];
    const char *at = r->text_out.at + first.start;
    int is_paragraph = first.n >= 7 && begins(at, first.n, "<p>") && !memcmp(at + first.n - 4, "</p>", 4);
    for (size_t i = 3; is_paragraph && i + 3 <= first.n; i++) is_paragraph = memcmp(at + i, "<p>", 3) != 0;
    if (is_paragraph) put_own(r, b, &r->text_out, first.start + 3, first.n - 7);
    else put_own(r, b, &r->text_out, first.start, first.n);
    if (to > from + 1) put_byte(r, b, '\n');
    html_join(r, b, from + 1, to);
}

void html_items(Render *r, Bytes *b, size_t from, size_t to, int is_ordered, long start) {
    char tag[40];
    size_t stop;
    int n = is_ordered && start != 1 ? snprintf(tag, sizeof tag, "<ol start=\"%ld\">", start) : snprintf(tag, sizeof tag, is_ordered ? "<ol>" : "<ul>");
    put(r, b, tag, (size_t)n);
    for (; next_item(r, &from, to, &stop); from = stop) {
        PUT(r, b, "\n<li>");
        put_inner(r, b, from, stop);
        PUT(r, b, "</li>");
    }
    put(r, b, is_ordered ? "\n</ol>" : "\n</ul>", 6);
}

void html_definitions(Render *r, Bytes *b, size_t from, size_t to) {
    size_t stop;
    int is_first = 1;
    for (; next_item(r, &from, to, &stop); from = stop) {
        int is_term = from > 0 && r->entries.at[from - 1].kind == TERM;
        if (is_first) PUT(r, b, "<dl>");
        is_first = 0;
        put(r, b, is_term ? "\n<dt>" : "\n<dd>", 5);
        if (is_term) put_own(r, b, &r->text_out, r->entries.at[from].start, r->entries.at[from].n);
        else put_inner(r, b, from, stop);
        put(r, b, is_term ? "</dt>" : "</dd>", 5);
    }
    if (!is_first) PUT(r, b, "\n</dl>");
}

void html_table(Render *r, Bytes *b, size_t from, size_t to) {
    const Entry *caption = NULL;
    for (size_t k = from; k < to; k++) {
        const Entry *entry = &r->entries.at[k];
        if (entry->kind == CAPTION) caption = entry;
        if (entry->kind == CELL) k += entry->n;
    }
    PUT(r, b, "<table>");
    if (caption && caption->n) {
        PUT(r, b, "\n<caption>");
        put_own(r, b, &r->text_out, caption->start, caption->n);
        PUT(r, b, "</caption>");
    }
    int is_open = 0;
    for (size_t k = from; k < to; k++) {
        Entry cell = r->entries.at[k];
        if (cell.kind == ROW && is_open) {
            PUT(r, b, "</tr>");
            is_open = 0;
        }
        if (cell.kind != CELL) continue;
        if (!is_open) PUT(r, b, "\n<tr>");
        is_open = 1;
        put(r, b, cell.is_header ? "<th" : "<td", 3);
        char span[40];
        if (cell.colspan > 1) put(r, b, span, (size_t)snprintf(span, sizeof span, " colspan=\"%d\"", cell.colspan));
        if (cell.rowspan > 1) put(r, b, span, (size_t)snprintf(span, sizeof span, " rowspan=\"%d\"", cell.rowspan));
        put_byte(r, b, '>');
        put_inner(r, b, k + 1, k + 1 + cell.n);
        put(r, b, cell.is_header ? "</th>" : "</td>", 5);
        k += cell.n;
    }
    if (is_open) PUT(r, b, "</tr>");
    PUT(r, b, "\n</table>");
}
