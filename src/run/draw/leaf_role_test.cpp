#include "run/draw/leaf_role.h"

#include <gtest/gtest.h>

#include "run/plan_builder_testing.h"

namespace tritonsmith::run {
namespace {

using namespace testing;
using plan::DType;
using plan::Phase;

/// x drawn; y = 2·rand - 1; idx of integers; z drawn, of which the input is a product with y's draw.
TEST(LeafRole, RanksAndAffineImages) {
    PlanBuilder task;
    const plan::Tensor x = task.tensor({8}), u = task.tensor({8}), twice = task.tensor({8}),
                       y = task.tensor({8}), i = task.tensor({8}, DType::i64), z = task.tensor({8}),
                       squared = task.tensor({8});
    task.aten(Phase::inputs, "aten::randn", {integers({8})}, value(x), 0);
    task.aten(Phase::inputs, "aten::rand", {integers({8})}, value(u), 1);
    task.aten(Phase::inputs, "aten::mul.Tensor", {value(u), plan::Value{2.0}}, value(twice));
    task.aten(Phase::inputs, "aten::sub.Tensor", {value(twice), plan::Value{1.0}}, value(y));
    task.aten(Phase::inputs, "aten::randint", {plan::Value{int64_t{5}}, integers({8})}, value(i), 2);
    task.aten(Phase::inputs, "aten::rand", {integers({8})}, value(z), 3);
    task.aten(Phase::inputs, "aten::mul.Tensor", {value(z), value(z)}, value(squared));
    task.plan.inputs = {value(x), value(y), value(i), value(squared)};
    const std::map<int, LeafRole> roles = leaf_roles(task.plan);
    ASSERT_EQ(roles.size(), 3U);
    EXPECT_EQ(roles.at(0).rank, 0);
    EXPECT_FALSE(roles.at(0).affine());
    EXPECT_EQ(roles.at(1).rank, 1);
    EXPECT_EQ(roles.at(1).factor, 2);
    EXPECT_EQ(roles.at(1).offset, -1);
    EXPECT_EQ(roles.at(3).rank, 2);
    EXPECT_FALSE(roles.at(3).affine()) << "what is computed from it is no affine image";
}

}  // namespace
}  // namespace tritonsmith::run
