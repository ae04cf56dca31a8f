#pragma once

/// How the queries of a group and a tile's tokens are mapped to the fragments of decode attention's products.
#include "kernels/cuda/device.h"

namespace tritonsmith::kernels {
namespace {

constexpr int tile = 16;  ///< tokens

/// The greatest, and the sum, over lanes that differ by `from`, twice as much, … below `end`.
template <int from, int end>
__device__ __forceinline__ float max_of_lanes(float value) {
#pragma unroll
    for (int distance = from; distance < end; distance *= 2)
        value = fmaxf(value, __shfl_xor_sync(all_lanes, value, distance));
    return value;
}
template <int from, int end>
__device__ __forceinline__ float sum_of_lanes(float value) {
#pragma unroll
    for (int distance = from; distance < end; distance *= 2)
        value += __shfl_xor_sync(all_lanes, value, distance);
    return value;
}

/// Q·Kᵀ and P·V: [16 queries, 16 tokens] and [16 queries, head_dim]. A lane has scores of the queries lane /
/// 4 and + 8 (its slots), of four tokens each. With one slot the group has at most 8 queries, the other rows
/// are zeros.
template <int slots_>
struct QueriesAsRows {
    static constexpr bool columns = false;
    static constexpr int slots = slots_, tokens = 4;
    static constexpr int score_fragments = 2, query_registers = 4;
    template <int head_dim>
    static constexpr int sum_fragments = head_dim / 8;

    /// Of a lane's scores: the token among the lane's own, and the slot; of its sums: the slot.
    __device__ static constexpr int token_of_score(int i) { return i / 4 * 2 + i % 2; }
    __device__ static constexpr int slot_of_score(int i) { return i / 2 % 2; }
    __device__ static constexpr int slot_of_sum(int i) { return i / 2; }
    __device__ static __forceinline__ int token(int i, int lane) { return i / 2 * 8 + lane % 4 * 2 + i % 2; }
    __device__ static __forceinline__ int query(int slot, int lane) { return lane / 4 + 8 * slot; }
    /// One of the lanes that have a query.
    __device__ static __forceinline__ bool is_first(int lane) { return lane % 4 == 0; }
    __device__ static __forceinline__ float max_of_tokens(float value) { return max_of_lanes<1, 4>(value); }
    __device__ static __forceinline__ float sum_of_tokens(float value) { return sum_of_lanes<1, 4>(value); }
    /// Weights as products with values take them.
    template <typename Factor>
    struct Weights {
        uint32_t of[4];
        __device__ __forceinline__ explicit Weights(const float (&scores)[2][4])
            : of{pack_two<Factor>(scores[0][0], scores[0][1]),
                 slots == 2 ? pack_two<Factor>(scores[0][2], scores[0][3]) : 0,
                 pack_two<Factor>(scores[1][0], scores[1][1]),
                 slots == 2 ? pack_two<Factor>(scores[1][2], scores[1][3]) : 0} {}
    };
};

/// K·Qᵀ and Vᵀ·Pᵀ: [16 tokens, 8 queries] and [head_dim, 8 queries]: half the products and half the registers
/// for a group of up to 8. A lane has scores of the queries 2 (lane % 4) and + 1, of two tokens each.
struct QueriesAsColumns {
    static constexpr bool columns = true;
    static constexpr int slots = 2, tokens = 2;
    static constexpr int score_fragments = 1, query_registers = 2;
    template <int head_dim>
    static constexpr int sum_fragments = head_dim / 16;

    __device__ static constexpr int token_of_score(int i) { return i / 2; }
    __device__ static constexpr int slot_of_score(int i) { return i % 2; }
    __device__ static constexpr int slot_of_sum(int i) { return i % 2; }
    __device__ static __forceinline__ int token(int i, int lane) { return lane / 4 + 8 * i; }
    __device__ static __forceinline__ int query(int slot, int lane) { return lane % 4 * 2 + slot; }
    __device__ static __forceinline__ bool is_first(int lane) { return lane < 4; }
    __device__ static __forceinline__ float max_of_tokens(float value) { return max_of_lanes<4, 32>(value); }
    __device__ static __forceinline__ float sum_of_tokens(float value) { return sum_of_lanes<4, 32>(value); }
    template <typename Factor>
    struct Weights {
        uint32_t of[2];
        __device__ __forceinline__ explicit Weights(const float (&scores)[1][4])
            : of{transpose_matrix(pack_two<Factor>(scores[0][0], scores[0][1])),
                 transpose_matrix(pack_two<Factor>(scores[0][2], scores[0][3]))} {}
    };
};

/// Of a lane's tokens.
template <typename Layout>
struct TokenScales {
    float of[Layout::tokens];
};

/// The fragments of a group's queries.
template <typename Layout, int head_dim>
struct Queries {
    uint32_t of[head_dim / 16][Layout::query_registers];
};

}  // namespace
}  // namespace tritonsmith::kernels
