/* Dates in lines of text; see reference/posts/when.py, whose patterns are matched here by hand: every part of them ends where characters of its
 * kind end, so that nothing has to be tried twice but what stands after the number of a day. */
#include "native.h"
#include <string.h>

typedef struct {
    int kind;
    const void *data;
    Py_ssize_t n;
} Line;

#define AT(i) ((i) < line->n ? PyUnicode_READ(line->kind, line->data, i) : 0)
static inline int is_digit(Py_UCS4 c) { return c - '0' < 10u; }
static inline int is_space(Py_UCS4 c) { return Py_UNICODE_ISSPACE(c); }
static inline int is_word(Py_UCS4 c) { return c < 128 ? (c | 32) - 'a' < 26u || is_digit(c) || c == '_' : Py_UNICODE_ISALNUM(c); }
static inline int is_letter(Py_UCS4 c) { return c < 128 ? (c | 32) - 'a' < 26u : Py_UNICODE_ISALNUM(c); }
static inline int is_sign(Py_UCS4 c) { return c == '.' || c == '/' || c == '-'; }

/* Where a run of digits, spaces (at most so many) or letters ends. */
static Py_ssize_t digits(const Line *line, Py_ssize_t i) {
    while (i < line->n && is_digit(AT(i))) i++;
    return i;
}
static Py_ssize_t spaces(const Line *line, Py_ssize_t i, Py_ssize_t most) {
    Py_ssize_t end = line->n - i > most ? i + most : line->n;
    while (i < end && is_space(AT(i))) i++;
    return i;
}
static Py_ssize_t letters(const Line *line, Py_ssize_t i, Py_ssize_t most) {
    Py_ssize_t end = line->n - i > most ? i + most : line->n;
    while (i < end && is_letter(AT(i))) i++;
    return i;
}

/* Whether this stands there, in either case; `what` is ASCII in lower case. */
static int says(const Line *line, Py_ssize_t i, const char *what) {
    for (; *what; what++, i++)
        if (i >= line->n || lower_char(AT(i)) != (Py_UCS4)*what) return 0;
    return 1;
}

/* A number of one or two digits, with no digit after it; -1 for none. `*i` is moved behind it. */
static int number(const Line *line, Py_ssize_t *i) {
    Py_ssize_t start = *i, end = digits(line, start);
    if (end - start < 1 || end - start > 2) return -1;
    int found = (int)(AT(start) - '0');
    if (end - start == 2) found = 10 * found + (int)(AT(start + 1) - '0');
    *i = end;
    return found;
}

/* A year of this century or the last; -1 for none. It may go on as a longer number. */
static int year_at(const Line *line, Py_ssize_t i) {
    if (i + 4 > line->n) return -1;
    int found = 0;
    for (int k = 0; k < 4; k++) {
        if (!is_digit(AT(i + k))) return -1;
        found = 10 * found + (int)(AT(i + k) - '0');
    }
    return found / 100 == 19 || found / 100 == 20 ? found : -1;
}
static int year(const Line *line, Py_ssize_t i) { return is_digit(AT(i + 4)) ? -1 : year_at(line, i); }

/* ---------------------------------------------------------------- whole dates */

/* What a way to write a date has found; a month in letters is text[word:word_end]. */
typedef struct {
    int year, month, day;
    Py_ssize_t word, word_end, end;
} Day;

/* 2020-05-03, 2020. 5. 3 */
static int iso(const Line *line, Py_ssize_t i, Day *found) {
    if ((found->year = year(line, i)) < 0) return 0;
    Py_UCS4 sign = AT(i + 4);
    if (!is_sign(sign)) return 0;
    i = spaces(line, i + 5, 1);
    if ((found->month = number(line, &i)) < 0 || AT(i) != sign) return 0;
    i = spaces(line, i + 1, 1);
    found->day = number(line, &i);
    found->end = i;
    return found->day >= 0;
}

static int is_one_of(Py_UCS4 c, Py_UCS4 a, Py_UCS4 b) { return c == a || c == b; }

/* 2020年5月3日, 2020년 5월 3일 */
static int asian(const Line *line, Py_ssize_t i, Day *found) {
    if ((found->year = year_at(line, i)) < 0) return 0;
    i = spaces(line, i + 4, 2);
    if (!is_one_of(AT(i), 0x5E74, 0xB144)) return 0;
    i = spaces(line, i + 1, 2);
    if ((found->month = number(line, &i)) < 0) return 0;
    i = spaces(line, i, 2);
    if (!is_one_of(AT(i), 0x6708, 0xC6D4)) return 0;
    i = spaces(line, i + 1, 2);
    if ((found->day = number(line, &i)) < 0) return 0;
    i = spaces(line, i, 2);
    found->end = i + 1;
    return is_one_of(AT(i), 0x65E5, 0xC77C);
}

/* A number of one or two digits and a year, between which nothing need stand; where the year is, or -1. */
static Py_ssize_t number_and_year(const Line *line, Py_ssize_t i, int *number_found, int *year_found, int is_vietnamese) {
    Py_ssize_t run = digits(line, i) - i;
    for (Py_ssize_t n = run < 2 ? run : 2; n > 0; n--) {
        Py_ssize_t at = i + n;
        at = spaces(line, at + (AT(at) == ','), 2);
        if (is_vietnamese && says(line, at, "n") && lower_char(AT(at + 1)) == 0x103 && says(line, at + 2, "m")) at = spaces(line, at + 3, 2);
        if ((*year_found = is_vietnamese ? year_at(line, at) : year(line, at)) < 0) continue;
        *number_found = (int)(AT(i) - '0');
        if (n == 2) *number_found = 10 * *number_found + (int)(AT(i + 1) - '0');
        return at;
    }
    return -1;
}

/* 五月 31, 2020 */
static int chinese(const Line *line, Py_ssize_t i, Day *found) {
    static const Py_UCS4 NUMBERS_OF[] = {0x4E00, 0x4E8C, 0x4E09, 0x56DB, 0x4E94, 0x516D, 0x4E03, 0x516B, 0x4E5D, 0x5341, 0};
    const Py_UCS4 *month = NUMBERS_OF;
    while (*month && *month != AT(i)) month++;
    if (!*month) return 0;
    found->word = i++;
    if (*month == 0x5341 && is_one_of(AT(i), 0x4E00, 0x4E8C)) i++;
    found->word_end = i;
    if (AT(i) != 0x6708) return 0;
    Py_ssize_t at = number_and_year(line, spaces(line, i + 1, 2), &found->day, &found->year, 0);
    found->end = at + 4;
    return at >= 0;
}

/* 3 tháng 5, 2020 */
static int vietnamese(const Line *line, Py_ssize_t i, Day *found) {
    if ((found->day = number(line, &i)) < 0) return 0;
    i = spaces(line, i, 2);
    if (says(line, i, "thg")) i += 3;
    else if (says(line, i, "th") && lower_char(AT(i + 2)) == 0xE1 && says(line, i + 3, "ng")) i += 5;
    else return 0;
    Py_ssize_t at = number_and_year(line, spaces(line, i, 2), &found->month, &found->year, 1);
    found->end = at + 4;
    return at >= 0;
}

/* The rest of a date with its day first, from the name of the month on. */
static int month_and_year(const Line *line, Py_ssize_t i, Day *found) {
    found->word = i;
    for (Py_ssize_t end = letters(line, i, 14); end - i >= 3; end--) {
        Py_ssize_t at = end + (AT(end) == '.');
        at += AT(at) == ',' || AT(at) == '-' || AT(at) == '/';
        at = spaces(line, at, 3);
        if (says(line, at, "de ")) at += 3;
        else if (says(line, at, "del ")) at += 4;
        else if (lower_char(AT(at)) == 0x433 && AT(at + 1) == '.' && AT(at + 2) == ' ') at += 3;
        if ((found->year = year(line, at)) < 0) continue;
        found->word_end = end;
        found->end = at + 4;
        return 1;
    }
    return 0;
}

/* 3rd of May 2020, 3-May-2020, 3 de mayo de 2020 */
static int day_first(const Line *line, Py_ssize_t i, Day *found) {
    if ((found->day = number(line, &i)) < 0) return 0;
    int after = says(line, i, "st") || says(line, i, "nd") || says(line, i, "rd") || says(line, i, "th") || says(line, i, "er") ? 2
                : AT(i) == 0xBA || AT(i) == 0xAA || is_sign(AT(i))                                                       ? 1
                                                                                                                            : 0;
    for (;; after = 0) { /* those letters may also begin the month */
        Py_ssize_t at = i + after;
        at = AT(at) == '-' ? at + 1 : spaces(line, at, 3);
        if (says(line, at, "of ") || says(line, at, "de ")) at += 3;
        else if (says(line, at, "d") && (AT(at + 1) == '\'' || AT(at + 1) == 0x2019)) at += 2;
        if (month_and_year(line, at, found)) return 1;
        if (!after) return 0;
    }
}

/* May 3rd, 2020; Nov 24 15:31:44 CST 2010 */
static int month_first(const Line *line, Py_ssize_t i, Day *found) {
    found->word = i;
    found->word_end = i = letters(line, i, 14);
    if (i - found->word < 3) return 0;
    i = spaces(line, i + (AT(i) == '.'), 3);
    if ((found->day = number(line, &i)) < 0) return 0;
    if (says(line, i, "st") || says(line, i, "nd") || says(line, i, "rd") || says(line, i, "th")) i += 2;
    if (i >= line->n || (AT(i) != ',' && AT(i) != '.' && !is_space(AT(i)))) return 0;
    i = spaces(line, i + 1, 3);
    Py_ssize_t at = i;
    if (digits(line, at) == at + 2 && AT(at + 2) == ':' && is_digit(AT(at + 3)) && is_digit(AT(at + 4))) {
        at += 5;
        if (AT(at) == ':' && is_digit(AT(at + 1)) && is_digit(AT(at + 2))) at += 3;
        if (at < line->n && is_space(AT(at))) {
            Py_ssize_t zone = ++at;
            if (AT(zone) == '+' || AT(zone) == '-') zone = digits(line, zone + 1) == zone + 5 ? zone + 5 : at;
            else {
                while (AT(zone) < 128 && is_letter(AT(zone)) && zone - at < 6) zone++;
                if (zone - at < 2 || zone - at > 5) zone = at;
            }
            i = zone > at && zone < line->n && is_space(AT(zone)) ? zone + 1 : at;
        }
    }
    found->year = year(line, i);
    found->end = i + 4;
    return found->year >= 0;
}

/* 2020. May 3. */
static int year_first(const Line *line, Py_ssize_t i, Day *found) {
    if ((found->year = year(line, i)) < 0) return 0;
    i += 4;
    i += AT(i) == '.';
    if (i >= line->n || !is_space(AT(i))) return 0;
    i++;
    if (AT(i) == 'm' && AT(i + 1) == '.' && i + 2 < line->n && is_space(AT(i + 2))) i += 3;
    found->word = i;
    found->word_end = i = letters(line, i, 14);
    if (i - found->word < 3) return 0;
    i += AT(i) == '.';
    if (i >= line->n || !is_space(AT(i))) return 0;
    i++;
    found->day = number(line, &i);
    found->end = i;
    return found->day >= 0;
}

/* 3/5/2020: slashes are read the American way unless the site says otherwise (`order`: -1, or whether the day goes first). */
static int numbers(const Line *line, Py_ssize_t i, Day *found, int order) {
    if (i && is_sign(AT(i - 1))) return 0;
    int a = number(line, &i);
    Py_UCS4 sign = AT(i);
    if (a < 0 || !is_sign(sign)) return 0;
    i = spaces(line, i + 1, 1);
    int b = number(line, &i);
    if (b < 0 || AT(i) != sign) return 0;
    i = spaces(line, i + 1, 1);
    if ((found->year = year(line, i)) < 0) return 0;
    int is_day_first = a > 12 || (b <= 12 && (order < 0 ? sign != '/' : order));
    found->day = is_day_first ? a : b;
    found->month = is_day_first ? b : a;
    found->end = i + 4;
    return 1;
}

enum { ISO, ASIAN, CHINESE, VIETNAMESE, DAY_FIRST, MONTH_FIRST, YEAR_FIRST, IN_NUMBERS, N_WAYS };

static int is_written(const Line *line, Py_ssize_t i, int way, int order, Day *found) {
    found->month = -1;
    switch (way) {
    case ISO: return iso(line, i, found);
    case ASIAN: return asian(line, i, found);
    case CHINESE: return chinese(line, i, found);
    case VIETNAMESE: return vietnamese(line, i, found);
    case DAY_FIRST: return day_first(line, i, found);
    case MONTH_FIRST: return month_first(line, i, found);
    case YEAR_FIRST: return year_first(line, i, found);
    default: return numbers(line, i, found, order);
    }
}

/* Whether there is such a day, and pages were written on it. */
static int is_day(const Day *day, int first_year, int latest) {
    static const int DAYS[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int y = day->year, m = day->month, is_leap = (y % 4 == 0 && y % 100) || y % 400 == 0;
    return m >= 1 && m <= 12 && day->day >= 1 && day->day <= DAYS[m - 1] + (m == 2 && is_leap) && y >= first_year && 10000 * y + 100 * m + day->day <= latest;
}

/* The dates of one way, added to a list. */
static int add_dates(const Line *line, PyObject *text, int way, int order, PyObject *month_of, int first_year, int latest, PyObject *out) {
    Day day;
    memset(&day, 0, sizeof day);
    for (Py_ssize_t i = 0; i < line->n; i++) {
        Py_UCS4 c = AT(i), before = i ? AT(i - 1) : ' ';
        if (way == MONTH_FIRST ? !is_letter(c) || is_letter(before) || is_digit(before)
            : way == CHINESE   ? c < 0x4E00
                               : !is_digit(c) || (is_digit(before) && way != ASIAN))
            continue;
        if (!is_written(line, i, way, order, &day)) continue;
        if (day.month < 0) {
            PyObject *word = PyUnicode_Substring(text, day.word, day.word_end), *month = word ? PyObject_CallOneArg(month_of, word) : NULL;
            Py_XDECREF(word);
            if (!month) return -1;
            day.month = (int)PyLong_AsLong(month);
            Py_DECREF(month);
            if (day.month == -1 && PyErr_Occurred()) return -1;
        }
        if (is_day(&day, first_year, latest)) {
            char said[48];
            PyOS_snprintf(said, sizeof said, "%04d-%02d-%02d", day.year, day.month, day.day);
            PyObject *found = Py_BuildValue("ns", i, said);
            int failed = !found || PyList_Append(out, found);
            Py_XDECREF(found);
            if (failed) return -1;
        }
        i = day.end - 1;
    }
    return 0;
}

/* find_dates(text, day_first, month_of, first_year, latest) -> [(where, date), ...] by ways to write one. */
PyObject *native_find_dates(PyObject *self, PyObject *args) {
    PyObject *text, *is_day_first, *month_of;
    int first_year, latest;
    if (!PyArg_ParseTuple(args, "UOOii", &text, &is_day_first, &month_of, &first_year, &latest)) return NULL;
    Line here = {PyUnicode_KIND(text), PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text)}, *line = &here;
    int n_digits = 0, has_year = 0, n_letters = 0, has_word = 0, has_signs = 0, is_asked = 0, is_eastern = 0;
    for (Py_ssize_t i = 0; i < line->n; i++) {
        Py_UCS4 c = AT(i);
        has_signs |= is_sign(c);
        n_letters = is_letter(c) ? n_letters + 1 : 0;
        has_word |= n_letters >= 3;
        if (is_digit(c)) {
            n_digits++;
            has_year |= i && ((c == '9' && AT(i - 1) == '1') || (c == '0' && AT(i - 1) == '2'));
        } else if (c > 0x17E) { /* digits of others, and an old s that is one of "st" */
            is_asked |= c == 0x17F || Py_UNICODE_ISDECIMAL(c);
            is_eastern |= c == 0x6708 || c == 0xC6D4;
        }
    }
    if (is_asked) return ask_reference("find_dates", args);
    PyObject *out = PyList_New(0);
    if (!out || !has_year || n_digits < 5) return out;
    int order = is_day_first == Py_None ? -1 : PyObject_IsTrue(is_day_first);
    for (int way = 0; out && way < N_WAYS; way++) {
        if (way == ISO || way == IN_NUMBERS ? !has_signs : way == ASIAN || way == CHINESE ? !is_eastern : !has_word) continue;
        if (add_dates(line, text, way, order, month_of, first_year, latest, out)) Py_CLEAR(out);
    }
    return out;
}

/* ---------------------------------------------------------------- lines that say when */

/* Whether the word text[i:end], of letters alone, begins like a month. */
static int is_like_month(const Line *line, Py_ssize_t i) {
    static const char *const MONTHS[] = {"jan", "feb", "mar", "apr", "mai", "may", "jun", "jul", "aug", "sep", "oct", "okt", "nov", "dec", "dez", NULL};
    for (const char *const *month = MONTHS; *month; month++)
        if (says(line, i, *month)) return 1;
    return 0;
}

/* Where a run of letters and "_" ends. */
static Py_ssize_t named(const Line *line, Py_ssize_t i) {
    while (i < line->n && is_word(AT(i)) && !is_digit(AT(i))) i++;
    return i;
}

static int ends_at(const Line *line, Py_ssize_t i) { return i >= line->n || !is_word(AT(i)); }

/* A year that ends with its number, or two digits where `may_be_short`. */
static int is_year(const Line *line, Py_ssize_t i, int may_be_short) {
    Py_ssize_t n = digits(line, i) - i;
    return ends_at(line, i + n) && ((n == 4 && year_at(line, i) >= 0) || (may_be_short && n == 2));
}

static int begins_when_with_number(const Line *line, Py_ssize_t i) {
    Py_ssize_t end = digits(line, i), n = end - i;
    Py_UCS4 c = AT(end);
    if (n == 4 && year_at(line, i) >= 0 && is_sign(c)) { /* 2020-5-3 */
        Py_ssize_t month = digits(line, end + 1), day = is_sign(AT(month)) ? digits(line, month + 1) : month;
        int n_month = (int)(month - end - 1 < 3 ? month - end - 1 : 3), n_day = (int)(day - month - 1 < 3 ? day - month - 1 : 3);
        return n_month >= 1 && n_month <= 2 && n_day >= 1 && n_day <= 2 && ends_at(line, day);
    }
    if (n > 2) return 0;
    if (is_sign(c)) { /* 3.5.20 */
        Py_ssize_t second = digits(line, end + 1), third = is_sign(AT(second)) ? digits(line, second + 1) : second;
        Py_ssize_t n_second = second - end - 1, n_third = third - second - 1;
        if (n_second >= 1 && n_second <= 2 && n_third >= 2 && n_third <= 4 && ends_at(line, third)) return 1;
    }
    if (c == ':' || lower_char(c) == 'h') { /* 9:30 */
        if (digits(line, end + 1) == end + 3 && ends_at(line, end + 3)) return 1;
    }
    Py_ssize_t at = end + (c == '.');
    int is_ordinal = says(line, end, "st") || says(line, end, "nd") || says(line, end, "rd") || says(line, end, "th");
    if (is_ordinal) at = end + 2;
    Py_ssize_t word = spaces(line, at, line->n), word_end = named(line, word), size = word_end - word;
    if (word == at || size < 3 || size > 10) return 0;
    if (!is_ordinal && is_like_month(line, word) && ends_at(line, word_end)) return 1;
    at = word_end + (AT(word_end) == '.');
    at += AT(at) == ',';
    Py_ssize_t last = spaces(line, at, line->n);
    return last > at && is_year(line, last, 1);
}

static int begins_when_with_word(const Line *line, Py_ssize_t i) {
    static const char *const DAYS[] = {"ago", "yesterday", "today", "gestern", "heute", "hier", "ayer", "hoy", "il y a", NULL};
    static const uint8_t SIZES[] = {3, 9, 5, 7, 5, 4, 4, 3, 6};
    for (int k = 0; DAYS[k]; k++)
        if (says(line, i, DAYS[k]) && ends_at(line, i + SIZES[k])) return 1;
    Py_ssize_t end = named(line, i), size = end - i;
    Py_ssize_t at = end + (AT(end) == '.'), next = size >= 3 && size <= 10 ? spaces(line, at, line->n) : at;
    if (next == at || !is_digit(AT(next))) return 0;
    Py_ssize_t after = digits(line, next), n = after - next;
    if (is_like_month(line, i) && ((n <= 2 && ends_at(line, after)) || is_year(line, next, 0))) return 1;
    if (at == end && size == 4 && says(line, i, "hace")) return 1;
    if (at == end && size == 3 && says(line, i, "vor") && after < line->n && is_space(AT(after))) return 1;
    if (n > 2) return 0;
    if (says(line, after, "st") || says(line, after, "nd") || says(line, after, "rd") || says(line, after, "th")) after += 2;
    after += AT(after) == ',';
    Py_ssize_t last = spaces(line, after, line->n);
    return last > after && is_year(line, last, 0);
}

/* Signs and pictures, and letters before U+0130: what small letters are is plain, and nothing belongs to another calendar. */
static int is_plain(Py_UCS4 c) { return c < 0x130 || (c >= 0x2000 && c < 0x2100) || (c >= 0x2190 && c < 0x2C00) || (c >= 0x1F300 && c < 0x1FB00); }

/* say_when(texts) -> a byte for each: whether it says when, 2 where C does not tell. */
PyObject *native_say_when(PyObject *self, PyObject *args) {
    PyObject *texts;
    if (!PyArg_ParseTuple(args, "O!", &PyList_Type, &texts)) return NULL;
    Py_ssize_t n = PyList_GET_SIZE(texts);
    PyObject *out = PyBytes_FromStringAndSize(NULL, n);
    for (Py_ssize_t k = 0; out && k < n; k++) {
        PyObject *text = PyList_GET_ITEM(texts, k);
        if (!PyUnicode_Check(text)) {
            PyErr_SetString(PyExc_TypeError, "texts are strings");
            Py_CLEAR(out);
            break;
        }
        Line here = {PyUnicode_KIND(text), PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text)}, *line = &here;
        char found = 0, is_told = 1;
        if (!PyUnicode_IS_ASCII(text)) /* other letters, and numbers that may be of other calendars */
            for (Py_ssize_t i = 0; is_told && i < line->n; i++) is_told = is_plain(AT(i)) && AT(i) != '/' && (AT(i) != '2' || AT(i + 1) != '5');
        for (Py_ssize_t i = 0; is_told && !found && i < line->n; i++) {
            Py_UCS4 c = AT(i);
            if (!is_word(c)) continue;
            found = (char)(is_digit(c) ? begins_when_with_number(line, i) : begins_when_with_word(line, i));
            while (i < line->n && is_word(AT(i))) i++;
        }
        PyBytes_AS_STRING(out)[k] = is_told ? found : 2;
    }
    return out;
}
