#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/testing/cached_sequences.h"
#include "kernels/testing/checks.h"

namespace tritonsmith::kernels::testing {

void check_decode_attention(Machine& machine) {
    struct Case {
        DType dtype;
        int heads, kv_heads, head_dim, block_size, split_size;
        std::vector<int32_t> lengths;
    };
    std::vector<Case> cases = {
        {DType::bf16, 4, 2, 128, 16, 0, {1, 16, 17, 0, 130}},
        {DType::bf16, 8, 1, 128, 32, 64, {200, 64, 65, 1, 0, 63}},
        {DType::bf16, 5, 1, 64, 16, 0, {15, 31, 129}},
        {DType::fp16, 3, 3, 64, 48, 32, {100, 33}},
        {DType::bf16, 16, 1, 128, 16, 48, {77, 150}},
        {DType::fp16, 12, 1, 64, 16, 0, {64, 70}},
        {DType::bf16, 2, 2, 128, 256, 512, {600, 300}},
        {DType::bf16, 1, 1, 64, 16, 0, {2200}},  // more than 32 tiles to each warp
        {DType::bf16, 6, 2, 32, 16, 32, {90, 16}},
        {DType::fp16, 10, 1, 32, 16, 0, {50}},
        {DType::bf16, 4, 2, 256, 16, 64, {100, 40}},
        {DType::bf16, 12, 1, 256, 32, 0, {70}},
    };
    if (machine.is_fast()) {
        cases.push_back({DType::bf16, 32, 8, 128, 16, 256, {640, 1, 5000, 255, 256, 257, 0, 512}});
        cases.push_back({DType::bf16, 16, 8, 128, 64, 0, {640, 1, 3000, 255, 256, 257, 0, 512}});
        cases.push_back({DType::fp16, 14, 2, 64, 16, 128, {640, 1, 3000, 255, 256, 257, 0, 512}});
    }
    for (const Case& c : cases) {
        SCOPED_TRACE(std::string(name_of(c.dtype)) + ", " + std::to_string(c.heads) + "/" +
                     std::to_string(c.kv_heads) + " heads of " + std::to_string(c.head_dim) + ", blocks of " +
                     std::to_string(c.block_size) + ", split " + std::to_string(c.split_size));
        const Cached cached =
            make_cached(c.dtype, c.heads, c.kv_heads, c.head_dim, c.block_size, c.lengths, 11);
        const auto out = run(machine, arguments_of(machine, cached, c.split_size));
        expect_attention(cached, out);
        if (::testing::Test::HasFatalFailure()) return;
    }
}

void check_decode_attention_is_exact(Machine& machine, bool scaled) {
    std::vector<int32_t> lengths = {70, 200, 33, 1, 150, 64};
    if (machine.is_fast())
        while (lengths.size() < 64) lengths.push_back(static_cast<int>(lengths.size() * 37 % 900 + 1));
    Cached c = make_cached(DType::bf16, 4, 2, 128, 16, lengths, 13);
    if (scaled) make_scaled(c, {1, 0.1f, 3, 1, 0, 20, 1, 0.02f});
    const DecodeAttention all = arguments_of(machine, c, 64);
    const auto together = run(machine, all);
    for (int s : {0, 1, 4, static_cast<int>(lengths.size()) - 1}) {
        DecodeAttention one = all;
        one.batch = 1;
        one.max_length = 1000;
        one.workspace_bytes = decode_attention_workspace(one);
        one.workspace = machine.allocate(one.workspace_bytes);
        one.q = static_cast<const char*>(all.q) + s * all.q_stride * 2;
        one.block_table += s * all.table_stride;
        one.lengths += s;
        const auto alone = run(machine, one);
        const auto row = together.begin() + s * all.out_stride;
        EXPECT_TRUE(std::equal(alone.begin(), alone.end(), row))
            << "sequence " << s << " alone and among others";
    }
}

void check_shared_prefixes(Machine& machine) {
    struct Case {
        DType dtype;
        int heads, kv_heads, head_dim;
    };
    for (const Case& c :
         {Case{DType::bf16, 4, 2, 128}, Case{DType::bf16, 4, 1, 64}, Case{DType::fp16, 3, 3, 64}}) {
        SCOPED_TRACE(std::to_string(c.heads) + "/" + std::to_string(c.kv_heads) + " heads of " +
                     std::to_string(c.head_dim));
        // The first four share two parts of 64 tokens, the next two share one, the others nothing.
        const std::vector<int32_t> lengths = {150, 129, 200, 130, 65, 100, 70, 0, 1};
        const std::vector<SharedPrefix> prefixes = {{0, 4, 2}, {0, 4, 2}, {0, 4, 2}, {0, 4, 2}, {4, 2, 1},
                                                    {4, 2, 1}, {6, 1, 0}, {7, 1, 0}, {8, 1, 0}};
        Cached cached = make_cached(c.dtype, c.heads, c.kv_heads, c.head_dim, 16, lengths, 23);
        for (size_t row = 0; row < lengths.size(); ++row)
            std::copy_n(cached.table.begin() + prefixes[row].first_row * cached.table_stride,
                        prefixes[row].parts * 4,
                        cached.table.begin() + static_cast<int64_t>(row) * cached.table_stride);
        DecodeAttention a = arguments_of(machine, cached, 64);
        const auto alone = run(machine, a);
        // Where a prefix is shared, only its first row's blocks are read: the others' now hold no numbers.
        int32_t unused = 0;
        while (std::count(cached.table.begin(), cached.table.end(), unused)) ++unused;
        auto table = cached.table;
        for (size_t row = 0; row < lengths.size(); ++row)
            if (prefixes[row].first_row != static_cast<int>(row))
                std::fill_n(table.begin() + static_cast<int64_t>(row) * cached.table_stride,
                            prefixes[row].parts * 4, unused);
        a.block_table = machine.put(table);
        a.shared = machine.put(prefixes);
        const auto together = run(machine, a);
        for (size_t row = 0; row < lengths.size(); ++row) {
            if (lengths[row] > 0)
                expect_attention(cached, static_cast<int>(row), together.data() + row * a.out_stride);
            EXPECT_TRUE(std::equal(alone.begin() + row * a.out_stride,
                                   alone.begin() + (row + 1) * a.out_stride,
                                   together.begin() + row * a.out_stride))
                << "row " << row << " with a shared prefix and without";
        }
    }
}

void check_gather_cache(Machine& machine) {
    for (DType dtype : {DType::bf16, DType::fp32}) {
        SCOPED_TRACE(name_of(dtype));
        const Cached c = make_cached(dtype, 2, 2, 64, 16, {40, 1, 16, 33}, 17);
        const int width = c.kv_heads * c.head_dim;
        std::vector<int32_t> cu_seqlens = {0};
        for (int length : c.lengths) cu_seqlens.push_back(cu_seqlens.back() + length);
        const int tokens = cu_seqlens.back(), room = tokens + 3;
        const Floats k = Floats::put(machine, std::vector<float>(room * width, 3), dtype);
        const Floats v = Floats::put(machine, std::vector<float>(room * width, 3), dtype);
        GatherCache a;
        a.k = k.memory, a.v = v.memory;
        a.k_cache = Floats::put(machine, c.k, dtype).memory,
        a.v_cache = Floats::put(machine, c.v, dtype).memory;
        a.cache_block_stride = c.block_stride;
        a.block_table = machine.put(c.table), a.table_stride = c.table_stride;
        a.cu_seqlens = machine.put(cu_seqlens);
        a.sequences = static_cast<int>(c.lengths.size()), a.tokens = room;
        a.kv_heads = c.kv_heads, a.head_dim = c.head_dim, a.block_size = c.block_size, a.dtype = dtype;
        machine.gather_cache(a);
        std::vector<float> want_k(room * width, 3), want_v(room * width, 3);
        for (size_t s = 0; s < c.lengths.size(); ++s)
            for (int token = 0; token < c.lengths[s]; ++token) {
                std::copy_n(c.k.begin() + c.at(s, token, 0), width,
                            want_k.begin() + (cu_seqlens[s] + token) * width);
                std::copy_n(c.v.begin() + c.at(s, token, 0), width,
                            want_v.begin() + (cu_seqlens[s] + token) * width);
            }
        EXPECT_EQ(k.get(machine), want_k);
        EXPECT_EQ(v.get(machine), want_v);
    }
}

void check_refusals(Machine& machine) {
    const auto text_of = [&](auto call) -> std::string {
        try {
            call();
        } catch (const std::exception& error) {
            return error.what();
        }
        return "nothing was refused";
    };
    DecodeAttention a = arguments_of(machine, make_cached(DType::bf16, 4, 2, 128, 16, {40}, 19), 16);
    a.out = machine.allocate(a.out_stride * 2);
    const auto decoding = [&](auto change) {
        DecodeAttention changed = a;
        change(changed);
        return text_of([&] { machine.decode_attention(changed); });
    };
    EXPECT_EQ(decoding([](DecodeAttention& b) { b.head_dim = 96; }),
              "decode_attention: head_dim 96 is not one of 32, 64, 128 and 256");
    EXPECT_EQ(decoding([](DecodeAttention& b) { b.block_size = 24; }),
              "decode_attention: block size 24 is not a multiple of 16");
    EXPECT_EQ(decoding([](DecodeAttention& b) { b.kv_heads = 3; }),
              "decode_attention: 4 heads on 3 key heads (1 to 16 for each)");
    EXPECT_EQ(decoding([](DecodeAttention& b) { b.dtype = DType::fp32; }),
              "decode_attention: dtype code 2 is neither bf16 nor fp16");
    EXPECT_EQ(decoding([](DecodeAttention& b) {
                  b.shared = reinterpret_cast<const SharedPrefix*>(b.lengths);
                  b.split_size = 0;
              }),
              "decode_attention: shared prefixes need a split size, and at most 8 heads for each key head");
    EXPECT_EQ(decoding([](DecodeAttention& b) { b.k_scales = static_cast<const float*>(b.k_cache); }),
              "decode_attention: scales of keys or of values alone");
    EXPECT_EQ(decoding([](DecodeAttention& b) {
                  b.shared = reinterpret_cast<const SharedPrefix*>(b.lengths);
                  b.k_scales = b.v_scales = static_cast<const float*>(b.k_cache);
              }),
              "decode_attention: no shared prefixes in a cache of e4m3");
    EXPECT_NE(decoding([](DecodeAttention& b) { b.workspace_bytes = 10; }).find("a workspace of 10 bytes; "),
              std::string::npos);
    SiluMul silu;
    silu.rows = 1, silu.width = 8, silu.dtype = static_cast<DType>(9);
    EXPECT_EQ(text_of([&] { machine.silu_mul(silu); }),
              "silu_mul: dtype code 9 is not one of bf16, fp16 and fp32");
    SampleTokens sample;
    sample.rows = 1, sample.vocabulary = 1 << 23;
    EXPECT_EQ(text_of([&] { machine.sample_tokens(sample); }),
              "sample_tokens: 1 rows of 8388608 logits (1 to 2^22)");
}

}  // namespace tritonsmith::kernels::testing
