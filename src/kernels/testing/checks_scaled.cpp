#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/testing/cached_sequences.h"
#include "kernels/testing/checks.h"

namespace tritonsmith::kernels::testing {
namespace {

/// What is rotated: [tokens, (heads + 2 kv_heads) * head_dim], as rotate_and_store leaves it without a cache,
/// and with one in e4m3.
struct Rotated {
    std::vector<float> plain, scaled;
    std::vector<uint8_t> k_bytes, v_bytes;
    std::vector<float> k_scales, v_scales;
};

struct RotationCase {
    DType dtype;
    int heads, kv_heads, head_dim;
    bool norms;
    int width() const { return (heads + 2 * kv_heads) * head_dim; }
};

/// One scale for all of them: what they are in e4m3, and the scale.
struct Quantised {
    std::vector<uint8_t> bytes;
    float scale = 0;
    Quantised(const float* x, int count) {
        float greatest = 0;
        for (int i = 0; i < count; ++i) greatest = std::max(greatest, std::abs(x[i]));
        const bool nothing = greatest < 0x1p-100f;
        scale = nothing ? 0 : greatest / 448;
        const float reciprocal = nothing ? 0 : 448 / greatest;
        for (int i = 0; i < count; ++i) bytes.push_back(nearest_e4m3(x[i] * reciprocal));
    }
};

constexpr int block_size = 16, blocks = 4;
constexpr float untouched = 9;
const std::vector<int64_t> slots = {33, -1, 0, 63, 15, 16};

Rotated rotate(Machine& machine, const RotationCase& c, const std::vector<float>& qkv) {
    const int positions = 20;
    const size_t elements = static_cast<size_t>(blocks) * block_size * c.kv_heads * c.head_dim;
    std::vector<float> cosines, sines;
    for (int i = 0; i < positions * c.head_dim / 2; ++i) {
        cosines.push_back(static_cast<float>(std::cos(i * 0.7)));
        sines.push_back(static_cast<float>(std::sin(i * 0.7)));
    }
    const std::vector<uint8_t> empty(elements, 7);
    const std::vector<float> no_scales(elements / c.head_dim, untouched);
    RotateAndStore a;
    if (c.norms)
        a.q_weight = a.k_weight = Floats::put(machine, random_values(c.head_dim, c.dtype, 9), c.dtype).memory;
    a.cosines = machine.put(cosines), a.sines = machine.put(sines), a.table_positions = positions;
    a.positions = machine.put(std::vector<int64_t>{3, 0, 17, 9, 5, 11});
    a.slots = machine.put(slots);
    a.tokens = static_cast<int>(slots.size());
    a.heads = c.heads, a.kv_heads = c.kv_heads, a.head_dim = c.head_dim, a.block_size = block_size;
    a.qkv_stride = c.width(), a.dtype = c.dtype;
    a.cache_block_stride = block_size * c.kv_heads * c.head_dim;
    uint8_t *k = machine.put(empty), *v = machine.put(empty);
    float *k_scales = machine.put(no_scales), *v_scales = machine.put(no_scales);

    Rotated out;
    const Floats plain = Floats::put(machine, qkv, c.dtype), scaled = Floats::put(machine, qkv, c.dtype);
    RotateAndStore without = a;
    without.slots = nullptr, without.qkv = plain.memory;
    machine.rotate_and_store(without);
    a.qkv = scaled.memory;
    a.k_cache = k, a.v_cache = v, a.k_scales = k_scales, a.v_scales = v_scales;
    machine.rotate_and_store(a);
    out.plain = plain.get(machine), out.scaled = scaled.get(machine);
    out.k_bytes = machine.get<uint8_t>(k, elements), out.v_bytes = machine.get<uint8_t>(v, elements);
    out.k_scales = machine.get<float>(k_scales, no_scales.size());
    out.v_scales = machine.get<float>(v_scales, no_scales.size());
    return out;
}

}  // namespace

void check_rotate_and_store_scaled(Machine& machine) {
    for (const RotationCase& c :
         {RotationCase{DType::bf16, 4, 2, 128, true}, RotationCase{DType::bf16, 2, 1, 64, false},
          RotationCase{DType::fp16, 2, 3, 32, true}, RotationCase{DType::bf16, 1, 1, 256, true},
          RotationCase{DType::fp32, 1, 2, 128, false}, RotationCase{DType::bf16, 2, 2, 80, false}}) {
        SCOPED_TRACE(std::string(name_of(c.dtype)) + ", heads of " + std::to_string(c.head_dim));
        auto qkv = random_values(slots.size() * c.width(), c.dtype, 7, 2);
        float* const zeros = qkv.data() + 2 * c.width();  // the third token: zeros, and next to nothing
        std::fill_n(zeros + c.heads * c.head_dim, c.kv_heads * c.head_dim, 0.0f);
        std::fill_n(zeros + (c.heads + c.kv_heads) * c.head_dim, c.kv_heads * c.head_dim,
                    rounded(c.dtype == DType::fp16 ? 0 : 1e-34f, c.dtype));
        const Rotated got = rotate(machine, c, qkv);
        auto k_bytes = std::vector<uint8_t>(got.k_bytes.size(), 7), v_bytes = k_bytes;
        auto k_scales = std::vector<float>(got.k_scales.size(), untouched), v_scales = k_scales;
        auto want = got.plain;
        for (size_t token = 0; token < slots.size(); ++token)
            for (int head = c.heads; head < c.heads + 2 * c.kv_heads && slots[token] >= 0; ++head) {
                const bool is_value = head >= c.heads + c.kv_heads;
                const int64_t kv_head = (head - c.heads) % c.kv_heads, block = slots[token] / block_size,
                              offset = slots[token] % block_size;
                float* x = want.data() + token * c.width() + head * c.head_dim;
                const Quantised quantised(x, c.head_dim);
                uint8_t* bytes = (is_value ? v_bytes : k_bytes).data() +
                                 (slots[token] * c.kv_heads + kv_head) * c.head_dim;
                (is_value ? v_scales : k_scales)[(block * c.kv_heads + kv_head) * block_size + offset] =
                    quantised.scale;
                for (int i = 0; i < c.head_dim; ++i) {
                    bytes[i] = quantised.bytes[i];
                    x[i] = rounded(value_of_e4m3(bytes[i]) * quantised.scale, c.dtype);
                }
                if (token == 2) {
                    EXPECT_EQ(quantised.scale, 0);
                }
            }
        EXPECT_EQ(got.k_bytes, k_bytes);
        EXPECT_EQ(got.v_bytes, v_bytes);
        EXPECT_EQ(got.k_scales, k_scales);
        EXPECT_EQ(got.v_scales, v_scales);
        EXPECT_EQ(got.scaled, want);
    }
}

void check_quantise_rows(Machine& machine) {
    const int rows = 4;
    std::vector<int> dims = {16, 64, 1000, 1001, 2048};
    if (machine.is_fast()) dims.insert(dims.end(), {4096, 12288, 32768});
    for (DType dtype : {DType::bf16, DType::fp16, DType::fp32})
        for (int dim : dims) {
            SCOPED_TRACE(std::string(name_of(dtype)) + " rows of " + std::to_string(dim));
            const int stride = dim + 24;
            auto x = random_values(rows * stride, dtype, 3, 3);
            std::fill_n(x.begin() + stride, dim, rounded(dtype == DType::fp16 ? 0 : 1e-34f, dtype));
            for (int i = 0; i < dim; ++i) x[2 * stride + i] = rounded(x[2 * stride + i] * 1000, dtype);
            x[3 * stride + dim - 1] = rounded(-5000, dtype);
            uint8_t* out = machine.put(std::vector<uint8_t>(rows * dim + 16, 7));
            float* scales = machine.put(std::vector<float>(rows + 1, untouched));
            QuantiseRows a;
            a.out = out, a.scales = scales;
            a.x = Floats::put(machine, x, dtype).memory, a.x_stride = stride;
            a.rows = rows, a.dim = dim, a.dtype = dtype;
            machine.quantise_rows(a);
            std::vector<uint8_t> want;
            std::vector<float> want_scales;
            for (int row = 0; row < rows; ++row) {
                const Quantised quantised(x.data() + row * stride, dim);
                want.insert(want.end(), quantised.bytes.begin(), quantised.bytes.end());
                want_scales.push_back(quantised.scale);
            }
            EXPECT_EQ(want_scales[1], 0);
            want.resize(want.size() + 16, 7);
            want_scales.push_back(untouched);
            EXPECT_EQ(machine.get<uint8_t>(out, want.size()), want);
            EXPECT_EQ(machine.get<float>(scales, want_scales.size()), want_scales);
        }
}

void check_gather_scaled_cache(Machine& machine) {
    for (DType dtype : {DType::bf16, DType::fp16, DType::fp32}) {
        SCOPED_TRACE(name_of(dtype));
        Cached c = make_cached(dtype, 2, 2, 64, 16, {40, 1, 16, 33}, 17);
        make_scaled(c, {1, 0.1f, 3, 1, 0, 20, 1, 0.02f});
        const int width = c.kv_heads * c.head_dim;
        std::vector<int32_t> cu_seqlens = {0};
        for (int length : c.lengths) cu_seqlens.push_back(cu_seqlens.back() + length);
        const int tokens = cu_seqlens.back();
        const Floats k = Floats::put(machine, std::vector<float>(tokens * width, 3), dtype);
        const Floats v = Floats::put(machine, std::vector<float>(tokens * width, 3), dtype);
        const DecodeAttention cache = arguments_of(machine, c, 0);
        GatherCache a;
        a.k = k.memory, a.v = v.memory;
        a.k_cache = cache.k_cache, a.v_cache = cache.v_cache;
        a.k_scales = cache.k_scales, a.v_scales = cache.v_scales;
        a.cache_block_stride = c.block_stride;
        a.block_table = cache.block_table, a.table_stride = c.table_stride;
        a.cu_seqlens = machine.put(cu_seqlens);
        a.sequences = static_cast<int>(c.lengths.size()), a.tokens = tokens;
        a.kv_heads = c.kv_heads, a.head_dim = c.head_dim, a.block_size = c.block_size, a.dtype = dtype;
        machine.gather_cache(a);
        std::vector<float> want_k, want_v;
        for (int s = 0; s < a.sequences; ++s)
            for (int token = 0; token < c.lengths[s]; ++token)
                for (int i = 0; i < width; ++i) {
                    want_k.push_back(rounded(c.k[c.at(s, token, 0) + i], dtype));
                    want_v.push_back(rounded(c.v[c.at(s, token, 0) + i], dtype));
                }
        EXPECT_EQ(k.get(machine), want_k);
        EXPECT_EQ(v.get(machine), want_v);
    }
}

void check_decode_scaled_attention(Machine& machine) {
    struct Case {
        DType dtype;
        int heads, kv_heads, head_dim, block_size, split_size;
        std::vector<int32_t> lengths;
        float size = 1;  ///< of all values
    };
    std::vector<Case> cases = {
        {DType::bf16, 4, 2, 128, 16, 0, {1, 16, 17, 0, 130}},
        {DType::bf16, 8, 1, 128, 32, 64, {200, 64, 65, 1, 0, 63}},
        {DType::bf16, 5, 1, 64, 16, 0, {15, 31, 129}},
        {DType::fp16, 3, 3, 64, 48, 32, {100, 33}},
        {DType::bf16, 16, 1, 128, 16, 48, {77, 150}},
        {DType::fp16, 12, 1, 64, 64, 0, {64, 70}},
        {DType::bf16, 2, 2, 128, 256, 512, {600, 300}},
        {DType::bf16, 1, 1, 64, 16, 0, {2200}},  // more than 32 tiles to each warp
        {DType::bf16, 6, 2, 32, 16, 32, {90, 16, 2}},
        {DType::fp16, 10, 1, 32, 80, 0, {50, 333}},
        {DType::bf16, 4, 2, 256, 16, 64, {100, 40}},
        {DType::bf16, 12, 1, 256, 32, 0, {70}},
        {DType::bf16, 2, 1, 128, 16, 0, {90}, 1e-8f},  // below fp16's numbers
        {DType::bf16, 9, 1, 128, 16, 0, {90}, 1e8f},   // and above
    };
    if (machine.is_fast()) {
        cases.push_back({DType::bf16, 32, 8, 128, 16, 256, {640, 1, 5000, 255, 256, 257, 0, 512}});
        cases.push_back({DType::bf16, 16, 8, 128, 64, 0, {640, 1, 3000, 255, 256, 257, 0, 512}});
        cases.push_back({DType::fp16, 14, 2, 64, 16, 128, {640, 1, 3000, 255, 256, 257, 0, 512}});
    }
    for (const Case& c : cases) {
        SCOPED_TRACE(std::string(name_of(c.dtype)) + ", " + std::to_string(c.heads) + "/" +
                     std::to_string(c.kv_heads) + " heads of " + std::to_string(c.head_dim) + ", blocks of " +
                     std::to_string(c.block_size) + ", split " + std::to_string(c.split_size) +
                     ", values of " + std::to_string(c.size));
        Cached cached = make_cached(c.dtype, c.heads, c.kv_heads, c.head_dim, c.block_size, c.lengths, 11);
        const float size = c.size;  // the first tiles' are small, so that the unit of sums must grow
        make_scaled(cached, {0.01f * size, size, 0.1f * size, 0, size, 3 * size, 0.5f * size, size});
        const auto out = run(machine, arguments_of(machine, cached, c.split_size));
        expect_attention(cached, out);
        if (::testing::Test::HasFatalFailure()) return;
    }
}

}  // namespace tritonsmith::kernels::testing
