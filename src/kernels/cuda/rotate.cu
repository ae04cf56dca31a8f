// Norms and rotates queries and keys, and puts keys and values into the paged cache; and the way back, from
// the cache into packed rows. One warp has one head of one token.
#include "kernels/cuda/launch.h"

namespace tritonsmith::kernels {
namespace {

constexpr int warps_of_rotation = 8;

template <typename T>
__device__ __forceinline__ float rounded(float x) {
    return to_float(from_float<T>(x));
}

/// A head's halves in registers: lane l has elements (32 i + l) N + j of both, i < steps, j < N.
template <typename T, int N, int steps>
struct Halves {
    Pack<T, N> first[steps], second[steps];
};

/// Up to 32 * N * steps elements in half a head.
template <typename T, int N, int steps>
__global__ void rotate_and_store_kernel(RotateAndStore a) {
    const int lane = threadIdx.x % 32;
    const int head = blockIdx.y * warps_of_rotation + threadIdx.x / 32;
    if (head >= a.heads + 2 * a.kv_heads) return;
    const int64_t token = blockIdx.x;
    const int half = a.head_dim / 2;
    const bool is_query = head < a.heads, is_value = head >= a.heads + a.kv_heads;
    T* row = static_cast<T*>(a.qkv) + token * a.qkv_stride + static_cast<int64_t>(head) * a.head_dim;

    Halves<T, N, steps> x;
#pragma unroll
    for (int step = 0; step < steps; ++step) {
        const int i = (step * 32 + lane) * N;
        if (i >= half) continue;
        x.first[step] = load_pack<T, N>(row + i);
        x.second[step] = load_pack<T, N>(row + half + i);
    }

    const T* weight = static_cast<const T*>(is_query ? a.q_weight : a.k_weight);
    if (!is_value && weight) {
        float squares = 0;
#pragma unroll
        for (int step = 0; step < steps; ++step) {
            if ((step * 32 + lane) * N >= half) continue;
            for (int j = 0; j < N; ++j) {
                float first = to_float(x.first[step].values[j]), second = to_float(x.second[step].values[j]);
                squares += first * first + second * second;
            }
        }
        const float factor = rsqrtf(warp_sum(squares) / static_cast<float>(a.head_dim) + a.epsilon);
#pragma unroll
        for (int step = 0; step < steps; ++step) {
            const int i = (step * 32 + lane) * N;
            if (i >= half) continue;
            Pack<T, N> first = load_pack<T, N>(weight + i), second = load_pack<T, N>(weight + half + i);
            for (int j = 0; j < N; ++j) {
                T& low = x.first[step].values[j];
                T& high = x.second[step].values[j];
                low = from_float<T>(to_float(first.values[j]) * rounded<T>(to_float(low) * factor));
                high = from_float<T>(to_float(second.values[j]) * rounded<T>(to_float(high) * factor));
            }
        }
    }

    if (!is_value) {
        int64_t position = a.positions[token];
        position = position < 0 ? 0 : position < a.table_positions ? position : a.table_positions - 1;
        const float* cosines = a.cosines + position * half;
        const float* sines = a.sines + position * half;
#pragma unroll
        for (int step = 0; step < steps; ++step) {
            const int i = (step * 32 + lane) * N;
            if (i >= half) continue;
            for (int j = 0; j < N; ++j) {
                const float cosine = rounded<T>(cosines[i + j]), sine = rounded<T>(sines[i + j]);
                const float first = to_float(x.first[step].values[j]),
                            second = to_float(x.second[step].values[j]);
                x.first[step].values[j] =
                    from_float<T>(rounded<T>(first * cosine) + rounded<T>(-second * sine));
                x.second[step].values[j] =
                    from_float<T>(rounded<T>(second * cosine) + rounded<T>(first * sine));
            }
            store_pack(row + i, x.first[step]);
            store_pack(row + half + i, x.second[step]);
        }
    }

    if (is_query || !a.slots) return;
    const int64_t slot = a.slots[token];
    if (slot < 0) return;
    T* cache = static_cast<T*>(is_value ? a.v_cache : a.k_cache) +
               slot / a.block_size * a.cache_block_stride +
               (slot % a.block_size * a.kv_heads + (head - a.heads) % a.kv_heads) * a.head_dim;
#pragma unroll
    for (int step = 0; step < steps; ++step) {
        const int i = (step * 32 + lane) * N;
        if (i >= half) continue;
        store_pack(cache + i, x.first[step]);
        store_pack(cache + half + i, x.second[step]);
    }
}

/// A block copies 8 tokens, a warp each; the sequence is sought among cu_seqlens.
template <typename T>
__global__ void gather_cache_kernel(GatherCache a) {
    constexpr int n = 16 / sizeof(T);
    const int lane = threadIdx.x % 32, token = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (token >= a.tokens || token >= a.cu_seqlens[a.sequences]) return;
    int below = 0, above = a.sequences;  // cu_seqlens[below] <= token < cu_seqlens[above]
    while (above - below > 1) {
        int middle = (below + above) / 2;
        if (a.cu_seqlens[middle] <= token)
            below = middle;
        else
            above = middle;
    }
    const int offset = token - a.cu_seqlens[below];
    const int64_t block = a.block_table[below * a.table_stride + offset / a.block_size];
    const int width = a.kv_heads * a.head_dim;
    const int64_t from = block * a.cache_block_stride + static_cast<int64_t>(offset % a.block_size) * width;
    const int64_t to = static_cast<int64_t>(token) * width;
    for (int i = lane * n; i < width; i += 32 * n) {
        store_pack(static_cast<T*>(a.k) + to + i,
                   load_pack<T, n>(static_cast<const T*>(a.k_cache) + from + i));
        store_pack(static_cast<T*>(a.v) + to + i,
                   load_pack<T, n>(static_cast<const T*>(a.v_cache) + from + i));
    }
}

}  // namespace
}  // namespace tritonsmith::kernels

using namespace tritonsmith::kernels;

extern "C" int tritonsmith_rotate_and_store(const RotateAndStore* a, void* stream) {
    if (a->tokens < 0 || a->heads < 0 || a->kv_heads <= 0 || a->head_dim <= 0 || a->head_dim % 2 ||
        a->head_dim > 256)
        return refuse("rotate_and_store: %d tokens of %d and %d heads of %d (an even number, at most 256)",
                      a->tokens, a->heads, a->kv_heads, a->head_dim);
    if (a->table_positions <= 0 || !a->cosines || !a->sines || !a->positions)
        return refuse("rotate_and_store: no tables or no positions");
    if (a->slots && (a->block_size <= 0 || !a->k_cache || !a->v_cache))
        return refuse("rotate_and_store: slots without a cache (block size %d)", a->block_size);
    if (a->tokens == 0) return 0;
    return with_dtype("rotate_and_store", a->dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        const int heads = a->heads + 2 * a->kv_heads;
        const dim3 grid(a->tokens, (heads + warps_of_rotation - 1) / warps_of_rotation);
        const int threads = warps_of_rotation * 32;
        const bool pairs = a->head_dim % 4 == 0 && a->qkv_stride % 2 == 0 && aligned16(a->qkv) &&
                           a->cache_block_stride % 2 == 0 && aligned16(a->k_cache) && aligned16(a->v_cache) &&
                           aligned16(a->q_weight) && aligned16(a->k_weight);
        if (pairs && a->head_dim <= 128)
            return launch("rotate_and_store", rotate_and_store_kernel<T, 2, 1>, grid, threads, 0, stream, *a);
        return launch("rotate_and_store", rotate_and_store_kernel<T, 1, 4>, grid, threads, 0, stream, *a);
    });
}

extern "C" int tritonsmith_gather_cache(const GatherCache* a, void* stream) {
    const int64_t width = static_cast<int64_t>(a->kv_heads) * a->head_dim * element_bytes(a->dtype);
    if (a->tokens < 0 || a->sequences < 0 || a->block_size <= 0 || width <= 0 ||
        a->head_dim * element_bytes(a->dtype) % 16)
        return refuse(
            "gather_cache: %d tokens of %d sequences, %d heads of %d (16 bytes' multiples), blocks of %d",
            a->tokens, a->sequences, a->kv_heads, a->head_dim, a->block_size);
    if (!aligned16(a->k) || !aligned16(a->v) || !aligned16(a->k_cache) || !aligned16(a->v_cache) ||
        a->cache_block_stride * element_bytes(a->dtype) % 16)
        return refuse("gather_cache: a pointer or the block stride is not a multiple of 16 bytes");
    if (a->tokens == 0 || a->sequences == 0) return 0;
    return with_dtype("gather_cache", a->dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        return launch("gather_cache", gather_cache_kernel<T>, dim3((a->tokens + 7) / 8), 256, 0, stream, *a);
    });
}
