/* What a site knows of a text. */
#include "site.h"

static int is_surrogate(Py_UCS4 c) { return c >= 0xD800 && c < 0xE000; }

static uint32_t word_crc(const uint32_t *lower, const uint8_t *bits, const Py_UCS4 *key, Py_ssize_t from, Py_ssize_t to) {
    uint32_t crc = 0xFFFFFFFFu;
    int in_number = 0;
    for (Py_ssize_t i = from; i < to; i++) {
        Py_UCS4 c = key[i] < 256 ? lower[key[i]] : lower_char(key[i]);
        int is_decimal = (c < 256 ? bits[c] : bits_of(c)) & DECIMAL;
        if (!is_decimal) crc = crc_char(crc, c);
        else if (!in_number) crc = crc_byte(crc, '0');
        in_number = is_decimal;
    }
    return crc ^ 0xFFFFFFFFu;
}

void edge_words(const uint32_t *lower, const uint8_t *bits, const Py_UCS4 *key, Py_ssize_t n, uint64_t *first, uint64_t *last) {
    Py_ssize_t to = 0, from = n, least = n > TAIL_CHARS ? n - TAIL_CHARS : 0;
    while (to < n && to < TEXT_KEY_CHARS && key[to] != ' ') to++;
    while (from > least && key[from - 1] != ' ') from--;
    *first = n ? word_crc(lower, bits, key, 0, to) : 0;
    *last = n ? (uint64_t)word_crc(lower, bits, key, from, n) + 1 : 0;
}

Py_ssize_t fold_text(const uint8_t *bits, int kind, const void *data, Py_ssize_t start, Py_ssize_t end, Py_UCS4 *key) {
    Py_ssize_t n = 0;
    int gap = 0;
    for (Py_ssize_t i = start; i < end; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (c < 256 ? bits[c] & SPACE : is_white(c)) {
            gap = n > 0;
            continue;
        }
        if (gap) {
            if (n < TEXT_KEY_CHARS) key[n] = ' ';
            n++;
            gap = 0;
        }
        if (n < TEXT_KEY_CHARS) key[n] = c;
        n++;
    }
    if (n > TEXT_KEY_CHARS) { /* the rest is told by the length */
        char digits[24];
        int n_digits = 0;
        for (Py_ssize_t rest = n; rest; rest /= 10) digits[n_digits++] = (char)('0' + rest % 10);
        n = TEXT_KEY_CHARS;
        key[n++] = 0x2026;
        while (n_digits) key[n++] = (Py_UCS4)digits[--n_digits];
    }
    return n;
}

/* What the site knows of a text; -1 where lower case is not one character for one, or depends on its neighbours: then
 * Python must do it. */
static int facts_of(const SiteTable *t, int kind, const void *data, Py_ssize_t start, Py_ssize_t end, Facts *out) {
    Py_UCS4 key[TEXT_KEY_CHARS + 24];
    Py_ssize_t n = fold_text(t->bits, kind, data, start, end, key);
    uint64_t text = t->salt, masked = t->salt, word = 0;
    int in_word = 0, in_number = 0;
    long n_words = 0, n_rare = 0, n_common = 0;
    for (Py_ssize_t i = 0; i <= n; i++) { /* one step past the end closes the last word */
        Py_UCS4 c = i < n ? key[i] : ' ', low = c < 256 ? t->lower[c] : lower_char(c);
        if (c == 0x130 || c == 0x3A3 || is_surrogate(c)) return -1;
        int bits = low < 256 ? t->bits[low] : bits_of(low);
        if (i < n) {
            text = hash_step(text, c);
            if (!(bits & DECIMAL)) masked = hash_step(masked, c);
            else if (!in_number) masked = hash_step(masked, '0');
            in_number = bits & DECIMAL;
        }
        if (in_word && bits & LETTER) {
            word = hash_step(word, low);
            continue;
        }
        int is_alone = is_sign_alone(low);
        uint64_t done[2];
        int n_done = 0;
        if (in_word) done[n_done++] = word;
        if (is_alone) done[n_done++] = hash_step(t->salt, low);
        in_word = !is_alone && bits & LETTER;
        if (in_word) word = hash_step(t->salt, low);
        for (int k = 0; k < n_done; k++) {
            const double *found = known_get(&t->words, t->salt, done[k]);
            double pages = found ? *found : 1.0;
            n_words++;
            n_rare += pages <= t->few;
            n_common += pages >= t->most;
        }
    }
    const double *found = known_get(&t->texts, t->salt, text);
    out->same = found ? *found : 1.0;
    found = known_get(&t->masked, t->salt, masked);
    out->masked = found ? *found : 1.0;
    out->rare = n_words ? (double)n_rare / (double)n_words : NAN;
    out->common = n_words ? (double)n_common / (double)n_words : NAN;
    edge_words(t->lower, t->bits, key, n, &out->first, &out->last);
    return 0;
}

uint64_t piece_hash(uint64_t salt, int kind, const void *data, Py_ssize_t start, Py_ssize_t end) {
    const char *s = (const char *)data + start * kind;
    size_t n = (size_t)(end - start) * (size_t)kind;
    /* The width of characters is mixed in before the text is: added alone, "7" in one width fell on "4" in another. Halves
     * change places, and the factor is secret: else a difference in the highest bit could be taken back by the next eight. */
    uint64_t h = (salt + (uint64_t)kind) * 0x9FB21C651E98DF25ull, factor = salt | 1, w;
    h ^= h >> 32;
    for (; n >= 8; s += 8, n -= 8) {
        memcpy(&w, s, 8);
        h ^= w;
        h = (h << 32 | h >> 32) * factor;
        h ^= h >> 32;
    }
    w = 0;
    memcpy(&w, s, n);
    h = (h ^ w) * 0xC4CEB9FE1A85EC53ull;
    h = (h ^ h >> 29 ^ (uint64_t)(end - start)) * 0x9FB21C651E98DF25ull;
    return h ^ h >> 32;
}

/* What the site knows of a text, by the reference where C cannot tell. */
static int facts_slow(const SiteTable *t, PyObject *text, Py_ssize_t start, Py_ssize_t end, Facts *out) {
    PyObject *part = PyUnicode_Substring(text, start, end), *args = part ? PyTuple_Pack(2, t->known, part) : NULL;
    PyObject *found = args ? ask_reference("text_facts", args) : NULL;
    unsigned long long first, last;
    int is_fine = found && PyArg_ParseTuple(found, "ddddKK", &out->same, &out->masked, &out->rare, &out->common, &first, &last);
    if (is_fine) {
        out->first = first;
        out->last = last;
    }
    Py_XDECREF(part);
    Py_XDECREF(args);
    Py_XDECREF(found);
    return is_fine ? 0 : -1;
}

int facts_get(const SiteTable *t, PyObject *text, Py_ssize_t start, Py_ssize_t end, uint64_t hash, Facts *out) {
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Remembered *place = t->remembered + hash % REMEMBERED;
    if (hash && place->hash == hash) {
        *out = place->facts;
        return 0;
    }
    if (facts_of(t, kind, data, start, end, out) && facts_slow(t, text, start, end, out)) return -1;
    if (hash) *place = (Remembered){hash, *out};
    return 0;
}
