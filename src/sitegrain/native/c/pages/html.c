/* Names and their codes, places in a page. */
#include "html.h"

/* ---------------------------------------------------------------- names -> codes */

#define SLOTS 1024
typedef struct {
    uint64_t key;
    char name[24];
    uint8_t len;
    int16_t code;
} Slot;

typedef struct {
    Slot slots[SLOTS];
} Names;

static Names TAG_NAMES, ATTR_NAMES;

static uint64_t key_of(const char *s, size_t n) {
    uint64_t key = 0;
    for (size_t i = 0; i < n && i < 8; i++) key = key << 8 | (uint8_t)s[i];
    return key;
}

static uint32_t slot_of(uint64_t key, size_t n) { return (uint32_t)((key ^ n) * 0x9E3779B97F4A7C15ull >> 40) & (SLOTS - 1); }

static int names_get(const Names *t, uint64_t key, const char *s, size_t n) {
    if (n == 0 || n >= sizeof(t->slots[0].name)) return -1;
    for (uint32_t h = slot_of(key, n); t->slots[h].len; h = (h + 1) & (SLOTS - 1))
        if (t->slots[h].key == key && t->slots[h].len == n && (n <= 8 || !memcmp(t->slots[h].name, s, n))) return t->slots[h].code;
    return -1;
}

static void names_put(Names *t, const char *s, size_t n, int code) {
    if (n == 0 || n >= sizeof(t->slots[0].name)) return;
    uint32_t h = slot_of(key_of(s, n), n);
    while (t->slots[h].len) h = (h + 1) & (SLOTS - 1);
    memcpy(t->slots[h].name, s, n);
    t->slots[h].key = key_of(s, n);
    t->slots[h].len = (uint8_t)n;
    t->slots[h].code = (int16_t)code;
}

int tag_code(const char *s, size_t n) { return names_get(&TAG_NAMES, key_of(s, n), s, n); }
int attr_code(const char *s, size_t n) { return names_get(&ATTR_NAMES, key_of(s, n), s, n); }
int tag_code_by(uint64_t key, const char *s, size_t n) { return names_get(&TAG_NAMES, key, s, n); }
int attr_code_by(uint64_t key, const char *s, size_t n) { return names_get(&ATTR_NAMES, key, s, n); }

/* A name of columns.h, where '_' stands for '-'. */
static void put_declared(Names *t, const char *name, int code) {
    char written[sizeof t->slots[0].name];
    size_t n = strlen(name);
    for (size_t i = 0; i < n && i < sizeof written; i++) written[i] = name[i] == '_' ? '-' : name[i];
    names_put(t, written, n, code);
}

uint8_t BYTE_KIND[256];
uint8_t BYTE_LOWER[256];

void names_init(void) {
    static int is_done = 0;
    if (is_done) return;
    for (int c = 0; c < 256; c++) {
        BYTE_KIND[c] = (uint8_t)(is_space((unsigned char)c) ? BYTE_SPACE | BYTE_ENDS_NAME : c == '/' || c == '>' ? BYTE_ENDS_NAME : 0);
        if (BYTE_KIND[c] & BYTE_ENDS_NAME || c == '=') BYTE_KIND[c] |= BYTE_ENDS_ATTRIBUTE;
        BYTE_LOWER[c] = (uint8_t)lower((char)c);
    }
#define PUT_TAG(name) put_declared(&TAG_NAMES, #name, TAG_##name);
#define PUT_ATTR(name) put_declared(&ATTR_NAMES, #name, ATTR_##name);
    TAGS(PUT_TAG)
    ATTRIBUTES(PUT_ATTR)
    is_done = 1;
}

/* ---------------------------------------------------------------- places in a page */

size_t find_nocase(const char *s, size_t i, size_t n, const char *needle, size_t m) {
    while (i + m <= n) {
        if (is_alpha((unsigned char)needle[0])) {
            while (i + m <= n && lower(s[i]) != needle[0]) i++;
            if (i + m > n) return n;
        } else { /* nearly all: a closing tag */
            const char *p = memchr(s + i, needle[0], n - i - m + 1);
            if (!p) return n;
            i = (size_t)(p - s);
        }
        size_t k = 1;
        while (k < m && lower(s[i + k]) == needle[k]) k++;
        if (k == m) return i;
        i++;
    }
    return n;
}

size_t last_nocase(const char *s, size_t i, size_t n, const char *needle, size_t m) {
    size_t last = n;
    while ((i = find_nocase(s, i, n, needle, m)) < n) last = i++;
    return last;
}

size_t script_end(const char *s, size_t i, size_t n) {
    int escaped = 0, twice = 0;
    size_t next_tag = i; /* the next '<', looked for once: dashes before it are passed one by one */
    while (i < n) {
        const char *p = s + i;
        char c = *p;
        if (c == '<') {
            if (!escaped && n - i >= 4 && !memcmp(p, "<!--", 4)) {
                escaped = 1;
                i += 4;
                /* "<!-->" and "<!--->" end at once */
                if (i < n && s[i] == '>') escaped = 0;
                else if (i + 1 < n && s[i] == '-' && s[i + 1] == '>') escaped = 0;
                continue;
            }
            if (n - i >= 8 && s[i + 1] == '/' && find_nocase(s, i, i + 8, "</script", 8) == i) {
                char d = i + 8 < n ? s[i + 8] : '>';
                if (is_space((unsigned char)d) || d == '/' || d == '>') {
                    if (!twice) return i;
                    twice = 0;
                }
            } else if (escaped && n - i >= 7 && find_nocase(s, i, i + 7, "<script", 7) == i) {
                char d = i + 7 < n ? s[i + 7] : '>';
                if (is_space((unsigned char)d) || d == '/' || d == '>') twice = 1;
            }
            i++;
        } else if (c == '-' && escaped && n - i >= 3 && s[i + 1] == '-' && s[i + 2] == '>') {
            escaped = twice = 0;
            i += 3;
        } else {
            /* jump to the next byte that can matter */
            if (next_tag <= i) {
                const char *a = memchr(p, '<', n - i);
                next_tag = a ? (size_t)(a - s) : n;
            }
            size_t next = next_tag;
            if (escaped) {
                const char *b = memchr(p + 1, '-', n - i - 1);
                if (b && (size_t)(b - s) < next) next = (size_t)(b - s);
            }
            i = next > i ? next : i + 1;
        }
    }
    return n;
}

int is_implied(int code, int bits, int is_suspect) {
    if (code == TAG_rt || code == TAG_rp || code == TAG_optgroup) return 1;
    if (!(bits & (IS_VOID | IS_UNCOUNTED)) || !is_suspect) return 0;
    switch (code) {
        case TAG_p: case TAG_li: case TAG_dd: case TAG_dt: case TAG_br: case TAG_embed: case TAG_hr: case TAG_img:
        case TAG_meta: case TAG_head: case TAG_body: return 0;
        default: return 1;
    }
}
