#pragma once

#include <cstdint>

namespace tritonsmith::model {

/// y[row, output] = scales[output] * (x[row] · w[output]) + bias[output]. Each sum runs over the inputs in
/// the same order, whichever rows and outputs are computed together.
struct Product {
    const float* x = nullptr;       ///< [rows, inputs], row stride x_stride
    const void* w = nullptr;        ///< [outputs, inputs], dense
    const float* scales = nullptr;  ///< [outputs], or null
    const float* bias = nullptr;    ///< [outputs], or null
    float* y = nullptr;             ///< [rows, outputs], row stride y_stride
    int64_t rows = 0, inputs = 0, x_stride = 0, y_stride = 0;
    int64_t begin = 0, end = 0;  ///< outputs to compute
};

/// The same, of weights in tiles (tiled_values.h), on a matrix unit. A row's sums depend on that row alone,
/// bit for bit, but run in another order than above.
struct TileProduct {
    const float* x = nullptr;  ///< [rows, inputs], row stride x_stride
    int64_t rows = 0, inputs = 0, x_stride = 0;
    void* prepared = nullptr;       ///< prepare()'s form of x: prepared_bytes, aligned to 64
    const void* tiles = nullptr;    ///< [panels, blocks] tiles
    const float* scales = nullptr;  ///< [outputs], or null
    const float* bias = nullptr;    ///< [outputs], or null
    float* y = nullptr;             ///< [rows, outputs], dense
    int64_t outputs = 0;
};
struct TileKernels {
    int64_t most_inputs;  ///< more overflow the sums
    int64_t (*prepared_bytes)(int64_t rows, int64_t inputs);
    /// Converts rows [begin, end) of x to the matrix unit's form.
    void (*prepare)(const TileProduct&, int64_t begin, int64_t end);
    /// Prefetches the first weights that multiply() reads from panel `begin` on.
    void (*fetch)(const TileProduct&, int64_t begin);
    /// Computes panels [begin, end) of 16 outputs for all rows.
    void (*multiply)(const TileProduct&, int64_t begin, int64_t end);
};

/// Attention of rows that share one key head, over keys and values in pages of `page` tokens.
struct HeadAttention {
    const float* queries = nullptr;  ///< [rows, width]
    float* out = nullptr;            ///< [rows, width]
    const int* visible = nullptr;    ///< [rows] how many keys each row sees, ascending, at least 1
    int64_t rows = 0, width = 0, query_stride = 0, out_stride = 0;
    const float* const* keys = nullptr;    ///< pages: [page, width], row stride key_stride
    const float* const* values = nullptr;  ///< pages
    int64_t page = 0, key_stride = 0;      ///< page: a divisor or a multiple of attention_block
    float scale = 1;
};
/// Number of keys that are processed at a time: the order of sums depends on their positions alone.
constexpr int64_t attention_block = 64;

/// The CPU's inner loops for one instruction set. Single-threaded; n is a number of elements.
struct CpuKernels {
    const char* isa;
    void (*product_f32)(const Product&);
    void (*product_bf16)(const Product&);
    void (*product_i8)(const Product&);
    void (*rms_norm)(const float* x, const float* weight, double epsilon, int64_t n, float* out);
    void (*add)(float* x, const float* y, int64_t n);
    void (*silu_mul)(const float* gates, const float* ups, int64_t n, float* out);
    void (*rotate)(float* head, const float* cos, const float* sin, int64_t width);
    /// out[n] = table[n] (bfloat16 to float32; int8 times scale)
    void (*widen_bf16)(const void* x, int64_t n, float* out);
    void (*widen_i8)(const void* x, float scale, int64_t n, float* out);
    void (*attend)(const HeadAttention&);
    /// log(sum(exp(x)))
    double (*log_sum_exp)(const float* x, int64_t n);
    const TileKernels* tiles_bf16 = nullptr;  ///< null if there is no matrix unit
    const TileKernels* tiles_i8 = nullptr;
};

/// For the machine's instruction set; TRITONSMITH_ISA=base|avx2|avx512|amx selects a lower one.
const CpuKernels& cpu_kernels();

namespace isa_base {
const CpuKernels& kernels();
}
namespace isa_avx2 {
const CpuKernels& kernels();
}
namespace isa_avx512 {
const CpuKernels& kernels();
}

}  // namespace tritonsmith::model
