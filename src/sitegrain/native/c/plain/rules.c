/* Where a tag goes: before the body, in it and after it, and within SVG and MathML. Tables are in tables.c. */
#include "plain.h"

static void open_void(Plain *p, const Tag *t) {
    insert_tag(p, t);
    pop_open(p);
}

/* ---------------------------------------------------------------- tags in the head */

void in_head_open(Plain *p, Tag *t) {
    switch (t->name) {
        case TAG_title: read_raw(p, t, RAW_REFERENCES); break;
        case TAG_noframes: case TAG_style: read_raw(p, t, RAW_TEXT); break;
        case TAG_script: read_raw(p, t, RAW_SCRIPT); break;
        case TAG_template:
            if (p->n_templates == MAX_TEMPLATES) { give_up(p, "templates"); break; }
            insert_tag(p, t);
            push_marker(p);
            p->mode = p->templates[p->n_templates++] = IN_TEMPLATE;
            break;
        default: open_void(p, t);
    }
}

void close_template(Plain *p) {
    if (!p->n_open_of[TAG_template]) return;
    pop_through(p, TAG_template);
    clear_marks(p);
    if (p->n_templates) p->n_templates--;
    reset_mode(p);
}

/* ---------------------------------------------------------------- tags in the body */

static void open_heading(Plain *p, const Tag *t) {
    close_p(p);
    if (top_of(p)->bits & OF_HEADING && top_of(p)->bits & IN_HTML) pop_open(p);
    insert_tag(p, t);
}

/* <li>, <dd> and <dt> close the last of their kind in this list. */
static void open_item(Plain *p, const Tag *t) {
    const int is_li = t->name == TAG_li;
    for (int k = p->n_open - 1; k > 0; k--) {
        const Open *o = &p->open[k];
        if (o->bits & IN_HTML && (is_li ? o->name == TAG_li : o->name == TAG_dd || o->name == TAG_dt)) {
            pop_to(p, k);
            break;
        }
        if (o->bits & OF_SPECIAL && !(is_open_html(o, TAG_address) || is_open_html(o, TAG_div) || is_open_html(o, TAG_p))) break;
    }
    close_p(p);
    insert_tag(p, t);
}

static void open_mark(Plain *p, const Tag *t) {
    reopen_marks(p);
    push_mark(p, insert_tag(p, t));
}

static void open_a(Plain *p, const Tag *t) {
    int at = find_mark(p, TAG_a);
    if (at >= 0) {
        int32_t open = p->marks[at];
        adopt(p, TAG_a);
        remove_mark(p, open);
        if (p->nodes[open].is_open) remove_open(p, open);
    }
    open_mark(p, t);
}

static void open_nobr(Plain *p, const Tag *t) {
    reopen_marks(p);
    if (in_scope(p, TAG_nobr, OF_SCOPE)) adopt(p, TAG_nobr);
    open_mark(p, t);
}

static void open_option(Plain *p, const Tag *t) {
    if (in_scope(p, TAG_select, OF_SCOPE)) close_implied(p, t->name == TAG_option ? TAG_optgroup : -1);
    else if (is_open_html(top_of(p), TAG_option)) pop_open(p);
    reopen_marks(p);
    insert_tag(p, t);
}

static void open_foreign(Plain *p, const Tag *t, int ns) {
    if (t->name == TAG_annotation_xml) { give_up(p, "annotation-xml"); return; }
    insert_element(p, t->name, ns, t->first_attr, t->n_attrs);
    if (t->has_slash) pop_open(p);
}

static void leave_select(Plain *p) {
    int at = in_scope(p, TAG_select, OF_SCOPE);
    if (at) pop_to(p, at);
}

void in_body_open(Plain *p, Tag *t) {
    switch (KIND_OF_NAME(t->name).open) {
        case OPEN_BLOCK: close_p(p); insert_tag(p, t); break;
        case OPEN_HEADING: open_heading(p, t); break;
        case OPEN_PRE: close_p(p); insert_tag(p, t); p->is_newline_skipped = 1; break;
        case OPEN_FORM:
            if (p->form && !p->n_open_of[TAG_template]) break;
            close_p(p);
            insert_tag(p, t);
            if (!p->n_open_of[TAG_template]) p->form = top_of(p)->node;
            break;
        case OPEN_LI: case OPEN_DD: open_item(p, t); break;
        case OPEN_BUTTON: {
            int at = in_scope(p, TAG_button, OF_SCOPE);
            if (at) pop_to(p, at);
            reopen_marks(p);
            insert_tag(p, t);
            break;
        }
        case OPEN_A: open_a(p, t); break;
        case OPEN_MARK: open_mark(p, t); break;
        case OPEN_NOBR: open_nobr(p, t); break;
        case OPEN_OBJECT: reopen_marks(p); insert_tag(p, t); push_marker(p); break;
        case OPEN_TABLE:
            if (p->quirks != QUIRKS && in_scope(p, TAG_p, OF_SCOPE | OF_BUTTON_SCOPE)) {
                if (p->quirks == QUIRKS_UNKNOWN) { give_up(p, "doctype"); break; }
                close_p(p);
            }
            insert_tag(p, t);
            p->mode = IN_TABLE;
            break;
        case OPEN_IMAGE: t->name = TAG_img; /* falls through */
        case OPEN_VOID: reopen_marks(p); open_void(p, t); break;
        case OPEN_INPUT: leave_select(p); reopen_marks(p); open_void(p, t); break;
        case OPEN_PARAM: open_void(p, t); break;
        case OPEN_HR:
            close_p(p);
            if (in_scope(p, TAG_select, OF_SCOPE)) close_implied(p, -1);
            open_void(p, t);
            break;
        case OPEN_TEXTAREA: read_raw(p, t, RAW_REFERENCES); break;
        case OPEN_XMP: close_p(p); reopen_marks(p); read_raw(p, t, RAW_TEXT); break;
        case OPEN_IFRAME: read_raw(p, t, RAW_TEXT); break;
        case OPEN_SELECT:
            if (in_scope(p, TAG_select, OF_SCOPE)) { leave_select(p); break; }
            reopen_marks(p);
            insert_tag(p, t);
            break;
        case OPEN_OPTION: case OPEN_OPTGROUP: open_option(p, t); break;
        case OPEN_RB: case OPEN_RT:
            if (in_scope(p, TAG_ruby, OF_SCOPE)) close_implied(p, KIND_OF_NAME(t->name).open == OPEN_RT ? TAG_rtc : -1);
            insert_tag(p, t);
            break;
        case OPEN_MATH: reopen_marks(p); open_foreign(p, t, MATH); break;
        case OPEN_SVG: reopen_marks(p); open_foreign(p, t, SVG); break;
        case OPEN_CELL: break;
        case OPEN_HEAD: in_head_open(p, t); break;
        case OPEN_HTML: if (!p->n_open_of[TAG_template]) merge_attributes(p, p->html, t); break;
        case OPEN_BODY:
            if (p->n_open > 2 && is_open_html(&p->open[2], TAG_body) && !p->n_open_of[TAG_template])
                merge_attributes(p, p->open[2].node, t);
            break;
        case OPEN_NOTHING: give_up(p, "a rare tag"); break;
        default: reopen_marks(p); insert_tag(p, t);
    }
}

static void close_form(Plain *p) {
    if (p->n_open_of[TAG_template]) {
        if (in_scope(p, TAG_form, OF_SCOPE)) {
            close_implied(p, -1);
            pop_through(p, TAG_form);
        }
        return;
    }
    int32_t form = p->form;
    p->form = 0;
    if (!form || !p->nodes[form].is_open) return;
    int k = p->n_open - 1;
    for (; k > 0 && p->open[k].node != form; k--)
        if (p->open[k].bits & OF_SCOPE) return;
    close_implied(p, -1);
    remove_open(p, form);
}

static void close_other(Plain *p, int name) {
    for (int k = p->n_open - 1; k > 0; k--) {
        if (is_open_html(&p->open[k], name)) {
            pop_to(p, k);
            return;
        }
        if (p->open[k].bits & OF_SPECIAL) return;
    }
}

void in_body_close(Plain *p, const Tag *t) {
    const int name = t->name;
    int at = 0;
    switch (KIND_OF_NAME(name).close) {
        case CLOSE_DD: case CLOSE_BLOCK: case CLOSE_OBJECT:
            if (!(at = in_scope(p, name, OF_SCOPE))) break;
            pop_to(p, at);
            if (KIND_OF_NAME(name).close == CLOSE_OBJECT) clear_marks(p);
            break;
        case CLOSE_FORM: close_form(p); break;
        case CLOSE_P:
            if (!in_scope(p, TAG_p, OF_SCOPE | OF_BUTTON_SCOPE)) insert_bare(p, TAG_p);
            close_p(p);
            break;
        case CLOSE_LI: if ((at = in_scope(p, TAG_li, OF_SCOPE | OF_LIST_SCOPE))) pop_to(p, at); break;
        case CLOSE_HEADING: if ((at = in_scope_of(p, OF_HEADING, OF_SCOPE))) pop_to(p, at); break;
        case CLOSE_MARK: if (adopt(p, name)) close_other(p, name); break;
        case CLOSE_BR: reopen_marks(p); insert_bare(p, TAG_br); pop_open(p); break;
        case CLOSE_HTML: if (in_scope(p, TAG_body, OF_SCOPE)) p->mode = AFTER_BODY; break;
        case CLOSE_TEMPLATE: close_template(p); break;
        default: close_other(p, name);
    }
}

/* ---------------------------------------------------------------- before the body */

static void make_html(Plain *p, const Tag *t) {
    p->html = t ? insert_tag(p, t) : insert_bare(p, TAG_html);
    p->mode = BEFORE_HEAD;
}
static void make_head(Plain *p, const Tag *t) {
    p->head = t ? insert_tag(p, t) : insert_bare(p, TAG_head);
    p->mode = IN_HEAD;
}
static void make_body(Plain *p, const Tag *t) {
    if (t) insert_tag(p, t);
    else insert_bare(p, TAG_body);
    p->mode = IN_BODY;
}

/* What any other tag or text does before the body: on to the next mode. */
static void step_on(Plain *p) {
    switch (p->mode) {
        case INITIAL: p->quirks = QUIRKS; p->mode = BEFORE_HTML; break;
        case BEFORE_HTML: make_html(p, NULL); break;
        case BEFORE_HEAD: make_head(p, NULL); break;
        case IN_HEAD: pop_open(p); p->mode = AFTER_HEAD; break;
        case IN_HEAD_NOSCRIPT: pop_open(p); p->mode = IN_HEAD; break;
        case AFTER_HEAD: make_body(p, NULL); break;
        default: p->mode = IN_BODY; /* after the body */
    }
}

static int is_closed_before_body(int name) { return name == TAG_head || name == TAG_body || name == TAG_html || name == TAG_br; }

/* A tag before the body; 1: to be looked at once more. */
static int open_before_body(Plain *p, Tag *t) {
    const int how = KIND_OF_NAME(t->name).open;
    if (how == OPEN_HTML && p->mode > BEFORE_HTML) {
        in_body_open(p, t);
        return 0;
    }
    switch (p->mode) {
        case BEFORE_HTML: if (how == OPEN_HTML) { make_html(p, t); return 0; } break;
        case BEFORE_HEAD: if (t->name == TAG_head) { make_head(p, t); return 0; } break;
        case IN_HEAD:
            if (t->name == TAG_noscript) { insert_tag(p, t); p->mode = IN_HEAD_NOSCRIPT; return 0; }
            if (t->name == TAG_head) return 0;
            if (how == OPEN_HEAD) { in_head_open(p, t); return 0; }
            break;
        case IN_HEAD_NOSCRIPT:
            if (t->name == TAG_head || t->name == TAG_noscript) return 0;
            if (how == OPEN_HEAD && t->name != TAG_base && t->name != TAG_script && t->name != TAG_template && t->name != TAG_title) {
                in_head_open(p, t);
                return 0;
            }
            break;
        case AFTER_HEAD:
            if (how == OPEN_BODY) { make_body(p, t); return 0; }
            if (t->name == TAG_head) return 0;
            if (t->name == TAG_frameset) { give_up(p, "frames"); return 0; }
            if (how == OPEN_HEAD) { /* it still belongs into the head */
                push_open(p, p->head);
                in_head_open(p, t);
                remove_open(p, p->head);
                return 0;
            }
            break;
        default: break;
    }
    step_on(p);
    return 1;
}

static int close_before_body(Plain *p, const Tag *t) {
    const int name = t->name;
    switch (p->mode) {
        case INITIAL: break;
        case BEFORE_HTML: case BEFORE_HEAD: if (!is_closed_before_body(name)) return 0; break;
        case IN_HEAD:
            if (name == TAG_head) { step_on(p); return 0; }
            /* falls through */
        case AFTER_HEAD:
            if (name == TAG_template) { close_template(p); return 0; }
            if (name == TAG_head || !is_closed_before_body(name)) return 0;
            break;
        default: /* IN_HEAD_NOSCRIPT */
            if (name == TAG_noscript) { step_on(p); return 0; }
            if (name != TAG_br) return 0;
    }
    step_on(p);
    return 1;
}

/* ---------------------------------------------------------------- SVG and MathML */

static int ns_of_top(Plain *p) { return p->nodes[top_of(p)->node].ns; }

static void leave_svg(Plain *p) {
    while (!p->why && !(top_of(p)->bits & (IN_HTML | TAKES_HTML))) pop_open(p);
}

static int has_font_attribute(const Plain *p, const Tag *t) {
    for (uint32_t k = 0; k < t->n_attrs; k++) {
        int name = p->attrs[t->first_attr + k].name;
        if (name == ATTR_color || name == ATTR_face || name == ATTR_size) return 1;
    }
    return 0;
}

/* A tag where the top is not of HTML; 1: it is one of HTML's after all. */
static int open_in_svg(Plain *p, const Tag *t) {
    const Open *top = top_of(p);
    if (top->bits & TAKES_HTML && !(ns_of_top(p) == MATH && (t->name == TAG_mglyph || t->name == TAG_malignmark))) return 1;
    if (KIND_OF_NAME(t->name).bits & LEAVES_SVG || (t->name == TAG_font && has_font_attribute(p, t))) {
        leave_svg(p);
        return 1;
    }
    open_foreign(p, t, ns_of_top(p));
    return 0;
}

static int close_in_svg(Plain *p, const Tag *t) {
    if (t->name == TAG_p || t->name == TAG_br) {
        leave_svg(p);
        return 1;
    }
    for (int k = p->n_open - 1; k > 1; k--) {
        if (p->open[k].bits & IN_HTML) return 1;
        if (p->open[k].name == t->name) {
            pop_to(p, k);
            return 0;
        }
    }
    return 1;
}

/* ---------------------------------------------------------------- all of it */

void open_tag(Plain *p, Tag *t) {
    p->is_newline_skipped = 0;
    int again = 1;
    if (!(top_of(p)->bits & IN_HTML)) again = open_in_svg(p, t);
    while (again && !p->why) {
        again = 0;
        if (p->mode == IN_BODY) in_body_open(p, t);
        else if (p->mode < IN_BODY) again = open_before_body(p, t);
        else if (p->mode < AFTER_BODY) again = in_table_mode_open(p, t);
        else if (t->name == TAG_html) in_body_open(p, t);
        else {
            p->mode = IN_BODY;
            again = 1;
        }
    }
}

void close_tag(Plain *p, const Tag *t) {
    p->is_newline_skipped = 0;
    int again = 1;
    if (!(top_of(p)->bits & IN_HTML)) again = close_in_svg(p, t);
    while (again && !p->why) {
        again = 0;
        if (p->mode == IN_BODY) {
            in_body_close(p, t);
            again = t->name == TAG_html && p->mode == AFTER_BODY;
        } else if (p->mode < IN_BODY) again = close_before_body(p, t);
        else if (p->mode < AFTER_BODY) again = in_table_mode_close(p, t);
        else if (t->name == TAG_html && p->mode == AFTER_BODY) p->mode = AFTER_AFTER_BODY;
        else {
            p->mode = IN_BODY;
            again = 1;
        }
    }
}

void put_comment(Plain *p) {
    p->is_newline_skipped = 0;
    if (!(top_of(p)->bits & (IN_HTML | TAKES_HTML))) { insert_comment(p, 0); return; }
    if (p->mode < BEFORE_HEAD || p->mode == AFTER_AFTER_BODY) return; /* beside <html>, no part of the tree below it */
    insert_comment(p, p->mode == AFTER_BODY ? p->html : 0);
}

void put_end(Plain *p) {
    while (p->n_open_of[TAG_template] && !p->why) close_template(p);
    while (p->mode < IN_BODY && !p->why) step_on(p);
}

static uint32_t spaces_at(const Plain *p, uint32_t from, uint32_t size, int is_made) {
    return (uint32_t)first_of_text(bytes_of(p, from, is_made), 0, size);
}

/* White space before the body stays where it is, or is nothing; gives how much of it that is. */
static uint32_t put_chars_before_body(Plain *p, uint32_t from, uint32_t size, int is_made) {
    uint32_t done = 0;
    while (p->mode < IN_BODY && !p->why) {
        uint32_t n = spaces_at(p, from + done, size - done, is_made);
        if (n && p->mode >= IN_HEAD) insert_text(p, from + done, n, is_made, 1);
        done += n;
        if (done == size) break;
        step_on(p);
    }
    return done;
}

void put_chars(Plain *p, uint32_t from, uint32_t size, int is_made, int is_blank) {
    if (p->is_newline_skipped) {
        p->is_newline_skipped = 0;
        if (size && *bytes_of(p, from, is_made) == '\n') { from++; size--; }
    }
    if (!size) return;
    if (!(top_of(p)->bits & (IN_HTML | TAKES_HTML))) {
        insert_text(p, from, size, is_made, is_blank);
        return;
    }
    if (p->mode < IN_BODY) {
        const uint32_t n = put_chars_before_body(p, from, size, is_made);
        from += n;
        size -= n;
        if (!size) return;
    }
    if (p->mode == IN_COLUMNS) {
        const uint32_t n = spaces_at(p, from, size, is_made);
        if (n) insert_text(p, from, n, is_made, 1);
        from += n;
        size -= n;
        if (!size || !is_open_html(top_of(p), TAG_colgroup)) return;
        pop_open(p);
        p->mode = IN_TABLE;
    }
    if (p->mode >= IN_TABLE && p->mode <= IN_ROW && p->mode != IN_CAPTION) {
        const int is_table = top_of(p)->bits & OF_TABLE && top_of(p)->bits & IN_HTML;
        if (is_table && (is_blank || spaces_at(p, from, size, is_made) == size)) {
            insert_text(p, from, size, is_made, 1);
            return;
        }
        p->is_fostering = 1;
        reopen_marks(p);
        insert_text(p, from, size, is_made, is_blank);
        p->is_fostering = 0;
        return;
    }
    if (p->mode >= AFTER_BODY && !is_blank && spaces_at(p, from, size, is_made) < size) p->mode = IN_BODY;
    reopen_marks(p);
    insert_text(p, from, size, is_made, is_blank);
}
