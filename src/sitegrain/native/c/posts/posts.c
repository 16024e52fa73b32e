/* How a page is cut into posts: elements at the same place that hold the wanted text and have a mark each; see reference/posts/posts.py. */
#include "strings/numbers.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BETWEEN = 6, MOST_NEAR = 50 };

typedef struct {
    uint64_t key;
    int64_t covered;
    int32_t n, n_held, slot;
} Group;

typedef struct {
    Py_ssize_t n, start, stop;
    const int16_t *tag;
    const int32_t *parent, *end, *depth;
    const int64_t *total;
    const uint64_t *keys;
    const uint8_t *may_be, *marks;
    int32_t *marked; /* marks before each row */
    double least_covered, least_marked;
    int64_t whole;
    int32_t max_posts, max_places;
} Cuts;

typedef struct {
    int32_t *begins, *ends, n;
    double score;
} Posts;

static int by_key(const void *a, const void *b) {
    const Group *x = *(Group *const *)a, *y = *(Group *const *)b;
    return (x->key > y->key) - (x->key < y->key);
}

static int by_text(const void *a, const void *b) {
    const Group *x = *(Group *const *)a, *y = *(Group *const *)b;
    return x->covered == y->covered ? by_key(a, b) : x->covered < y->covered ? 1 : -1;
}

static int by_number(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The largest elements around each root that hold no other. */
static void climb(const Cuts *w, int32_t *roots, int32_t *up, int32_t n) {
    int is_level = 1;
    for (int32_t i = 1; i < n; i++) is_level &= w->depth[roots[i]] == w->depth[roots[0]];
    for (Py_ssize_t step = 0; step < (is_level ? w->n : 4); step++) {
        for (int32_t i = 0; i < n; i++)
            if ((up[i] = w->parent[roots[i]]) < 0) return;
        for (int32_t i = 0; i + 1 < n; i++)
            if (roots[i + 1] < w->end[up[i]] || roots[i] >= up[i + 1]) return;
        memcpy(roots, up, (size_t)n * sizeof *roots);
    }
}

/* The elements before a row under the same parent, nearest first; how many. */
static int siblings_before(const Cuts *w, int32_t root, int most, int32_t *out) {
    int32_t parent = w->parent[root], row = root - 1;
    int n = 0;
    while (row > parent && n < most) {
        while (row >= 0 && w->parent[row] != parent) row = w->parent[row];
        if (row < 0) break;
        out[n++] = row--;
    }
    return n;
}

/* How many elements before each post are its own: as many as repeat before nearly all, the first one too. */
static int own_before(const Cuts *w, const int32_t *roots, int32_t n) {
    int gap = MOST_BETWEEN, k = 0, n_near = n < MOST_NEAR ? (int)n : MOST_NEAR;
    for (int32_t i = 0; gap && i + 1 < n; i++) {
        int between = 0;
        for (int32_t row = w->end[roots[i]]; row < roots[i + 1] && between < gap; row = w->end[row]) between++;
        gap = between;
    }
    if (!gap) return 0;
    int32_t near[MOST_NEAR][MOST_BETWEEN];
    int size[MOST_NEAR];
    for (int i = 0; i < n_near; i++) size[i] = siblings_before(w, roots[i], gap, near[i]);
    for (; k < gap && size[0] > k; k++) {
        int same = 0;
        for (int i = 0; i < n_near; i++) same += size[i] > k && w->keys[near[i][k]] == w->keys[near[0][k]];
        if (same < 0.8 * n_near) break;
    }
    return k;
}

/* Where the posts with these roots begin and end; `other` has room for as many numbers. */
static void cut(const Cuts *w, int32_t *roots, int32_t *other, int32_t n, Posts *posts) {
    int32_t often = 0, parent = 0, n_same = 0;
    for (int32_t i = 0; i < n; i++) other[i] = w->parent[roots[i]];
    while (n_same < n && other[n_same] == other[0]) n_same++;
    if (n_same < n) {
        qsort(other, (size_t)n, sizeof *other, by_number);
        for (int32_t i = 0, j; i < n; i = j) {
            for (j = i; j < n && other[j] == other[i];) j++;
            if (j - i > often) {
                often = j - i;
                parent = other[i];
            }
        }
        if (often >= 0.7 * n) { /* elements of the same name elsewhere are no posts */
            int32_t m = 0;
            for (int32_t i = 0; i < n; i++)
                if (w->parent[roots[i]] == parent) roots[m++] = roots[i];
            n = n_same = m;
        }
    }
    posts->n = n;
    if (n < 2 || n_same < n) { /* an answer inside of a post is a post of its own */
        for (int32_t i = 0; i < n; i++) {
            posts->begins[i] = roots[i];
            posts->ends[i] = w->end[roots[i]];
        }
        return;
    }
    int before = own_before(w, roots, n);
    for (int32_t i = 0; i < n; i++) {
        int32_t found[MOST_BETWEEN];
        int m = siblings_before(w, roots[i], before, found);
        posts->begins[i] = m ? found[m - 1] : roots[i];
        if (i) posts->ends[i - 1] = posts->begins[i];
    }
    /* The last post ends like the one before it: with as many elements after it, if they are the same. */
    int32_t above = w->parent[roots[n - 1]], row = w->end[roots[n - 1]], like = w->end[roots[n - 2]];
    int32_t stop = above < 0 ? (int32_t)w->n : w->end[above];
    while (like < posts->begins[n - 1] && row < stop && w->keys[row] == w->keys[like]) {
        row = w->end[row];
        like = w->end[like];
    }
    posts->ends[n - 1] = row;
}

/* How much of the wanted text the posts hold, how many of them have a mark, and how many there are; `around` has room for as many numbers,
 * `mass` and `marks` too. */
static double score(const Cuts *w, const Posts *posts, int32_t *around, int64_t *mass, int32_t *marks) {
    int32_t n_around = 0, n_full = 0, n_marked = 0;
    int64_t held = 0;
    for (int32_t i = 0; i < posts->n; i++) {
        int32_t start = posts->begins[i], stop = posts->ends[i];
        mass[i] = w->total[stop] - w->total[start];
        marks[i] = w->marked[stop] - w->marked[start];
        /* What stands in a post within a post is the inner one's. */
        while (n_around && posts->ends[around[n_around - 1]] <= start) n_around--;
        if (n_around) {
            mass[around[n_around - 1]] -= mass[i];
            marks[around[n_around - 1]] -= marks[i];
        }
        around[n_around++] = i;
    }
    for (int32_t i = 0; i < posts->n; i++) {
        held += mass[i];
        n_full += mass[i] > 0;
        n_marked += mass[i] > 0 && marks[i] > 0;
    }
    if (n_full < 2) return 0.0;
    double share = (double)n_marked / n_full, covered = (double)held / (double)(w->whole > 1 ? w->whole : 1);
    return share >= w->least_marked && covered >= w->least_covered ? covered * share * log(1.0 + n_full) : 0.0;
}

/* The groups of elements with the same key that may be posts, in the order of their keys; `id` is told of each element. */
static int32_t choose(const Cuts *w, Group *groups, Group **chosen, int32_t *id, Numbers *known) {
    int32_t n = 0;
    for (Py_ssize_t i = w->start; i < w->stop; i++) {
        if (w->tag[i] == TAG_TEXT) continue;
        Group *g = &groups[id[i] = number_of(known, w->keys[i])];
        int64_t mass = w->may_be[i] ? w->total[w->end[i]] - w->total[i] : 0;
        g->key = w->keys[i];
        g->n++;
        g->n_held += mass > 0;
        g->covered += mass;
    }
    for (int32_t k = 0; k < known->n; k++) {
        Group *g = &groups[k];
        g->slot = -1;
        if (g->n_held >= 2 && g->n_held <= w->max_posts && (double)g->covered >= w->least_covered * (double)w->whole) chosen[n++] = g;
    }
    if (n > w->max_places) {
        qsort(chosen, (size_t)n, sizeof *chosen, by_text);
        n = w->max_places;
    }
    qsort(chosen, (size_t)n, sizeof *chosen, by_key);
    int32_t m = 0;
    for (int32_t k = 0; k < n; k++)
        if (chosen[k]->n <= w->max_posts) {
            chosen[k]->slot = m;
            chosen[m++] = chosen[k];
        }
    return m;
}

static PyObject *as_list(const int32_t *numbers, int32_t n) {
    PyObject *list = PyList_New(n);
    for (int32_t i = 0; list && i < n; i++) {
        PyObject *number = PyLong_FromLong(numbers[i]);
        if (!number) Py_CLEAR(list);
        else PyList_SET_ITEM(list, i, number);
    }
    return list;
}

/* The best cut: None, or (begins, ends, score). */
static PyObject *best_cut(Cuts *w) {
    PyObject *result = NULL;
    size_t n_rows = (size_t)(w->stop - w->start), most = (size_t)w->max_posts, places = (size_t)w->max_places;
    Numbers known;
    memset(&known, 0, sizeof known);
    Group *groups = PyMem_RawCalloc(n_rows + 1, sizeof *groups), **chosen = PyMem_RawMalloc((n_rows + 1) * sizeof *chosen);
    int32_t *id = PyMem_RawMalloc(((size_t)w->n + 1) * sizeof *id), *marked = PyMem_RawMalloc(((size_t)w->n + 1) * sizeof *marked);
    int32_t *room = PyMem_RawMalloc((7 * most + 1) * sizeof *room), *roots = PyMem_RawMalloc((n_rows + 1) * sizeof *roots);
    int32_t *n_roots = PyMem_RawCalloc(2 * places + 1, sizeof *n_roots), *offset = n_roots ? n_roots + places : NULL;
    int64_t *mass = PyMem_RawMalloc((most + 1) * sizeof *mass);
    if (!groups || !chosen || !id || !marked || !room || !roots || !n_roots || !mass || numbers_init(&known, n_rows)) goto memory;
    marked[0] = 0;
    for (Py_ssize_t i = 0; i < w->n; i++) marked[i + 1] = marked[i] + (w->marks[i] != 0);
    w->marked = marked;
    w->whole = w->total[w->stop] - w->total[w->start];
    int32_t n = choose(w, groups, chosen, id, &known);
    for (int32_t k = 1; k < n; k++) offset[k] = offset[k - 1] + chosen[k - 1]->n;
    for (Py_ssize_t i = w->start; n && i < w->stop; i++) {
        int32_t slot = w->tag[i] == TAG_TEXT ? -1 : groups[id[i]].slot;
        if (slot >= 0) roots[offset[slot] + n_roots[slot]++] = (int32_t)i;
    }
    int32_t *other = room, *marks = room + most;
    Posts now = {room + 2 * most, room + 3 * most, 0, 0.0}, best = {room + 4 * most, room + 5 * most, 0, 0.0};
    for (int32_t k = 0; k < n; k++) {
        int32_t *own = roots + offset[k], is_seen = 0;
        climb(w, own, other, n_roots[k]);
        if (own[0] < w->start) n_roots[k] = 0; /* it is compared with no other */
        for (int32_t j = 0; j < k && !is_seen; j++) /* the parts of a post all lead up to it */
            is_seen = n_roots[j] == n_roots[k] && !memcmp(roots + offset[j], own, (size_t)n_roots[k] * sizeof *own);
        if (is_seen || !n_roots[k]) continue;
        int32_t *copy = room + 6 * most;
        memcpy(copy, own, (size_t)n_roots[k] * sizeof *own);
        cut(w, copy, other, n_roots[k], &now);
        if ((now.score = score(w, &now, other, mass, marks)) > best.score) {
            Posts before = best;
            best = now;
            now = before;
        }
    }
    if (best.score > 0.0) {
        PyObject *begins = as_list(best.begins, best.n), *ends = begins ? as_list(best.ends, best.n) : NULL;
        if (ends) result = Py_BuildValue("NNd", begins, ends, best.score);
        else Py_XDECREF(begins);
    } else result = Py_NewRef(Py_None);
    goto done;
memory:
    PyErr_NoMemory();
done:
    numbers_free(&known);
    PyMem_RawFree(groups);
    PyMem_RawFree(chosen);
    PyMem_RawFree(id);
    PyMem_RawFree(marked);
    PyMem_RawFree(room);
    PyMem_RawFree(roots);
    PyMem_RawFree(n_roots);
    PyMem_RawFree(mass);
    return result;
}

/* post_cut(rows, keys, may_be, marks, start, stop, rules): see PostRows and PostRules. */
PyObject *native_post_cut(PyObject *self, PyObject *args) {
    enum { TAG, PARENT, END, DEPTH, TOTAL, KEYS, MAY_BE, MARKS, N };
    static const Py_ssize_t ITEM[N] = {2, 4, 4, 4, 8, 8, 1, 1};
    PyObject *of[N], *result = NULL;
    Column column[N];
    memset(column, 0, sizeof column);
    Cuts cuts, *w = &cuts;
    memset(w, 0, sizeof *w);
    if (!PyArg_ParseTuple(args, "(OOOOO)OOOnn(ddii)", &of[TAG], &of[PARENT], &of[END], &of[DEPTH], &of[TOTAL], &of[KEYS], &of[MAY_BE], &of[MARKS], &w->start,
                          &w->stop, &w->least_covered, &w->least_marked, &w->max_posts, &w->max_places))
        return NULL;
    int fits = 1;
    for (int k = 0; k < N; k++) {
        if (column_get(&column[k], of[k], ITEM[k])) goto done;
        fits &= column[k].n == column[TAG].n + (k == TOTAL);
    }
    w->n = column[TAG].n;
    w->tag = column[TAG].buffer.buf;
    w->parent = column[PARENT].buffer.buf;
    w->end = column[END].buffer.buf;
    w->depth = column[DEPTH].buffer.buf;
    w->total = column[TOTAL].buffer.buf;
    w->keys = column[KEYS].buffer.buf;
    w->may_be = column[MAY_BE].buffer.buf;
    w->marks = column[MARKS].buffer.buf;
    fits = fits && w->n < INT32_MAX && 0 <= w->start && w->start <= w->stop && w->stop <= w->n && w->max_posts > 0 && w->max_posts <= 1 << 16 && w->max_places > 0 &&
           w->max_places <= 1 << 12;
    for (Py_ssize_t i = 0; fits && i < w->n; i++) fits = w->parent[i] >= -1 && w->parent[i] < i && w->end[i] > i && w->end[i] <= w->n;
    if (!fits) misfit("rows of posts do not fit");
    else result = best_cut(w);
done:
    columns_release(column, N);
    return result;
}
