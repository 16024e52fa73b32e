/* What the C files of the one extension share. Each function in it is the second body of a Python function. */
#ifndef SITEGRAIN_NATIVE_H
#define SITEGRAIN_NATIVE_H
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

/* A contiguous buffer of items of one size; `n` is how many. */
typedef struct {
    Py_buffer buffer;
    Py_ssize_t n;
} Column;

int column_get(Column *column, PyObject *object, Py_ssize_t item, int is_writable);
void columns_release(Column *columns, int n);

/* A number that no page can know: tables that are keyed with it cannot be made to collide. */
uint64_t process_key(void);

/* The key of the path to a row by the key of its parent (0 for a root) and its own value; see tables/places.py. */
static inline uint64_t path_key(uint64_t above, uint64_t own) {
    uint64_t k = above * 0x9E3779B97F4A7C15ull + own;
    k = (k ^ k >> 30) * 0xBF58476D1CE4E5B9ull;
    k = (k ^ k >> 27) * 0x94D049BB133111EBull;
    return k ^ k >> 31;
}

/* _words.c */
typedef struct Matcher Matcher;
const Matcher *matcher_of(PyObject *capsule);
uint64_t matcher_find(const Matcher *matcher, const char *name, size_t size);
PyObject *native_matcher(PyObject *self, PyObject *args);
PyObject *native_word_bits(PyObject *self, PyObject *args);

/* _evidence.c */
PyObject *native_evidence(PyObject *self, PyObject *args);

/* _scores.c */
PyObject *native_pack_trees(PyObject *self, PyObject *args);
PyObject *native_predict(PyObject *self, PyObject *args);
PyObject *native_mean_score(PyObject *self, PyObject *args);
PyObject *native_stage(PyObject *self, PyObject *args);
PyObject *native_decide(PyObject *self, PyObject *args);

/* _lexicon.c */
PyObject *native_text_hashes(PyObject *self, PyObject *args);
PyObject *native_text_weights(PyObject *self, PyObject *args);
PyObject *native_name_hashes(PyObject *self, PyObject *names);
PyObject *native_name_weights(PyObject *self, PyObject *args);

/* _site.c */
/* The crc32 of zlib over the UTF-8 of characters: begin with CRC_START, add each, and take the complement. */
#define CRC_START 0xFFFFFFFFu
extern uint32_t crc_table[256];
void crc_init(void);
static inline uint32_t crc_byte(uint32_t crc, uint32_t byte) { return crc_table[(crc ^ byte) & 0xFF] ^ crc >> 8; }
static inline uint32_t crc_char(uint32_t crc, Py_UCS4 c) {
    if (c < 0x80) return crc_byte(crc, c);
    if (c < 0x800) crc = crc_byte(crc, 0xC0 | c >> 6);
    else {
        if (c < 0x10000) crc = crc_byte(crc, 0xE0 | c >> 12);
        else {
            crc = crc_byte(crc, 0xF0 | c >> 18);
            crc = crc_byte(crc, 0x80 | (c >> 12 & 0x3F));
        }
        crc = crc_byte(crc, 0x80 | (c >> 6 & 0x3F));
    }
    return crc_byte(crc, 0x80 | (c & 0x3F));
}

PyObject *native_site_table(PyObject *self, PyObject *args);
PyObject *native_site_paths(PyObject *self, PyObject *args);
PyObject *native_site_scores(PyObject *self, PyObject *args);
PyObject *native_site_columns(PyObject *self, PyObject *args);

/* _net.c */
PyObject *native_block_net(PyObject *self, PyObject *args);

/* _text.c */
PyObject *native_to_text(PyObject *self, PyObject *args);

#endif
