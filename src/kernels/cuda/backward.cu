// Derivatives of the operations on rows: RMSNorm, norms and rotation of heads, SiLU times up, log-softmax.
// All are bound by memory.
#include "kernels/cuda/launch.h"

namespace tritonsmith::kernels {
namespace {

/// A block takes every parts-th row. Each thread has its own columns, whose sums are in shared memory.
template <typename T, int N>
__global__ void rms_norm_backward_kernel(RmsNormBackward a) {
    __shared__ float scratch[33];
    float* sums = reinterpret_cast<float*>(dynamic_shared());
    const T* weight = static_cast<const T*>(a.weight);
    for (int i = threadIdx.x * N; i < a.dim; i += blockDim.x * N)
        for (int j = 0; j < N; ++j) sums[i + j] = 0;
    for (int row = blockIdx.x; row < a.rows; row += a.parts) {
        const int64_t start = static_cast<int64_t>(row) * a.dim;
        const T* x = static_cast<const T*>(a.x) + start;
        const T* gradient = static_cast<const T*>(a.gradient) + start;
        float squares = 0, products = 0;
        for (int i = threadIdx.x * N; i < a.dim; i += blockDim.x * N) {
            const Pack<T, N> values = load_pack<T, N>(x + i), slopes = load_pack<T, N>(gradient + i),
                             weights = load_pack<T, N>(weight + i);
            for (int j = 0; j < N; ++j) {
                const float value = to_float(values.values[j]);
                squares += value * value;
                products += to_float(slopes.values[j]) * to_float(weights.values[j]) * value;
            }
        }
        squares = block_sum(squares, scratch);
        products = block_sum(products, scratch);
        const auto dim = static_cast<float>(a.dim);
        const float factor = rsqrtf(squares / dim + a.epsilon),
                    slope = products / dim * factor * factor * factor;
        for (int i = threadIdx.x * N; i < a.dim; i += blockDim.x * N) {
            const Pack<T, N> values = load_pack<T, N>(x + i), slopes = load_pack<T, N>(gradient + i),
                             weights = load_pack<T, N>(weight + i);
            Pack<T, N> out = slopes;
            if (a.added) out = load_pack<T, N>(static_cast<const T*>(a.added) + start + i);
            for (int j = 0; j < N; ++j) {
                const float value = to_float(values.values[j]), one = to_float(slopes.values[j]);
                const float added = a.added ? to_float(out.values[j]) : 0.0f;
                sums[i + j] += one * value * factor;
                out.values[j] =
                    from_float<T>(added + (one * to_float(weights.values[j]) * factor - value * slope));
            }
            store_pack(static_cast<T*>(a.out) + start + i, out);
        }
    }
    float* part = a.weight_gradients + static_cast<int64_t>(blockIdx.x) * a.dim;
    for (int i = threadIdx.x * N; i < a.dim; i += blockDim.x * N)
        for (int j = 0; j < N; ++j) part[i + j] = sums[i + j];
}

constexpr int warps_of_heads = 8;

/// A warp has one head of every parts-th token: lane l has elements (32 i + l) N + j of both halves.
template <typename T, int N, int steps>
__global__ void rotate_backward_kernel(RotateBackward a) {
    const int lane = threadIdx.x % 32, head = blockIdx.y * warps_of_heads + threadIdx.x / 32;
    if (head >= a.heads + a.kv_heads) return;
    const int half = a.head_dim / 2;
    const int64_t width = static_cast<int64_t>(a.heads + 2 * a.kv_heads) * a.head_dim;
    const T* weight = static_cast<const T*>(head < a.heads ? a.q_weight : a.k_weight);
    float low_sums[steps][N] = {}, high_sums[steps][N] = {};
    for (int token = blockIdx.x; token < a.tokens; token += a.parts) {
        const int64_t start = token * width + static_cast<int64_t>(head) * a.head_dim;
        T* gradient = static_cast<T*>(a.gradient) + start;
        const T* x = weight ? static_cast<const T*>(a.qkv) + start : nullptr;
        const float* cosines = a.cosines + a.positions[token] * half;
        const float* sines = a.sines + a.positions[token] * half;
        float low[steps][N] = {}, high[steps][N] = {}, low_x[steps][N] = {}, high_x[steps][N] = {};
        float squares = 0, products = 0;
#pragma unroll
        for (int step = 0; step < steps; ++step) {
            const int i = (step * 32 + lane) * N;
            if (i >= half) continue;
            const Pack<T, N> first = load_pack<T, N>(gradient + i),
                             second = load_pack<T, N>(gradient + half + i);
            for (int j = 0; j < N; ++j) {
                const float cosine = to_float(from_float<T>(cosines[i + j])),
                            sine = to_float(from_float<T>(sines[i + j]));
                const float one = to_float(first.values[j]), other = to_float(second.values[j]);
                low[step][j] = one * cosine + other * sine;
                high[step][j] = other * cosine - one * sine;
            }
            if (!weight) continue;
            const Pack<T, N> first_x = load_pack<T, N>(x + i), second_x = load_pack<T, N>(x + half + i),
                             first_weight = load_pack<T, N>(weight + i),
                             second_weight = load_pack<T, N>(weight + half + i);
            for (int j = 0; j < N; ++j) {
                low_x[step][j] = to_float(first_x.values[j]);
                high_x[step][j] = to_float(second_x.values[j]);
                squares += low_x[step][j] * low_x[step][j] + high_x[step][j] * high_x[step][j];
                products += low[step][j] * to_float(first_weight.values[j]) * low_x[step][j] +
                            high[step][j] * to_float(second_weight.values[j]) * high_x[step][j];
            }
        }
        float factor = 0, slope = 0;
        if (weight) {
            const auto dim = static_cast<float>(a.head_dim);
            factor = rsqrtf(warp_sum(squares) / dim + a.epsilon);
            slope = warp_sum(products) / dim * factor * factor * factor;
        }
#pragma unroll
        for (int step = 0; step < steps; ++step) {
            const int i = (step * 32 + lane) * N;
            if (i >= half) continue;
            Pack<T, N> first, second;
            if (weight) {
                const Pack<T, N> first_weight = load_pack<T, N>(weight + i),
                                 second_weight = load_pack<T, N>(weight + half + i);
                for (int j = 0; j < N; ++j) {
                    low_sums[step][j] += low[step][j] * low_x[step][j] * factor;
                    high_sums[step][j] += high[step][j] * high_x[step][j] * factor;
                    low[step][j] =
                        low[step][j] * to_float(first_weight.values[j]) * factor - low_x[step][j] * slope;
                    high[step][j] =
                        high[step][j] * to_float(second_weight.values[j]) * factor - high_x[step][j] * slope;
                }
            }
            for (int j = 0; j < N; ++j) {
                first.values[j] = from_float<T>(low[step][j]);
                second.values[j] = from_float<T>(high[step][j]);
            }
            store_pack(gradient + i, first);
            store_pack(gradient + half + i, second);
        }
    }
    if (!weight) return;
    float* part =
        a.weight_gradients + (static_cast<int64_t>(blockIdx.x) * (a.heads + a.kv_heads) + head) * a.head_dim;
#pragma unroll
    for (int step = 0; step < steps; ++step) {
        const int i = (step * 32 + lane) * N;
        if (i >= half) continue;
        for (int j = 0; j < N; ++j) {
            part[i + j] = low_sums[step][j];
            part[half + i + j] = high_sums[step][j];
        }
    }
}

template <typename T, int N>
__global__ void silu_mul_backward_kernel(SiluMulBackward a) {
    const int i = (blockIdx.y * blockDim.x + threadIdx.x) * N;
    if (i >= a.width) return;
    const int64_t row = blockIdx.x;
    const T* gates = static_cast<const T*>(a.gate_up) + row * 2 * a.width + i;
    const Pack<T, N> gradient = load_pack<T, N>(static_cast<const T*>(a.gradient) + row * a.width + i);
    Pack<T, N> gate = load_pack<T, N>(gates), up = load_pack<T, N>(gates + a.width);
    for (int j = 0; j < N; ++j) {
        const float x = to_float(gate.values[j]), slope = to_float(gradient.values[j]);
        const float sigmoid = 1.0f / (1.0f + expf(-x));
        const float by_gate = slope * to_float(up.values[j]) * sigmoid * (1.0f + x * (1.0f - sigmoid));
        up.values[j] = from_float<T>(slope * x * sigmoid);
        gate.values[j] = from_float<T>(by_gate);
    }
    T* out = static_cast<T*>(a.out) + row * 2 * a.width + i;
    store_pack(out, gate);
    store_pack(out + a.width, up);
}

template <typename T, int N>
__global__ void logits_gradient_kernel(LogitsGradient a) {
    const int i = (blockIdx.y * blockDim.x + threadIdx.x) * N;
    if (i >= a.vocabulary) return;
    const int64_t row = blockIdx.x;
    const Pack<float, N> logits = load_pack<float, N>(a.logits + row * a.vocabulary + i);
    const float normaliser = a.normalisers[row], t = a.t[row], factor = (a.n ? a.n[row] : 0.0f) - t;
    const int64_t target = a.targets[row];
    Pack<T, N> out;
    for (int j = 0; j < N; ++j)
        out.values[j] =
            from_float<T>(expf(logits.values[j] - normaliser) * factor + (i + j == target ? t : 0.0f));
    store_pack(static_cast<T*>(a.out) + row * a.vocabulary + i, out);
}

int threads_of_row(int dim, int per_thread) {
    const int threads = ((dim + per_thread - 1) / per_thread + 31) / 32 * 32;
    return threads < 512 ? threads : 512;
}

/// Kernels whose blocks are (row, 256 threads of columns).
template <typename Kernel, typename Arguments>
int launch_columns(const char* name, Kernel wide, Kernel narrow, bool packs, int n, int rows, int columns,
                   void* stream, const Arguments& a) {
    constexpr int threads = 256;
    const int per_block = threads * (packs ? n : 1);
    return launch(name, packs ? wide : narrow, dim3(rows, (columns + per_block - 1) / per_block), threads, 0,
                  stream, a);
}

}  // namespace
}  // namespace tritonsmith::kernels

using namespace tritonsmith::kernels;

extern "C" int tritonsmith_rms_norm_backward(const RmsNormBackward* a, void* stream) {
    if (a->rows < 0 || a->dim <= 0 || a->dim > 32768 || a->parts < 1)
        return refuse("rms_norm_backward: %d rows of %d (at most 32768) in %d parts", a->rows, a->dim,
                      a->parts);
    return with_dtype("rms_norm_backward", a->dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        constexpr int n = 16 / sizeof(T);
        const bool packs = a->dim % n == 0 && aligned16(a->out) && aligned16(a->gradient) &&
                           aligned16(a->x) && aligned16(a->weight) && aligned16(a->added);
        return launch("rms_norm_backward",
                      packs ? rms_norm_backward_kernel<T, n> : rms_norm_backward_kernel<T, 1>, dim3(a->parts),
                      threads_of_row(a->dim, n), static_cast<size_t>(a->dim) * 4, stream, *a);
    });
}

extern "C" int tritonsmith_rotate_backward(const RotateBackward* a, void* stream) {
    if (a->tokens < 0 || a->heads < 0 || a->kv_heads <= 0 || a->head_dim <= 0 || a->head_dim % 2 ||
        a->head_dim > 256 || a->parts < 1)
        return refuse(
            "rotate_backward: %d tokens of %d and %d heads of %d (an even number, at most 256) in %d parts",
            a->tokens, a->heads, a->kv_heads, a->head_dim, a->parts);
    if (!a->cosines || !a->sines || !a->positions)
        return refuse("rotate_backward: no tables or no positions");
    if (!a->q_weight != !a->k_weight || (a->q_weight && (!a->qkv || !a->weight_gradients)))
        return refuse("rotate_backward: norms need both weights, qkv and weight_gradients");
    return with_dtype("rotate_backward", a->dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        const dim3 grid(a->parts, (a->heads + a->kv_heads + warps_of_heads - 1) / warps_of_heads);
        const bool pairs = a->head_dim % 4 == 0 && a->head_dim <= 128 && aligned16(a->gradient) &&
                           aligned16(a->qkv) && aligned16(a->q_weight) && aligned16(a->k_weight);
        return launch("rotate_backward",
                      pairs ? rotate_backward_kernel<T, 2, 1> : rotate_backward_kernel<T, 1, 4>, grid,
                      warps_of_heads * 32, 0, stream, *a);
    });
}

extern "C" int tritonsmith_silu_mul_backward(const SiluMulBackward* a, void* stream) {
    if (a->rows < 0 || a->width <= 0) return refuse("silu_mul_backward: %d rows of %d", a->rows, a->width);
    if (a->rows == 0) return 0;
    return with_dtype("silu_mul_backward", a->dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        constexpr int n = 16 / sizeof(T);
        const bool packs =
            a->width % n == 0 && aligned16(a->out) && aligned16(a->gradient) && aligned16(a->gate_up);
        return launch_columns("silu_mul_backward", silu_mul_backward_kernel<T, n>,
                              silu_mul_backward_kernel<T, 1>, packs, n, a->rows, a->width, stream, *a);
    });
}

extern "C" int tritonsmith_logits_gradient(const LogitsGradient* a, void* stream) {
    if (a->rows < 0 || a->vocabulary <= 0)
        return refuse("logits_gradient: %d rows of %d logits", a->rows, a->vocabulary);
    if (a->rows == 0) return 0;
    return with_dtype("logits_gradient", a->dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        constexpr int n = 4;
        const bool packs = a->vocabulary % n == 0 && aligned16(a->out) && aligned16(a->logits);
        return launch_columns("logits_gradient", logits_gradient_kernel<T, n>, logits_gradient_kernel<T, 1>,
                              packs, n, a->rows, a->vocabulary, stream, *a);
    });
}
