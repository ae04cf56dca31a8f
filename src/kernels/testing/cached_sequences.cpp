#include "kernels/testing/cached_sequences.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace tritonsmith::kernels::testing {

Cached make_cached(DType dtype, int heads, int kv_heads, int head_dim, int block_size,
                   std::vector<int32_t> lengths, uint64_t seed) {
    Cached c{dtype, heads, kv_heads, head_dim, block_size, 0,  0,  std::move(lengths),
             {},    {},    {},       {},       {},         {}, {}, {}};
    c.block_stride = static_cast<int64_t>(block_size) * kv_heads * head_dim;
    const int longest = *std::max_element(c.lengths.begin(), c.lengths.end());
    c.table_stride = (longest + block_size - 1) / block_size + 1;
    std::mt19937_64 generator(seed);
    std::vector<int32_t> order(c.lengths.size() * c.table_stride + 1);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), generator);
    c.table.assign(c.lengths.size() * c.table_stride,
                   -1);  // entries beyond a sequence's blocks must not be used
    const size_t size = order.size() * c.block_stride;
    c.k.assign(size, std::numeric_limits<float>::quiet_NaN());
    c.v = c.k;
    size_t next = 0;
    for (size_t s = 0; s < c.lengths.size(); ++s) {
        for (int block = 0; block * block_size < c.lengths[s]; ++block)
            c.table[s * c.table_stride + block] = order[next++];
        const size_t row = static_cast<size_t>(kv_heads) * head_dim;
        const auto k = random_values(c.lengths[s] * row, dtype, seed * 1000 + 2 * s);
        const auto v = random_values(c.lengths[s] * row, dtype, seed * 1000 + 2 * s + 1);
        for (int token = 0; token < c.lengths[s]; ++token) {
            std::copy_n(k.begin() + token * row, row, c.k.begin() + c.at(s, token, 0));
            std::copy_n(v.begin() + token * row, row, c.v.begin() + c.at(s, token, 0));
        }
    }
    c.q = random_values(c.lengths.size() * (heads + 2 * kv_heads) * head_dim, dtype, seed + 7, 1.5);
    return c;
}

void make_scaled(Cached& c, const std::vector<float>& sizes) {
    c.k_bytes.assign(c.k.size(), 0x7f);  // not a number
    c.v_bytes = c.k_bytes;
    c.k_scales.assign(c.k.size() / c.head_dim, std::numeric_limits<float>::quiet_NaN());
    c.v_scales = c.k_scales;
    const auto scale = [&](float* row, uint8_t* bytes, float size) {
        float greatest = 0;
        for (int i = 0; i < c.head_dim; ++i) greatest = std::max(greatest, std::abs(row[i] *= size));
        const float scale = greatest / 448;
        for (int i = 0; i < c.head_dim; ++i) {
            bytes[i] = scale > 0 ? nearest_e4m3(row[i] / scale) : 0;
            row[i] = value_of_e4m3(bytes[i]) * scale;
        }
        return scale;
    };
    for (int s = 0; s < static_cast<int>(c.lengths.size()); ++s)
        for (int token = 0; token < c.lengths[s]; ++token)
            for (int head = 0; head < c.kv_heads; ++head) {
                const int64_t at = c.at(s, token, head), place = c.scale_at(s, token, head);
                // Keys keep their size, but for zeros: queries times great ones would leave one token only.
                const float size = sizes[token % 8];
                c.k_scales[place] = scale(c.k.data() + at, c.k_bytes.data() + at, size == 0 ? 0 : 1);
                c.v_scales[place] = scale(c.v.data() + at, c.v_bytes.data() + at, size);
            }
}

DecodeAttention arguments_of(Machine& machine, const Cached& c, int split_size) {
    DecodeAttention a;
    a.q = Floats::put(machine, c.q, c.dtype).memory;
    a.q_stride = (c.heads + 2 * c.kv_heads) * c.head_dim;
    if (c.k_scales.empty()) {
        a.k_cache = Floats::put(machine, c.k, c.dtype).memory;
        a.v_cache = Floats::put(machine, c.v, c.dtype).memory;
    } else {
        a.k_cache = machine.put(c.k_bytes), a.v_cache = machine.put(c.v_bytes);
        a.k_scales = machine.put(c.k_scales), a.v_scales = machine.put(c.v_scales);
    }
    a.cache_block_stride = c.block_stride;
    a.block_table = machine.put(c.table);
    a.table_stride = c.table_stride;
    a.lengths = machine.put(c.lengths);
    a.batch = static_cast<int>(c.lengths.size());
    a.heads = c.heads, a.kv_heads = c.kv_heads, a.head_dim = c.head_dim, a.block_size = c.block_size;
    a.max_length = *std::max_element(c.lengths.begin(), c.lengths.end()) + 5;
    a.split_size = split_size;
    a.scale = 1 / std::sqrt(static_cast<float>(c.head_dim));
    a.dtype = c.dtype;
    a.workspace_bytes = decode_attention_workspace(a);
    a.workspace = machine.allocate(a.workspace_bytes + 16);
    a.out_stride = c.heads * c.head_dim;
    return a;
}

std::vector<float> run(Machine& machine, DecodeAttention a) {
    const Floats out = Floats::put(machine, std::vector<float>(a.batch * a.out_stride, 5), a.dtype);
    a.out = out.memory;
    machine.decode_attention(a);
    return out.get(machine);
}

void expect_attention(const Cached& c, int sequence, const float* got) {
    const int length = c.lengths[sequence], group = c.heads / c.kv_heads;
    const bool scaled = !c.k_scales.empty();
    for (int head = 0; head < c.heads; ++head) {
        const float* q =
            c.q.data() + (static_cast<int64_t>(sequence) * (c.heads + 2 * c.kv_heads) + head) * c.head_dim;
        std::vector<double> weights(length), sum(c.head_dim);
        double greatest = -INFINITY, total = 0, spread = 0, greatest_size = 0;
        for (int token = 0; token < length; ++token) {
            for (int i = 0; i < c.head_dim; ++i)
                weights[token] += q[i] * c.k[c.at(sequence, token, head / group) + i];
            weights[token] /= std::sqrt(c.head_dim);
            greatest = std::max(greatest, weights[token]);
        }
        for (double& weight : weights) total += weight = std::exp(weight - greatest);
        for (int token = 0; token < length; ++token) {
            double greatest_value = 0;
            for (int i = 0; i < c.head_dim; ++i) {
                const double value = c.v[c.at(sequence, token, head / group) + i];
                sum[i] += weights[token] / total * value;
                greatest_value = std::max(greatest_value, std::abs(value));
            }
            // Of values of size 1 (of many about as large, the greatest is three to four times that) only
            // weights count.
            const double size = scaled ? greatest_value : 1;
            spread += std::pow(weights[token] / total * size, 2);
            greatest_size = std::max(greatest_size, size);
        }
        // Weights are rounded to the dtype (before values of e4m3 to fp16) before they meet the values:
        // errors of weight · rounding each, as a random walk.
        const double of_weights = rounding_of(scaled ? DType::fp16 : c.dtype) * 5 * std::sqrt(spread);
        for (int i = 0; i < c.head_dim; ++i)
            ASSERT_NEAR(got[head * c.head_dim + i], sum[i],
                        rounding_of(c.dtype) * 1.01 * std::abs(sum[i]) + of_weights + 2e-5 * greatest_size)
                << "sequence " << sequence << " of " << length << " tokens, head " << head << ", element "
                << i;
    }
}

void expect_attention(const Cached& c, const std::vector<float>& out) {
    for (size_t s = 0; s < c.lengths.size(); ++s) {
        const float* row = out.data() + s * c.heads * c.head_dim;
        if (c.lengths[s] == 0)
            for (int i = 0; i < c.heads * c.head_dim; ++i)
                ASSERT_EQ(row[i], 0) << "a sequence without tokens";
        else
            expect_attention(c, static_cast<int>(s), row);
        if (::testing::Test::HasFatalFailure()) return;
    }
}

}  // namespace tritonsmith::kernels::testing
