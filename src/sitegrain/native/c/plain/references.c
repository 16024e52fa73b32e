/* Character references, in text and in values. */
#include "plain.h"
#include "references.h"

typedef struct {
    const char *name;
    uint8_t size, is_bare;
    uint16_t second;
    uint32_t code;
} Reference;
#define REFERENCE(name, code, second, is_bare) {#name, sizeof #name - 1, is_bare, second, code},
static const Reference TABLE[] = {REFERENCES(REFERENCE)};
enum { N_REFERENCES = sizeof TABLE / sizeof *TABLE, LONGEST_BARE = 6, LONGEST_NAME = 31 /* without the semicolon */ };

static const Reference *reference_of(const char *name, size_t n) {
    size_t low = 0, high = N_REFERENCES;
    while (low < high) {
        size_t middle = (low + high) / 2, m = TABLE[middle].size;
        int order = memcmp(name, TABLE[middle].name, n < m ? n : m);
        if (!order && n == m) return &TABLE[middle];
        if (order < 0 || (!order && n < m)) high = middle;
        else low = middle + 1;
    }
    return NULL;
}

static int put_code(Buf *out, uint32_t c) {
    char utf8[4];
    size_t n;
    if (c < 0x80) { utf8[0] = (char)c; n = 1; }
    else if (c < 0x800) { utf8[0] = (char)(0xC0 | c >> 6); n = 2; }
    else if (c < 0x10000) { utf8[0] = (char)(0xE0 | c >> 12); n = 3; }
    else { utf8[0] = (char)(0xF0 | c >> 18); n = 4; }
    for (size_t k = 1; k < n; k++) utf8[k] = (char)(0x80 | (c >> 6 * (n - 1 - k) & 0x3F));
    return buf_put(out, utf8, n);
}

/* What browsers take the numbers from 0x80 to 0x9F for; 0: for themselves. */
static const uint16_t OF_WINDOWS[32] = {0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178};

static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int is_word(char c) { return is_alpha((unsigned char)c) || is_digit(c); }
static int hex_digit(char c) { return is_digit(c) ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1; }

/* A number after "&#": how many bytes it takes with that, 0: it is none. */
static size_t read_number(const char *s, size_t n, uint32_t *code) {
    size_t i = 2;
    const int is_hex = i < n && (s[i] | 32) == 'x';
    if (is_hex) i++;
    const size_t from = i;
    uint32_t c = 0;
    for (; i < n && (is_hex ? hex_digit(s[i]) >= 0 : is_digit(s[i])); i++)
        if (c <= 0x10FFFF) c = is_hex ? c * 16 + (uint32_t)hex_digit(s[i]) : c * 10 + (uint32_t)(s[i] - '0');
    if (i == from) return 0;
    if (i < n && s[i] == ';') i++;
    if (c >= 0x80 && c < 0xA0 && OF_WINDOWS[c - 0x80]) c = OF_WINDOWS[c - 0x80];
    if (!c || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) c = 0xFFFD;
    *code = c;
    return i;
}

/* The reference that begins with the '&' at s: how many bytes it takes, 0: it is none. */
static size_t read_reference(const char *s, size_t n, int is_value, uint32_t *code, uint32_t *second) {
    *second = 0;
    if (n >= 3 && s[1] == '#') return read_number(s, n, code);
    size_t m = 1;
    while (m < n && m <= LONGEST_NAME && is_word(s[m])) m++;
    const size_t size = m - 1;
    if (size < 2) return 0;
    const Reference *found;
    if (m < n && s[m] == ';' && (found = reference_of(s + 1, size))) {
        *code = found->code;
        *second = found->second;
        return m + 1;
    }
    for (size_t k = size < LONGEST_BARE ? size : LONGEST_BARE; k >= 2; k--) {
        found = reference_of(s + 1, k);
        if (!found || !found->is_bare) continue;
        if (is_value && 1 + k < n && (s[1 + k] == '=' || is_word(s[1 + k]))) return 0;
        *code = found->code;
        return k + 1;
    }
    return 0;
}

int put_decoded(Buf *out, const char *s, size_t n, int how) {
    if (buf_need(out, n + 1)) return -1;
    size_t from = 0, at = 0;
    while ((at = find_special(s, at, n)) < n) {
        uint32_t code = '\n', second = 0;
        size_t taken = 0;
        if (s[at] == '\r') taken = n - at >= 2 && s[at + 1] == '\n' ? 2 : 1;
        else if (how != ONLY_LINES) taken = read_reference(s + at, n - at, how == AS_VALUE, &code, &second);
        if (!taken) { /* a sign like others */
            at++;
            continue;
        }
        if (buf_put(out, s + from, at - from) || put_code(out, code) || (second && put_code(out, second))) return -1;
        from = at += taken;
    }
    return buf_put(out, s + from, n - from);
}
