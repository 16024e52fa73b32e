/* The network over the blocks of a page. Products are added in the order of the Python body, one
 * input at a time over a row of outputs, so that the results are the same to the last bit on every machine. */
#include "native.h"
#include <math.h>
#include <string.h>

enum { MAX_PARTS = 8, MAX_LAYERS = 8 };

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__linux__)
/* Wider registers where the machine has them. Contraction is off, so the sums are the same. */
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

typedef struct {
    const float *cells;
    Py_ssize_t n_columns;
} Part;

typedef struct {
    const float *around; /* [width x 4 * width]: own, before, after, near by */
    const float *mean, *by_words, *bias; /* [width x width] twice, [width] */
} Layer;

#ifdef __GNUC__
typedef float Lanes __attribute__((vector_size(32)));
#endif

/* The inputs of a row that are not 0, and where their weights are. */
typedef struct {
    float value;
    int32_t row;
} Input;

/* out[0 .. n) += sum of value * weights[row], one input after the other. A tile of outputs stays in registers. */
static inline __attribute__((always_inline)) void add_inputs(float *restrict out, const float *restrict weights,
                                                             const Input *input, Py_ssize_t n_inputs, Py_ssize_t n) {
    Py_ssize_t from = 0;
#ifdef __GNUC__
    for (; from + 48 <= n; from += 48) {
        Lanes sum[6];
        memcpy(sum, out + from, sizeof sum);
        Lanes a = sum[0], b = sum[1], c = sum[2], d = sum[3], e = sum[4], f = sum[5];
        for (Py_ssize_t k = 0; k < n_inputs; k++) {
            const float *w = weights + input[k].row * n + from;
            float value = input[k].value;
            Lanes p, q, r, s, t, u;
            memcpy(&p, w, 32), memcpy(&q, w + 8, 32), memcpy(&r, w + 16, 32);
            memcpy(&s, w + 24, 32), memcpy(&t, w + 32, 32), memcpy(&u, w + 40, 32);
            a += value * p, b += value * q, c += value * r, d += value * s, e += value * t, f += value * u;
        }
        sum[0] = a, sum[1] = b, sum[2] = c, sum[3] = d, sum[4] = e, sum[5] = f;
        memcpy(out + from, sum, sizeof sum);
    }
    for (; from + 16 <= n; from += 16) {
        Lanes a, b;
        float *to = out + from;
        memcpy(&a, to, 32), memcpy(&b, to + 8, 32);
        for (Py_ssize_t k = 0; k < n_inputs; k++) {
            const float *w = weights + input[k].row * n + from;
            Lanes p, q;
            memcpy(&p, w, 32), memcpy(&q, w + 8, 32);
            a += input[k].value * p, b += input[k].value * q;
        }
        memcpy(to, &a, 32), memcpy(to + 8, &b, 32);
    }
#endif
    for (Py_ssize_t k = 0; k < n_inputs; k++)
        for (Py_ssize_t j = from; j < n; j++) out[j] += input[k].value * weights[input[k].row * n + j];
}

static inline __attribute__((always_inline)) Py_ssize_t set_inputs(Input *input, const float *row, float scale,
                                                                   Py_ssize_t n) {
    Py_ssize_t n_inputs = 0;
    for (Py_ssize_t k = 0; k < n; k++) {
        input[n_inputs] = (Input){row[k] / scale, (int32_t)k};
        n_inputs += row[k] != 0;
    }
    return n_inputs;
}

/* Log odds of the blocks first ... last of the parts. `h` has a row of `width`, `seen` of 4 * width, per block. */
WIDE static void score_run(const Part *part, int n_parts, const float *typical, const float *gain, const float *weights,
                           const float *bias, const Layer *layer, int n_layers, const float *out_weights, float out_bias,
                           const double *words, Py_ssize_t first, Py_ssize_t last, Py_ssize_t width, float *h, float *seen,
                           float *page, float *restrict scaled, Input *input, float *odds) {
    Py_ssize_t n = last - first;
    for (Py_ssize_t i = 0; i < n; i++) {
        float *row = h + i * width;
        memcpy(row, bias, (size_t)width * sizeof *row);
        Py_ssize_t column = 0, n_inputs = 0;
        for (int p = 0; p < n_parts; p++) {
            const float *x = part[p].cells + (first + i) * part[p].n_columns;
            Py_ssize_t n_columns = part[p].n_columns;
            for (Py_ssize_t k = 0; k < n_columns; k++)
                scaled[k] = x[k] / (fabsf(x[k]) + typical[column + k]) * gain[column + k];
            for (Py_ssize_t k = 0; k < n_columns; k++, column++) {
                input[n_inputs] = (Input){scaled[k], (int32_t)column};
                n_inputs += scaled[k] < 0 || scaled[k] > 0; /* not where it is missing */
            }
        }
        add_inputs(row, weights, input, n_inputs, width);
        for (Py_ssize_t j = 0; j < width; j++) row[j] = row[j] > 0 ? row[j] : 0;
    }
    float total = 0;
    for (Py_ssize_t i = 0; i < n; i++) total += (float)(words[first + i] + 1.0);
    float *mean = page, *by_words = page + width, *constant = page + 2 * width;
    for (int l = 0; l < n_layers; l++) {
        memset(page, 0, 2 * (size_t)width * sizeof *page);
        memset(seen, 0, (size_t)n * 4 * (size_t)width * sizeof *seen);
        for (Py_ssize_t i = 0; i < n; i++) {
            const float *row = h + i * width;
            float share = (float)(words[first + i] + 1.0) / total;
            for (Py_ssize_t j = 0; j < width; j++) mean[j] += row[j];
            for (Py_ssize_t j = 0; j < width; j++) by_words[j] += row[j] * share;
            Py_ssize_t n_inputs = set_inputs(input, row, 1, width);
            add_inputs(seen + i * 4 * width, layer[l].around, input, n_inputs, 4 * width);
        }
        memcpy(constant, layer[l].bias, (size_t)width * sizeof *constant);
        add_inputs(constant, layer[l].mean, input, set_inputs(input, mean, (float)n, width), width);
        add_inputs(constant, layer[l].by_words, input, set_inputs(input, by_words, 1, width), width);
        for (Py_ssize_t i = 0; i < n; i++) {
            float *a = page + 3 * width, *near = page + 4 * width;
            const float *own = seen + i * 4 * width;
            for (Py_ssize_t j = 0; j < width; j++) a[j] = own[j] + constant[j];
            if (i > 0)
                for (Py_ssize_t j = 0; j < width; j++) a[j] += own[j - 3 * width];
            if (i + 1 < n)
                for (Py_ssize_t j = 0; j < width; j++) a[j] += own[j + 6 * width];
            Py_ssize_t lo = i > NEAR_BLOCKS ? i - NEAR_BLOCKS : 0, hi = i + NEAR_BLOCKS + 1 < n ? i + NEAR_BLOCKS + 1 : n;
            memset(near, 0, (size_t)width * sizeof *near);
            for (Py_ssize_t b = lo; b < hi; b++) {
                const float *other = seen + b * 4 * width + 3 * width;
                for (Py_ssize_t j = 0; j < width; j++) near[j] += other[j];
            }
            float count = (float)(hi - lo), *row = h + i * width;
            for (Py_ssize_t j = 0; j < width; j++) {
                float v = a[j] + near[j] / count;
                row[j] += v > 0 ? v : 0;
            }
        }
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        float sum = out_bias;
        for (Py_ssize_t k = 0; k < width; k++) sum += h[i * width + k] * out_weights[k];
        odds[i] = sum;
    }
}

/* block_net(net, parts, words, ends) -> float32 per block: log odds. net: see NetWeights. parts: matrices of float32 side by side.
 * ends: last block + 1 of every run of blocks that are judged together. */
PyObject *native_block_net(PyObject *self, PyObject *args) {
    PyObject *parts, *o[5], *layers, *of_words, *of_ends;
    double out_bias;
    if (!PyArg_ParseTuple(args, "(OOOOO!Od)O!OO", &o[0], &o[1], &o[2], &o[3], &PyTuple_Type, &layers, &o[4], &out_bias,
                          &PyTuple_Type, &parts, &of_words, &of_ends))
        return NULL;
    enum { N_FIXED = 7, N_ALL = N_FIXED + MAX_PARTS + 4 * MAX_LAYERS };
    Column in[N_ALL];
    memset(in, 0, sizeof in);
    Part part[MAX_PARTS];
    Layer layer[MAX_LAYERS];
    float *memory = NULL;
    Input *input = NULL;
    PyObject *result = NULL;
    Py_ssize_t n_parts = PyTuple_GET_SIZE(parts), n_layers = PyTuple_GET_SIZE(layers), n_columns = 0;
    if (n_parts < 1 || n_parts > MAX_PARTS || n_layers > MAX_LAYERS) {
        return misfit("too many parts or layers, or none");
    }
    for (int k = 0; k < 5; k++)
        if (column_get(&in[k], o[k], 4)) goto done;
    if (column_get(&in[5], of_words, 8) || column_get(&in[6], of_ends, 8)) goto done;
    Py_ssize_t n = in[5].n, width = in[3].n;
    int is_bad = width < 1 || in[4].n != width;
    for (Py_ssize_t p = 0; p < n_parts; p++) {
        Py_ssize_t columns;
        if (matrix_get(&in[N_FIXED + p], PyTuple_GET_ITEM(parts, p), 4, n, &columns)) goto done;
        part[p] = (Part){in[N_FIXED + p].buffer.buf, columns};
        n_columns += columns;
    }
    for (Py_ssize_t l = 0; l < n_layers; l++) {
        Column *c = &in[N_FIXED + MAX_PARTS + 4 * l];
        PyObject *w[4];
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(layers, l), "OOOO", &w[0], &w[1], &w[2], &w[3])) goto done;
        for (int k = 0; k < 4; k++)
            if (column_get(&c[k], w[k], 4)) goto done;
        is_bad |= c[0].n != 4 * width * width || c[1].n != width * width || c[2].n != width * width || c[3].n != width;
        layer[l] = (Layer){c[0].buffer.buf, c[1].buffer.buf, c[2].buffer.buf, c[3].buffer.buf};
    }
    is_bad |= in[0].n != n_columns || in[1].n != n_columns || in[2].n != n_columns * width;
    const int64_t *end = in[6].buffer.buf;
    Py_ssize_t longest = 0, from = 0;
    for (Py_ssize_t r = 0; !is_bad && r < in[6].n; r++) {
        if (end[r] < from || end[r] > n) is_bad = 1;
        else if (end[r] - from > longest) longest = end[r] - from;
        from = end[r];
    }
    if (is_bad || from != n) {
        misfit("the network's arrays do not fit together");
        goto done;
    }
    if (!(result = PyByteArray_FromStringAndSize(NULL, n * 4))) goto done;
    memory = PyMem_RawMalloc((((size_t)longest * 5 + 5) * (size_t)width + (size_t)n_columns) * sizeof *memory);
    input = PyMem_RawMalloc(((size_t)(n_columns > width ? n_columns : width) + 1) * sizeof *input);
    if (!memory || !input) {
        Py_CLEAR(result);
        PyErr_NoMemory();
        goto done;
    }
    float *odds = (float *)PyByteArray_AS_STRING(result), *h = memory, *seen = h + longest * width, *page = seen + longest * 4 * width, *scaled = page + 5 * width;
    Py_BEGIN_ALLOW_THREADS
    from = 0;
    for (Py_ssize_t r = 0; r < in[6].n; r++) {
        score_run(part, (int)n_parts, in[0].buffer.buf, in[1].buffer.buf, in[2].buffer.buf, in[3].buffer.buf, layer,
                  (int)n_layers, in[4].buffer.buf, (float)out_bias, in[5].buffer.buf, from, end[r], width, h, seen, page,
                  scaled, input, odds + from);
        from = end[r];
    }
    Py_END_ALLOW_THREADS
done:
    PyMem_RawFree(memory);
    PyMem_RawFree(input);
    columns_release(in, N_ALL);
    return result;
}
