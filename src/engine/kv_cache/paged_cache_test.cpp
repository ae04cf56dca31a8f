#include "engine/kv_cache/paged_cache.h"

#include <ATen/Functions.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "engine/testing.h"

namespace tritonsmith::engine {
namespace {

std::vector<at::Tensor> parts_of(const PagedCache& cache) {
    std::vector<at::Tensor> parts;
    for (const at::Tensor& part : {cache.keys, cache.values, cache.key_scales, cache.value_scales})
        if (part.defined()) parts.push_back(part);
    return parts;
}

class Caches : public ::testing::TestWithParam<CacheDtype> {};
INSTANTIATE_TEST_SUITE_P(Of, Caches, ::testing::Values(CacheDtype::activations, CacheDtype::fp8));

TEST_P(Caches, BytesAreThoseThatAreAllocated) {
    const model::Model model = small_model();
    const int blocks = 5, block_size = 16;
    const PagedCache cache = PagedCache::make(model, blocks, block_size, GetParam());
    EXPECT_EQ(cache.blocks(), blocks);
    int64_t bytes = 0;
    for (const at::Tensor& part : parts_of(cache)) bytes += static_cast<int64_t>(part.nbytes());
    EXPECT_EQ(block_bytes(model, block_size, GetParam()) * blocks, bytes);
    EXPECT_EQ(plan_blocks(model, bytes, block_size, 64, 1, GetParam()), blocks);
    EXPECT_EQ(plan_blocks(model, bytes - 1, block_size, 64, 1, GetParam()), blocks - 1);
}

TEST_P(Caches, ABlockIsCopiedWholeAndNoOther) {
    PagedCache cache = PagedCache::make(small_model(), 4, 16, GetParam());
    std::vector<at::Tensor> wanted;
    for (at::Tensor part : parts_of(cache)) {
        at::Tensor bytes = part.view(at::kByte);
        bytes.random_(0, 256);
        wanted.push_back(bytes.clone());
        wanted.back().select(1, 3).copy_(wanted.back().select(1, 1));
    }
    ASSERT_EQ(wanted.size(), GetParam() == CacheDtype::fp8 ? 4U : 2U);
    cache.copy_block(1, 3);
    const auto parts = parts_of(cache);
    for (size_t i = 0; i < parts.size(); ++i)
        EXPECT_TRUE(at::equal(parts[i].view(at::kByte), wanted[i])) << i;
}

TEST(CacheDtypes, Fp8IsHalfOfBfloat16AndAScaleToEachHead) {
    const model::Model model = small_model(at::kBFloat16);  // on the CPU activations are float32
    EXPECT_EQ(block_bytes(model, 1), 2LL * 3 * 2 * 64 * 4);
    EXPECT_EQ(block_bytes(model, 1, CacheDtype::fp8), 2LL * 3 * 2 * (64 + 4));
}

TEST(CacheDtypes, AreRefusedWithTheirName) {
    const at::Device gpu("cuda:0");
    EXPECT_EQ(parse_cache_dtype("auto", at::kCPU), CacheDtype::activations);
    EXPECT_EQ(parse_cache_dtype("auto", gpu), CacheDtype::activations);
    EXPECT_EQ(parse_cache_dtype("fp8", gpu), CacheDtype::fp8);
    EXPECT_THROW(parse_cache_dtype("fp8", at::kCPU), InputError);
    EXPECT_THROW(parse_cache_dtype("int4", gpu), InputError);
}

}  // namespace
}  // namespace tritonsmith::engine
