/* What the C files of the one extension share. Each kernel is the second body of the function of its name in `reference/`, with
 * the signature that `_core.pyi` states. */
#ifndef SITEGRAIN_NATIVE_H
#define SITEGRAIN_NATIVE_H
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

#include "columns.h"

/* ---------------------------------------------------------------- the lists of columns.h as constants */

#define NUMBER(name, value) name = value,
enum { NUMBERS(NUMBER) };

#define TAG_CODE(name) TAG_##name,
#define ATTR_CODE(name) ATTR_##name,
enum { TAG_TEXT, TAG_UNKNOWN, TAGS(TAG_CODE) N_TAGS };
enum { ATTR_TAG_NAME, ATTRIBUTES(ATTR_CODE) N_ATTRIBUTES };

#define PLACE(name) AT_##name,
#define BIT(name) IS_##name = 1 << AT_##name,
enum { TAG_BITS(PLACE) };
enum { TAG_BITS(BIT) };
#define CUT_PLACE(name) CUT_AT_##name,
#define CUT_BIT(name) CUT_##name = 1 << CUT_AT_##name,
enum { CUTS(CUT_PLACE) };
enum { CUTS(CUT_BIT) };
enum { ROW_BITS(PLACE) };
enum { ROW_BITS(BIT) };
#define CHAR_PLACE(name) CHAR_AT_##name,
#define CHAR_BIT_OF(name) CHAR_##name = 1 << CHAR_AT_##name,
enum { CHAR_BITS(CHAR_PLACE) };
enum { CHAR_BITS(CHAR_BIT_OF) };
#define BREAK_CODE(name) BREAK_##name,
#define BREAK_PLACE(name) BREAK_AT_##name,
#define BREAK_BIT(name) BREAK_IS_##name = 1 << BREAK_AT_##name,
enum { BREAKS(BREAK_CODE) N_BREAKS };
enum { BREAK_BITS(BREAK_PLACE) };
enum { BREAK_BITS(BREAK_BIT) };
#define TEXT_MARK_PLACE(name) TEXT_MARK_AT_##name,
#define TEXT_MARK_BIT(name) TEXT_HAS_##name = 1 << TEXT_MARK_AT_##name,
enum { TEXT_MARKS(TEXT_MARK_PLACE) };
enum { TEXT_MARKS(TEXT_MARK_BIT) };

#define MEND_CODE(name) MEND_##name,
enum { MENDS(MEND_CODE) N_MENDS };
#define LINE_CODE_OF(name) LINE_##name,
enum { LINES(LINE_CODE_OF) N_LINES };
#define STRING_PLACE(name) STRING_AT_##name,
#define STRING_BIT(name) STRING_##name = 1 << STRING_AT_##name,
enum { STRING_BITS(STRING_PLACE) };
enum { STRING_BITS(STRING_BIT) };

#define GROUP_CODE(name) GROUP_##name,
#define CLASS_CODE(name) CLASS_##name,
#define CUE_CODE(name) CUE_##name,
#define COUNTED_CODE(name) COUNTED_##name,
#define HELD_CODE(name) HELD_##name,
#define URL_CODE(name) URL_##name,
#define TYPE_CODE(name) TYPE_##name,
enum { GROUPS(GROUP_CODE) N_GROUPS };
enum { CLASSES(CLASS_CODE) N_CLASSES };
enum { CUES(CUE_CODE) N_CUES };
enum { COUNTED(COUNTED_CODE) N_COUNTED };
enum { HELD(HELD_CODE) N_HELD };
enum { URLS(URL_CODE) N_URLS };
enum { TYPES(TYPE_CODE) N_TYPES };

#define E_ONE(name) E_##name,
#define E_MANY(name, n, pattern) E_##name, E_LAST_##name = E_##name + (n) - 1,
enum { EVIDENCE(E_ONE, E_MANY) N_EVIDENCE };
#define S_ONE(name) S_##name,
#define S_MANY(name, n, pattern) S_##name, S_LAST_##name = S_##name + (n) - 1,
enum { SITE(S_ONE, S_MANY) N_SITE };
#define P_ONE(name) P_##name,
#define P_MANY(name, n, pattern) P_##name, P_LAST_##name = P_##name + (n) - 1,
enum { STAGE(P_ONE, P_MANY) N_STAGE };
#define W_ONE(name) W_##name,
#define W_MANY(name, n, pattern) W_##name, W_LAST_##name = W_##name + (n) - 1,
enum { TEXT_WEIGHTS(W_ONE, W_MANY) N_TEXT_WEIGHTS };
enum { NAME_WEIGHTS(W_ONE, W_MANY) N_NAME_WEIGHTS };

/* ---------------------------------------------------------------- columns */

/* A contiguous buffer of items of one size; `n` is how many. */
typedef struct {
    Py_buffer buffer;
    Py_ssize_t n;
} Column;

int column_get(Column *column, PyObject *object, Py_ssize_t item);
void columns_release(Column *columns, int n);
/* The columns of a tuple, each of items of its size; `n_rows` is how many each has. */
int table_get(Column *columns, PyObject *tuple, const Py_ssize_t *item, int n, Py_ssize_t *n_rows);
/* A matrix of items of one size; `n_rows` is how many rows it must have. */
int matrix_get(Column *column, PyObject *object, Py_ssize_t item, Py_ssize_t n_rows, Py_ssize_t *n_columns);

/* Tables: a struct with a pointer to each column, and a function that fills it from a tuple. */
typedef int16_t C_int16;
typedef int32_t C_int32;
typedef uint8_t C_uint8;
typedef uint64_t C_uint64;
typedef float C_float32;
typedef double C_float64;
#define ONE_MORE(name, type) +1
#define POINTER(name, type) const C_##type *name;
#define DECLARE_TABLE(Name, get, LIST)    \
    typedef struct {                      \
        Py_ssize_t n;                     \
        LIST(POINTER)                     \
        Column column[0 LIST(ONE_MORE)];  \
    } Name;                               \
    int get(Name *table, PyObject *tuple)
DECLARE_TABLE(Rows, rows_get, ROWS);
DECLARE_TABLE(Attrs, attrs_get, ATTRS);
DECLARE_TABLE(Blocks, blocks_get, BLOCKS);
DECLARE_TABLE(TreeNodes, tree_nodes_get, TREES);
DECLARE_TABLE(Paths, paths_get, PATHS);
DECLARE_TABLE(Counts, counts_get, COUNTS);
DECLARE_TABLE(TextRows, text_rows_get, TEXT_ROWS);
DECLARE_TABLE(RenderRows, render_rows_get, RENDER_ROWS);
#define TABLE_RELEASE(table) columns_release((table).column, (int)(sizeof(table).column / sizeof(Column)))

#define VALUE(name, type) C_##type name;
typedef struct {
    TAG_KINDS(VALUE)
} TagKind;
enum { NO_GROUP = 255, IS_BLOCK = 1, IS_INLINE_BOX = 2 };

/* Whether rows, and blocks of them, are such that no index leads outside; -1 with an exception. */
int rows_fit(const Rows *rows, Py_ssize_t text_size, Py_ssize_t n_tags, Py_ssize_t n_pages);

/* ---------------------------------------------------------------- small things */

#ifdef __GNUC__
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif
/* Do something for each kind of string, with KIND as a constant: PyUnicode_READ then asks for nothing at each character. */
#define BY_KIND(kind, ...)                                                                  \
    switch (kind) {                                                                         \
    case PyUnicode_1BYTE_KIND: { enum { KIND = PyUnicode_1BYTE_KIND }; __VA_ARGS__; } break; \
    case PyUnicode_2BYTE_KIND: { enum { KIND = PyUnicode_2BYTE_KIND }; __VA_ARGS__; } break; \
    default: { enum { KIND = PyUnicode_4BYTE_KIND }; __VA_ARGS__; }                          \
    }

/* NULL and -1 with a ValueError. */
PyObject *misfit(const char *what);
int bad(const char *what);
/* What the reference does with these arguments: for what C cannot tell. A new reference. */
PyObject *ask_reference(const char *name, PyObject *args);
/* A float matrix of n rows whose cells are not set, and whether all cells of the first row were: -1 with an exception that names
 * the first that was not. */
PyObject *new_matrix(Py_ssize_t n, int n_columns);
int matrix_is_set(PyObject *matrix, Py_ssize_t n, int n_columns, const char *what);

static inline double ratio(double a, double b) { return b > 0 ? a / b : 0.0; }
/* np.maximum and np.minimum for numbers: NaN in a stays. */
static inline double at_least(double a, double b) { return a < b ? b : a; }
static inline double at_most(double a, double b) { return a > b ? b : a; }

/* A number that no page can know: tables that are keyed with it cannot be made to collide. */
uint64_t process_key(void);

/* The key of the path to a row by the key of its parent (0 for a root) and its own value. */
static inline uint64_t path_key(uint64_t above, uint64_t own) {
    uint64_t k = above * 0x9E3779B97F4A7C15ull + own;
    k = (k ^ k >> 30) * 0xBF58476D1CE4E5B9ull;
    k = (k ^ k >> 27) * 0x94D049BB133111EBull;
    return k ^ k >> 31;
}

/* The bits of a character beyond the basic plane; see chars.py. */
static inline int astral_kind(Py_UCS4 c) { return c >= 0x20000 && c < 0x32000 ? CHAR_WORD | CHAR_WIDE : CHAR_SYMBOL; }

/* Letters of which Python need not be asked what they are: signs of Chinese, Russian and Arabic letters. */
static inline int is_ideograph(Py_UCS4 c) { return c - 0x4E00u <= 0x9FFFu - 0x4E00u; }
static inline int is_known_letter(Py_UCS4 c) { return is_ideograph(c) || c - 0x410u <= 0x44Fu - 0x410u || c - 0x620u <= 0x64Au - 0x620u; }

/* The lower case of a character, as Python has it for one character. */
static inline Py_UCS4 lower_char(Py_UCS4 c) {
    if (c < 128) return c - 'A' < 26u ? c | 32 : c;
    if (is_known_letter(c)) return c - 0x410u < 0x20u ? c + 0x20 : c;
    return Py_UNICODE_TOLOWER(c);
}

/* What Python calls a space; the last one is that of Chinese. */
static inline int is_white(Py_UCS4 c) { return c <= 0x3000 && Py_UNICODE_ISSPACE(c); }

/* PyUnicode_AsUTF8AndSize, without a call for what is ASCII: nearly all names of classes are. */
static inline const char *utf8_and_size(PyObject *string, Py_ssize_t *size) {
    if (!PyUnicode_Check(string) || PyUnicode_READY(string) || !PyUnicode_IS_COMPACT_ASCII(string)) return PyUnicode_AsUTF8AndSize(string, size);
    *size = PyUnicode_GET_LENGTH(string);
    return PyUnicode_DATA(string);
}

/* Whether one of some words in lower case stands in a string, ignoring case; 1 for a string that is no ASCII. The list ends with NULL. */
int has_any(PyObject *string, const char *const *words);

/* The crc32 of zlib over the UTF-8 of characters: begin with CRC_START, add each, and take the complement. */
#define CRC_START 0xFFFFFFFFu
extern uint32_t crc_table[256], crc_further[3][256];
void crc_init(void);
static inline uint32_t crc_byte(uint32_t crc, uint32_t byte) { return crc_table[(crc ^ byte) & 0xFF] ^ crc >> 8; }
/* The same of many bytes: four at once, each through the table that knows how far it still has to go. */
static inline uint32_t crc_bytes(uint32_t crc, const uint8_t *s, size_t n) {
    for (; n >= 4; s += 4, n -= 4) {
        crc ^= (uint32_t)s[0] | (uint32_t)s[1] << 8 | (uint32_t)s[2] << 16 | (uint32_t)s[3] << 24;
        crc = crc_further[2][crc & 0xFF] ^ crc_further[1][crc >> 8 & 0xFF] ^ crc_further[0][crc >> 16 & 0xFF] ^ crc_table[crc >> 24];
    }
    while (n--) crc = crc_byte(crc, *s++);
    return crc;
}
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

/* BLAKE2b with 8 bytes (hashes.c), and the UTF-8 of characters, lone surrogates too; `out` has room for four bytes each. */
uint64_t hash_bytes(const uint8_t *s, size_t n);
/* The same of many strings, four short ones at a time where the machine can: each hash is put into `(*out)[place]` sooner or later, the
 * last ones by `hashes_end`. The array may be moved meanwhile. */
enum { HASH_BLOCK = 128, HASH_LANES = 4 };
typedef struct {
    uint64_t **out;
    uint8_t block[HASH_LANES][HASH_BLOCK];
    uint64_t size[HASH_LANES];
    size_t place[HASH_LANES];
    int n, is_wide;
} Hashes;
void hashes_begin(Hashes *h, uint64_t **out);
void hashes_add(Hashes *h, const uint8_t *s, size_t n, size_t place);
void hashes_end(Hashes *h);
size_t utf8_of(const Py_UCS4 *chars, Py_ssize_t n, uint8_t *out);

/* The words of text[start:end] as numbers; at most MAX_WORDS (lexicon.c). */
int hash_words(int kind, const void *data, Py_ssize_t start, Py_ssize_t end, const uint8_t *kinds, uint32_t *out);

/* Words made ready to be found in names (words.c). */
typedef struct Matcher Matcher;
const Matcher *matcher_of(PyObject *capsule);
uint64_t matcher_find(const Matcher *matcher, const char *name, size_t size);

/* ---------------------------------------------------------------- kernels */

#define KERNELS(X)                                                                                         \
    X(guard, "The page without code and without tags nested too deep.")                                    \
    X(scan, "A serialized tree as columns.")                                                               \
    X(read_tree, "The tree of a parser as columns.")                                                       \
    X(read_plain, "A page as columns, if it is a plain one.")                                              \
    X(is_utf8, "Whether bytes are UTF-8.")                                                                 \
    X(unseen, "A text without what stands in no line.")                                                    \
    X(holds, "Whether bytes hold a word.")                                                                 \
    X(split, "The pieces of a text.")                                                                      \
    X(picked, "The attributes that are wanted, as numbers.")                                               \
    X(head, "What a page says in its head.")                                                               \
    X(attr_values, "The values of an attribute by row.")                                                   \
    X(tag_rows, "The rows of some tags.")                                                                  \
    X(path_keys, "Hash of the path from the root to each row.")                                            \
    X(string_hashes, "Hash of each string.")                                                               \
    X(string_facts, "What each string is like.")                                                           \
    X(term_counts, "How often terms come, and on how many pages.")                                         \
    X(page_keys, "Different keys, and on how many pages each is.")                                         \
    X(like_siblings, "Children of one parent that are alike.")                                             \
    X(intern_texts, "Every different text of pages.")                                                      \
    X(intern_values, "Every different piece of texts.")                                                    \
    X(number_words, "Every different word of texts.")                                                      \
    X(matcher, "Words made ready for word_bits.")                                                          \
    X(word_bits, "Bits of the words that stand in each name.")                                             \
    X(cut_blocks, "Runs of text that a reader sees as one piece.")                                         \
    X(marked_rows, "Rows that their attributes mark as a group.")                                          \
    X(evidence, "What pages say of their blocks.")                                                         \
    X(text_keys, "Keys of texts and of their first and last words.")                                       \
    X(said_pages, "On how many pages texts and words are.")                                                \
    X(text_sizes, "Seen characters and words of texts.")                                                   \
    X(site_table, "What was learned of a site made ready for the next three.")                             \
    X(site_paths, "Hashes of the path to each row, with class names and without.")                         \
    X(site_scores, "Mean first score at the path of each block.")                                          \
    X(site_columns, "What the site says of each block.")                                                   \
    X(stage, "First scores around each block.")                                                            \
    X(pack_trees, "A tree ensemble made ready to be added up.")                                            \
    X(predict, "Add up a tree ensemble.")                                                                  \
    X(mean_score, "The mean of scores by their log odds.")                                                 \
    X(decide, "Which blocks to keep.")                                                                     \
    X(check_pages, "What makes pages with their evidence known to the kernels that take them.")            \
    X(judge, "Scores of blocks and which of them are kept, by all of these.")                              \
    X(dated_units, "Elements with dates that are alike, below the text of a page.")                       \
    X(have_dates, "Which stretches of a text have a date.")                                               \
    X(find_dates, "The dates in a line.")                                                                 \
    X(say_when, "Which lines say when.")                                                                   \
    X(post_cut, "The best way to cut a page into posts.")                                                  \
    X(part_keys, "What makes rows of different posts the same part.")                                                     \
    X(to_mend, "Which steps that mend a decision have something to look at.")                              \
    X(lines_to_mend, "Which steps that leave out single lines have something to look at.")                 \
    X(type_columns, "What the type of each page is told by.")                                              \
    X(text_hashes, "The words of texts as numbers.")                                                       \
    X(name_hashes, "The words of class names as numbers.")                                                 \
    X(text_weights, "What the words of texts weigh.")                                                      \
    X(name_weights, "What the class names above rows weigh.")                                              \
    X(text_marks, "Whether a page has formulas, kept signs or kept code.")                                 \
    X(to_text, "The kept text of a page.")                                                                 \
    X(plain_address, "Where an address leads to that normalisation leaves as it is.")                      \
    X(year_spots, "Where years may stand in a text.")                                                     \
    X(line_text, "The text of a subtree as one line.")                                                     \
    X(snippet, "The text of rows without some subtrees, as one line.")                                     \
    X(render, "The kept text of a page as Markdown or HTML.")                                              \
    X(class_scores, "How much a text looks like each language.")                                           \
    X(json_bytes, "A value as JSON.")
#define DECLARE_KERNEL(name, what) PyObject *native_##name(PyObject *self, PyObject *args);
KERNELS(DECLARE_KERNEL)

#endif
