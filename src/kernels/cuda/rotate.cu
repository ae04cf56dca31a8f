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

/// Of a head that a warp holds; not a number where one of its elements is none.
template <typename T, int N, int steps>
__device__ __forceinline__ float greatest_magnitude(const Halves<T, N, steps>& x, int half, int lane) {
    uint32_t greatest = 0;
#pragma unroll
    for (int step = 0; step < steps; ++step) {
        if ((step * 32 + lane) * N >= half) continue;
        for (int j = 0; j < N; ++j) {
            const uint32_t first = magnitude(to_float(x.first[step].values[j])),
                           second = magnitude(to_float(x.second[step].values[j]));
            greatest = first > greatest ? first : greatest;
            greatest = second > greatest ? second : greatest;
        }
    }
    return __uint_as_float(warp_max(greatest));
}

/// Rounds a head into a cache of e4m3, and in `row` (head_dim elements of qkv) to the same values.
template <typename T, int N, int steps>
__device__ __forceinline__ void store_scaled(const Halves<T, N, steps>& x, E4m3* cache, float* scale_place,
                                             T* row, int half, int lane) {
    const auto [scale, reciprocal] = e4m3_scale(greatest_magnitude(x, half, lane));
    if (lane == 0) *scale_place = scale;
#pragma unroll
    for (int step = 0; step < steps; ++step) {
        const int i = (step * 32 + lane) * N;
        if (i >= half) continue;
        for (int second = 0; second < 2; ++second) {
            Pack<T, N> values = second ? x.second[step] : x.first[step];
            Pack<E4m3, N> bytes;
            for (int j = 0; j < N; ++j) {
                bytes.values[j] = from_float<E4m3>(to_float(values.values[j]) * reciprocal);
                values.values[j] = from_float<T>(to_float(bytes.values[j]) * scale);
            }
            store_pack(cache + second * half + i, bytes);
            store_pack(row + second * half + i, values);
        }
    }
}

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
    const int64_t block = slot / a.block_size, offset = slot % a.block_size;
    const int kv_head = (head - a.heads) % a.kv_heads;
    const int64_t at = block * a.cache_block_stride + (offset * a.kv_heads + kv_head) * a.head_dim;
    if (a.k_scales) {
        float* scales = is_value ? a.v_scales : a.k_scales;
        store_scaled(x, static_cast<E4m3*>(is_value ? a.v_cache : a.k_cache) + at,
                     scales + (block * a.kv_heads + kv_head) * a.block_size + offset, row, half, lane);
        return;
    }
    T* cache = static_cast<T*>(is_value ? a.v_cache : a.k_cache) + at;
#pragma unroll
    for (int step = 0; step < steps; ++step) {
        const int i = (step * 32 + lane) * N;
        if (i >= half) continue;
        store_pack(cache + i, x.first[step]);
        store_pack(cache + half + i, x.second[step]);
    }
}

/// Neighbours of a cache's row as activations. @param at their head's in `scales`; elements of T have none
template <typename T, int N>
__device__ __forceinline__ Pack<T, N> restored(const T* from, const float*, int64_t) {
    return load_pack<T, N>(from);
}
template <typename T, int N>
__device__ __forceinline__ Pack<T, N> restored(const E4m3* from, const float* scales, int64_t at) {
    const Pack<E4m3, N> bytes = load_pack<E4m3, N>(from);
    Pack<T, N> values;
    for (int j = 0; j < N; ++j) values.values[j] = from_float<T>(to_float(bytes.values[j]) * scales[at]);
    return values;
}

/// A block copies 8 tokens, a warp each; the sequence is sought among cu_seqlens. Element is T, or E4m3.
template <typename T, typename Element>
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
    const int width = a.kv_heads * a.head_dim, in_block = offset % a.block_size;
    const Element* k =
        static_cast<const Element*>(a.k_cache) + block * a.cache_block_stride + in_block * width;
    const Element* v =
        static_cast<const Element*>(a.v_cache) + block * a.cache_block_stride + in_block * width;
    const int64_t scales = block * a.kv_heads * a.block_size + in_block,
                  to = static_cast<int64_t>(token) * width;
    for (int i = lane * n; i < width; i += 32 * n) {
        const int64_t scale = scales + i / a.head_dim * a.block_size;
        store_pack(static_cast<T*>(a.k) + to + i, restored<T, n>(k + i, a.k_scales, scale));
        store_pack(static_cast<T*>(a.v) + to + i, restored<T, n>(v + i, a.v_scales, scale));
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
    if (!a->k_scales != !a->v_scales) return refuse("rotate_and_store: scales of keys or of values alone");
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
    if (!a->k_scales != !a->v_scales) return refuse("gather_cache: scales of keys or of values alone");
    if (a->tokens == 0 || a->sequences == 0) return 0;
    const dim3 grid((a->tokens + 7) / 8);
    return with_dtype("gather_cache", a->dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        return a->k_scales ? launch("gather_cache", gather_cache_kernel<T, E4m3>, grid, 256, 0, stream, *a)
                           : launch("gather_cache", gather_cache_kernel<T, T>, grid, 256, 0, stream, *a);
    });
}
