#include "judge/timing/timing_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tritonsmith::judge {
namespace {

TEST(Estimate, IsTheMedianWhateverTheOrder) {
    EXPECT_EQ(estimate({3, 1, 2}).median, 2);
    EXPECT_EQ(estimate({4, 1, 3, 2}).median, 2.5);
}

TEST(Estimate, FewSamplesSayNothingOfTheirSpread) {
    EXPECT_TRUE(std::isinf(estimate({1, 1, 1, 1, 1}).uncertainty()));
    EXPECT_EQ(estimate(std::vector<double>(10, 2.0)).uncertainty(), 0);
    EXPECT_TRUE(std::isinf(estimate({}).uncertainty()));
}

TEST(Estimate, TheIntervalHoldsTheTrueMedianNineteenTimesOfTwenty) {
    std::mt19937 random(7);
    std::lognormal_distribution<double> law(0, 0.1);  // its median is 1
    int inside = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        std::vector<double> samples(40);
        for (double& sample : samples) sample = law(random);
        const Estimate e = estimate(samples);
        inside += e.low <= 1 && 1 <= e.high;
    }
    EXPECT_GE(inside, 1860);
    EXPECT_LE(inside, 1970);
}

TEST(Estimate, OneSlowCallMovesNeitherMedianNorInterval) {
    std::vector<double> samples(30, 1.0);
    samples[4] = 1000;
    EXPECT_EQ(estimate(samples).median, 1);
    EXPECT_EQ(estimate(samples).uncertainty(), 0);
}

}  // namespace
}  // namespace tritonsmith::judge
