#include "judge/task/bent_numbers.h"

#include <gtest/gtest.h>

#include "plan/ir/build.h"

namespace tritonsmith::judge {
namespace {

using B = plan::Builder;

/// x times a number that follows from an integer among the inputs.
plan::Plan scaled(int64_t step, double by, const char* op = "aten::mul.Tensor", int64_t rows = 4) {
    B b("reference");
    const plan::Tensor x = b.input({rows});
    b.plan.inputs.push_back({step});
    b.phase(plan::Phase::forward);
    b.make(op, B::args(x, by), {rows});
    return b.plan;
}

TEST(BentNumbers, AreThoseOfDataThatFarIntegersChangeOtherwise) {
    const plan::Plan own = scaled(500, 0.5), next = scaled(501, 0.501);
    EXPECT_TRUE(are_data(own, next));
    EXPECT_FALSE(are_data(own, own)) << "nothing depends on it";
    EXPECT_FALSE(are_data(own, scaled(501, 0.5, "aten::mul.Tensor", 5))) << "a size";
    EXPECT_FALSE(bends(own, next, scaled(4001, 4.001))) << "a straight line";
    EXPECT_TRUE(bends(own, next, scaled(4001, 1.0))) << "a cap";
    EXPECT_TRUE(bends(own, next, scaled(4001, 4.001, "aten::div.Tensor"))) << "another branch";
}

}  // namespace
}  // namespace tritonsmith::judge
