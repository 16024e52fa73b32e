/* Hashes of strings: BLAKE2b (RFC 7693) with digests of 8 bytes, as `hashlib.blake2b(..., digest_size=8)` makes them. Most
 * strings are shorter than a block, so most of what hashlib takes is the call. */
#include "native.h"
#include <string.h>

enum { BLOCK = HASH_BLOCK, ROUNDS = 12 };

static const uint64_t START[8] = {
    0x6a09e667f3bcc908ull, 0xbb67ae8584caa73bull, 0x3c6ef372fe94f82bull, 0xa54ff53a5f1d36f1ull,
    0x510e527fade682d1ull, 0x9b05688c2b3e6c1full, 0x1f83d9abfb41bd6bull, 0x5be0cd19137e2179ull,
};
static const uint8_t SIGMA[ROUNDS][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
};

#define TURNED(x, by) ((x) >> (by) | (x) << (64 - (by)))

static inline uint64_t word_at(const uint8_t *s) {
    uint64_t x = 0;
    for (int k = 7; k >= 0; k--) x = x << 8 | s[k]; /* little-endian on every machine; compilers make one load of it */
    return x;
}

#define MIX(a, b, c, d, x, y)                            \
    v[a] += v[b] + (x); v[d] = TURNED(v[d] ^ v[a], 32);  \
    v[c] += v[d]; v[b] = TURNED(v[b] ^ v[c], 24);        \
    v[a] += v[b] + (y); v[d] = TURNED(v[d] ^ v[a], 16);  \
    v[c] += v[d]; v[b] = TURNED(v[b] ^ v[c], 63);
#define ROUND                                   \
    MIX(0, 4, 8, 12, m[s[0]], m[s[1]])          \
    MIX(1, 5, 9, 13, m[s[2]], m[s[3]])          \
    MIX(2, 6, 10, 14, m[s[4]], m[s[5]])         \
    MIX(3, 7, 11, 15, m[s[6]], m[s[7]])         \
    MIX(0, 5, 10, 15, m[s[8]], m[s[9]])         \
    MIX(1, 6, 11, 12, m[s[10]], m[s[11]])       \
    MIX(2, 7, 8, 13, m[s[12]], m[s[13]])        \
    MIX(3, 4, 9, 14, m[s[14]], m[s[15]])

/* `done`: bytes up to the end of this block. */
static void compress(uint64_t *h, const uint8_t *block, uint64_t done, int is_last) {
    uint64_t v[16], m[16];
    for (int k = 0; k < 16; k++) m[k] = word_at(block + 8 * k);
    memcpy(v, h, 64);
    memcpy(v + 8, START, 64);
    v[12] ^= done;
    if (is_last) v[14] = ~v[14];
#pragma GCC unroll 12
    for (int r = 0; r < ROUNDS; r++) { /* unrolled, the places are constants */
        const uint8_t *s = SIGMA[r];
        ROUND
    }
    for (int k = 0; k < 8; k++) h[k] ^= v[k] ^ v[k + 8];
}

uint64_t hash_bytes(const uint8_t *s, size_t n) {
    uint64_t h[8];
    uint8_t last[BLOCK] = {0};
    memcpy(h, START, sizeof h);
    h[0] ^= 0x01010000u ^ 8u; /* no key, digests of 8 bytes */
    size_t at = 0;
    for (; n - at > BLOCK; at += BLOCK) compress(h, s + at, at + BLOCK, 0);
    if (n > at) memcpy(last, s + at, n - at);
    compress(h, last, n, 1);
    return h[0];
}

/* Four short strings at once, where the machine can: each is one lane of the numbers above. */
#if defined(__x86_64__) && defined(__GNUC__)
typedef uint64_t Lanes __attribute__((vector_size(32)));

__attribute__((target("avx2"))) static void hash_four(uint8_t (*blocks)[BLOCK], const uint64_t *size, uint64_t *out) {
    Lanes v[16], m[16], first = {0};
    for (int k = 0; k < 16; k++)
        for (int lane = 0; lane < 4; lane++) m[k][lane] = word_at(blocks[lane] + 8 * k);
    for (int k = 0; k < 8; k++) v[k] = v[k + 8] = first + START[k];
    first = v[0] ^= 0x01010000u ^ 8u;
    v[12] ^= (Lanes){size[0], size[1], size[2], size[3]};
    v[14] = ~v[14];
#pragma GCC unroll 12
    for (int r = 0; r < ROUNDS; r++) {
        const uint8_t *s = SIGMA[r];
        ROUND
    }
    first ^= v[0] ^ v[8];
    for (int lane = 0; lane < 4; lane++) out[lane] = first[lane];
}

static int has_lanes(void) { return __builtin_cpu_supports("avx2"); }
#else
static void hash_four(uint8_t (*blocks)[BLOCK], const uint64_t *size, uint64_t *out) {
    for (int k = 0; k < 4; k++) out[k] = hash_bytes(blocks[k], (size_t)size[k]);
}

static int has_lanes(void) { return 0; }
#endif

void hashes_begin(Hashes *h, uint64_t **out) {
    h->out = out;
    h->n = 0;
    h->is_wide = has_lanes();
}

void hashes_add(Hashes *h, const uint8_t *s, size_t n, size_t place) {
    if (!h->is_wide || n > BLOCK) {
        (*h->out)[place] = hash_bytes(s, n);
        return;
    }
    if (n) memcpy(h->block[h->n], s, n);
    memset(h->block[h->n] + n, 0, BLOCK - n);
    h->size[h->n] = n;
    h->place[h->n++] = place;
    if (h->n < HASH_LANES) return;
    uint64_t found[HASH_LANES];
    hash_four(h->block, h->size, found);
    for (; h->n; h->n--) (*h->out)[h->place[h->n - 1]] = found[h->n - 1];
}

void hashes_end(Hashes *h) {
    for (; h->n; h->n--) (*h->out)[h->place[h->n - 1]] = hash_bytes(h->block[h->n - 1], (size_t)h->size[h->n - 1]);
}

static ALWAYS_INLINE size_t put_utf8(uint8_t *out, Py_UCS4 c) {
    if (c < 0x80) {
        out[0] = (uint8_t)c;
        return 1;
    }
    int n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (int k = n - 1; k > 0; k--, c >>= 6) out[k] = (uint8_t)(0x80 | (c & 0x3F));
    out[0] = (uint8_t)((n == 2 ? 0xC0 : n == 3 ? 0xE0 : 0xF0) | c);
    return (size_t)n;
}

size_t utf8_of(const Py_UCS4 *chars, Py_ssize_t n, uint8_t *out) {
    size_t size = 0;
    for (Py_ssize_t i = 0; i < n; i++) size += put_utf8(out + size, chars[i]);
    return size;
}

/* The UTF-8 of a text; `out` has room for four bytes a character. */
static size_t encode(PyObject *text, uint8_t *out) {
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    size_t size = 0;
    BY_KIND(PyUnicode_KIND(text),
            for (Py_ssize_t i = 0; i < n; i++) size += put_utf8(out + size, PyUnicode_READ(KIND, data, i)))
    return size;
}

/* string_hashes(strings) -> uint64 per string of the list */
PyObject *native_string_hashes(PyObject *self, PyObject *args) {
    PyObject *strings;
    if (!PyArg_ParseTuple(args, "O!", &PyList_Type, &strings)) return NULL;
    Py_ssize_t n = PyList_GET_SIZE(strings);
    uint8_t *room = NULL;
    size_t has = 0;
    PyObject *result = PyBytes_FromStringAndSize(NULL, n * 8);
    uint64_t *out = result ? (uint64_t *)PyBytes_AS_STRING(result) : NULL;
    Hashes hashes;
    hashes_begin(&hashes, &out);
    for (Py_ssize_t i = 0; result && i < n; i++) {
        PyObject *text = PyList_GET_ITEM(strings, i);
        if (!PyUnicode_Check(text)) {
            PyErr_SetString(PyExc_TypeError, "strings are hashed, and nothing else");
            Py_CLEAR(result);
            break;
        }
        const uint8_t *bytes = PyUnicode_DATA(text);
        size_t size = (size_t)PyUnicode_GET_LENGTH(text);
        if (!PyUnicode_IS_ASCII(text)) {
            uint8_t *more = 4 * size > has ? PyMem_RawRealloc(room, 8 * size) : room;
            if (!more) {
                PyErr_NoMemory();
                Py_CLEAR(result);
                break;
            }
            if (4 * size > has) has = 8 * size;
            bytes = room = more;
            size = encode(text, room);
        }
        hashes_add(&hashes, bytes, size, (size_t)i);
    }
    if (result) hashes_end(&hashes);
    PyMem_RawFree(room);
    return result;
}
