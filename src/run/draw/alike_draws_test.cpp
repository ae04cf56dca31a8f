#include "run/draw/alike_draws.h"

#include <gtest/gtest.h>

#include "run/plan_builder_testing.h"

namespace tritonsmith::run {
namespace {

using plan::DType;
using plan::Phase;
using testing::integers;
using testing::PlanBuilder;
using testing::value;

TEST(AlikeDraws, OfOneKindAndWithLinesOfOneLength) {
    PlanBuilder task;
    const auto real = [&](std::vector<int64_t> shape, int ordinal, DType dtype = DType::f32) {
        const plan::Tensor made = task.tensor(shape, dtype);
        task.aten(Phase::inputs, "aten::randn", {integers(shape)}, value(made), ordinal);
    };
    const auto whole = [&](std::vector<int64_t> shape, int ordinal, int64_t high) {
        const plan::Tensor made = task.tensor(shape, DType::i64);
        task.aten(Phase::inputs, "aten::randint", {plan::Value{high}, integers(shape)}, value(made), ordinal);
    };
    real({4, 8}, 0);
    real({6, 8}, 1);
    real({8, 4}, 2);
    real({8}, 3);
    real({8}, 4);
    real({4, 8}, 5, DType::f16);
    whole({9}, 6, 5);
    whole({9}, 7, 5);
    whole({9}, 8, 6);
    const std::map<int, AlikeDraw> found = alike_draws(task.plan);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found.at(1).of, 0);
    EXPECT_EQ(found.at(1).shape, (std::vector<int64_t>{4, 8}));
    EXPECT_EQ(found.at(4).of, 3);
    EXPECT_EQ(found.at(7).of, 6);
}

}  // namespace
}  // namespace tritonsmith::run
