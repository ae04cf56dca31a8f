#include "judge/compare/count_error.h"

#include <gtest/gtest.h>

namespace tritonsmith::judge {
namespace {

using plan::DType;

constexpr int64_t kTerms = 100;

Elements float_elements(std::vector<double> values) {
    return {DType::f32, {static_cast<int64_t>(values.size())}, std::move(values)};
}

CountError error_of(const std::vector<double>& found, int64_t terms = kTerms) {
    const std::vector<double> means = {1, -2, 3};
    Elements oracle = float_elements(means);
    oracle.dtype = DType::f64;
    return count_error(make_expected({"output/0", oracle, float_elements(means), {}, {}}, {}),
                       float_elements(found), terms);
}

TEST(CountError, WhatIsWithinItsBoundCountsRight) {
    EXPECT_EQ(error_of({1, -2, 3}), CountError::none);
}

TEST(CountError, OneTermTooFewChangesAllMeansByOneFactor) {
    const double factor = 100.0 / 99;
    EXPECT_EQ(error_of({factor, -2 * factor, 3 * factor}), CountError::factor);
    EXPECT_EQ(error_of({1 / factor, -2 / factor, 3 / factor}), CountError::factor);
}

TEST(CountError, ErrorsAsSmallThatDifferAreOfTheSameOrder) {
    EXPECT_EQ(error_of({1.01, -2, 3}), CountError::of_order);
    EXPECT_EQ(error_of({1, -2.01, 3.05}), CountError::of_order);
}

TEST(CountError, WhatIsFurtherOffIsWrongForAnotherReason) {
    EXPECT_EQ(error_of({1.5, -2, 3}), CountError::other);
    EXPECT_EQ(error_of({0.5, -1, 1.5}), CountError::other) << "another size is written in";
    EXPECT_EQ(error_of({1, -2}), CountError::other);
}

TEST(CountError, OfFewTermsEveryErrorCouldBeOneOfCounting) {
    EXPECT_EQ(error_of({1.01, -2, 3}, 1), CountError::other) << "there is no mean";
    EXPECT_EQ(error_of({1.01, -2, 3}, 8), CountError::other);
    EXPECT_EQ(error_of({1, -2, 3}, 1), CountError::none);
}

}  // namespace
}  // namespace tritonsmith::judge
