/* What a page is about, and its longest run of prose; see reference/topic.py. */
#include "evidence.h"
#include "numbers.h"
#include <math.h>
#include <string.h>

/* The words of a text as numbers of their own on this page. */
static int words_of(const Work *w, PyObject *text, int32_t start, int32_t end, Numbers *t, int32_t *out) {
    uint32_t hash[MAX_WORDS];
    int n = hash_words(PyUnicode_KIND(text), PyUnicode_DATA(text), start, end, w->char_kinds, hash);
    for (int i = 0; i < n; i++) out[i] = number_of(t, hash[i]);
    return n;
}

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

static int page_topic(Work *w, int32_t page) {
    Page *p = &w->pages[page];
    size_t room = ((size_t)p->n_blocks + 2) * MAX_WORDS;
    Numbers t;
    memset(&t, 0, sizeof t);
    int32_t *word = PyMem_RawMalloc(room * sizeof *word), *times = PyMem_RawCalloc(room, sizeof *times);
    int32_t *seen = PyMem_RawCalloc(room, sizeof *seen);
    uint8_t *is_about = PyMem_RawCalloc(room, 1), *n_words = PyMem_RawMalloc((size_t)p->n_blocks + 1);
    int failed = 1;
    if (!word || !times || !seen || !is_about || !n_words || numbers_init(&t, room)) { PyErr_NoMemory(); goto done; }
    int32_t about[MAX_WORDS];
    for (int part = 0; part < 2; part++) {
        PyObject *text = PyTuple_GET_ITEM(w->about, 2 * (Py_ssize_t)page + part);
        if (!PyUnicode_Check(text)) { bad("what pages are about is text"); goto done; }
        Py_ssize_t size = PyUnicode_GET_LENGTH(text);
        int n = words_of(w, text, 0, size > MAX_CHARS ? MAX_CHARS : (int32_t)size, &t, about);
        for (int i = 0; i < n; i++) is_about[about[i]] = 1;
    }
    for (int32_t k = 0; k < p->n_blocks; k++) {
        int32_t at = p->first_block + k, *own = word + (size_t)k * MAX_WORDS;
        n_words[k] = (uint8_t)words_of(w, w->text, w->at.text_start[at], w->at.text_end[at], &t, own);
        for (int i = 0; i < n_words[k]; i++) {
            if (seen[own[i]] != k + 1) { seen[own[i]] = k + 1; times[own[i]]++; }
            if (at == p->h1) is_about[own[i]] = 1;
        }
    }
    int32_t common = COMMON_WORD + p->n_sentences / 4;
    for (int32_t k = 0; k < p->n_blocks; k++) {
        Block *b = &w->blocks[p->first_block + k];
        const int32_t *own = word + (size_t)k * MAX_WORDS;
        for (int i = 0; i < n_words[k]; i++)
            if (times[own[i]] <= common && seen[own[i]] != -k - 1) {
                seen[own[i]] = -k - 1;
                b->rare++;
                b->hits += is_about[own[i]];
            }
    }
    failed = 0;
done:
    numbers_free(&t);
    PyMem_RawFree(word);
    PyMem_RawFree(times);
    PyMem_RawFree(seen);
    PyMem_RawFree(is_about);
    PyMem_RawFree(n_words);
    return failed ? -1 : 0;
}

int find_topics(Work *w) {
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
        const Topic *lo = &w->topic[(int32_t)w->held[at].blocks], *hi = &w->topic[(int32_t)w->held[w->rows.end[at]].blocks];
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
