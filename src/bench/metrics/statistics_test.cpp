#include "bench/metrics/statistics.h"

#include <gtest/gtest.h>

namespace tritonsmith::bench {
namespace {

TEST(PassAtK, IsTheShareOfSubsetsWithARightAnswer) {
    EXPECT_DOUBLE_EQ(pass_at_k(10, 0, 5), 0);
    EXPECT_DOUBLE_EQ(pass_at_k(10, 3, 1), 0.3);
    EXPECT_NEAR(pass_at_k(4, 2, 2), 1 - 1.0 / 6, 1e-15);   // of 6 pairs one has no right answer
    EXPECT_NEAR(pass_at_k(5, 1, 3), 1 - 4.0 / 10, 1e-15);  // C(4,3) = 4 of C(5,3) = 10
    EXPECT_DOUBLE_EQ(pass_at_k(5, 3, 3), 1);               // two wrong ones make no three
    EXPECT_DOUBLE_EQ(pass_at_k(7, 7, 7), 1);
    EXPECT_NEAR(pass_at_k(1000, 1, 500), 0.5, 1e-12);  // no overflow
}

TEST(MeanWithInterval, HoldsTheMeanAndIsRepeatable) {
    const std::vector<double> values = {0, 0, 1, 1, 1, 0, 1, 0, 1, 1};
    const Estimate one = mean_with_interval(values), two = mean_with_interval(values);
    EXPECT_DOUBLE_EQ(one.value, 0.6);
    EXPECT_EQ(one.tasks, 10);
    EXPECT_EQ(one.interval.low, two.interval.low);
    // The mean of ten has a standard error of 0.155: 95 % are within 0.3 of it, in steps of a tenth.
    EXPECT_NEAR(one.interval.low, 0.3, 0.051);
    EXPECT_NEAR(one.interval.high, 0.9, 0.051);
    const Estimate same = mean_with_interval({0.25, 0.25, 0.25});
    EXPECT_DOUBLE_EQ(same.interval.low, 0.25);
    EXPECT_DOUBLE_EQ(same.interval.high, 0.25);
    EXPECT_EQ(mean_with_interval({}).tasks, 0);
}

TEST(McNemar, IsTheExactBinomialTail) {
    EXPECT_DOUBLE_EQ(mcnemar_exact(0, 0), 1);
    EXPECT_DOUBLE_EQ(mcnemar_exact(3, 3), 1);
    EXPECT_NEAR(mcnemar_exact(5, 0), 2.0 / 32, 1e-12);
    EXPECT_NEAR(mcnemar_exact(1, 5), 2 * 7.0 / 64, 1e-12);
    EXPECT_DOUBLE_EQ(mcnemar_exact(1, 5), mcnemar_exact(5, 1));
    EXPECT_LT(mcnemar_exact(0, 2000), 1e-100);
}

TEST(GeometricMean, OfRatios) {
    EXPECT_DOUBLE_EQ(geometric_mean({}), 0);
    EXPECT_NEAR(geometric_mean({0.5, 2}), 1, 1e-15);
    EXPECT_NEAR(geometric_mean({1, 10, 100}), 10, 1e-12);
}

TEST(Quantile, IsLinearBetweenValues) {
    const std::vector<double> values = {1, 2, 4, 8};
    EXPECT_DOUBLE_EQ(quantile(values, 0), 1);
    EXPECT_DOUBLE_EQ(quantile(values, 0.5), 3);
    EXPECT_DOUBLE_EQ(quantile(values, 0.25), 1.75);
    EXPECT_DOUBLE_EQ(quantile(values, 1), 8);
    EXPECT_DOUBLE_EQ(quantile({}, 0.5), 0);
}

}  // namespace
}  // namespace tritonsmith::bench
