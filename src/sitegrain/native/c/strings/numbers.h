/* Numbers for keys, counted in the order of first use. */
#ifndef SITEGRAIN_NUMBERS_H
#define SITEGRAIN_NUMBERS_H
#include "native.h"
#include <string.h>

typedef struct {
    uint64_t *key;
    int32_t *id;
    size_t mask;
    int32_t n;
    uint64_t secret;
} Numbers;

static inline int numbers_init(Numbers *t, size_t n) {
    size_t cap = 16;
    while (cap < 2 * n) cap *= 2;
    t->key = PyMem_RawMalloc(cap * sizeof *t->key);
    t->id = PyMem_RawMalloc(cap * sizeof *t->id);
    if (!t->key || !t->id) return -1;
    memset(t->id, -1, cap * sizeof *t->id);
    t->mask = cap - 1;
    t->n = 0;
    t->secret = process_key();
    return 0;
}

static inline void numbers_free(Numbers *t) {
    PyMem_RawFree(t->key);
    PyMem_RawFree(t->id);
}

/* The number of a key. At most as many keys as `numbers_init` was told. */
static inline int32_t number_of(Numbers *t, uint64_t key) {
    uint64_t h = key ^ t->secret;
    h = (h ^ h >> 30) * 0xBF58476D1CE4E5B9ull;
    h = (h ^ h >> 27) * 0x94D049BB133111EBull;
    size_t at = (size_t)(h ^ h >> 31) & t->mask;
    while (t->id[at] >= 0) {
        if (t->key[at] == key) return t->id[at];
        at = (at + 1) & t->mask;
    }
    t->key[at] = key;
    return t->id[at] = t->n++;
}

/* The same for rows of a table: by place where the table is not much larger than what is asked for, as that of one page is. */
typedef struct {
    Numbers by_key;
    int32_t *by_row; /* number + 1, 0 for none; NULL: by key */
    int32_t n;
} RowNumbers;

static inline int row_numbers_init(RowNumbers *t, size_t n_rows, size_t n_asked) {
    memset(t, 0, sizeof *t);
    if (n_rows > 4 * n_asked + 1024) return numbers_init(&t->by_key, n_asked);
    return (t->by_row = PyMem_RawCalloc(n_rows + 1, sizeof *t->by_row)) ? 0 : -1;
}

static inline void row_numbers_free(RowNumbers *t) {
    numbers_free(&t->by_key);
    PyMem_RawFree(t->by_row);
}

/* The number of a row, which must be one of the table's; `*is_new` where it was not asked for before. */
static inline int32_t row_number(RowNumbers *t, int32_t row, int *is_new) {
    int32_t id = t->by_row ? t->by_row[row] - 1 : number_of(&t->by_key, (uint64_t)(uint32_t)row);
    *is_new = id < 0 || id == t->n;
    if (!*is_new) return id;
    if (t->by_row) t->by_row[row] = t->n + 1;
    return t->n++;
}

#endif
