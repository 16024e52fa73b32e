/* Which steps that leave out single lines have something to look at; see reference/blocks/mend_lines.py and extractor/mending. */
#include "native.h"
#include <string.h>

typedef struct {
    double like_title;
    int n_titles;
    double labelled, label_words;
    int label_chars, head_blocks, n_fields, field_chars;
    double tool_links, tool_words, print_words, sure;
    int n_signatures;
    double by_words, row_words, all_linked;
    double lead_score, lead_words, lead_links, paragraph_score, lead_about;
    int lead_above;
    double caption_score, caption_words;
    int caption_blocks;
    double text_score, text_words;
    int top_blocks;
    double day_words;
    int last_blocks;
    double notice_words, noticed_words, bare_words;
    PyObject *bare_begins;
} Rules;

typedef struct {
    Rows rows;
    Attrs attrs;
    Blocks at;
    Column node_block, x, words, score, kept;
    PyObject *text, *strings;
    int kind;
    const void *data;
    Py_ssize_t n, size;
    Rules is;
    uint8_t *n_links, *n_handed, *near; /* by block: links, up to two, and those with something asked of another host; by row: looked at for signatures */
    int32_t *n_pictures;                /* before each row; NULL until it is asked for */
} Work;

#define KEPT(k) (((const uint8_t *)w->kept.buffer.buf)[k])
#define WORDS(k) (((const double *)w->words.buffer.buf)[k])
#define SCORE(k) (((const double *)w->score.buffer.buf)[k])
#define X(k, column) (((const float *)w->x.buffer.buf)[(k) * N_EVIDENCE + (column)])
#define IN(k, group) (X(k, E_in_group + GROUP_##group) > 0)
#define CHAR(i) PyUnicode_READ(w->kind, w->data, i)

/* ---------------------------------------------------------------- text of blocks */

/* The first character of a block that is no white space; 0 where there is none. */
static Py_UCS4 first_char(const Work *w, Py_ssize_t k) {
    for (Py_ssize_t i = w->at.text_start[k]; i < w->at.text_end[k]; i++)
        if (!Py_UNICODE_ISSPACE(CHAR(i))) return CHAR(i);
    return 0;
}

/* Whether one of some characters stands in so many from a place on. */
static int has_colon(const Work *w, Py_ssize_t i, int n_chars) {
    for (Py_ssize_t end = i + n_chars < w->size ? i + n_chars : w->size; i < end; i++)
        if (CHAR(i) == ':' || CHAR(i) == 0xFF1A) return 1;
    return 0;
}

static int has_label(const Work *w, Py_ssize_t k) {
    Py_ssize_t i = w->at.text_start[k], end = i + w->is.label_chars < w->size ? i + w->is.label_chars : w->size;
    for (; i < end; i++) switch (CHAR(i)) {
        case ':': case 0xFF1A: case '|': case 0xBB: return 1;
        }
    return 0;
}

/* A sign between the links of a trail. */
static int has_sign(const Work *w, Py_ssize_t k) {
    for (Py_ssize_t i = w->at.text_start[k]; i < w->at.text_end[k]; i++) switch (CHAR(i)) {
        case '>': case '/': case '|': case '\\': case 0xBB: case 0x203A: case 0x2192: case 0x27E9: return 1;
        }
    return 0;
}

/* The letters of units of size, with those that are the same to who ignores case. */
static int is_unit_letter(Py_UCS4 c) { return (c < 128 && (c | 32) >= 'a' && (c | 32) <= 'z') || c == 0x17F || c == 0x130 || c == 0x131 || c == 0x212A; }

/* "12 KB", "(3 bytes)" in a table: a number and up to five letters of which the last is that of a unit. */
static int is_size(const Work *w, Py_ssize_t k) {
    if (!IN(k, table)) return 0;
    Py_ssize_t i = w->at.text_start[k], end = w->at.text_end[k];
    while (i < end && Py_UNICODE_ISSPACE(CHAR(i))) i++;
    if (i < end && CHAR(i) == '(') i++;
    if (i == end || !Py_UNICODE_ISDECIMAL(CHAR(i))) return 0;
    while (i < end && (Py_UNICODE_ISDECIMAL(CHAR(i)) || CHAR(i) == '.' || CHAR(i) == ',')) i++;
    while (i < end && Py_UNICODE_ISSPACE(CHAR(i))) i++;
    int n = 0, is_bytes = 0;
    for (; i < end && is_unit_letter(CHAR(i)); i++, n++) is_bytes = CHAR(i) < 128 ? strchr("bBoOsS", (int)CHAR(i)) != NULL : CHAR(i) == 0x17F;
    if (!is_bytes || n > 5) return 0;
    if (i < end && CHAR(i) == ')') i++;
    while (i < end && Py_UNICODE_ISSPACE(CHAR(i))) i++;
    return i == end;
}

/* Words that say who wrote a text, with a space or a colon behind them. */
static int begins_with_by(const Work *w, Py_ssize_t k) {
    static const char *const by[] = {"by", "von", "par", "por", "di", "door", "av", "af", "text", "texte", "texto", "testo"};
    char word[8];
    size_t n = 0;
    Py_ssize_t i = w->at.text_start[k], end = w->at.text_end[k];
    while (i < end && !Py_UNICODE_ISALNUM(CHAR(i)) && CHAR(i) != '_') i++;
    for (; i < end && n < sizeof word; i++) {
        Py_UCS4 c = CHAR(i);
        c = c == 0x17F ? 's' : c == 0x130 || c == 0x131 ? 'i' : c; /* what the same letters are to who ignores case */
        if (c >= 128) return 0;
        if (c == ':' || Py_UNICODE_ISSPACE(c)) break;
        word[n++] = (char)(c >= 'A' && c <= 'Z' ? c | 32 : c);
    }
    if (i == end || n == sizeof word) return 0;
    for (size_t m = 0; m < sizeof by / sizeof *by; m++)
        if (strlen(by[m]) == n && !memcmp(by[m], word, n)) return 1;
    return 0;
}

/* Whether the first word of a line is one of those that labels without a colon begin with, or no ASCII; -1: an exception. */
static int begins_bare(const Work *w, Py_ssize_t k) {
    char word[16];
    size_t n = 0;
    Py_ssize_t i = w->at.text_start[k], end = w->at.text_end[k];
    while (i < end && !Py_UNICODE_ISALNUM(CHAR(i))) i++;
    for (; i < end && (Py_UNICODE_ISALNUM(CHAR(i)) || CHAR(i) == '_'); i++) {
        Py_UCS4 c = CHAR(i);
        if (c >= 128) return 1;
        if (n < sizeof word) word[n] = (char)(c >= 'A' && c <= 'Z' ? c | 32 : c);
        n++;
    }
    if (!n || n > sizeof word) return 0; /* longer than any of them */
    PyObject *said = PyUnicode_FromStringAndSize(word, (Py_ssize_t)n);
    int is = said ? PySet_Contains(w->is.bare_begins, said) : -1;
    Py_XDECREF(said);
    return is;
}

/* Markup that is shown: in a field of a form any, elsewhere a link. */
static int has_code(const Work *w, Py_ssize_t k) {
    int is_field = IN(k, button);
    for (Py_ssize_t i = w->at.text_start[k], end = w->at.text_end[k]; i < end; i++) {
        if (!is_field && (i = PyUnicode_FindChar(w->text, '<', i, end, 1)) < 0) break;
        Py_UCS4 c = CHAR(i);
        if (is_field && (c == '<' || c == '[')) return 1;
        if (c == '<' && i + 2 < end && CHAR(i + 1) == 'a' && Py_UNICODE_ISSPACE(CHAR(i + 2))) return 1;
    }
    return 0;
}

#define SLOTS 256 /* as many as the reference has */

/* Where the last word of a heading is counted, -1 for what is no ASCII; -2: there is no word. */
static int slot_of(const Work *w, Py_ssize_t k) {
    Py_ssize_t i = w->at.text_end[k] - 1, start = w->at.text_start[k];
    for (; i >= start && CHAR(i) < 128 && !Py_UNICODE_ISALNUM(CHAR(i)) && CHAR(i) != '_'; i--) {}
    if (i < start) return -2;
    int slot = 0;
    for (; i >= start && CHAR(i) < 128 && (Py_UNICODE_ISALNUM(CHAR(i)) || CHAR(i) == '_'); i--) {
        Py_UCS4 c = CHAR(i);
        slot = (slot * 31 + (int)(c >= 'A' && c <= 'Z' ? c | 32 : c)) % SLOTS;
    }
    return i >= start && CHAR(i) >= 128 ? -1 : slot;
}

/* Whether so many of the headings that have words of the title may say the same: they end with the same word. */
static int are_again(const Work *w) {
    int times[SLOTS] = {0}, n_unknown = 0, most = 0;
    for (Py_ssize_t k = 0; k < w->n; k++) {
        if (!(X(k, E_title_match) > 0)) continue;
        int slot = slot_of(w, k);
        if (slot == -1) n_unknown++;
        else if (slot >= 0 && ++times[slot] > most) most = times[slot];
    }
    return most + n_unknown >= w->is.n_titles;
}

/* -1: an exception. */
static int of_blocks(const Work *w) {
    int found = 0, n_titles = 0, n_fields = 0, has_title = 0;
    Py_ssize_t before = -1, first = 0; /* the kept block before, and the first block of the page */
    for (Py_ssize_t k = 0; k < w->n; k++) {
        n_titles += X(k, E_title_match) >= (float)w->is.like_title;
        if (k && w->at.page[k] != w->at.page[k - 1]) first = k, n_fields = 0;
        if (k - first < w->is.head_blocks && (n_fields += has_colon(w, w->at.text_start[k], w->is.field_chars)) >= w->is.n_fields) found |= 1 << LINE_LETTERS;
        if (!(found & 1 << LINE_FILES) && is_size(w, k)) found |= 1 << LINE_FILES;
        if (!KEPT(k)) continue;
        float links = X(k, E_link_density);
        double words = WORDS(k);
        int heading = IN(k, heading);
        has_title |= X(k, E_title_match) > 0;
        if (heading && before >= 0 && IN(before, heading) && w->at.page[before] == w->at.page[k] && !IN(k, table) && !IN(before, table) &&
            first_char(w, before) == first_char(w, k))
            found |= 1 << LINE_ECHOES;
        before = k;
        if (!(found & 1 << LINE_LABELS) && links >= (float)w->is.labelled && words <= w->is.label_words && has_label(w, k)) found |= 1 << LINE_LABELS;
        if (!(found & 1 << LINE_BARE_LEADS) && links >= (float)w->is.labelled && words <= w->is.label_words && words >= w->is.bare_words) {
            int is_bare = begins_bare(w, k);
            if (is_bare < 0) return -1;
            found |= is_bare << LINE_BARE_LEADS;
        }
        if (!(found & 1 << LINE_BYLINES) && words > 1 && words <= w->is.by_words && !heading && begins_with_by(w, k)) found |= 1 << LINE_BYLINES;
        if (!(found & 1 << LINE_CODE) && has_code(w, k)) found |= 1 << LINE_CODE;
    }
    return found | (has_title && n_titles >= w->is.n_titles && are_again(w) ? 1 << LINE_SUBJECTS : 0);
}

/* ---------------------------------------------------------------- attributes */

/* A link that asks something of another host. */
static int asks_another(PyObject *href) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(href);
    if (PyUnicode_FindChar(href, '?', 0, n, 1) < 0) return 0;
    for (Py_ssize_t i = 0; (i = PyUnicode_FindChar(href, '/', i, n - 1, 1)) >= 0; i++)
        if (PyUnicode_READ_CHAR(href, i + 1) == '/') return 1;
    return 0;
}

/* A kept line that may hold links for who uses the page. */
static int may_be_tool(const Work *w, Py_ssize_t k) {
    return X(k, E_link_density) >= (float)w->is.tool_links && WORDS(k) <= w->is.tool_words && !IN(k, heading);
}

/* Whether a heading is a link in part: where it may say "[edit]". */
static int has_partial_heading(const Work *w) {
    for (Py_ssize_t k = 0; k < w->n; k++)
        if (KEPT(k) && IN(k, heading) && X(k, E_link_density) > 0 && X(k, E_link_density) < 1) return 1;
    return 0;
}

static int look_near(Work *w) {
    int n = 0;
    for (Py_ssize_t k = 0; k < w->n; k++) {
        if (!KEPT(k) || SCORE(k) >= w->is.sure) continue;
        int32_t box = w->at.box[k], parent = w->rows.parent[box];
        w->near[box] = 1;
        if (parent >= 0) w->near[parent] = 1;
        n++;
    }
    return n >= w->is.n_signatures;
}

static const char *const EDIT[] = {"edit", NULL}, *const PRINT[] = {"print", NULL};
static const char *const SIGNATURE[] = {"signature", "sigcontent", "sig_", "sig0", "sig1", "sig2", "sig3", "sig4", "sig5", "sig6", "sig7", "sig8", "sig9", NULL};

/* -1: an exception. */
static int of_attrs(Work *w) {
    int found = 0, may_sign = look_near(w), may_edit = has_partial_heading(w);
    const int32_t *block = w->node_block.buffer.buf;
    int32_t t = 0; /* the first row of text from the row of an attribute on */
    for (Py_ssize_t a = 0; a < w->attrs.n; a++) {
        int name = w->attrs.name[a];
        if (name != ATTR_href && !(may_sign && (name == ATTR_class || name == ATTR_id))) continue;
        int32_t row = w->attrs.node[a], value = w->attrs.value[a];
        if (row < 0 || row >= w->rows.n || value < 0 || value >= PyTuple_GET_SIZE(w->strings)) return bad("attributes do not fit the rows");
        PyObject *said = PyTuple_GET_ITEM(w->strings, value);
        if (!PyUnicode_Check(said)) return bad("attributes are text");
        if (name != ATTR_href) {
            if (w->near[row] && has_any(said, SIGNATURE)) found |= 1 << LINE_SIGNATURES, may_sign = 0;
            continue;
        }
        if (may_edit && has_any(said, EDIT)) found |= 1 << LINE_EDITS, may_edit = 0;
        if ((found & 1 << LINE_TOOLS && found & 1 << LINE_TURN_ROWS) || w->rows.tag[row] != TAG_a) continue;
        if (t < row) t = row;
        while (t < w->rows.n && block[t] < 0) t++;
        if (t >= w->rows.end[row] || !KEPT(block[t])) continue;
        int32_t k = block[t];
        w->n_links[k] += w->n_links[k] < 2;
        if (w->n_links[k] == 2 && X(k, E_link_density) >= (float)w->is.all_linked && WORDS(k) > 1 && WORDS(k) <= w->is.row_words) found |= 1 << LINE_TURN_ROWS;
        if (!may_be_tool(w, k)) continue;
        w->n_handed[k] += w->n_handed[k] < 2 && asks_another(said);
        if (w->n_handed[k] == 2 || (w->n_links[k] == 2 && has_sign(w, k)) || (WORDS(k) <= w->is.print_words && has_any(said, PRINT))) found |= 1 << LINE_TOOLS;
    }
    return found;
}

/* ---------------------------------------------------------------- articles */

/* Whether a block reads like prose, by its columns; -1 where rounding to them may have changed that. */
static int is_sentence(const Work *w, Py_ssize_t k) {
    if (WORDS(k) < 8 || X(k, E_stops) + X(k, E_commas) < 1 || X(k, E_link_density) > 0.4f) return 0;
    return X(k, E_link_density) == 0.4f ? -1 : 1;
}

/* Whether a lead or a paragraph may be left out shortly above the first kept sentence of a page. */
static int has_opening(const Work *w, Py_ssize_t first, Py_ssize_t last) {
    Py_ssize_t text = first;
    for (; text < last; text++) {
        if (!KEPT(text) || IN(text, heading)) continue;
        int is = is_sentence(w, text);
        if (is < 0) return 1;
        if (is) break;
    }
    if (text == last) return 0;
    for (Py_ssize_t k = text - w->is.lead_above > first ? text - w->is.lead_above : first; k < text; k++) {
        if (KEPT(k) || SCORE(k) < w->is.lead_score || WORDS(k) < w->is.lead_words || !(X(k, E_link_density) < (float)w->is.lead_links) || !is_sentence(w, k)) continue;
        if ((w->rows.tag[w->at.box[k]] == TAG_p && SCORE(k) >= w->is.paragraph_score) || X(k, E_about) >= (float)w->is.lead_about) return 1;
    }
    return 0;
}

static int count_pictures(Work *w) {
    if (!(w->n_pictures = PyMem_RawMalloc((size_t)(w->rows.n + 1) * sizeof *w->n_pictures))) {
        PyErr_NoMemory();
        return -1;
    }
    w->n_pictures[0] = 0;
    for (Py_ssize_t i = 0; i < w->rows.n; i++) w->n_pictures[i + 1] = w->n_pictures[i] + (w->rows.tag[i] == TAG_img);
    return 0;
}

/* What a caption and what stands beside it score and are not. */
static int is_doubtful(const Work *w, Py_ssize_t k) { return SCORE(k) < w->is.caption_score && !IN(k, heading); }

/* Whether an element around a block holds a picture, and few blocks, all of them doubtful. */
static int is_beside_picture(const Work *w, Py_ssize_t k) {
    Py_ssize_t first = k, last = k; /* the blocks that begin in the element */
    for (int32_t row = w->at.box[k]; row >= 0; row = w->rows.parent[row]) {
        while (first > 0 && last - first < w->is.caption_blocks && w->at.first[first - 1] >= row) first--;
        while (last + 1 < w->n && last - first < w->is.caption_blocks && w->at.first[last + 1] < w->rows.end[row]) last++;
        if (last - first >= w->is.caption_blocks) return 0;
        for (Py_ssize_t m = first; m <= last; m++)
            if (!is_doubtful(w, m)) return 0;
        if (w->n_pictures[w->rows.end[row]] > w->n_pictures[row]) return 1;
    }
    return 0;
}

/* -1: an exception. */
static int has_caption(Work *w, Py_ssize_t first, Py_ssize_t last) {
    double sure = 0;
    for (Py_ssize_t k = first; k < last; k++) sure += KEPT(k) && SCORE(k) >= w->is.text_score ? WORDS(k) : 0;
    if (sure < w->is.text_words) return 0;
    for (Py_ssize_t k = first; k < last; k++) {
        if (!KEPT(k) || !is_doubtful(w, k) || WORDS(k) > w->is.caption_words || IN(k, table)) continue;
        if (!w->n_pictures && count_pictures(w)) return -1;
        if (is_beside_picture(w, k)) return 1;
    }
    return 0;
}

static int has_two_digits(const Work *w, Py_ssize_t k) {
    for (Py_ssize_t i = w->at.text_start[k] + 1; i < w->at.text_end[k]; i++)
        if (Py_UNICODE_ISDECIMAL(CHAR(i)) && Py_UNICODE_ISDECIMAL(CHAR(i - 1))) return 1;
    return 0;
}

/* Whether ASCII of any case stands in the text from a place on; `said` is in lower case. */
static int says(const Work *w, Py_ssize_t i, Py_ssize_t end, const char *said) {
    for (; *said; said++, i++)
        if (i >= end || CHAR(i) >= 128 || (char)(CHAR(i) >= 'A' && CHAR(i) <= 'Z' ? CHAR(i) | 32 : CHAR(i)) != *said) return 0;
    return 1;
}

/* Letters that no language of the West has, signs that are none of its punctuation, and what is an "i" to who ignores case. */
static int is_of_others(Py_UCS4 c) { return c == 0xA9 || c == 0x130 || c == 0x131 || (c >= 0x370 && !(c >= 0x2000 && c < 0x2100)); }

/* Whether a line may say whose text it is ("copyright", "(c)", "reserved", "riservati", "vorbehalten"; or in letters of others) or has an address. */
static int may_be_notice(const Work *w, Py_ssize_t k) {
    for (Py_ssize_t i = w->at.text_start[k], end = w->at.text_end[k]; i < end; i++) {
        Py_UCS4 c = CHAR(i);
        if (c == '@' || is_of_others(c)) return 1;
        if (c < 128) switch (c | 32) {
        case '(' | 32: if (says(w, i, end, "(c)")) return 1; break;
        case 'p': if (says(w, i, end, "pyright")) return 1; break;
        case 's': if (says(w, i, end, "serv")) return 1; break;
        case 'b': if (says(w, i, end, "behalten")) return 1; break;
        }
    }
    return 0;
}

/* Whether one of the first kept lines of a text may say the day, or one of the last be a notice. */
static int has_notice(const Work *w, Py_ssize_t first, Py_ssize_t last) {
    double words = 0;
    for (Py_ssize_t k = first; k < last; k++) words += KEPT(k) ? WORDS(k) : 0;
    if (words < w->is.noticed_words) return 0;
    int n = 0;
    for (Py_ssize_t k = first; k < last && n < w->is.top_blocks; k++) {
        if (!KEPT(k)) continue;
        n++;
        if (WORDS(k) <= w->is.day_words && has_two_digits(w, k)) return 1;
    }
    n = 0;
    for (Py_ssize_t k = last - 1; k >= first && n < w->is.last_blocks; k--) {
        if (!KEPT(k)) continue;
        n++;
        if (WORDS(k) <= w->is.notice_words && may_be_notice(w, k)) return 1;
    }
    return 0;
}

/* -1: an exception. */
static int of_articles(Work *w) {
    int found = 0;
    for (Py_ssize_t first = 0, last; first < w->n; first = last) {
        for (last = first; last < w->n && w->at.page[last] == w->at.page[first]; last++) {}
        int is_caption = found & 1 << LINE_CAPTIONS ? 1 : has_caption(w, first, last);
        if (is_caption < 0) return -1;
        found |= is_caption << LINE_CAPTIONS;
        if (!(found & 1 << LINE_OPENINGS)) found |= has_opening(w, first, last) << LINE_OPENINGS;
        if (!(found & 1 << LINE_NOTICES)) found |= has_notice(w, first, last) << LINE_NOTICES;
    }
    return found;
}

/* lines_to_mend(of, score, kept, rules) -> bits of LINES, which steps have something to look at: see JudgedPages, LineRules. */
PyObject *native_lines_to_mend(PyObject *self, PyObject *args) {
    Work work, *w = &work;
    memset(w, 0, sizeof *w);
    PyObject *rows, *attrs, *blocks, *node_block, *x, *words, *score, *kept, *unused, *result = NULL;
    int n_pages;
    Rules *is = &w->is;
    if (!PyArg_ParseTuple(args, "(OOOOUO!iOOOOOO)OO(diddiiiiddddiddddddddiddiddididddO!)", &rows, &attrs, &blocks, &node_block, &w->text, &PyTuple_Type, &w->strings, &n_pages, &x, &unused, &unused,
                          &words, &unused, &unused, &score, &kept, &is->like_title, &is->n_titles, &is->labelled, &is->label_words, &is->label_chars, &is->head_blocks,
                          &is->n_fields, &is->field_chars, &is->tool_links, &is->tool_words, &is->print_words, &is->sure, &is->n_signatures, &is->by_words, &is->row_words, &is->all_linked,
                          &is->lead_score, &is->lead_words, &is->lead_links, &is->paragraph_score, &is->lead_about, &is->lead_above, &is->caption_score, &is->caption_words,
                          &is->caption_blocks, &is->text_score, &is->text_words, &is->top_blocks, &is->day_words, &is->last_blocks, &is->notice_words, &is->noticed_words, &is->bare_words, &PyFrozenSet_Type, &is->bare_begins))
        return NULL;
    Py_ssize_t n_columns;
    if (rows_get(&w->rows, rows) || attrs_get(&w->attrs, attrs) || blocks_get(&w->at, blocks) || column_get(&w->node_block, node_block, 4) ||
        matrix_get(&w->x, x, 4, w->at.n, &n_columns) || column_get(&w->words, words, 8) || column_get(&w->score, score, 8) || column_get(&w->kept, kept, 1))
        goto done;
    w->n = w->at.n, w->size = PyUnicode_GET_LENGTH(w->text), w->kind = PyUnicode_KIND(w->text), w->data = PyUnicode_DATA(w->text);
    if (n_columns != N_EVIDENCE || w->words.n != w->n || w->score.n != w->n || w->kept.n != w->n || w->node_block.n != w->rows.n) {
        bad("columns of blocks do not fit");
        goto done;
    }
    if (rows_fit(&w->rows, w->size, N_TAGS, n_pages)) goto done;
    const int32_t *block = w->node_block.buffer.buf;
    int fits = 1;
    for (Py_ssize_t k = 0; k < w->n; k++)
        fits &= w->at.text_start[k] >= 0 && w->at.text_end[k] <= w->size && w->at.box[k] >= 0 && w->at.box[k] < w->rows.n;
    for (Py_ssize_t i = 0; i < w->rows.n; i++) fits &= block[i] >= -1 && block[i] < w->n;
    if (!fits) {
        bad("columns of blocks do not fit");
        goto done;
    }
    if (!(w->n_links = PyMem_RawCalloc((size_t)(2 * w->n + w->rows.n + 1), 1))) {
        PyErr_NoMemory();
        goto done;
    }
    w->n_handed = w->n_links + w->n;
    w->near = w->n_handed + w->n;
    int found = of_attrs(w), about_articles = found < 0 ? -1 : of_articles(w), about_lines = about_articles < 0 ? -1 : of_blocks(w);
    if (about_lines >= 0) result = PyLong_FromLong(found | about_articles | about_lines);
done:
    PyMem_RawFree(w->n_links);
    PyMem_RawFree(w->n_pictures);
    TABLE_RELEASE(w->rows);
    TABLE_RELEASE(w->attrs);
    TABLE_RELEASE(w->at);
    Column *own[] = {&w->node_block, &w->x, &w->words, &w->score, &w->kept};
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) columns_release(own[k], 1);
    return result;
}
