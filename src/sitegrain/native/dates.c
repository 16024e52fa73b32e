/* Lines with a date below the text of a page; see reference/dates.py and extractor/mending/comments.py. */
#include "native.h"
#include <string.h>

typedef struct {
    Py_ssize_t start, n;
    Py_UCS4 before; /* the sign between the run before and this one, where it is only one */
} Run;

/* Whether a text has a day in numbers, a time of the day, or a year with another number. */
static int has_date(PyObject *text, Py_ssize_t from, Py_ssize_t end) {
    int kind = PyUnicode_KIND(text), has_year = 0, has_number = 0;
    const void *data = PyUnicode_DATA(text);
    Run runs[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}; /* of digits: the last three, the newest first */
    for (Py_ssize_t i = from; i < end; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (!Py_UNICODE_ISDECIMAL(c)) continue;
        Py_ssize_t start = i;
        while (i < end && Py_UNICODE_ISDECIMAL(PyUnicode_READ(kind, data, i))) i++;
        Py_ssize_t n = i - start;
        runs[2] = runs[1];
        runs[1] = runs[0];
        runs[0].before = runs[1].n && start == runs[1].start + runs[1].n + 1 ? PyUnicode_READ(kind, data, start - 1) : 0;
        runs[0].start = start;
        runs[0].n = n;
        Py_UCS4 sign = runs[0].before, sign_before = runs[1].before;
        int is_short = runs[1].n == 1 || runs[1].n == 2;
        if (is_short && n >= 2 && n <= 4 && (sign == '.' || sign == '/' || sign == '-') && (sign_before == '.' || sign_before == '/' || sign_before == '-') &&
            (runs[2].n == 1 || runs[2].n == 2))
            return 1;
        if (is_short && n == 2 && sign == ':') {
            Py_UCS4 left = runs[1].start > from ? PyUnicode_READ(kind, data, runs[1].start - 1) : ' ';
            if (left != '.' && left != ',') return 1;
        }
        has_number |= n <= 2;
        if (n == 4) {
            Py_UCS4 a = PyUnicode_READ(kind, data, start), b = PyUnicode_READ(kind, data, start + 1);
            has_year |= (a == '1' && b == '9') || (a == '2' && b == '0');
        }
        if (has_year && has_number) return 1;
        i--; /* the loop goes on with what ended the run */
    }
    return 0;
}

/* dated_below(text, blocks, words, kept, rules) -> bytes, one per block, or None for nothing: see DateRules. */
PyObject *native_dated_below(PyObject *self, PyObject *args) {
    Blocks at;
    Column words, kept;
    PyObject *text, *blocks, *its_words, *its_kept, *result = NULL;
    double before, prose, line;
    int after, least, is_any = 0;
    memset(&at, 0, sizeof at);
    memset(&words, 0, sizeof words);
    memset(&kept, 0, sizeof kept);
    if (!PyArg_ParseTuple(args, "UOOO(dddii)", &text, &blocks, &its_words, &its_kept, &before, &prose, &line, &after, &least)) return NULL;
    if (blocks_get(&at, blocks) || column_get(&words, its_words, 8) || column_get(&kept, its_kept, 1)) goto done;
    Py_ssize_t n = at.n, size = PyUnicode_GET_LENGTH(text);
    int fits = words.n == n && kept.n == n;
    for (Py_ssize_t k = 0; fits && k < n; k++) fits = at.text_start[k] >= 0 && at.text_end[k] <= size;
    if (!fits) {
        bad("columns of blocks do not fit");
        goto done;
    }
    if (!(result = PyBytes_FromStringAndSize(NULL, n))) goto done;
    char *found = PyBytes_AS_STRING(result);
    memset(found, 0, (size_t)n);
    const double *word = words.buffer.buf;
    const uint8_t *is_kept = kept.buffer.buf;
    for (Py_ssize_t begin = 0, end; begin < n; begin = end) {
        Py_ssize_t last = -1;
        for (end = begin; end < n && at.page[end] == at.page[begin]; end++)
            if (is_kept[end] && word[end] >= prose) last = end;
        if (last < 0) continue;
        Py_ssize_t stop = end - last - 1 > after ? last + 1 + after : end;
        double told = 0;
        int count = 0;
        for (Py_ssize_t k = begin; k < stop; k++) {
            if (told >= before && word[k] <= line && has_date(text, at.text_start[k], at.text_end[k])) found[k] = 1, count++;
            if (is_kept[k] && word[k] >= prose) told += word[k];
        }
        if (count < least) memset(found + begin, 0, (size_t)(end - begin));
        else is_any = 1;
    }
    if (!is_any) {
        Py_DECREF(result);
        result = Py_NewRef(Py_None);
    }
done:
    TABLE_RELEASE(at);
    columns_release(&words, 1);
    columns_release(&kept, 1);
    return result;
}
