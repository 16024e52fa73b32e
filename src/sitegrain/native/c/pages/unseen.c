/* What stands in no line of a page's text: signs of no width, readings above it, titles of drawings. */
#include "native.h"
#include <string.h>

enum { SOFT_HYPHEN = 0xAD, ZERO_SPACE = 0x200B, NON_JOINER = 0x200C, JOINER = 0x200D, WORD_JOINER = 0x2060, NO_BREAK = 0xFEFF };

static inline int is_sign(Py_UCS4 c) { return c == SOFT_HYPHEN || c == ZERO_SPACE || c == WORD_JOINER || c == NO_BREAK; }

static inline int is_joiner(Py_UCS4 c) { return c == NON_JOINER || c == JOINER; }

/* Thai, Lao, Tibetan, Burmese, Khmer, Tai: written without spaces, so a space of no width parts words. */
static int is_unspaced(Py_UCS4 c) {
    return (c >= 0x0E00 && c <= 0x0FFF) || (c >= 0x1000 && c <= 0x109F) || (c >= 0x1780 && c <= 0x17FF) || (c >= 0x1950 && c <= 0x19DF) ||
           (c >= 0x1A20 && c <= 0x1AAF) || (c >= 0xA9E0 && c <= 0xA9FF) || (c >= 0xAA60 && c <= 0xAADF);
}

/* Where the first sign or joiner stands, n: nowhere. */
static Py_ssize_t first_sign(int kind, const void *data, Py_ssize_t n) {
    if (kind == PyUnicode_1BYTE_KIND) {
        const char *found = memchr(data, SOFT_HYPHEN, (size_t)n);
        return found ? found - (const char *)data : n;
    }
    Py_ssize_t i = 0;
    if (kind == PyUnicode_2BYTE_KIND) {
        enum { AT_ONCE = 64 }; /* told of all of them without branches: most texts have none */
        const uint16_t *s = data;
        for (; i + AT_ONCE <= n; i += AT_ONCE) {
            uint16_t any = 0;
            for (int k = 0; k < AT_ONCE; k++)
                any |= (uint16_t)((s[i + k] == SOFT_HYPHEN) | ((uint16_t)(s[i + k] - ZERO_SPACE) <= JOINER - ZERO_SPACE) | (s[i + k] == WORD_JOINER) | (s[i + k] == NO_BREAK));
            if (any) break;
        }
    }
    for (; i < n; i++) {
        const Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (is_sign(c) || is_joiner(c)) break;
    }
    return i;
}

/* Marks the signs of a text that go. */
static void mark_signs(int kind, const void *data, Py_ssize_t first, Py_ssize_t n, uint8_t *gone) {
    for (Py_ssize_t i = first; i < n; i++) {
        const Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (is_sign(c))
            gone[i] = c != ZERO_SPACE || !(is_unspaced(PyUnicode_READ(kind, data, i ? i - 1 : 0)) ||
                                           is_unspaced(PyUnicode_READ(kind, data, i + 1 < n ? i + 1 : n - 1)));
    }
}

/* Whether nothing is left of a text of which something goes, but white space and joiners that have nothing to join. */
static int is_emptied(int kind, const void *data, int32_t start, int32_t stop, const uint8_t *gone) {
    int is_any = 0;
    for (int32_t i = start; i < stop; i++) {
        const Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (gone[i] || is_joiner(c)) is_any = 1;
        else if (!Py_UNICODE_ISSPACE(c)) return 0;
    }
    return is_any;
}

typedef struct {
    int32_t svg, ruby, last;
} Beside;

/* Whether a row is one of the outermost readings within ruby and titles within drawings; rows are asked in their order. */
static inline int is_beside(Beside *in, const int16_t *tag, const int32_t *end, int32_t row) {
    const int t = tag[row];
    if (t == TAG_svg) in->svg = end[row] > in->svg ? end[row] : in->svg;
    else if (t == TAG_ruby) in->ruby = end[row] > in->ruby ? end[row] : in->ruby;
    else if ((t == TAG_title && row < in->svg) || ((t == TAG_rt || t == TAG_rp) && row < in->ruby)) {
        if (row < in->last) return 0;
        in->last = end[row];
        return 1;
    }
    return 0;
}

/* unseen(text, tag, end, text_start, text_end) -> (text, text_start, text_end, tag) without it, None if there is none; the tag is None where
 * it stays as it is. */
PyObject *native_unseen(PyObject *self, PyObject *args) {
    PyObject *text, *of[4], *result = NULL, *starts = NULL, *stops = NULL, *tags = NULL, *left = NULL;
    if (!PyArg_ParseTuple(args, "UOOOO", &text, &of[0], &of[1], &of[2], &of[3])) return NULL;
    static const Py_ssize_t ITEM[] = {2, 4, 4, 4};
    Column in[4];
    uint8_t *gone = NULL;
    int32_t *before = NULL;
    memset(in, 0, sizeof in);
    for (int k = 0; k < 4; k++) {
        if (column_get(&in[k], of[k], ITEM[k])) goto done;
        if (in[k].n != in[0].n) { misfit("columns do not fit: they differ in length"); goto done; }
    }
    const int16_t *tag = in[0].buffer.buf;
    const int32_t *end = in[1].buffer.buf, *start = in[2].buffer.buf, *stop = in[3].buffer.buf, n = (int32_t)in[0].n;
    const int kind = PyUnicode_KIND(text);
    const Py_ssize_t size = PyUnicode_GET_LENGTH(text);
    const char *data = PyUnicode_DATA(text);
    const Py_ssize_t sign = PyUnicode_IS_ASCII(text) ? size : first_sign(kind, data, size);
    int32_t first = 0;
    Beside beside = {0, 0, 0};
    while (first < n && !is_beside(&beside, tag, end, first)) first++;
    if (sign == size && first == n) {
        result = Py_NewRef(Py_None);
        goto done;
    }
    for (int32_t i = 0; i < n; i++)
        if (end[i] <= i || end[i] > n || start[i] < 0 || start[i] > stop[i] || stop[i] > size) { misfit("rows do not fit the text"); goto done; }
    gone = PyMem_Calloc((size_t)size + 1, 1);
    before = PyMem_Malloc(((size_t)size + 1) * sizeof *before);
    starts = PyBytes_FromStringAndSize(NULL, 4 * (Py_ssize_t)n);
    stops = PyBytes_FromStringAndSize(NULL, 4 * (Py_ssize_t)n);
    if (!gone || !before) PyErr_NoMemory();
    if (!gone || !before || !starts || !stops) goto done;
    mark_signs(kind, data, sign, size, gone);
    beside = (Beside){0, 0, 0};
    for (int32_t row = first < n ? 0 : n; row < n; row++) {
        if (!is_beside(&beside, tag, end, row)) continue;
        int32_t from = -1, to = -1;
        for (int32_t i = row; i < end[row]; i++)
            if (tag[i] == TAG_TEXT) {
                if (from < 0) from = start[i];
                to = stop[i];
            }
        if (from >= 0 && to > from) memset(gone + from, 1, (size_t)(to - from));
        if (tag[row] != TAG_title) continue;
        if (!tags && !(tags = PyBytes_FromStringAndSize((const char *)tag, 2 * (Py_ssize_t)n))) goto done;
        ((int16_t *)PyBytes_AS_STRING(tags))[row] = TAG_g;
    }
    for (int32_t i = 0; i < n; i++) {
        if (tag[i] == TAG_TEXT && is_emptied(kind, data, start[i], stop[i], gone)) memset(gone + start[i], 1, (size_t)(stop[i] - start[i]));
    }
    if (!(left = PyUnicode_New(size, PyUnicode_MAX_CHAR_VALUE(text)))) goto done;
    char *out = PyUnicode_DATA(left);
    int32_t n_gone = 0;
    Py_ssize_t n_left = 0;
    for (Py_ssize_t i = 0; i < size; i++) {
        before[i] = n_gone;
        if (gone[i]) { n_gone++; continue; }
        memcpy(out + n_left++ * kind, data + i * kind, (size_t)kind);
    }
    before[size] = n_gone;
    for (int32_t i = 0; i < n; i++) {
        ((int32_t *)PyBytes_AS_STRING(starts))[i] = start[i] - before[start[i]];
        ((int32_t *)PyBytes_AS_STRING(stops))[i] = stop[i] - before[stop[i]];
    }
    /* Made anew, as narrow as what is left: a text without its only wide sign is a narrow one. */
    PyObject *narrow = PyUnicode_FromKindAndData(kind, out, n_left);
    if (narrow) result = Py_BuildValue("NOOO", narrow, starts, stops, tags ? tags : Py_None);
done:
    PyMem_Free(gone);
    PyMem_Free(before);
    Py_XDECREF(left);
    Py_XDECREF(starts);
    Py_XDECREF(stops);
    Py_XDECREF(tags);
    columns_release(in, 4);
    return result;
}

/* holds(data, word, place) -> whether some bytes hold a word, whose byte at this place is rare. Python takes longer to look for a word that
 * is not there than the page takes to be read. */
PyObject *native_holds(PyObject *self, PyObject *args) {
    Py_buffer data, word;
    Py_ssize_t place;
    if (!PyArg_ParseTuple(args, "y*y*n", &data, &word, &place)) return NULL;
    PyObject *result = NULL;
    const size_t size = (size_t)word.len;
    if (place < 0 || place >= word.len) misfit("a word has no such byte");
    else {
        const char *at = (const char *)data.buf + place, *last = (const char *)data.buf + data.len - (word.len - place), *said = word.buf;
        int is_held = 0;
        while (at <= last && !is_held && (at = memchr(at, said[place], (size_t)(last - at) + 1))) is_held = !memcmp(at++ - place, said, size);
        result = PyBool_FromLong(is_held);
    }
    PyBuffer_Release(&data);
    PyBuffer_Release(&word);
    return result;
}
