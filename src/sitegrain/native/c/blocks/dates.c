/* Elements with dates that are alike, below the text of a page; see reference/blocks/dates.py and extractor/mending/comments.py. */
#include "judged.h"
#include "strings/numbers.h"
#include <stddef.h>
#include <string.h>

typedef struct {
    Py_ssize_t start, n;
    Py_UCS4 before; /* the sign between the run before and this one, where it is only one */
} Run;

static inline int is_digit(Py_UCS4 c) { return c < 128 ? c - '0' < 10u : Py_UNICODE_ISDECIMAL(c); }

/* Whether a text has a day in numbers, a time of the day, or a year with another number. */
static int has_date(PyObject *text, Py_ssize_t from, Py_ssize_t end) {
    int kind = PyUnicode_KIND(text), has_year = 0, has_number = 0;
    const void *data = PyUnicode_DATA(text);
    Run runs[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}; /* of digits: the last three, the newest first */
    for (Py_ssize_t i = from; i < end; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (!is_digit(c)) continue;
        Py_ssize_t start = i;
        while (i < end && is_digit(PyUnicode_READ(kind, data, i))) i++;
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

/* have_dates(text, start, end) -> bytes: which of these stretches of a text have a date. */
PyObject *native_have_dates(PyObject *self, PyObject *args) {
    PyObject *text, *object[2], *out = NULL;
    if (!PyArg_ParseTuple(args, "UOO", &text, &object[0], &object[1])) return NULL;
    Column at[2];
    memset(at, 0, sizeof at);
    if (column_get(&at[0], object[0], 4) || column_get(&at[1], object[1], 4)) goto done;
    const int32_t *start = at[0].buffer.buf, *end = at[1].buffer.buf;
    int fits = at[0].n == at[1].n;
    for (Py_ssize_t k = 0; fits && k < at[0].n; k++) fits = start[k] >= 0 && end[k] >= start[k] && end[k] <= PyUnicode_GET_LENGTH(text);
    if (!fits) {
        bad("stretches of the text do not fit");
        goto done;
    }
    out = PyBytes_FromStringAndSize(NULL, at[0].n);
    for (Py_ssize_t k = 0; out && k < at[0].n; k++) PyBytes_AS_STRING(out)[k] = (char)has_date(text, start[k], end[k]);
done:
    columns_release(at, 2);
    return out;
}

typedef struct {
    double before, prose, line, like, of_like, of_text, with_heading, below;
    int after, most_dates, least;
    const char *no_unit; /* per tag */
} Rules;

/* Children of one parent with the same tag: how many have some text, how many are units, and of the units, how many have few dates, how many
 * a heading, what text, and from which block to before which they go. */
typedef struct {
    int32_t n_like, n, n_few, n_headings;
    Py_ssize_t first, last;
    double text;
} Family;

/* Running sums over the blocks before each: of the kept text, and from where it has been told on, of all. */
typedef struct {
    double own, scored;
    double words, undated;
    int32_t dates, headings;
} Sum;

typedef struct {
    const JudgedPages *of;
    Column score, kept;
    Rules is;
    Sum *sum;
} Units;
#define KEPT(k) (((const uint8_t *)w->kept.buffer.buf)[k])
#define WORDS(k) (((const double *)w->of->words.buffer.buf)[k])
#define SCORE(k) (((const double *)w->score.buffer.buf)[k])

/* The families of a page, from block `begin` to before `end`, that are units for the most part and score lower than the kept text before them. */
static int add_units(const Units *w, Py_ssize_t page_begin, Py_ssize_t begin, Py_ssize_t end, PyObject *result) {
    const Rules *is = &w->is;
    const Sum *sum = w->sum;
    int32_t low = w->of->at.last[begin - 1] + 1, high = w->of->at.first[end - 1], n_found = 0; /* what stands before is not theirs */
    size_t n_rows = high > low ? (size_t)(high - low) : 0;
    Family *families = PyMem_RawCalloc(n_rows + 1, sizeof *families);
    int32_t *found = PyMem_RawMalloc((n_rows + 1) * sizeof *found); /* families in the order of their first units */
    Numbers known;
    memset(&known, 0, sizeof known);
    int failed = !families || !found || numbers_init(&known, n_rows);
    if (failed) PyErr_NoMemory();
    Py_ssize_t first = begin;
    for (int32_t i = low; !failed && i < high; i++) {
        while (first < end && w->of->at.first[first] < i) first++;
        int16_t tag = w->of->rows.tag[i];
        if (!tag || is->no_unit[tag]) continue;
        Py_ssize_t last = first, top = end;
        while (last < top) {
            Py_ssize_t mid = last + (top - last) / 2;
            if (w->of->at.first[mid] < w->of->rows.end[i]) last = mid + 1;
            else top = mid;
        }
        double prose = sum[last].undated - sum[first].undated;
        int32_t n_dates = sum[last].dates - sum[first].dates;
        int is_unit = n_dates > 0 && prose >= is->prose;
        if (!is_unit && prose < is->like) continue;
        int32_t id = number_of(&known, (uint64_t)(uint32_t)(w->of->rows.parent[i] + 1) << 16 | (uint16_t)tag);
        Family *f = &families[id];
        f->n_like += prose >= is->like;
        if (!is_unit) continue;
        if (!f->n++) {
            f->first = first;
            found[n_found++] = id;
        }
        f->last = last;
        f->n_few += n_dates <= is->most_dates;
        f->n_headings += sum[last].headings > sum[first].headings;
        f->text += sum[last].words - sum[first].words;
    }
    for (int32_t k = 0; !failed && k < n_found; k++) {
        const Family *f = &families[found[k]];
        /* of the median one the dates are few */
        if (f->n < is->least || f->n_few <= f->n / 2 || f->n < is->of_like * f->n_like) continue;
        if (f->text < is->of_text * (sum[f->last].words - sum[f->first].words)) continue;
        double of_text = sum[f->first].own - sum[page_begin].own, size = 0, scored = 0;
        for (Py_ssize_t b = f->first; b < f->last; b++)
            if (KEPT(b)) {
                size += WORDS(b);
                scored += SCORE(b) * WORDS(b);
            }
        if (of_text < is->before || size <= 0) continue;
        scored /= size;
        if (scored > (sum[f->first].scored - sum[page_begin].scored) / of_text - is->below) continue;
        PyObject *units = Py_BuildValue("innidN", w->of->at.page[page_begin], f->first, f->last, f->n, scored, PyBool_FromLong(f->n_headings > is->with_heading * f->n));
        failed = !units || PyList_Append(result, units);
        Py_XDECREF(units);
    }
    numbers_free(&known);
    PyMem_RawFree(families);
    PyMem_RawFree(found);
    return failed ? -1 : 0;
}

/* dated_units(of, score, kept, rules) -> list of (page, first, last, n, scored, has_headings): see JudgedPages, DateRules, DatedUnits. */
PyObject *native_dated_units(PyObject *self, PyObject *args) {
    Units units, *w = &units;
    memset(w, 0, sizeof *w);
    Rules *is = &w->is;
    JudgedPages own;
    PyObject *pages, *score, *kept, *result = NULL;
    Py_ssize_t n_tags;
    if (!PyArg_ParseTuple(args, "OOO(dddiididdddy#)", &pages, &score, &kept, &is->before, &is->prose, &is->line, &is->after, &is->least, &is->like,
                          &is->most_dates, &is->of_like, &is->of_text, &is->with_heading, &is->below, &is->no_unit, &n_tags))
        return NULL;
    if (!(w->of = judged_of(pages, &own)) || column_get(&w->score, score, 8) || column_get(&w->kept, kept, 1)) goto done;
    Py_ssize_t n = w->of->n;
    if (w->score.n != n || w->kept.n != n || n_tags != N_TAGS) {
        bad("columns of blocks do not fit");
        goto done;
    }
    if (!(w->sum = PyMem_RawMalloc(((size_t)n + 1) * sizeof *w->sum))) {
        PyErr_NoMemory();
        goto done;
    }
    if (!(result = PyList_New(0))) goto done;
    memset(w->sum, 0, sizeof *w->sum);
    int is_wide = PyUnicode_KIND(w->of->text) == PyUnicode_4BYTE_KIND;
    for (Py_ssize_t page = 0, end; page < n; page = end) {
        Py_ssize_t told = -1, last = -1; /* where the text has been told, and its last block */
        for (end = page; end < n && w->of->at.page[end] == w->of->at.page[page]; end++) {
            Sum *s = &w->sum[end];
            double own = KEPT(end) && WORDS(end) >= is->prose ? WORDS(end) : 0;
            s[1].own = s->own + own;
            s[1].scored = s->scored + own * SCORE(end);
            if (told < 0 && s[1].own - w->sum[page].own >= is->before) told = end;
            if (own > 0) last = end;
        }
        if (told < 0) continue;
        Py_ssize_t stop = end - last - 1 > is->after ? last + 1 + is->after : end;
        const float *column = (const float *)w->of->x.buffer.buf + (told + 1) * N_EVIDENCE;
        memset(&w->sum[told + 1].words, 0, sizeof(Sum) - offsetof(Sum, words));
        for (Py_ssize_t k = told + 1; k < stop; k++, column += N_EVIDENCE) {
            Sum *s = &w->sum[k];
            int may_be = WORDS(k) <= is->line && (column[E_digit_rate] > 0 || is_wide); /* digits beyond 16 bits are not counted */
            int is_dated = may_be && has_date(w->of->text, w->of->at.text_start[k], w->of->at.text_end[k]);
            s[1].words = s->words + WORDS(k);
            s[1].undated = s->undated + (is_dated ? 0 : WORDS(k));
            s[1].dates = s->dates + is_dated;
            s[1].headings = s->headings + (column[E_in_group + GROUP_heading] > 0);
        }
        if (told + 1 < stop && w->sum[stop].dates >= is->least && add_units(w, page, told + 1, stop, result)) {
            Py_CLEAR(result);
            break;
        }
    }
done:
    PyMem_RawFree(w->sum);
    judged_release(&own);
    columns_release(&w->score, 1);
    columns_release(&w->kept, 1);
    return result;
}
