/* The tree of a page while it is being built, as numbers into one array; the elements that are open, and the marks among them that are opened
 * again. */
#include "plain.h"

const char NO_MEMORY[] = "no memory";

/* ---------------------------------------------------------------- nodes */

static int32_t new_node(Plain *p, int kind) {
    if (p->n_nodes == p->nodes_cap) {
        int32_t cap = p->nodes_cap * 2;
        Node *nodes = cap < INT32_MAX / 2 ? PyMem_RawRealloc(p->nodes, (size_t)cap * sizeof *nodes) : NULL;
        if (!nodes) { give_up(p, NO_MEMORY); return p->n_nodes - 1; }
        p->nodes = nodes;
        p->nodes_cap = cap;
    }
    int32_t node = p->n_nodes++;
    p->nodes[node] = (Node){.kind = (uint8_t)kind};
    return node;
}

static void append(Plain *p, int32_t parent, int32_t node) {
    Node *own = &p->nodes[node], *above = &p->nodes[parent];
    own->parent = parent;
    own->prev = above->last;
    own->next = 0;
    if (above->last) p->nodes[above->last].next = node;
    else above->first = node;
    above->last = node;
}

static void insert_before(Plain *p, int32_t next, int32_t node) {
    Node *own = &p->nodes[node], *after = &p->nodes[next];
    own->parent = after->parent;
    own->prev = after->prev;
    own->next = next;
    if (after->prev) p->nodes[after->prev].next = node;
    else p->nodes[after->parent].first = node;
    after->prev = node;
}

static void take_out(Plain *p, int32_t node) {
    Node *own = &p->nodes[node], *above = &p->nodes[own->parent];
    if (own->prev) p->nodes[own->prev].next = own->next;
    else above->first = own->next;
    if (own->next) p->nodes[own->next].prev = own->prev;
    else above->last = own->prev;
    own->parent = own->prev = own->next = 0;
}

/* Where a node goes that belongs into the one at place `at`: its parent, or what it stands before. */
static int32_t place_in(const Plain *p, int at, int32_t *next) {
    const Open *target = &p->open[at];
    *next = 0;
    if (!p->is_fostering || !(target->bits & OF_TABLE) || !(target->bits & IN_HTML)) return target->node;
    for (int k = p->n_open - 1; k > 0; k--) { /* before the table */
        if (is_open_html(&p->open[k], TAG_template)) return p->open[k].node;
        if (!is_open_html(&p->open[k], TAG_table)) continue;
        if (!p->nodes[p->open[k].node].parent) return p->open[k - 1].node;
        *next = p->open[k].node;
        return p->nodes[*next].parent;
    }
    return p->open[1].node;
}

static void insert_node(Plain *p, int at, int32_t node) {
    int32_t next, parent = place_in(p, at, &next);
    if (next) insert_before(p, next, node);
    else append(p, parent, node);
}

int32_t insert_element(Plain *p, int name, int ns, uint32_t first_attr, uint32_t n_attrs) {
    int32_t node = new_node(p, AN_ELEMENT);
    Node *own = &p->nodes[node];
    own->name = (int16_t)name;
    own->ns = (uint8_t)ns & 3;
    own->from = first_attr;
    own->size = n_attrs;
    if (p->is_fostering) insert_node(p, p->n_open - 1, node);
    else append(p, top_of(p)->node, node);
    push_open(p, node);
    return node;
}

void insert_comment(Plain *p, int32_t parent) {
    int32_t node = new_node(p, A_COMMENT);
    if (parent) append(p, parent, node);
    else insert_node(p, p->n_open - 1, node);
}

/* Text that follows on text is one with it. */
static void add_text(Plain *p, int32_t node, uint32_t from, uint32_t size, int is_made) {
    Node *own = &p->nodes[node];
    Buf *made = &p->made;
    if (!(own->is_made && own->from + own->size == made->len) && !(own->is_made && is_made && own->from + own->size == from)) {
        if (buf_need(made, own->size)) { give_up(p, NO_MEMORY); return; }
        size_t at = made->len;
        memcpy(made->data + at, bytes_of(p, own->from, own->is_made), own->size);
        made->len += own->size;
        p->work += own->size;
        own->from = (uint32_t)at;
        own->is_made = 1;
    }
    if (!(is_made && own->from + own->size == from)) {
        if (buf_need(made, size)) { give_up(p, NO_MEMORY); return; }
        memcpy(made->data + made->len, bytes_of(p, from, is_made), size);
        made->len += size;
    }
    own->size += size;
}

void insert_text(Plain *p, uint32_t from, uint32_t size, int is_made, int is_blank) {
    int32_t next, parent = place_in(p, p->n_open - 1, &next);
    int32_t before = next ? p->nodes[next].prev : p->nodes[parent].last;
    if (before && p->nodes[before].kind == A_TEXT) {
        p->nodes[before].is_blank &= is_blank != 0;
        add_text(p, before, from, size, is_made);
        return;
    }
    int32_t node = new_node(p, A_TEXT);
    Node *own = &p->nodes[node];
    own->from = from;
    own->size = size;
    own->is_made = is_made != 0;
    own->is_blank = is_blank != 0;
    if (next) insert_before(p, next, node);
    else append(p, parent, node);
}

/* A second <html> or <body> adds its attributes to the first one. */
void merge_attributes(Plain *p, int32_t node, const Tag *t) {
    if (!t->n_attrs) return;
    Node *own = &p->nodes[node];
    uint32_t n = own->size + t->n_attrs, from = p->n_attrs;
    p->work += n;
    if (p->attrs_cap - p->n_attrs < n) {
        Attr *attrs = p->attrs_cap < UINT32_MAX / 4 ? PyMem_RawRealloc(p->attrs, ((size_t)p->attrs_cap * 2 + n) * sizeof *attrs) : NULL;
        if (!attrs) { give_up(p, NO_MEMORY); return; }
        p->attrs = attrs;
        p->attrs_cap = p->attrs_cap * 2 + n;
    }
    for (uint32_t k = 0; k < n; k++) {
        Attr attr = p->attrs[k < own->size ? own->from + k : t->first_attr + k - own->size];
        uint32_t seen = from;
        while (seen < p->n_attrs && p->attrs[seen].name != attr.name) seen++;
        if (seen == p->n_attrs) p->attrs[p->n_attrs++] = attr;
    }
    own->from = from;
    own->size = p->n_attrs - from;
}

/* ---------------------------------------------------------------- what is open */

static int foreign_bits(int name, int ns) {
    if (ns == SVG) return name == TAG_foreignobject || name == TAG_desc || name == TAG_title ? OF_SPECIAL | OF_SCOPE | TAKES_HTML : 0;
    switch (name) {
        case TAG_mi: case TAG_mo: case TAG_mn: case TAG_ms: case TAG_mtext: return OF_SPECIAL | OF_SCOPE | TAKES_HTML;
        case TAG_annotation_xml: return OF_SPECIAL | OF_SCOPE;
        default: return 0;
    }
}

void push_open(Plain *p, int32_t node) {
    if (p->n_open == MAX_OPEN) { give_up(p, "nested too deep"); return; }
    Node *own = &p->nodes[node];
    int name = own->name;
    own->is_open = 1;
    if (own->ns == HTML) {
        p->open[p->n_open++] = (Open){node, (int16_t)name, (uint16_t)(KIND_OF_NAME(name).bits | IN_HTML)};
        if (name < N_NAMES) p->n_open_of[name]++;
    } else p->open[p->n_open++] = (Open){node, (int16_t)name, (uint16_t)foreign_bits(name, own->ns)};
}

static void is_closed(Plain *p, const Open *o) {
    p->nodes[o->node].is_open = 0;
    if (o->bits & IN_HTML && o->name < N_NAMES) p->n_open_of[o->name]--;
}

void pop_open(Plain *p) {
    if (p->n_open <= 2) { give_up(p, "nothing is open"); return; }
    is_closed(p, top_of(p));
    p->n_open--;
}

void pop_to(Plain *p, int place) {
    while (p->n_open > place && !p->why) pop_open(p);
}

void pop_through(Plain *p, int name) {
    while (!p->why) {
        int is_last = is_open_html(top_of(p), name);
        pop_open(p);
        if (is_last) return;
    }
}

void remove_open(Plain *p, int32_t node) {
    for (int k = p->n_open - 1; k > 1; k--) {
        if (p->open[k].node != node) continue;
        is_closed(p, &p->open[k]);
        p->n_open--;
        memmove(&p->open[k], &p->open[k + 1], (size_t)(p->n_open - k) * sizeof(Open));
        return;
    }
}

int in_scope(const Plain *p, int name, int stops) {
    if (!p->n_open_of[name]) return 0;
    for (int k = p->n_open - 1; k > 0; k--) {
        if (is_open_html(&p->open[k], name)) return k;
        if (p->open[k].bits & stops) return 0;
    }
    return 0;
}

int in_scope_of(const Plain *p, int bits, int stops) {
    for (int k = p->n_open - 1; k > 0; k--) {
        if (p->open[k].bits & bits && p->open[k].bits & IN_HTML) return k;
        if (p->open[k].bits & stops) return 0;
    }
    return 0;
}

void close_implied(Plain *p, int but) {
    while (!p->why && top_of(p)->bits & OF_IMPLIED && top_of(p)->name != but) pop_open(p);
}

void close_p(Plain *p) {
    int at = in_scope(p, TAG_p, OF_SCOPE | OF_BUTTON_SCOPE);
    if (at) pop_to(p, at);
}

/* ---------------------------------------------------------------- marks */

static int is_same_element(const Plain *p, int32_t a, int32_t b) {
    const Node *one = &p->nodes[a], *other = &p->nodes[b];
    if (one->name != other->name || one->size != other->size) return 0;
    for (uint32_t k = 0; k < one->size; k++) {
        const Attr *x = &p->attrs[one->from + k], *y = &p->attrs[other->from + k];
        if (x->name != y->name || x->size != y->size) return 0;
        if (memcmp(bytes_of(p, x->from, x->is_made), bytes_of(p, y->from, y->is_made), x->size)) return 0;
    }
    return 1;
}

static void remove_mark_at(Plain *p, int at) {
    if (at >= p->n_marks) return;
    p->n_marks--;
    memmove(&p->marks[at], &p->marks[at + 1], (size_t)(p->n_marks - at) * sizeof *p->marks);
}

static void insert_mark(Plain *p, int at, int32_t node) {
    if (p->n_marks == MAX_OPEN_MARKS) { give_up(p, "too many marks"); return; }
    if (at > p->n_marks) at = p->n_marks;
    memmove(&p->marks[at + 1], &p->marks[at], (size_t)(p->n_marks - at) * sizeof *p->marks);
    p->marks[at] = node;
    p->n_marks++;
}

/* Of four that are the same, the first is no longer opened again. */
void push_mark(Plain *p, int32_t node) {
    int n_same = 0, first = 0;
    for (int k = p->n_marks - 1; k >= 0 && p->marks[k] != MARKER; k--)
        if (is_same_element(p, p->marks[k], node)) {
            n_same++;
            first = k;
        }
    if (n_same >= 3) remove_mark_at(p, first);
    insert_mark(p, p->n_marks, node);
}

void push_marker(Plain *p) { insert_mark(p, p->n_marks, MARKER); }

void clear_marks(Plain *p) {
    while (p->n_marks && p->marks[--p->n_marks] != MARKER) {}
}

static int mark_place(const Plain *p, int32_t node) {
    int k = p->n_marks - 1;
    while (k >= 0 && p->marks[k] != node) k--;
    return k;
}

void remove_mark(Plain *p, int32_t node) {
    int at = mark_place(p, node);
    if (at >= 0) remove_mark_at(p, at);
}

int find_mark(const Plain *p, int name) {
    for (int k = p->n_marks - 1; k >= 0 && p->marks[k] != MARKER; k--)
        if (p->nodes[p->marks[k]].name == name) return k;
    return -1;
}

void reopen_marks_slowly(Plain *p) {
    int k = p->n_marks - 1;
    while (k > 0 && p->marks[k - 1] != MARKER && !p->nodes[p->marks[k - 1]].is_open) k--;
    for (; k < p->n_marks && !p->why; k++) {
        Node like = p->nodes[p->marks[k]];
        p->marks[k] = insert_element(p, like.name, HTML, like.from, like.size);
    }
}

/* A copy of an element, which stands nowhere yet. */
static int32_t copy_of(Plain *p, int32_t node) {
    Node like = p->nodes[node];
    int32_t copy = new_node(p, AN_ELEMENT);
    Node *own = &p->nodes[copy];
    own->name = like.name;
    own->ns = HTML;
    own->from = like.from;
    own->size = like.size;
    return copy;
}

static void replace_open(Plain *p, int at, int32_t node) {
    p->nodes[p->open[at].node].is_open = 0;
    p->nodes[node].is_open = 1;
    p->open[at].node = node; /* of the same name */
}

/* One round of the adoption agency for a mark that is open at place `at`, with a block in it at `block_at`. The place of the
 * mark among those that are opened again is found as Lexbor finds it. */
static void adopt_block(Plain *p, int mark_at, int at, int block_at) {
    const int32_t mark = p->open[at].node, block = p->open[block_at].node;
    int bookmark = mark_at, k = block_at;
    int32_t last = block;
    for (int round = 1;; round++) {
        k--;
        int32_t node = p->open[k].node;
        if (node == mark) break;
        int place = mark_place(p, node);
        if (round > 3 && place >= 0) {
            remove_mark_at(p, place);
            place = -1;
        }
        if (place < 0) {
            remove_open(p, node);
            continue;
        }
        int32_t copy = copy_of(p, node);
        p->marks[place] = copy;
        replace_open(p, k, copy);
        if (last == block) bookmark = place + 1;
        if (p->nodes[last].parent) take_out(p, last);
        append(p, copy, last);
        last = copy;
    }
    if (p->nodes[last].parent) take_out(p, last);
    insert_node(p, at - 1, last);
    int32_t copy = copy_of(p, mark);
    Node *from = &p->nodes[block], *to = &p->nodes[copy];
    to->first = from->first;
    to->last = from->last;
    from->first = from->last = 0;
    for (int32_t child = to->first; child; child = p->nodes[child].next) {
        p->nodes[child].parent = copy;
        p->work += 32;
    }
    append(p, block, copy);
    remove_mark_at(p, mark_at);
    insert_mark(p, bookmark, copy);
    remove_open(p, mark);
    for (k = p->n_open - 1; k > 0 && p->open[k].node != block; k--) {}
    if (p->n_open == MAX_OPEN) { give_up(p, "nested too deep"); return; }
    memmove(&p->open[k + 2], &p->open[k + 1], (size_t)(p->n_open - k - 1) * sizeof(Open));
    p->n_open++;
    p->open[k + 1] = (Open){copy, p->nodes[copy].name, (uint16_t)(KIND_OF_NAME(p->nodes[copy].name).bits | IN_HTML)};
    p->nodes[copy].is_open = 1;
    p->n_open_of[p->nodes[copy].name]++;
}

int adopt(Plain *p, int name) {
    if (is_open_html(top_of(p), name) && mark_place(p, top_of(p)->node) < 0) {
        pop_open(p);
        return 0;
    }
    for (int round = 0; round < 8 && !p->why; round++) {
        int mark_at = find_mark(p, name);
        if (mark_at < 0) return 1;
        int32_t mark = p->marks[mark_at];
        if (!p->nodes[mark].is_open) {
            remove_mark_at(p, mark_at);
            return 0;
        }
        int at = p->n_open - 1;
        for (; at > 0 && p->open[at].node != mark; at--)
            if (p->open[at].bits & OF_SCOPE) return 0;
        if (at < 2) { give_up(p, "a mark is lost"); return 0; }
        int block_at = at;
        while (block_at < p->n_open && !(p->open[block_at].bits & OF_SPECIAL)) block_at++;
        if (block_at == p->n_open) {
            pop_to(p, at);
            remove_mark_at(p, mark_at);
            return 0;
        }
        adopt_block(p, mark_at, at, block_at);
    }
    return 0;
}
