/* What a page is about, and its longest run of prose; see reference/blocks/topic.py. */
#include "evidence.h"
#include "strings/numbers.h"
#include <math.h>
#include <string.h>

/* The run of blocks with the most words of prose, where every other block costs RUN_COST and its own words. */
static void find_run(const Work *w, Page *p) {
    double sum = 0, best = 0;
    int32_t first = p->first_block;
    p->run_first = p->run_end = p->first_block;
    for (int32_t k = p->first_block; k < p->first_block + p->n_blocks; k++) {
        const Block *b = &w->blocks[k];
        if (sum <= 0) { sum = 0; first = k; }
        sum += b->is_sentence ? b->words : -RUN_COST - b->words;
        p->prose_words += b->is_sentence ? b->words : 0;
        if (sum > best) { best = sum; p->run_first = first; p->run_end = k + 1; }
    }
    for (int32_t k = p->run_first; k < p->run_end; k++) p->run_words += w->blocks[k].is_sentence ? w->blocks[k].words : 0;
}

/* What a word is on its page. */
typedef struct {
    int32_t times, seen; /* blocks that have it; the last one that was looked at */
    int32_t is_about;
} PageWord;

/* Tables are as large as the words of the page. */
static int page_topic(Work *w, int32_t page) {
    Page *p = &w->pages[page];
    const uint8_t *n_words = w->n_hash + p->first_block;
    uint32_t about[2 * MAX_WORDS];
    int n_about[2];
    int32_t *word = NULL; /* the numbers of the words: of title and description, and of all blocks */
    PageWord *known = NULL;
    Numbers t;
    memset(&t, 0, sizeof t);
    int failed = 1;
    size_t from = w->n_hashes, n = 0;
    for (int part = 0; part < 2; part++) {
        PyObject *text = PyTuple_GET_ITEM(w->about, 2 * (Py_ssize_t)page + part);
        if (!PyUnicode_Check(text)) { bad("what pages are about is text"); goto done; }
        n_about[part] = hash_words(PyUnicode_KIND(text), PyUnicode_DATA(text), 0, PyUnicode_GET_LENGTH(text), w->char_kinds, about + n);
        n += (size_t)n_about[part];
    }
    size_t n_first = n;
    for (int32_t k = p->first_block; k < p->first_block + p->n_blocks; k++) {
        w->n_hash[k] = (uint8_t)hash_words(PyUnicode_KIND(w->text), PyUnicode_DATA(w->text), w->at.text_start[k], w->at.text_end[k],
                                           w->char_kinds, w->hash + w->n_hashes);
        w->n_hashes += w->n_hash[k];
    }
    n += w->n_hashes - from;
    word = PyMem_RawMalloc((n + 1) * sizeof *word);
    known = PyMem_RawCalloc(n + 1, sizeof *known);
    if (!word || !known || numbers_init(&t, n)) { PyErr_NoMemory(); goto done; }
    for (size_t i = 0; i < n; i++) word[i] = number_of(&t, i < n_first ? about[i] : w->hash[from + i - n_first]);
    const int32_t *own = word;
    for (int part = 0; part < 2; own += n_about[part++])
        for (int i = 0; i < n_about[part]; i++) known[own[i]].is_about = 1;
    const int32_t *first = own;
    for (int32_t k = 0; k < p->n_blocks; own += n_words[k++])
        for (int i = 0; i < n_words[k]; i++) {
            PageWord *q = &known[own[i]];
            if (q->seen != k + 1) { q->seen = k + 1; q->times++; }
            if (p->first_block + k == p->h1) q->is_about = 1;
        }
    int32_t common = COMMON_WORD + p->n_sentences / 4;
    own = first;
    for (int32_t k = 0; k < p->n_blocks; own += n_words[k++]) {
        Block *b = &w->blocks[p->first_block + k];
        for (int i = 0; i < n_words[k]; i++) {
            PageWord *q = &known[own[i]];
            if (q->times > common || q->seen == -k - 1) continue;
            q->seen = -k - 1;
            b->rare++;
            b->hits += q->is_about;
        }
    }
    failed = 0;
done:
    numbers_free(&t);
    PyMem_RawFree(word);
    PyMem_RawFree(known);
    return failed ? -1 : 0;
}

int find_topics(Work *w) {
    NEW(n_hash, w->n_blocks);
    if (!(w->hash = PyMem_RawMalloc(((size_t)w->n_blocks + 1) * MAX_WORDS * sizeof *w->hash))) { PyErr_NoMemory(); return -1; }
    for (int32_t page = 0; page < w->n_pages; page++) {
        if (!w->pages[page].n_blocks) continue;
        if (page_topic(w, page)) return -1;
        find_run(w, &w->pages[page]);
    }
    NEW(topic, w->n_blocks + 1);
    const float *x = matrix_of(w);
    for (int32_t k = 0; k < w->n_blocks; k++) {
        const Block *b = &w->blocks[k];
        Topic *sum = &w->topic[k + 1];
        *sum = w->topic[k];
        sum->rare += b->rare;
        sum->hits += b->hits;
        sum->dates += b->words > 0 && b->words <= DATE_WORDS && b->digits > 0 && !b->is_sentence;
        sum->h1s += x[(size_t)k * N_EVIDENCE + E_in_group + GROUP_heading] > 0 && w->rows.tag[w->at.box[k]] == TAG_h1;
    }
    return 0;
}

static double share(int32_t hits, int32_t rare) { return rare ? (double)hits / rare : NAN; }

void topic_columns(const Work *w, int32_t k, float *x) {
    const Block *b = &w->blocks[k];
    const Page *p = &w->pages[w->at.page[k]];
    const int32_t *chain = (const int32_t *)PyByteArray_AS_STRING(w->chain);
    x[E_about] = (float)share(b->hits, b->rare);
    for (int level = 1; level <= 3; level++) {
        int32_t at = chain[(size_t)level * (size_t)w->n_blocks + (size_t)k];
        const Topic *lo = &w->topic[w->held[at].blocks], *hi = &w->topic[w->held[w->rows.end[at]].blocks];
        x[E_about_up + level - 1] = (float)share(hi->hits - lo->hits, hi->rare - lo->rare);
        x[E_up_dates + level - 1] = (float)log_of(hi->dates - lo->dates);
    }
    const Block *heading = b->heading >= 0 ? &w->blocks[b->heading] : NULL;
    x[E_heading_about] = heading ? (float)share(heading->hits, heading->rare) : NAN;
    x[E_heading_links] = heading ? (float)heading->density : NAN;
    x[E_copies_before] = (float)b->copies_before;
    x[E_copies_after] = (float)b->copies_after;
    x[E_h1s_before] = (float)(w->topic[k + 1].h1s - w->topic[p->first_block].h1s);
    int is_before = k < p->run_first, is_after = k >= p->run_end;
    x[E_run] = is_before ? -1.0f : is_after ? 0.0f : 1.0f;
    x[E_run + 1] = (float)ratio(p->run_words, p->prose_words);
    x[E_run + 2] = (float)(is_before ? -log_of(p->run_first - k) : is_after ? log_of(k - p->run_end + 1) : 0);
}
