#include "plan/values/infinities.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plan/ir/build.h"

namespace tritonsmith::plan {
namespace {

using B = Builder;

TEST(Infinities, AreThoseThatAProgramStates) {
    B masked("reference");
    const Tensor x = masked.input({4}), flags = masked.input({4}, DType::b1);
    const Tensor hidden = masked.make("aten::masked_fill.Scalar", B::args(x, flags, -INFINITY), {4});
    const Tensor moved = masked.make("aten::add.Tensor", B::args(hidden, x), {4});
    const Tensor soft = masked.make("aten::_softmax", B::args(moved, 0, false), {4});
    const Tensor logarithm = masked.make("aten::log", B::args(x), {4});
    const std::set<int> found = stated_infinities(masked.plan);
    EXPECT_TRUE(found.contains(hidden.buffer));
    EXPECT_TRUE(found.contains(moved.buffer));
    EXPECT_FALSE(found.contains(soft.buffer)) << "zeros";
    EXPECT_FALSE(found.contains(logarithm.buffer)) << "of zero, perhaps";
    EXPECT_FALSE(found.contains(x.buffer));
}

}  // namespace
}  // namespace tritonsmith::plan
