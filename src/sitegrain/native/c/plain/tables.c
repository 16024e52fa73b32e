/* Where a tag goes within a table, and within a <template>. */
#include "plain.h"

void reset_mode(Plain *p) {
    for (int k = p->n_open - 1; k > 0; k--) {
        const Open *o = &p->open[k];
        if (!(o->bits & IN_HTML)) continue;
        if (o->bits & OF_CELL) { p->mode = IN_CELL; return; }
        if (o->bits & OF_TABLE_BODY) { p->mode = IN_TABLE_BODY; return; }
        switch (o->name) {
            case TAG_tr: p->mode = IN_ROW; return;
            case TAG_caption: p->mode = IN_CAPTION; return;
            case TAG_colgroup: p->mode = IN_COLUMNS; return;
            case TAG_table: p->mode = IN_TABLE; return;
            case TAG_template:
                if (!p->n_templates) { give_up(p, "templates"); return; }
                p->mode = p->templates[p->n_templates - 1];
                return;
            case TAG_head: p->mode = IN_HEAD; return;
            case TAG_body: p->mode = IN_BODY; return;
            case TAG_html: p->mode = p->head ? AFTER_HEAD : BEFORE_HEAD; return;
            default: break;
        }
    }
}

/* Close all that stands in the table, its part or its row: up to one of these, a <template> or <html>. */
static void clear_to_table(Plain *p) {
    while (!p->why && !(top_of(p)->bits & OF_TABLE_SCOPE && top_of(p)->bits & IN_HTML)) pop_open(p);
}
static int is_bottom(const Open *o) { return o->bits & IN_HTML && (o->name == TAG_template || o->name == TAG_html); }
static void clear_to_body(Plain *p) {
    while (!p->why && !is_bottom(top_of(p)) && !(top_of(p)->bits & OF_TABLE_BODY && top_of(p)->bits & IN_HTML)) pop_open(p);
}
static void clear_to_row(Plain *p) {
    while (!p->why && !is_bottom(top_of(p)) && !is_open_html(top_of(p), TAG_tr)) pop_open(p);
}

/* As in the body, but what belongs into no table stands before it. */
static void foster_open(Plain *p, Tag *t) {
    if (t->name == TAG_image) return; /* so does Lexbor */
    p->is_fostering = 1;
    in_body_open(p, t);
    p->is_fostering = 0;
}
static void foster_close(Plain *p, const Tag *t) {
    p->is_fostering = 1;
    in_body_close(p, t);
    p->is_fostering = 0;
}

static int close_table(Plain *p) {
    int at = in_scope(p, TAG_table, OF_TABLE_SCOPE);
    if (!at) return 0;
    pop_to(p, at);
    reset_mode(p);
    return 1;
}

static int is_hidden(const Plain *p, const Tag *t) {
    for (uint32_t k = 0; k < t->n_attrs; k++) {
        const Attr *a = &p->attrs[t->first_attr + k];
        if (a->name != ATTR_type) continue;
        const char *value = bytes_of(p, a->from, a->is_made);
        return a->size == 6 && find_nocase(value, 0, 6, "hidden", 6) == 0;
    }
    return 0;
}

static int open_in_table(Plain *p, Tag *t) {
    switch (t->name) {
        case TAG_caption: clear_to_table(p); push_marker(p); insert_tag(p, t); p->mode = IN_CAPTION; return 0;
        case TAG_colgroup: clear_to_table(p); insert_tag(p, t); p->mode = IN_COLUMNS; return 0;
        case TAG_col: clear_to_table(p); insert_bare(p, TAG_colgroup); p->mode = IN_COLUMNS; return 1;
        case TAG_tbody: case TAG_tfoot: case TAG_thead: clear_to_table(p); insert_tag(p, t); p->mode = IN_TABLE_BODY; return 0;
        case TAG_td: case TAG_th: case TAG_tr: clear_to_table(p); insert_bare(p, TAG_tbody); p->mode = IN_TABLE_BODY; return 1;
        case TAG_table: return close_table(p);
        case TAG_style: case TAG_script: case TAG_template: in_head_open(p, t); return 0;
        case TAG_input:
            if (is_hidden(p, t)) {
                insert_tag(p, t);
                pop_open(p);
            } else foster_open(p, t);
            return 0;
        case TAG_form:
            if (p->form || p->n_open_of[TAG_template]) return 0;
            p->form = insert_tag(p, t);
            pop_open(p);
            return 0;
        default: foster_open(p, t); return 0;
    }
}

static int is_of_table(int name) { /* of those that are closed in vain elsewhere */
    switch (name) {
        case TAG_body: case TAG_caption: case TAG_col: case TAG_colgroup: case TAG_html: case TAG_tbody: case TAG_td: case TAG_tfoot:
        case TAG_th: case TAG_thead: case TAG_tr: return 1;
        default: return 0;
    }
}

static int close_in_table(Plain *p, const Tag *t) {
    if (t->name == TAG_table) close_table(p);
    else if (t->name == TAG_template) close_template(p);
    else if (!is_of_table(t->name)) foster_close(p, t);
    return 0;
}

static int leave_body(Plain *p) {
    if (!in_scope_of(p, OF_TABLE_BODY, OF_TABLE_SCOPE)) return 0;
    clear_to_body(p);
    pop_open(p);
    p->mode = IN_TABLE;
    return 1;
}

static int leave_row(Plain *p) {
    if (!in_scope(p, TAG_tr, OF_TABLE_SCOPE)) return 0;
    clear_to_row(p);
    pop_open(p);
    p->mode = IN_TABLE_BODY;
    return 1;
}

static int leave_cell(Plain *p) {
    int at = in_scope_of(p, OF_CELL, OF_TABLE_SCOPE);
    if (!at) return 0;
    pop_to(p, at);
    clear_marks(p);
    p->mode = IN_ROW;
    return 1;
}

static int leave_caption(Plain *p) {
    int at = in_scope(p, TAG_caption, OF_TABLE_SCOPE);
    if (!at) return 0;
    pop_to(p, at);
    clear_marks(p);
    p->mode = IN_TABLE;
    return 1;
}

static int leave_columns(Plain *p) {
    if (!is_open_html(top_of(p), TAG_colgroup)) return 0;
    pop_open(p);
    p->mode = IN_TABLE;
    return 1;
}

static int is_part(int name) { return name == TAG_tbody || name == TAG_tfoot || name == TAG_thead; }
static int is_before_rows(int name) { return name == TAG_caption || name == TAG_col || name == TAG_colgroup || is_part(name); }

static int open_in_template(Plain *p, Tag *t) {
    int mode = IN_BODY;
    switch (t->name) {
        case TAG_caption: case TAG_colgroup: case TAG_tbody: case TAG_tfoot: case TAG_thead: mode = IN_TABLE; break;
        case TAG_col: mode = IN_COLUMNS; break;
        case TAG_tr: mode = IN_TABLE_BODY; break;
        case TAG_td: case TAG_th: mode = IN_ROW; break;
        default:
            if (KIND_OF_NAME(t->name).open == OPEN_HEAD) {
                in_head_open(p, t);
                return 0;
            }
    }
    if (!p->n_templates) { give_up(p, "templates"); return 0; }
    p->templates[p->n_templates - 1] = (uint8_t)mode;
    p->mode = mode;
    return 1;
}

int in_table_mode_open(Plain *p, Tag *t) {
    const int name = t->name;
    switch (p->mode) {
        case IN_TABLE: return open_in_table(p, t);
        case IN_CAPTION:
            if (is_before_rows(name) || name == TAG_td || name == TAG_th || name == TAG_tr) return leave_caption(p);
            break;
        case IN_COLUMNS:
            if (name == TAG_col) { insert_tag(p, t); pop_open(p); return 0; }
            if (name == TAG_html) break;
            if (name == TAG_template) { in_head_open(p, t); return 0; }
            return leave_columns(p);
        case IN_TABLE_BODY:
            if (name == TAG_tr) { clear_to_body(p); insert_tag(p, t); p->mode = IN_ROW; return 0; }
            if (name == TAG_td || name == TAG_th) { clear_to_body(p); insert_bare(p, TAG_tr); p->mode = IN_ROW; return 1; }
            return is_before_rows(name) ? leave_body(p) : open_in_table(p, t);
        case IN_ROW:
            if (name == TAG_td || name == TAG_th) { clear_to_row(p); insert_tag(p, t); p->mode = IN_CELL; push_marker(p); return 0; }
            return is_before_rows(name) || name == TAG_tr ? leave_row(p) : open_in_table(p, t);
        case IN_CELL:
            if (is_before_rows(name) || name == TAG_td || name == TAG_th || name == TAG_tr) return leave_cell(p);
            break;
        case IN_TEMPLATE: return open_in_template(p, t);
        default: break;
    }
    in_body_open(p, t);
    return 0;
}

int in_table_mode_close(Plain *p, const Tag *t) {
    const int name = t->name;
    int at;
    switch (p->mode) {
        case IN_TABLE: return close_in_table(p, t);
        case IN_CAPTION:
            if (name == TAG_caption) { leave_caption(p); return 0; }
            if (name == TAG_table) return leave_caption(p);
            if (is_of_table(name)) return 0;
            break;
        case IN_COLUMNS:
            if (name == TAG_colgroup) { leave_columns(p); return 0; }
            if (name == TAG_col) return 0;
            if (name == TAG_template) { close_template(p); return 0; }
            return leave_columns(p);
        case IN_TABLE_BODY:
            if (is_part(name)) {
                if (in_scope(p, name, OF_TABLE_SCOPE)) { clear_to_body(p); pop_open(p); p->mode = IN_TABLE; }
                return 0;
            }
            if (name == TAG_table) return leave_body(p);
            return is_of_table(name) ? 0 : close_in_table(p, t);
        case IN_ROW:
            if (name == TAG_tr) { leave_row(p); return 0; }
            if (name == TAG_table) return leave_row(p);
            if (is_part(name)) return in_scope(p, name, OF_TABLE_SCOPE) ? leave_row(p) : 0;
            return is_of_table(name) ? 0 : close_in_table(p, t);
        case IN_CELL:
            if (name == TAG_td || name == TAG_th) {
                if (!(at = in_scope(p, name, OF_TABLE_SCOPE))) return 0;
                pop_to(p, at);
                clear_marks(p);
                p->mode = IN_ROW;
                return 0;
            }
            if (name == TAG_table || name == TAG_tr || is_part(name)) return in_scope(p, name, OF_TABLE_SCOPE) ? leave_cell(p) : 0;
            if (is_of_table(name)) return 0;
            break;
        case IN_TEMPLATE:
            if (name == TAG_template) close_template(p);
            return 0;
        default: break;
    }
    in_body_close(p, t);
    return 0;
}
