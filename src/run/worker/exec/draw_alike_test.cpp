#include "run/worker/exec/draw_alike.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <gtest/gtest.h>

#include <set>

#include "plan/ir/build.h"
#include "run/worker/exec/draw_step.h"
#include "run/worker/memory/host_memory.h"

namespace tritonsmith::run {
namespace {

/// Differences of a draw of these integers from the one that it may hold the same as.
std::set<int64_t> differences(const Distribution& law, plan::DType dtype) {
    plan::Builder b("reference");
    const plan::Tensor drawn = b.input({6, 64}, dtype);
    HostMemory memory(b.plan, int64_t{1} << 24, 7);
    memory.allocate(drawn.buffer, dtype);
    const at::Tensor values = memory.view(drawn);
    values.fill_(law.low);
    const DrawKey key{5, 1, 0};
    draw_alike(drawn, {0, law, {6, 64}}, key, Variant::Alike::lines, memory);
    at::Tensor source = at::empty({6, 64}, values.options());
    draw_into(source, {key, law});
    const at::Tensor wide = values.to(at::kLong).view({-1}), other = source.to(at::kLong).view({-1});
    std::set<int64_t> out;
    for (int64_t i = 0; i < wide.numel(); ++i) {
        const int64_t value = wide[i].item<int64_t>();
        EXPECT_GE(value, law.low);
        EXPECT_LT(value, law.low + static_cast<int64_t>(law.count));
        out.insert(value - other[i].item<int64_t>());
    }
    return out;
}

TEST(DrawAlike, IntegersDifferByOneAndByPowersOfTwo) {
    const auto large = differences({Law::integer, 0, 1, 0, uint64_t{1} << 40}, plan::DType::i64);
    for (const int power : {0, 8, 16, 24, 32})
        EXPECT_TRUE(large.contains(int64_t{1} << power) || large.contains(-(int64_t{1} << power))) << power;
    EXPECT_TRUE(large.contains(0) && large.contains(1) && large.contains(-1));
}

TEST(DrawAlike, IntegersStayInTheirLaw) {
    const auto small = differences({Law::integer, 0, 1, -3, 6}, plan::DType::i8);
    EXPECT_TRUE(small.contains(0) && small.contains(1) && small.contains(-1));
}

}  // namespace
}  // namespace tritonsmith::run
