/* Things that are known by a 64-bit hash, each with a number; for how many is not known before. */
#ifndef SITEGRAIN_INTERNED_H
#define SITEGRAIN_INTERNED_H
#include "native.h"

/* Interned by hash; at most half of the places are used, and there is always room for more. */
typedef struct {
    uint64_t *key; /* 0: empty */
    int32_t *number;
    size_t mask, n;
} Interned;

static inline size_t place_of(uint64_t key) {
    key *= 0x9FB21C651E98DF25ull;
    return (size_t)(key ^ key >> 32);
}

static inline int interned_grow(Interned *t) {
    size_t places = t->key ? 2 * (t->mask + 1) : 1024;
    Interned more = {PyMem_RawCalloc(places, sizeof *more.key), PyMem_RawMalloc(places * sizeof *more.number), places - 1, t->n};
    if (!more.key || !more.number) {
        PyMem_RawFree(more.key);
        PyMem_RawFree(more.number);
        PyErr_NoMemory();
        return -1;
    }
    for (size_t k = 0; t->key && k <= t->mask; k++) {
        if (!t->key[k]) continue;
        size_t i = place_of(t->key[k]) & more.mask;
        while (more.key[i]) i = (i + 1) & more.mask;
        more.key[i] = t->key[k];
        more.number[i] = t->number[k];
    }
    PyMem_RawFree(t->key);
    PyMem_RawFree(t->number);
    *t = more;
    return 0;
}

/* The place of the number of a hash, -1 where it is new; NULL without memory. */
static inline int32_t *number_of(Interned *t, uint64_t key) {
    if (2 * t->n >= t->mask + (t->key != NULL) && interned_grow(t)) return NULL;
    if (!key) key = 1;
    size_t i = place_of(key) & t->mask;
    while (t->key[i] && t->key[i] != key) i = (i + 1) & t->mask;
    if (!t->key[i]) {
        t->key[i] = key;
        t->number[i] = -1;
        t->n++;
    }
    return t->number + i;
}

static inline void interned_free(Interned *t) {
    PyMem_RawFree(t->key);
    PyMem_RawFree(t->number);
}

/* Room for one more item in an array that grows. */
static inline int make_room(void *array, size_t has, size_t *room, size_t item, size_t more) {
    if (has + more <= *room) return 0;
    size_t wanted = 2 * (has + more) + 64;
    void *grown = PyMem_RawRealloc(*(void **)array, wanted * item);
    if (!grown) {
        PyErr_NoMemory();
        return -1;
    }
    *(void **)array = grown;
    *room = wanted;
    return 0;
}

#endif
