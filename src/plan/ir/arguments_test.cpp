#include "plan/ir/arguments.h"

#include <gtest/gtest.h>

namespace tritonsmith::plan {
namespace {

TEST(Arguments, AreFoundByPositionOrKeyword) {
    const AtenStep step{"aten::add.Tensor", {{int64_t{3}}, {true}}, {{"alpha", {2.5}}}, {}};
    EXPECT_EQ(find_argument(step, 0), &step.args[0]);
    EXPECT_EQ(find_argument(step, 2, "alpha"), &step.kwargs[0].second);
    EXPECT_EQ(find_argument(step, 2, "beta"), nullptr);
    EXPECT_EQ(find_argument(step, 2), nullptr);
    ASSERT_NE(argument<int64_t>(step, 0), nullptr);
    EXPECT_EQ(*argument<int64_t>(step, 0), 3);
    EXPECT_EQ(argument<double>(step, 0), nullptr) << "of another kind";
}

TEST(Arguments, NumbersAreIntegersAndFloats) {
    const Value whole{int64_t{3}}, real{2.5}, truth{true}, none{};
    EXPECT_EQ(as_number(&whole), 3);
    EXPECT_EQ(as_number(&real), 2.5);
    EXPECT_EQ(as_number(&truth), std::nullopt);
    EXPECT_EQ(as_number_or_truth(&truth), 1);
    EXPECT_EQ(as_number_or_truth(&none), std::nullopt);
    EXPECT_EQ(as_number_or_truth(nullptr), std::nullopt);
}

}  // namespace
}  // namespace tritonsmith::plan
