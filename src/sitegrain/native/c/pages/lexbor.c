/* Reading Lexbor's tree where it stands, into columns.
 *
 * selectolax brings Lexbor compiled but not its headers, so the few structures that are read are declared here, as Lexbor 3.1 has
 * them. Nothing in them says which version they are of: `tables/parsing/parse.py` asks for this reader only where the versions are the
 * ones that it was written for and a page with all that it reads gave the same both ways. */
#include "pagerows.h"

typedef struct {
    const char *data;
    size_t length;
} LexborString;

typedef struct LexborNode {
    void *events;
    uintptr_t local_name; /* the number of a name, or the address of a LexborName */
    uintptr_t prefix, ns;
    void *document;
    const struct LexborNode *next, *prev, *parent, *first_child, *last_child;
    void *user;
    int type;
} LexborNode;
enum { LEXBOR_ELEMENT = 1, LEXBOR_TEXT = 3, LEXBOR_CDATA = 4 };
enum { LEXBOR_NO_NAMESPACE = 0, LEXBOR_HTML = 2, LEXBOR_XLINK = 5, LEXBOR_XML = 6, LEXBOR_XMLNS = 7 };

typedef struct {
    LexborNode node;
    LexborString data;
} LexborText;

typedef struct LexborAttribute {
    LexborNode node;
    uintptr_t upper_name, qualified_name;
    const LexborString *value;
    void *owner;
    const struct LexborAttribute *next, *prev;
} LexborAttribute;

typedef struct {
    LexborNode node;
    uintptr_t upper_name, qualified_name; /* with its prefix and in its own case; 0: as the local name */
    void *is_value;
    const LexborAttribute *first_attribute;
} LexborElement;

/* A name that has no number. */
typedef struct {
    union {
        const char *of_more;
        char up_to_16[17];
    } name;
    size_t length;
} LexborName;

/* The names by their numbers. */
static const char *const TAG_NAMES[] = {
    "#undef", "#end-of-file", "#text", "#document", "!--", "!doctype", "?ProcessingInstruction", "a", "abbr", "acronym",
    "address", "altglyph", "altglyphdef", "altglyphitem", "animatecolor", "animatemotion", "animatetransform",
    "annotation-xml", "applet", "area", "article", "aside", "audio", "b", "base", "basefont", "bdi", "bdo", "bgsound",
    "big", "blink", "blockquote", "body", "br", "button", "canvas", "caption", "center", "cite", "clippath", "code", "col",
    "colgroup", "data", "datalist", "dd", "del", "desc", "details", "dfn", "dialog", "dir", "div", "dl", "dt", "em",
    "embed", "feblend", "fecolormatrix", "fecomponenttransfer", "fecomposite", "feconvolvematrix", "fediffuselighting",
    "fedisplacementmap", "fedistantlight", "fedropshadow", "feflood", "fefunca", "fefuncb", "fefuncg", "fefuncr",
    "fegaussianblur", "feimage", "femerge", "femergenode", "femorphology", "feoffset", "fepointlight", "fespecularlighting",
    "fespotlight", "fetile", "feturbulence", "fieldset", "figcaption", "figure", "font", "footer", "foreignobject", "form",
    "frame", "frameset", "glyphref", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "i",
    "iframe", "image", "img", "input", "ins", "isindex", "kbd", "keygen", "label", "legend", "li", "lineargradient", "link",
    "listing", "main", "malignmark", "map", "mark", "marquee", "math", "menu", "meta", "meter", "mfenced", "mglyph", "mi",
    "mn", "mo", "ms", "mtext", "multicol", "nav", "nextid", "nobr", "noembed", "noframes", "noscript", "object", "ol",
    "optgroup", "option", "output", "p", "param", "path", "picture", "plaintext", "pre", "progress", "q", "radialgradient",
    "rb", "rp", "rt", "rtc", "ruby", "s", "samp", "script", "search", "section", "select", "selectedcontent", "slot",
    "small", "source", "spacer", "span", "strike", "strong", "style", "sub", "summary", "sup", "svg", "table", "tbody",
    "td", "template", "textarea", "textpath", "tfoot", "th", "thead", "time", "title", "tr", "track", "tt", "u", "ul",
    "var", "video", "wbr", "xmp"};
static const char *const ATTRIBUTE_NAMES[] = {
    "#undef", "accept", "accept-charset", "active", "align", "alink", "alt", "axis", "bgcolor", "charset", "checked",
    "class", "clear", "codetype", "color", "compact", "content", "declare", "defer", "dir", "direction", "disabled",
    "enctype", "face", "focus", "for", "frame", "height", "hover", "href", "hreflang", "html", "http-equiv", "id", "is",
    "lang", "language", "link", "maxlength", "media", "method", "multiple", "nohref", "noresize", "noshade", "nowrap",
    "placeholder", "pool", "public", "readonly", "rel", "required", "rev", "rules", "scheme", "scope", "scrolling",
    "selected", "shape", "size", "slot", "src", "style", "system", "target", "text", "title", "type", "valign", "valuetype",
    "vlink", "width", "xmlns"};
enum { N_TAG_NAMES = sizeof TAG_NAMES / sizeof *TAG_NAMES, N_ATTRIBUTE_NAMES = sizeof ATTRIBUTE_NAMES / sizeof *ATTRIBUTE_NAMES };

static LexborString name_of(uintptr_t id, const char *const *names, size_t n_names) {
    if (id < n_names) return (LexborString){names[id], strlen(names[id])};
    const LexborName *entry = (const LexborName *)id;
    return (LexborString){entry->length <= 16 ? entry->name.up_to_16 : entry->name.of_more, entry->length};
}

/* The codes of the names that have numbers, found once: -1 for those that are not ours. */
static int16_t TAG_OF[N_TAG_NAMES], ATTRIBUTE_OF[N_ATTRIBUTE_NAMES];

static void numbers_init(void) {
    static int is_done = 0;
    if (is_done) return;
    for (int id = 0; id < N_TAG_NAMES; id++) TAG_OF[id] = (int16_t)tag_code(TAG_NAMES[id], strlen(TAG_NAMES[id]));
    for (int id = 0; id < N_ATTRIBUTE_NAMES; id++)
        ATTRIBUTE_OF[id] = (int16_t)attr_code(ATTRIBUTE_NAMES[id], strlen(ATTRIBUTE_NAMES[id]));
    is_done = 1;
}

/* The code of an attribute, -1 if it is not kept: those of XML, XLink and name spaces are not. */
static int attribute_code(const LexborAttribute *attribute) {
    uintptr_t ns = attribute->node.ns, id = attribute->node.local_name;
    if (ns == LEXBOR_XML || ns == LEXBOR_XMLNS || ns == LEXBOR_XLINK) return -1;
    if (ns != LEXBOR_NO_NAMESPACE && attribute->qualified_name) id = attribute->qualified_name;
    if (id < N_ATTRIBUTE_NAMES) return ATTRIBUTE_OF[id];
    LexborString name = name_of(id, ATTRIBUTE_NAMES, N_ATTRIBUTE_NAMES);
    return attr_code(name.data, name.length);
}

/* A row for an element and its attributes; its code, or -1. */
static int read_element(PageRows *page, const LexborElement *element) {
    uintptr_t id = element->qualified_name ? element->qualified_name : element->node.local_name;
    int code = id < N_TAG_NAMES ? TAG_OF[id] : -1;
    LexborString name = {"", 0};
    if (code < 0) {
        name = name_of(id, TAG_NAMES, N_TAG_NAMES);
        code = id < N_TAG_NAMES ? -1 : tag_code(name.data, name.length);
        if (code < 0) code = TAG_UNKNOWN;
    }
    if (put_element(page, code, name.data, name.length)) return -1;
    for (const LexborAttribute *a = element->first_attribute; a; a = a->next) {
        int attribute = attribute_code(a);
        if (attribute < 0) continue;
        int is_empty = !a->value || !a->value->data;
        if (put_attribute(page, code, attribute, is_empty ? "" : a->value->data, is_empty ? 0 : a->value->length, 0)) return -1;
    }
    return code;
}

/* What a script of JSON-LD holds. */
static int read_json_ld(PageRows *page, const LexborNode *script) {
    for (const LexborNode *child = script->first_child; child; child = child->next) {
        if (child->type != LEXBOR_TEXT && child->type != LEXBOR_CDATA) continue;
        const LexborString *text = &((const LexborText *)child)->data;
        if (text->length && put_json_ld(page, text->data, text->length)) return -1;
    }
    return 0;
}

/* All rows from a root on, without recursion. */
static int read_rows(PageRows *page, const LexborNode *root) {
    const LexborNode *node = root;
    while (node) {
        int is_open = 0;
        if (node->type == LEXBOR_ELEMENT) {
            int code = read_element(page, (const LexborElement *)node);
            if (code < 0) return -1;
            int has_no_text = page->tag_bits[code] & IS_NO_TEXT;
            if (page->is_json_ld && read_json_ld(page, node)) return -1;
            if (node->first_child && !has_no_text) {
                if (open_row(page)) return -1;
                is_open = 1;
            }
        } else if ((node->type == LEXBOR_TEXT || node->type == LEXBOR_CDATA) && page->open.len) {
            const LexborString *text = &((const LexborText *)node)->data;
            if (text->length && put_text(page, text->data, text->length, 0)) return -1;
        }
        if (is_open) {
            node = node->first_child;
            continue;
        }
        while (node != root && !node->next) {
            node = node->parent;
            close_row(page);
        }
        if (node == root) break;
        node = node->next;
    }
    return 0;
}

/* read_tree(root, tag_bits) -> what scan gives, of the tree below a node of selectolax. */
PyObject *native_read_tree(PyObject *self, PyObject *args) {
    PyObject *root;
    const char *tag_bits;
    Py_ssize_t n_bits;
    if (!PyArg_ParseTuple(args, "Oy#", &root, &tag_bits, &n_bits)) return NULL;
    PyObject *number = PyObject_GetAttrString(root, "mem_id");
    const LexborNode *node = number ? PyLong_AsVoidPtr(number) : NULL;
    Py_XDECREF(number);
    if (!node) return PyErr_Occurred() ? NULL : misfit("a node of a tree");
    PageRows page;
    if (page_rows_begin(&page, tag_bits, n_bits)) return page_rows_done(&page, 1);
    numbers_init();
    return page_rows_done(&page, read_rows(&page, node) != 0);
}
