/* Words in names. */
#include "native.h"
#include <stdlib.h>
#include <string.h>

enum { MATCHER_WORDS = 512 };
static const char MATCHER[] = "sitegrain.matcher";

struct Matcher {
    int n;
    uint64_t bits[MATCHER_WORDS];
    size_t at[MATCHER_WORDS], len[MATCHER_WORDS];
    int16_t next[MATCHER_WORDS];
    int16_t first[65536];        /* words by a hash of their first three bytes, as linked lists */
    uint8_t is_first[65536 / 8]; /* the same as bits: small enough to stay in cache */
    char text[];
};

static unsigned start_of(const char *s) {
    uint32_t three = (uint32_t)(uint8_t)s[0] << 16 | (uint32_t)(uint8_t)s[1] << 8 | (uint8_t)s[2];
    return three * 0x9E3779B1u >> 16;
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
    m->n = (int)n;
    total = 0;
    for (Py_ssize_t k = 0; k < n; k++) {
        const char *word = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(words, k), &size);
        if (!word) goto done;
        memcpy(m->text + total, word, (size_t)size);
        m->at[k] = total;
        m->len[k] = (size_t)size;
        memcpy(&m->bits[k], (const char *)bits.buf + k * 8, 8);
        total += (size_t)size;
        if (size < 3) { PyErr_SetString(PyExc_ValueError, "words of three bytes or more"); goto done; }
        unsigned start = start_of(word);
        m->next[k] = m->first[start];
        m->first[start] = (int16_t)k;
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
    char name[MAX_NAME_BYTES + 2];
    size_t m = 0;
    name[m++] = '-';
    for (size_t q = 0; q < size && q < MAX_NAME_BYTES; q++) {
        unsigned char c = (unsigned char)s[q];
        if (c >= 'A' && c <= 'Z') c |= 32;
        else if (c < 128 && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9')) c = '-';
        name[m++] = (char)c;
    }
    name[m++] = '-';
    uint64_t found = 0;
    for (size_t q = 0; q + 2 < m; q++) {
        unsigned start = start_of(name + q);
        if (!(matcher->is_first[start >> 3] >> (start & 7) & 1)) continue;
        for (int k = matcher->first[start]; k >= 0; k = matcher->next[k])
            if (matcher->len[k] <= m - q && !memcmp(name + q, matcher->text + matcher->at[k], matcher->len[k]))
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
