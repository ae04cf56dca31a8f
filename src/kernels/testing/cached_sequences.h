#pragma once

#include "kernels/testing/machine.h"

namespace tritonsmith::kernels::testing {

/// Sequences in a paged cache, in shuffled blocks; unused elements are NaN.
struct Cached {
    DType dtype = DType::bf16;
    int heads = 0, kv_heads = 0, head_dim = 0, block_size = 0, table_stride = 0;
    int64_t block_stride = 0;
    std::vector<int32_t> lengths, table;
    std::vector<float> k, v, q;
    /// Of a cache in e4m3, else empty; k and v are then what these mean. Scales: [blocks, kv_heads,
    /// block_size].
    std::vector<uint8_t> k_bytes, v_bytes;
    std::vector<float> k_scales, v_scales;

    int64_t at(int sequence, int token, int kv_head) const {
        return table[sequence * table_stride + token / block_size] * block_stride +
               static_cast<int64_t>(token % block_size * kv_heads + kv_head) * head_dim;
    }
    int64_t scale_at(int sequence, int token, int kv_head) const {
        return (static_cast<int64_t>(table[sequence * table_stride + token / block_size]) * kv_heads +
                kv_head) *
                   block_size +
               token % block_size;
    }
};

Cached make_cached(DType dtype, int heads, int kv_heads, int head_dim, int block_size,
                   std::vector<int32_t> lengths, uint64_t seed);
/// Puts the cache into e4m3: each head of each token is scaled by `sizes` (of token % 8; 0 makes a zero row)
/// and then rounded.
void make_scaled(Cached& cached, const std::vector<float>& sizes);

DecodeAttention arguments_of(Machine& machine, const Cached& cached, int split_size);
/// @return out, [batch, out_stride]
std::vector<float> run(Machine& machine, DecodeAttention a);
/// Expects [heads, head_dim] of one sequence.
void expect_attention(const Cached& cached, int sequence, const float* got);
/// Of all sequences, [batch, heads, head_dim]; zeros of those without tokens.
void expect_attention(const Cached& cached, const std::vector<float>& out);

}  // namespace tritonsmith::kernels::testing
