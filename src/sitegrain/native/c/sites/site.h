/* What was learned of a site, as hash tables; a text or word is known by a 64-bit hash that is keyed anew in each process. */
#ifndef SITEGRAIN_SITE_H
#define SITEGRAIN_SITE_H
#include "native.h"
#include <math.h>
#include <string.h>

enum { REMEMBERED = 8192, REMEMBERED_CHARS = 2 * TEXT_KEY_CHARS }; /* texts; longer ones are prose, and do not come again */
enum { SPACE = 1, DECIMAL = 2, LETTER = 4 };
#define STAT_PLACE(name, type) STAT_##name,
enum { PATHS(STAT_PLACE) N_STATS }; /* a row of PATHS; its key stands first and is not kept */

typedef struct {
    uint64_t key; /* 0: empty; a key that is 0 counts as 1 */
    union {
        double value; /* of tables with one number per key: no second place in memory to fetch */
        size_t row;   /* of others */
    };
} Slot;

/* Rows of `width` numbers by key; at most half of the slots are used. */
typedef struct {
    Slot *slot;
    double *value; /* only where a key has several */
    size_t mask, n, width;
} Known;

typedef struct {
    double same, masked, rare, common;
    uint64_t first, last;
} Facts;

/* What was looked up for a text: menus and footers come again on every page. */
typedef struct {
    uint64_t hash; /* 0: nothing yet */
    Facts facts;
} Remembered;

typedef struct {
    PyObject *known; /* what the table was made of */
    double n_pages, few, most; /* a word on so few pages is rare, on so many it is common */
    uint64_t salt;
    Remembered *remembered; /* each place holds the last text that fell on it */
    Known names, texts, masked, words, paths[2], rows, edges[2];
    uint32_t lower[256];
    uint8_t bits[256];
} SiteTable;

const SiteTable *site_of(PyObject *capsule);

/* The slot of a key, or the empty one where it would stand. */
static inline Slot *slot_of(const Known *k, uint64_t salt, uint64_t key) {
    uint64_t h = (key ^ salt) * 0x9FB21C651E98DF25ull;
    size_t i = (size_t)(h ^ h >> 32) & k->mask;
    while (k->slot[i].key && k->slot[i].key != key) i = (i + 1) & k->mask;
    return k->slot + i;
}

/* The numbers at a key; NULL where there are none. */
static inline const double *known_get(const Known *k, uint64_t salt, uint64_t key) {
    const Slot *slot = slot_of(k, salt, key ? key : 1);
    return !slot->key ? NULL : k->width == 1 ? &slot->value : k->value + slot->row * k->width;
}

/* The same for keys that come several times in a row, as those of siblings do. */
typedef struct {
    uint64_t key;
    const double *found;
    int is_set;
} Last;

static inline const double *known_again(const Known *k, uint64_t salt, uint64_t key, Last *last) {
    if (!last->is_set || last->key != key) *last = (Last){key, known_get(k, salt, key), 1};
    return last->found;
}

static inline uint64_t hash_step(uint64_t h, Py_UCS4 c) {
    h = (h ^ c) * 0xFF51AFD7ED558CCDull;
    return h ^ h >> 32;
}

/* What regular expressions call a space, \d, a letter. */
static inline uint8_t bits_of(Py_UCS4 c) {
    if (is_known_letter(c)) return LETTER;
    int decimal = Py_UNICODE_ISDECIMAL(c);
    return (uint8_t)((Py_UNICODE_ISSPACE(c) ? SPACE : 0) | (decimal ? DECIMAL : 0) |
                     (Py_UNICODE_ISALNUM(c) && !decimal ? LETTER : 0));
}

/* A script without spaces: each character is a word. */
static inline int is_sign_alone(Py_UCS4 c) {
    return c >= 0xE00 && (c <= 0xEFF || (c >= 0x3040 && c <= 0x30FF) || (c >= 0x3400 && c <= 0x9FFF));
}

/* The key of a text: white space folded, long ones by their start and length. `key` has room for TEXT_KEY_CHARS + 24; returns its length.
 * `bits` are those of the first 256 characters. */
Py_ssize_t fold_text(const uint8_t *bits, int kind, const void *data, Py_ssize_t start, Py_ssize_t end, Py_UCS4 *key);
/* Keys of the first word of such a text and of the last, where lower case is one character for one. */
void edge_words(const uint32_t *lower, const uint8_t *bits, const Py_UCS4 *key, Py_ssize_t n, uint64_t *first, uint64_t *last);

/* A hash of a piece of a text as it stands in memory, which is other for other widths of characters. */
uint64_t piece_hash(uint64_t salt, int kind, const void *data, Py_ssize_t start, Py_ssize_t end);
/* What the site knows of a text, from memory where it is: `hash` is the `piece_hash`, or 0 for a text that is not to be remembered.
 * -1: an exception. */
int facts_get(const SiteTable *t, PyObject *text, Py_ssize_t start, Py_ssize_t end, uint64_t hash, Facts *out);

#endif
