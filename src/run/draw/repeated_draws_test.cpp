#include "run/draw/repeated_draws.h"

#include <gtest/gtest.h>

#include "run/plan_builder_testing.h"

namespace tritonsmith::run {
namespace {

using plan::DType;
using plan::Phase;
using testing::integers;
using testing::PlanBuilder;
using testing::value;

TEST(RepeatedDraws, CopiesAndComparisonsAreFoundAndWhatIsComputedOfManyIsNot) {
    PlanBuilder task;
    const plan::Tensor x = task.tensor({8}), copy = task.tensor({8}), positive = task.tensor({8}, DType::b1),
                       sum = task.tensor({}), apart = task.tensor({8}), places = task.tensor({8}, DType::i64),
                       same = task.tensor({8}, DType::i64);
    task.aten(Phase::inputs, "aten::randn", {integers({8})}, value(x), 0);
    task.aten(Phase::inputs, "aten::clone", {value(x)}, value(copy));
    task.aten(Phase::inputs, "aten::gt.Scalar", {value(x), plan::Value{0.0}}, value(positive));
    task.aten(Phase::inputs, "aten::sum", {value(x)}, value(sum));
    task.aten(Phase::inputs, "aten::randn", {integers({8})}, value(apart), 1);
    task.aten(Phase::inputs, "aten::randint", {plan::Value{int64_t{5}}, integers({8})}, value(places), 2);
    task.aten(Phase::inputs, "aten::clone", {value(places)}, value(same));
    task.plan.inputs = {value(x),     value(copy),   value(positive), value(sum),
                        value(apart), value(places), value(same)};
    const std::vector<RepeatedDraw> found = repeated_draws(task.plan);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].input, 1U);
    EXPECT_EQ(found[1].input, 2U);
    EXPECT_EQ(found[0].parts, 1);
}

TEST(RepeatedDraws, PartsOfOneInput) {
    PlanBuilder task;
    const plan::Tensor row = task.tensor({1, 8}), rows = task.tensor({3, 8}), x = task.tensor({8});
    const plan::Tensor across{x.buffer, DType::f32, {8, 1}, {1, 1}, 0}, pairs = task.tensor({8, 8});
    task.aten(Phase::inputs, "aten::randn", {integers({1, 8})}, value(row), 0);
    task.aten(Phase::inputs, "aten::repeat", {value(row), integers({3, 1})}, value(rows));
    task.aten(Phase::inputs, "aten::randn", {integers({8})}, value(x), 1);
    task.aten(Phase::inputs, "aten::mul.Tensor", {value(x), value(across)}, value(pairs));
    task.plan.inputs = {value(rows), value(pairs)};
    const std::vector<RepeatedDraw> found = repeated_draws(task.plan);
    ASSERT_GE(found.size(), 1U);
    EXPECT_EQ(found[0].input, 0U);
    EXPECT_EQ(found[0].parts, 3);
}

}  // namespace
}  // namespace tritonsmith::run
