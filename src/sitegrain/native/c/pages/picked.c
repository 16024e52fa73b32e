/* The few attributes that are read as text: of the head of a page, roles, properties. */
#include "native.h"
#include <string.h>

/* picked(tag, attrs, wanted) -> (rows, names, values), lists of numbers, of the attributes a with a byte that is not 0 at
 * wanted[tag of its row * how many attributes there are + its name]. */
PyObject *native_picked(PyObject *self, PyObject *args) {
    PyObject *of_tag, *of_attrs, *of_wanted, *out[3] = {NULL}, *result = NULL;
    if (!PyArg_ParseTuple(args, "OOO", &of_tag, &of_attrs, &of_wanted)) return NULL;
    Attrs attrs;
    Column in[2];
    memset(in, 0, sizeof in);
    if (attrs_get(&attrs, of_attrs) || column_get(&in[0], of_tag, 2) || column_get(&in[1], of_wanted, 1)) goto done;
    const int16_t *tag = in[0].buffer.buf;
    const uint8_t *wanted = in[1].buffer.buf;
    if (in[1].n != N_TAGS * N_ATTRIBUTES) { misfit("one byte for each tag and attribute"); goto done; }
    for (int k = 0; k < 3; k++)
        if (!(out[k] = PyList_New(0))) goto done;
    for (Py_ssize_t a = 0; a < attrs.n; a++) {
        int32_t row = attrs.node[a];
        int name = attrs.name[a];
        if (row < 0 || row >= in[0].n || name < 0 || name >= N_ATTRIBUTES || tag[row] < 0 || tag[row] >= N_TAGS) {
            misfit("attributes do not fit the rows");
            goto done;
        }
        if (!wanted[tag[row] * N_ATTRIBUTES + name]) continue;
        const long of[3] = {row, name, attrs.value[a]};
        for (int k = 0; k < 3; k++) {
            PyObject *number = PyLong_FromLong(of[k]);
            int failed = !number || PyList_Append(out[k], number);
            Py_XDECREF(number);
            if (failed) goto done;
        }
    }
    result = PyTuple_Pack(3, out[0], out[1], out[2]);
done:
    for (int k = 0; k < 3; k++) Py_XDECREF(out[k]);
    TABLE_RELEASE(attrs);
    columns_release(in, 2);
    return result;
}

/* ---------------------------------------------------------------- the head of a page */

enum { H_NAME, H_PROPERTY, H_CONTENT, H_ITEMPROP, H_HREF, H_REL, H_LANG, N_HEAD };

static int head_place(int name) {
    switch (name) {
    case ATTR_name: return H_NAME;
    case ATTR_property: return H_PROPERTY;
    case ATTR_content: return H_CONTENT;
    case ATTR_itemprop: return H_ITEMPROP;
    case ATTR_href: return H_HREF;
    case ATTR_rel: return H_REL;
    case ATTR_lang: return H_LANG;
    default: return -1;
    }
}

/* Without white space around it and in lower case: a new reference. */
static PyObject *plain_name(PyObject *string) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(string);
    if (PyUnicode_IS_ASCII(string)) { /* nearly all are so already */
        const char *at = PyUnicode_DATA(string);
        int is_plain = !n || (at[0] > ' ' && at[n - 1] > ' ');
        for (Py_ssize_t i = 0; i < n && is_plain; i++) is_plain = at[i] < 'A' || at[i] > 'Z';
        if (is_plain) return Py_NewRef(string);
    }
    PyObject *stripped = PyObject_CallMethod(string, "strip", NULL);
    PyObject *low = stripped ? PyObject_CallMethod(stripped, "lower", NULL) : NULL;
    Py_XDECREF(stripped);
    return low;
}

/* Whether "canonical" stands in a string; no letter but those of ASCII has one of its letters for its lower case. */
static int says_canonical(PyObject *string) {
    static const char WORD[] = "canonical";
    enum { SIZE = sizeof WORD - 1 };
    int kind = PyUnicode_KIND(string);
    const void *data = PyUnicode_DATA(string);
    for (Py_ssize_t i = 0; i + SIZE <= PyUnicode_GET_LENGTH(string); i++) {
        int k = 0;
        while (k < SIZE && (PyUnicode_READ(kind, data, i + k) | 32) == (Py_UCS4)WORD[k]) k++;
        if (k == SIZE) return 1;
    }
    return 0;
}

typedef struct {
    PyObject *meta, *links, *base, *language;
} Head;

/* What an element says whose attributes are these, NULL for none. -1: an exception. */
static int add_element(Head *head, int tag, PyObject *const *value) {
#define HAS(place) (value[place] && PyUnicode_GET_LENGTH(value[place]))
    if (tag == TAG_meta && value[H_CONTENT]) {
        PyObject *key = HAS(H_PROPERTY) ? value[H_PROPERTY] : HAS(H_NAME) ? value[H_NAME] : HAS(H_ITEMPROP) ? value[H_ITEMPROP] : NULL;
        if (!key) return 0;
        if (!(key = plain_name(key))) return -1;
        int failed = !PyDict_SetDefault(head->meta, key, value[H_CONTENT]);
        Py_DECREF(key);
        return failed ? -1 : 0;
    }
    if (tag == TAG_link && value[H_REL] && says_canonical(value[H_REL])) {
        PyObject *link = value[H_HREF] ? PyTuple_Pack(2, value[H_REL], value[H_HREF]) : Py_BuildValue("Os", value[H_REL], "");
        int failed = !link || PyList_Append(head->links, link);
        Py_XDECREF(link);
        return failed ? -1 : 0;
    }
    if (tag == TAG_base && !head->base && HAS(H_HREF)) head->base = Py_NewRef(value[H_HREF]);
    /* <body> is where makers of manuals say it */
    if ((tag == TAG_html || tag == TAG_body) && !head->language && value[H_LANG]) {
        if (!(head->language = plain_name(value[H_LANG]))) return -1;
        if (!PyUnicode_GET_LENGTH(head->language)) Py_CLEAR(head->language);
    }
#undef HAS
    return 0;
}

/* The first <title> in a <head>, or the first at all; -1 for none. */
static Py_ssize_t title_row(const int16_t *tag, const int32_t *parent, Py_ssize_t n) {
    Py_ssize_t first = -1;
    for (Py_ssize_t i = 0; i < n; i++) {
        if (tag[i] != TAG_title) continue;
        if (parent[i] >= 0 && parent[i] < n && tag[parent[i]] == TAG_head) return i;
        if (first < 0) first = i;
    }
    return first;
}

/* head(tag, parent, attrs, strings) -> (meta, links, base, language, title): see `sitegrain.native.Head`. */
PyObject *native_head(PyObject *self, PyObject *args) {
    PyObject *of_tag, *of_parent, *of_attrs, *strings, *result = NULL;
    if (!PyArg_ParseTuple(args, "OOOO!", &of_tag, &of_parent, &of_attrs, &PyTuple_Type, &strings)) return NULL;
    Attrs attrs;
    Column in[2];
    Head head = {PyDict_New(), PyList_New(0), NULL, NULL};
    memset(in, 0, sizeof in);
    if (attrs_get(&attrs, of_attrs) || column_get(&in[0], of_tag, 2) || column_get(&in[1], of_parent, 4) || !head.meta || !head.links) goto done;
    const int16_t *tag = in[0].buffer.buf;
    const Py_ssize_t n = in[0].n, n_strings = PyTuple_GET_SIZE(strings);
    if (in[1].n != n) { misfit("columns do not fit: they differ in length"); goto done; }
    PyObject *value[N_HEAD] = {NULL};
    int32_t row = -1;
    for (Py_ssize_t a = 0; a < attrs.n; a++) {
        int32_t at = attrs.node[a];
        if (at < 0 || at >= n) { misfit("attributes do not fit the rows"); goto done; }
        if (tag[at] != TAG_meta && tag[at] != TAG_link && tag[at] != TAG_base && tag[at] != TAG_html &&
            tag[at] != TAG_body)
            continue;
        int place = head_place(attrs.name[a]);
        if (place < 0) continue;
        if (at != row) {
            if (row >= 0 && add_element(&head, tag[row], value)) goto done;
            memset(value, 0, sizeof value);
            row = at;
        }
        if (attrs.value[a] < 0 || attrs.value[a] >= n_strings) { misfit("a value is no string"); goto done; }
        value[place] = PyTuple_GET_ITEM(strings, attrs.value[a]);
        if (!PyUnicode_Check(value[place])) { misfit("attributes are text"); goto done; }
    }
    if (row >= 0 && add_element(&head, tag[row], value)) goto done;
    result = Py_BuildValue("OOOOn", head.meta, head.links, head.base ? head.base : Py_None, head.language ? head.language : Py_None,
                           title_row(tag, in[1].buffer.buf, n));
done:
    Py_XDECREF(head.meta);
    Py_XDECREF(head.links);
    Py_XDECREF(head.base);
    Py_XDECREF(head.language);
    TABLE_RELEASE(attrs);
    columns_release(in, 2);
    return result;
}
