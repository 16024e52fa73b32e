/* What tags are like: one table. */
#include "plain.h"

NameKind NAME_KIND[N_NAMES];

/* The names of columns.h and more: small, so that they stay in the nearest cache. */
NameSlot TAG_SLOT[TAG_SLOTS], ATTRIBUTE_SLOT[ATTRIBUTE_SLOTS];
enum { LONGEST = 24 };

#define WRITTEN(name, written) written,
static const char *const AS_WRITTEN[] = {MORE_NAMES(WRITTEN)};

const char *const TAG_TEXTS[N_NAMES] = {
#define TAG_TEXT_OF(name) [TAG_##name] = #name,
#define MORE_TEXT_OF(name, written) [TAG_##name] = #name,
    TAGS(TAG_TEXT_OF) MORE_NAMES(MORE_TEXT_OF)};
const char *const ATTRIBUTE_TEXTS[N_ATTRIBUTES] = {
#define ATTRIBUTE_TEXT_OF(name) [ATTR_##name] = #name,
    ATTRIBUTES(ATTRIBUTE_TEXT_OF)};

/* Names longer than their key are compared; in a declared name '_' stands for '-'. */
int is_name(const char *s, size_t n, const char *declared) {
    for (size_t k = 8; k < n; k++)
        if (BYTE_LOWER[(uint8_t)s[k]] != (declared[k] == '_' ? '-' : declared[k])) return 0;
    return 1;
}

static void put_name(NameSlot *slots, uint32_t n_slots, const char *declared, int code) {
    char name[LONGEST];
    size_t n = strlen(declared);
    if (n >= sizeof name) return; /* none is */
    for (size_t k = 0; k < n; k++) name[k] = declared[k] == '_' ? '-' : declared[k];
    uint64_t key = key_in(name, name + n, n);
    uint32_t h = slot_of_name(key, n) & (n_slots - 1);
    while (slots[h].size) h = (h + 1) & (n_slots - 1);
    slots[h] = (NameSlot){key, (uint16_t)n, (int16_t)code};
}

const char *name_written(int name, int is_svg) {
    if (name == TAG_annotation_xml || is_svg) return AS_WRITTEN[name - N_TAGS];
    return TAG_TEXTS[name];
}

/* Words of a list, each as a name: its code, or -1 at the end. */
static int next_name(const char **at) {
    while (**at == ' ') ++*at;
    const char *from = *at;
    while (**at && **at != ' ') ++*at;
    size_t n = (size_t)(*at - from);
    if (!n) return -1;
    return tag_name(key_in(from, from + n, n), from, n);
}

static void mark(const char *names, int bits) {
    for (int code; (code = next_name(&names)) >= 0;) NAME_KIND[code].bits |= (uint16_t)bits;
}
static void opens(int how, const char *names) {
    for (int code; (code = next_name(&names)) >= 0;) NAME_KIND[code].open = (uint8_t)how;
}
static void closes(int how, const char *names) {
    for (int code; (code = next_name(&names)) >= 0;) NAME_KIND[code].close = (uint8_t)how;
}

#define BLOCK_NAMES \
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup main menu nav ol " \
    "search section summary ul"
#define MARK_NAMES "b big code em font i s small strike strong tt u"

void plain_init(void) {
    static int is_done = 0;
    if (is_done) return;
    names_init();
    for (int code = TAG_UNKNOWN + 1; code < N_NAMES; code++) put_name(TAG_SLOT, TAG_SLOTS, TAG_TEXTS[code], code);
    for (int code = ATTR_TAG_NAME + 1; code < N_ATTRIBUTES; code++) put_name(ATTRIBUTE_SLOT, ATTRIBUTE_SLOTS, ATTRIBUTE_TEXTS[code], code);
    mark("address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd details dir div dl dt "
         "embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li "
         "link listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre script search section select source style "
         "summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp", OF_SPECIAL);
    mark("applet caption html table td th marquee object select template", OF_SCOPE);
    mark("ol ul", OF_LIST_SCOPE);
    mark("button", OF_BUTTON_SCOPE);
    mark("html table template", OF_TABLE_SCOPE);
    mark("dd dt li optgroup option p rb rp rt rtc", OF_IMPLIED);
    mark("h1 h2 h3 h4 h5 h6", OF_HEADING);
    mark("table tbody tfoot thead tr", OF_TABLE);
    mark("tbody tfoot thead", OF_TABLE_BODY);
    mark("td th", OF_CELL);
    mark("b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s "
         "small span strong strike sub sup table tt u ul var", LEAVES_SVG);
    opens(OPEN_BLOCK, BLOCK_NAMES " p");
    opens(OPEN_HEADING, "h1 h2 h3 h4 h5 h6");
    opens(OPEN_PRE, "pre listing");
    opens(OPEN_FORM, "form");
    opens(OPEN_LI, "li");
    opens(OPEN_DD, "dd dt");
    opens(OPEN_BUTTON, "button");
    opens(OPEN_A, "a");
    opens(OPEN_MARK, MARK_NAMES);
    opens(OPEN_NOBR, "nobr");
    opens(OPEN_OBJECT, "applet marquee object");
    opens(OPEN_TABLE, "table");
    opens(OPEN_VOID, "area br embed img keygen wbr");
    opens(OPEN_INPUT, "input");
    opens(OPEN_PARAM, "param source track");
    opens(OPEN_HR, "hr");
    opens(OPEN_IMAGE, "image");
    opens(OPEN_TEXTAREA, "textarea");
    opens(OPEN_XMP, "xmp");
    opens(OPEN_IFRAME, "iframe noembed");
    opens(OPEN_SELECT, "select");
    opens(OPEN_OPTION, "option");
    opens(OPEN_OPTGROUP, "optgroup");
    opens(OPEN_RB, "rb rtc");
    opens(OPEN_RT, "rp rt");
    opens(OPEN_MATH, "math");
    opens(OPEN_SVG, "svg");
    opens(OPEN_CELL, "caption col colgroup frame head tbody td tfoot th thead tr");
    opens(OPEN_HEAD, "base basefont bgsound link meta noframes script style template title");
    opens(OPEN_HTML, "html");
    opens(OPEN_BODY, "body");
    opens(OPEN_NOTHING, "frameset plaintext selectedcontent");
    closes(CLOSE_BLOCK, BLOCK_NAMES " button listing pre select");
    closes(CLOSE_FORM, "form");
    closes(CLOSE_P, "p");
    closes(CLOSE_LI, "li");
    closes(CLOSE_DD, "dd dt");
    closes(CLOSE_HEADING, "h1 h2 h3 h4 h5 h6");
    closes(CLOSE_MARK, MARK_NAMES " a nobr");
    closes(CLOSE_OBJECT, "applet marquee object");
    closes(CLOSE_BR, "br");
    closes(CLOSE_HTML, "body html");
    closes(CLOSE_TEMPLATE, "template");
    is_done = 1;
}
