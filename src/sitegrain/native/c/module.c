/* The module: its kernels, and the lists of columns.h that it was compiled with. */
#include "native.h"

#define LISTED(name) #name ";"
#define PAIRED(name, other) #name " " #other ";"
#define TRIPLED(name, n, pattern) #name " " #n " " pattern ";"
#define NAMES_OF(LIST) #LIST ": " LIST(LISTED) "\n"
#define PAIRS_OF(LIST) #LIST ": " LIST(PAIRED) "\n"
#define COLUMNS_OF(LIST) #LIST ": " LIST(LISTED, TRIPLED) "\n"

/* In the order of columns.h; `declared` in columns.py writes the same text, or the module is not used. */
static const char DECLARED[] =
    PAIRS_OF(NUMBERS) NAMES_OF(TAGS) NAMES_OF(ATTRIBUTES) NAMES_OF(TAG_BITS) NAMES_OF(CUTS) NAMES_OF(ROW_BITS) NAMES_OF(CHAR_BITS)
    NAMES_OF(BREAKS) NAMES_OF(BREAK_BITS) NAMES_OF(TEXT_MARKS) NAMES_OF(RENDER_BITS) NAMES_OF(RENDER_MARKS) NAMES_OF(MENDS) NAMES_OF(LINES) NAMES_OF(STRING_BITS) PAIRS_OF(SCANNED) PAIRS_OF(ROWS) PAIRS_OF(ATTRS) PAIRS_OF(BLOCKS) PAIRS_OF(TREES)
    PAIRS_OF(PATHS) PAIRS_OF(TEXT_ROWS) PAIRS_OF(RENDER_ROWS) PAIRS_OF(COUNTS) PAIRS_OF(TAG_KINDS) NAMES_OF(GROUPS) NAMES_OF(CLASSES) NAMES_OF(CUES)
    NAMES_OF(COUNTED) NAMES_OF(HELD) NAMES_OF(URLS) NAMES_OF(TYPES) COLUMNS_OF(EVIDENCE) COLUMNS_OF(SITE) COLUMNS_OF(STAGE)
    COLUMNS_OF(TEXT_WEIGHTS) COLUMNS_OF(NAME_WEIGHTS);

#define METHOD(name, what) {#name, native_##name, METH_VARARGS, what},
static PyMethodDef methods[] = {KERNELS(METHOD){NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_core", "The kernels in C; see sitegrain.native.", -1, methods};

PyMODINIT_FUNC PyInit__core(void) {
    PyObject *m = PyModule_Create(&module);
    if (m && PyModule_AddStringConstant(m, "declared", DECLARED)) Py_CLEAR(m);
    return m;
}
