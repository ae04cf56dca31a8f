// Operations on rows of hidden states: RMSNorm, with and without the residual's sum, SiLU times up, and rows
// in e4m3. All are bound by memory; each row of a norm is one block's, whose size depends on the row's length
// only.
#include "kernels/cuda/launch.h"

namespace tritonsmith::kernels {
namespace {

/// The mean's inverse root, from each thread's sum of squares.
__device__ __forceinline__ float inverse_root(float squares, int dim, float epsilon, float* scratch) {
    return rsqrtf(block_sum(squares, scratch) / static_cast<float>(dim) + epsilon);
}

template <typename T, int N>
__device__ __forceinline__ void write_normed(T* out, const T* x, const T* weight, int dim, float factor) {
    for (int i = threadIdx.x * N; i < dim; i += blockDim.x * N) {
        Pack<T, N> pack = load_pack<T, N>(x + i), scales = load_pack<T, N>(weight + i);
        for (int j = 0; j < N; ++j) {
            float normed = to_float(from_float<T>(to_float(pack.values[j]) * factor));
            pack.values[j] = from_float<T>(to_float(scales.values[j]) * normed);
        }
        store_pack(out + i, pack);
    }
}

template <typename T, int N>
__global__ void rms_norm_kernel(RmsNorm a) {
    __shared__ float scratch[33];
    const T* x = static_cast<const T*>(a.x) + blockIdx.x * a.x_stride;
    float squares = 0;
    for (int i = threadIdx.x * N; i < a.dim; i += blockDim.x * N) {
        Pack<T, N> pack = load_pack<T, N>(x + i);
        for (int j = 0; j < N; ++j) squares += to_float(pack.values[j]) * to_float(pack.values[j]);
    }
    float factor = inverse_root(squares, a.dim, a.epsilon, scratch);
    write_normed<T, N>(static_cast<T*>(a.out) + blockIdx.x * a.out_stride, x, static_cast<const T*>(a.weight),
                       a.dim, factor);
}

template <typename T, int N>
__global__ void add_rms_norm_kernel(AddRmsNorm a) {
    __shared__ float scratch[33];
    const int64_t row = static_cast<int64_t>(blockIdx.x) * a.dim;
    const T* x = static_cast<const T*>(a.x) + row;
    T* residual = static_cast<T*>(a.residual) + row;
    float squares = 0;
    for (int i = threadIdx.x * N; i < a.dim; i += blockDim.x * N) {
        Pack<T, N> sum = load_pack<T, N>(residual + i), added = load_pack<T, N>(x + i);
        for (int j = 0; j < N; ++j) {
            sum.values[j] = from_float<T>(to_float(sum.values[j]) + to_float(added.values[j]));
            squares += to_float(sum.values[j]) * to_float(sum.values[j]);
        }
        store_pack(residual + i, sum);
    }
    float factor = inverse_root(squares, a.dim, a.epsilon, scratch);
    // Each thread reads back only what it wrote itself.
    write_normed<T, N>(static_cast<T*>(a.out) + row, residual, static_cast<const T*>(a.weight), a.dim,
                       factor);
}

/// x / (1 + exp(-x)). What is rounded to 16 bits needs no exact division, which would take longer than
/// memory.
template <typename T>
__device__ __forceinline__ float silu(float x) {
    if constexpr (sizeof(T) == 4) return x / (1.0f + expf(-x));
    return __fdividef(x, 1.0f + __expf(-x));
}

template <typename T, int N>
__global__ void silu_mul_kernel(SiluMul a) {
    const int i = (blockIdx.y * blockDim.x + threadIdx.x) * N;
    if (i >= a.width) return;
    const T* gates = static_cast<const T*>(a.gate_up) + blockIdx.x * a.gate_up_stride + i;
    Pack<T, N> gate = load_pack<T, N>(gates), up = load_pack<T, N>(gates + a.width);
    for (int j = 0; j < N; ++j) {
        float gated = to_float(from_float<T>(silu<T>(to_float(gate.values[j]))));
        gate.values[j] = from_float<T>(gated * to_float(up.values[j]));
    }
    store_pack(static_cast<T*>(a.out) + blockIdx.x * a.out_stride + i, gate);
}

template <typename T, int N>
__global__ void quantise_rows_kernel(QuantiseRows a) {
    __shared__ uint32_t scratch[33];
    const T* x = static_cast<const T*>(a.x) + blockIdx.x * a.x_stride;
    uint32_t greatest = 0;
    for (int i = threadIdx.x * N; i < a.dim; i += blockDim.x * N) {
        const Pack<T, N> pack = load_pack<T, N>(x + i);
        for (int j = 0; j < N; ++j) {
            const uint32_t size = magnitude(to_float(pack.values[j]));
            greatest = size > greatest ? size : greatest;
        }
    }
    const auto [scale, reciprocal] = e4m3_scale(__uint_as_float(block_max(greatest, scratch)));
    if (threadIdx.x == 0) a.scales[blockIdx.x] = scale;
    E4m3* out = static_cast<E4m3*>(a.out) + static_cast<int64_t>(blockIdx.x) * a.dim;
    for (int i = threadIdx.x * N; i < a.dim; i += blockDim.x * N) {
        const Pack<T, N> pack = load_pack<T, N>(x + i);
        Pack<E4m3, N> bytes;
        for (int j = 0; j < N; ++j) bytes.values[j] = from_float<E4m3>(to_float(pack.values[j]) * reciprocal);
        store_pack(out + i, bytes);
    }
}

int threads_for(int dim, int per_thread) {
    int threads = (dim + per_thread - 1) / per_thread;
    threads = (threads + 31) / 32 * 32;
    return threads < 1024 ? threads : 1024;
}

/// Whether rows of `dim` elements at `stride` can be read 16 bytes at a time.
bool in_packs(const void* pointer, int64_t stride, DType dtype) {
    return aligned16(pointer) && stride * element_bytes(dtype) % 16 == 0;
}

}  // namespace
}  // namespace tritonsmith::kernels

using namespace tritonsmith::kernels;

extern "C" int tritonsmith_rms_norm(const RmsNorm* a, void* stream) {
    if (a->rows < 0 || a->dim <= 0) return refuse("rms_norm: %d rows of %d", a->rows, a->dim);
    if (a->rows == 0) return 0;
    return with_dtype("rms_norm", a->dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        constexpr int n = 16 / sizeof(T);
        if (a->dim % n == 0 && in_packs(a->out, a->out_stride, a->dtype) &&
            in_packs(a->x, a->x_stride, a->dtype) && aligned16(a->weight))
            return launch("rms_norm", rms_norm_kernel<T, n>, dim3(a->rows), threads_for(a->dim, n), 0, stream,
                          *a);
        return launch("rms_norm", rms_norm_kernel<T, 1>, dim3(a->rows), threads_for(a->dim, n), 0, stream,
                      *a);
    });
}

extern "C" int tritonsmith_add_rms_norm(const AddRmsNorm* a, void* stream) {
    if (a->rows < 0 || a->dim <= 0) return refuse("add_rms_norm: %d rows of %d", a->rows, a->dim);
    if (a->rows == 0) return 0;
    return with_dtype("add_rms_norm", a->dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        constexpr int n = 16 / sizeof(T);
        if (a->dim % n == 0 && aligned16(a->out) && aligned16(a->x) && aligned16(a->residual) &&
            aligned16(a->weight))
            return launch("add_rms_norm", add_rms_norm_kernel<T, n>, dim3(a->rows), threads_for(a->dim, n), 0,
                          stream, *a);
        return launch("add_rms_norm", add_rms_norm_kernel<T, 1>, dim3(a->rows), threads_for(a->dim, n), 0,
                      stream, *a);
    });
}

extern "C" int tritonsmith_silu_mul(const SiluMul* a, void* stream) {
    if (a->rows < 0 || a->width <= 0) return refuse("silu_mul: %d rows of %d", a->rows, a->width);
    if (a->rows == 0) return 0;
    return with_dtype("silu_mul", a->dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        constexpr int n = 16 / sizeof(T), threads = 256;
        if (a->width % n == 0 && in_packs(a->out, a->out_stride, a->dtype) &&
            in_packs(a->gate_up, a->gate_up_stride, a->dtype))
            return launch("silu_mul", silu_mul_kernel<T, n>,
                          dim3(a->rows, (a->width / n + threads - 1) / threads), threads, 0, stream, *a);
        return launch("silu_mul", silu_mul_kernel<T, 1>, dim3(a->rows, (a->width + threads - 1) / threads),
                      threads, 0, stream, *a);
    });
}

extern "C" int tritonsmith_quantise_rows(const QuantiseRows* a, void* stream) {
    if (a->rows < 0 || a->dim <= 0) return refuse("quantise_rows: %d rows of %d", a->rows, a->dim);
    if (a->rows == 0) return 0;
    return with_dtype("quantise_rows", a->dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        constexpr int n = 16 / sizeof(T);
        if (a->dim % n == 0 && aligned16(a->out) && in_packs(a->x, a->x_stride, a->dtype))
            return launch("quantise_rows", quantise_rows_kernel<T, n>, dim3(a->rows), threads_for(a->dim, n),
                          0, stream, *a);
        return launch("quantise_rows", quantise_rows_kernel<T, 1>, dim3(a->rows), threads_for(a->dim, n), 0,
                      stream, *a);
    });
}
