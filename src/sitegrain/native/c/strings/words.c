/* Words in names. */
#include "native.h"
#include <stdlib.h>
#include <string.h>

enum { MATCHER_WORDS = 512, FEWER = 5 };
static const char MATCHER[] = "sitegrain.matcher";

struct Matcher {
    int n;
    uint64_t bits[MATCHER_WORDS];
    size_t at[MATCHER_WORDS], len[MATCHER_WORDS];
    uint64_t head[MATCHER_WORDS], mask[MATCHER_WORDS]; /* up to eight bytes of each, and which those are */
    int16_t next[MATCHER_WORDS];
    int16_t first[65536 >> FEWER]; /* words by a hash of their first three bytes, as linked lists */
    uint8_t is_first[65536 / 8];   /* the same by more bits of the hash; both are small enough to stay in cache */
    char text[];
};

/* A byte as it is read in a name: lower case, and '-' for what is no letter or digit. */
static uint8_t READ_AS[256];

static void read_as_init(void) {
    if (READ_AS['a']) return;
    for (int c = 0; c < 256; c++)
        READ_AS[c] = (uint8_t)(c >= 'A' && c <= 'Z' ? c | 32 : c >= 128 || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '-');
}

static unsigned start_hash(uint32_t three) { return three * 0x9E3779B1u >> 16; }

static unsigned start_of(const char *s) {
    return start_hash((uint32_t)(uint8_t)s[0] << 16 | (uint32_t)(uint8_t)s[1] << 8 | (uint8_t)s[2]);
}

static void matcher_free(PyObject *capsule) { PyMem_RawFree(PyCapsule_GetPointer(capsule, MATCHER)); }

const Matcher *matcher_of(PyObject *capsule) { return PyCapsule_GetPointer(capsule, MATCHER); }

/* matcher(words, bits) -> words (of three bytes or more) made ready for `word_bits`. */
PyObject *native_matcher(PyObject *self, PyObject *args) {
    PyObject *words;
    Py_buffer bits;
    if (!PyArg_ParseTuple(args, "O!y*", &PyTuple_Type, &words, &bits)) return NULL;
    Py_ssize_t n = PyTuple_GET_SIZE(words), size = 0;
    size_t total = 0;
    Matcher *m = NULL;
    PyObject *capsule = NULL;
    if (n > MATCHER_WORDS || bits.len < n * 8) {
        PyErr_SetString(PyExc_ValueError, "at most 512 words, one number each");
        goto done;
    }
    for (Py_ssize_t k = 0; k < n; k++) {
        if (!PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(words, k), &size)) goto done;
        total += (size_t)size;
    }
    if (!(m = PyMem_RawCalloc(1, sizeof *m + total))) { PyErr_NoMemory(); goto done; }
    memset(m->first, -1, sizeof m->first);
    read_as_init();
    m->n = (int)n;
    total = 0;
    for (Py_ssize_t k = 0; k < n; k++) {
        const char *word = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(words, k), &size);
        if (!word) goto done;
        memcpy(m->text + total, word, (size_t)size);
        m->at[k] = total;
        m->len[k] = (size_t)size;
        memcpy(&m->head[k], word, size < 8 ? (size_t)size : 8);
        memset(&m->mask[k], 0xFF, size < 8 ? (size_t)size : 8);
        memcpy(&m->bits[k], (const char *)bits.buf + k * 8, 8);
        total += (size_t)size;
        if (size < 3) { PyErr_SetString(PyExc_ValueError, "words of three bytes or more"); goto done; }
        unsigned start = start_of(word);
        m->next[k] = m->first[start >> FEWER];
        m->first[start >> FEWER] = (int16_t)k;
        m->is_first[start >> 3] |= (uint8_t)(1 << (start & 7));
    }
    capsule = PyCapsule_New(m, MATCHER, matcher_free);
    if (capsule) m = NULL;
done:
    PyMem_RawFree(m);
    PyBuffer_Release(&bits);
    return capsule;
}

/* The bits of all words that stand in a name. It is read in lower case, with '-' for what is no letter or digit and
 * at both ends, and only its first 200 bytes. */
uint64_t matcher_find(const Matcher *matcher, const char *s, size_t size) {
    char name[MAX_NAME_BYTES + 2 + 8]; /* eight bytes may be read anywhere */
    uint8_t begin[MAX_NAME_BYTES + 2]; /* where a word may begin */
    size_t m = 0, n_begins = 0;
    if (size > MAX_NAME_BYTES) size = MAX_NAME_BYTES;
    uint32_t three = '-';
    name[m++] = '-';
    for (size_t q = 0; q <= size; q++) {
        uint8_t c = q < size ? READ_AS[(uint8_t)s[q]] : '-';
        name[m++] = (char)c;
        three = (three << 8 | c) & 0xFFFFFF;
        unsigned start = start_hash(three);
        begin[n_begins] = (uint8_t)q;
        n_begins += q > 0 && matcher->is_first[start >> 3] >> (start & 7) & 1;
    }
    memset(name + m, 0, 8);
    uint64_t found = 0;
    for (size_t b = 0; b < n_begins; b++) {
        size_t q = begin[b] - 1u; /* the first of the three */
        uint64_t eight;
        memcpy(&eight, name + q, 8);
        for (int k = matcher->first[start_of(name + q) >> FEWER]; k >= 0; k = matcher->next[k])
            if ((eight & matcher->mask[k]) == matcher->head[k] && matcher->len[k] <= m - q &&
                (matcher->len[k] <= 8 || !memcmp(name + q, matcher->text + matcher->at[k], matcher->len[k])))
                found |= matcher->bits[k];
    }
    return found;
}

/* word_bits(names, matcher) -> uint64 per name. */
PyObject *native_word_bits(PyObject *self, PyObject *args) {
    PyObject *names, *capsule;
    if (!PyArg_ParseTuple(args, "O!O", &PyList_Type, &names, &capsule)) return NULL;
    const Matcher *matcher = matcher_of(capsule);
    if (!matcher) return NULL;
    Py_ssize_t n = PyList_GET_SIZE(names);
    PyObject *result = PyBytes_FromStringAndSize(NULL, n * 8);
    if (!result) return NULL;
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_ssize_t size;
        const char *s = PyUnicode_AsUTF8AndSize(PyList_GET_ITEM(names, i), &size);
        if (!s) { Py_DECREF(result); return NULL; }
        ((uint64_t *)PyBytes_AS_STRING(result))[i] = matcher_find(matcher, s, (size_t)size);
    }
    return result;
}
