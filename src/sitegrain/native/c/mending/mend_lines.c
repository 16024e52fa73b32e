/* Which steps that leave out single lines have something to look at; see reference/mending/mend_lines.py and extractor/mending. */
#include "mend_lines.h"
#include <string.h>

/* ---------------------------------------------------------------- text of blocks */

/* The first character of a block that is no white space; 0 where there is none. */
static Py_UCS4 first_char(const Lines *w, Py_ssize_t k) {
    for (Py_ssize_t i = w->of->at.text_start[k]; i < w->of->at.text_end[k]; i++)
        if (!Py_UNICODE_ISSPACE(CHAR(i))) return CHAR(i);
    return 0;
}

/* Whether one of some characters stands in so many from a place on. */
static int has_colon(const Lines *w, Py_ssize_t i, int n_chars) {
    for (Py_ssize_t end = i + n_chars < w->size ? i + n_chars : w->size; i < end; i++)
        if (CHAR(i) == ':' || CHAR(i) == 0xFF1A) return 1;
    return 0;
}

static int has_label(const Lines *w, Py_ssize_t k) {
    Py_ssize_t i = w->of->at.text_start[k], end = i + w->is.label_chars < w->size ? i + w->is.label_chars : w->size;
    for (; i < end; i++) switch (CHAR(i)) {
        case ':': case 0xFF1A: case '|': case 0xBB: return 1;
        }
    return 0;
}

/* Whether nothing but signs stands between two links, and one that stands between those of a trail. */
static int has_sign(const Lines *w, Py_ssize_t i, Py_ssize_t end) {
    int has = 0;
    for (; i < end; i++) switch (CHAR(i)) {
        case '>': case '/': case '|': case '\\': case 0xBB: case 0x203A: case 0x2192: case 0x27E9: has = 1; break;
        case ':': case '-': case 0xB7: case 0x2022: break;
        default: if (!Py_UNICODE_ISSPACE(CHAR(i))) return 0;
        }
    return has;
}

/* Whether a link may begin with a word for turning the page, or has what is no ASCII. */
static int may_turn(const Lines *w, Py_ssize_t i, Py_ssize_t end) {
    for (Py_ssize_t k = i; k < end; k++)
        if (CHAR(k) >= 128) return 1;
    while (i < end && !Py_UNICODE_ISALNUM(CHAR(i))) i++;
    for (Py_ssize_t m = 0; i < end && m < PyTuple_GET_SIZE(w->is.turns); m++) {
        PyObject *stem = PyTuple_GET_ITEM(w->is.turns, m);
        Py_ssize_t n = PyUnicode_GET_LENGTH(stem), k = 0;
        while (k < n && i + k < end && (CHAR(i + k) >= 'A' && CHAR(i + k) <= 'Z' ? CHAR(i + k) | 32 : CHAR(i + k)) == PyUnicode_READ_CHAR(stem, k)) k++;
        if (k == n) return 1;
    }
    return 0;
}

/* The letters of units of size, with those that are the same to who ignores case. */
static int is_unit_letter(Py_UCS4 c) { return (c < 128 && (c | 32) >= 'a' && (c | 32) <= 'z') || c == 0x17F || c == 0x130 || c == 0x131 || c == 0x212A; }

/* "12 KB", "(3 bytes)" in a table: a number and up to five letters of which the last is that of a unit. */
static int is_size(const Lines *w, Py_ssize_t k) {
    if (!IN(k, table)) return 0;
    Py_ssize_t i = w->of->at.text_start[k], end = w->of->at.text_end[k];
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
static int begins_with_by(const Lines *w, Py_ssize_t k) {
    static const char *const by[] = {"by", "von", "par", "por", "di", "door", "av", "af", "text", "texte", "texto", "testo"};
    char word[8];
    size_t n = 0;
    Py_ssize_t i = w->of->at.text_start[k], end = w->of->at.text_end[k];
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
static int begins_bare(const Lines *w, Py_ssize_t k) {
    char word[16];
    size_t n = 0;
    Py_ssize_t i = w->of->at.text_start[k], end = w->of->at.text_end[k];
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
static int has_code(const Lines *w, Py_ssize_t k) {
    int is_field = IN(k, button);
    for (Py_ssize_t i = w->of->at.text_start[k], end = w->of->at.text_end[k]; i < end; i++) {
        if (!is_field && (i = PyUnicode_FindChar(w->of->text, '<', i, end, 1)) < 0) break;
        Py_UCS4 c = CHAR(i);
        if (is_field && (c == '<' || c == '[')) return 1;
        if (c == '<' && i + 2 < end && CHAR(i + 1) == 'a' && Py_UNICODE_ISSPACE(CHAR(i + 2))) return 1;
    }
    return 0;
}

#define SLOTS 256 /* as many as the reference has */

/* Where the last word of a heading is counted, -1 for what is no ASCII; -2: there is no word. */
static int slot_of(const Lines *w, Py_ssize_t k) {
    Py_ssize_t i = w->of->at.text_end[k] - 1, start = w->of->at.text_start[k];
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
static int are_again(const Lines *w) {
    int times[SLOTS] = {0}, n_unknown = 0, most = 0;
    for (Py_ssize_t k = 0; k < w->n; k++) {
        if (!(X(k, E_title_match) > 0)) continue;
        int slot = slot_of(w, k);
        if (slot == -1) n_unknown++;
        else if (slot >= 0 && ++times[slot] > most) most = times[slot];
    }
    return most + n_unknown >= w->is.n_titles;
}

static int is_code(const Lines *w, Py_ssize_t k) {
    int tag = w->of->rows.tag[w->of->at.box[k]];
    return tag == TAG_pre || tag == TAG_xmp;
}

/* -1: an exception. */
static int of_blocks(const Lines *w) {
    int found = 0, n_titles = 0, n_fields = 0, has_title = 0;
    Py_ssize_t before = -1, first = 0; /* the kept block before, and the first block of the page */
    for (Py_ssize_t k = 0; k < w->n; k++) {
        n_titles += X(k, E_title_match) >= (float)w->is.like_title;
        if (k && w->of->at.page[k] != w->of->at.page[k - 1]) first = k, n_fields = 0;
        if (k - first < w->is.head_blocks && (n_fields += has_colon(w, w->of->at.text_start[k], w->is.field_chars)) >= w->is.n_fields) found |= 1 << LINE_LETTERS;
        if (!(found & 1 << LINE_FILES) && is_size(w, k)) found |= 1 << LINE_FILES;
        if (!KEPT(k)) continue;
        float links = X(k, E_link_density);
        double words = WORDS(k);
        int heading = IN(k, heading);
        has_title |= X(k, E_title_match) > 0;
        if (heading && before >= 0 && IN(before, heading) && w->of->at.page[before] == w->of->at.page[k] && !IN(k, table) && !IN(before, table) &&
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
        if (words <= w->is.code_words && k + 1 < w->n && is_code(w, k + 1) && !is_code(w, k) && w->of->at.page[k + 1] == w->of->at.page[k]) found |= 1 << LINE_CODE_LABELS;
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
static int may_be_tool(const Lines *w, Py_ssize_t k) {
    return X(k, E_link_density) >= (float)w->is.tool_links && WORDS(k) <= w->is.tool_words && !IN(k, heading);
}

/* Whether a heading is a link in part: where it may say "[edit]". */
static int has_partial_heading(const Lines *w) {
    for (Py_ssize_t k = 0; k < w->n; k++)
        if (KEPT(k) && IN(k, heading) && X(k, E_link_density) > 0 && X(k, E_link_density) < 1) return 1;
    return 0;
}

static int look_near(Lines *w) {
    int n = 0;
    for (Py_ssize_t k = 0; k < w->n; k++) {
        if (!KEPT(k) || SCORE(k) >= w->is.sure) continue;
        int32_t box = w->of->at.box[k], parent = w->of->rows.parent[box];
        w->near[box] = 1;
        if (parent >= 0) w->near[parent] = 1;
        n++;
    }
    return n >= w->is.n_signatures;
}

static const char *const EDIT[] = {"edit", NULL}, *const PRINT[] = {"print", NULL};
static const char *const SIGNATURE[] = {"signature", "sigcontent", "sig_", "sig0", "sig1", "sig2", "sig3", "sig4", "sig5", "sig6", "sig7", "sig8", "sig9", NULL};

/* -1: an exception. */
static int of_attrs(Lines *w) {
    int found = 0, may_sign = look_near(w), may_edit = has_partial_heading(w);
    const int32_t *block = w->of->node_block.buffer.buf;
    int32_t t = 0; /* the first row of text from the row of an attribute on */
    for (Py_ssize_t a = 0; a < w->of->attrs.n; a++) {
        int name = w->of->attrs.name[a];
        if (name != ATTR_href && !(may_sign && (name == ATTR_class || name == ATTR_id))) continue;
        int32_t row = w->of->attrs.node[a], value = w->of->attrs.value[a];
        if (row < 0 || row >= w->of->rows.n || value < 0 || value >= PyTuple_GET_SIZE(w->of->strings)) return bad("attributes do not fit the rows");
        PyObject *said = PyTuple_GET_ITEM(w->of->strings, value);
        if (!PyUnicode_Check(said)) return bad("attributes are text");
        if (name != ATTR_href) {
            if (w->near[row] && has_any(said, SIGNATURE)) found |= 1 << LINE_SIGNATURES, may_sign = 0;
            continue;
        }
        if (may_edit && has_any(said, EDIT)) found |= 1 << LINE_EDITS, may_edit = 0;
        if ((found & 1 << LINE_TOOLS && found & 1 << LINE_TURN_ROWS) || w->of->rows.tag[row] != TAG_a) continue;
        if (t < row) t = row;
        while (t < w->of->rows.n && block[t] < 0) t++;
        if (t >= w->of->rows.end[row] || !KEPT(block[t])) continue;
        int32_t k = block[t];
        const int32_t from = w->of->rows.text_start[row], to = w->of->rows.text_end[row];
        int is_second = w->n_links[k] == 1, is_trail = is_second && has_sign(w, w->linked_to[k], from);
        if (!w->n_links[k]) w->linked_to[k] = to;
        w->n_links[k] += w->n_links[k] < 2;
        if (X(k, E_link_density) >= (float)w->is.all_linked && WORDS(k) > 1 && WORDS(k) <= w->is.row_words) {
            w->has_turn[k] = w->has_turn[k] || may_turn(w, from, to);
            if (w->n_links[k] == 2 && w->has_turn[k]) found |= 1 << LINE_TURN_ROWS;
        }
        if (!may_be_tool(w, k)) continue;
        w->n_handed[k] += w->n_handed[k] < 2 && asks_another(said);
        if (w->n_handed[k] == 2 || is_trail || (WORDS(k) <= w->is.print_words && has_any(said, PRINT))) found |= 1 << LINE_TOOLS;
    }
    return found;
}

/* lines_to_mend(of, score, kept, rules) -> bits of LINES, which steps have something to look at: see JudgedPages, LineRules. */
PyObject *native_lines_to_mend(PyObject *self, PyObject *args) {
    Lines work, *w = &work;
    memset(w, 0, sizeof *w);
    JudgedPages own;
    PyObject *pages, *score, *kept, *result = NULL;
    LineRules *is = &w->is;
    if (!PyArg_ParseTuple(args, "OOO(diddiiiiddddiddddddddiddiddididddddO!O!)", &pages, &score, &kept, &is->like_title, &is->n_titles, &is->labelled, &is->label_words, &is->label_chars,
                          &is->head_blocks, &is->n_fields, &is->field_chars, &is->tool_links, &is->tool_words, &is->print_words, &is->sure, &is->n_signatures, &is->by_words,
                          &is->row_words, &is->all_linked, &is->lead_score, &is->lead_words, &is->lead_links, &is->paragraph_score, &is->lead_about, &is->lead_above,
                          &is->caption_score, &is->caption_words, &is->caption_blocks, &is->text_score, &is->text_words, &is->top_blocks, &is->day_words, &is->last_blocks,
                          &is->notice_words, &is->noticed_words, &is->bare_words, &is->enclosed_words, &is->code_words, &PyFrozenSet_Type, &is->bare_begins,
                          &PyTuple_Type, &is->turns))
        return NULL;
    if (!(w->of = judged_of(pages, &own)) || column_get(&w->score, score, 8) || column_get(&w->kept, kept, 1)) goto done;
    w->n = w->of->n, w->size = PyUnicode_GET_LENGTH(w->of->text), w->kind = PyUnicode_KIND(w->of->text), w->data = PyUnicode_DATA(w->of->text);
    if (w->score.n != w->n || w->kept.n != w->n) {
        bad("columns of blocks do not fit");
        goto done;
    }
    int are_words = 1;
    for (Py_ssize_t m = 0; are_words && m < PyTuple_GET_SIZE(is->turns); m++) are_words = PyUnicode_Check(PyTuple_GET_ITEM(is->turns, m));
    if (!are_words) {
        bad("a word for turning pages is none");
        goto done;
    }
    if (!(w->linked_to = PyMem_RawCalloc((size_t)(7 * w->n + w->of->rows.n + 1), 1))) {
        PyErr_NoMemory();
        goto done;
    }
    w->n_links = (uint8_t *)(w->linked_to + w->n);
    w->n_handed = w->n_links + w->n;
    w->has_turn = w->n_handed + w->n;
    w->near = w->has_turn + w->n;
    int found = of_attrs(w), about_articles = found < 0 ? -1 : lines_of_articles(w), about_lines = about_articles < 0 ? -1 : of_blocks(w);
    if (about_lines >= 0) result = PyLong_FromLong(found | about_articles | about_lines);
done:
    PyMem_RawFree(w->linked_to);
    PyMem_RawFree(w->n_pictures);
    PyMem_RawFree(w->n_left);
    judged_release(&own);
    columns_release(&w->score, 1);
    columns_release(&w->kept, 1);
    return result;
}
