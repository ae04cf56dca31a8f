#include "train/policy/advantages.h"

#include <gtest/gtest.h>

#include <cmath>

#include "train/policy/aggregation.h"

namespace tritonsmith::train {
namespace {

using Baseline = AdvantageSettings::Baseline;

TEST(Advantages, AreRewardsInUnitsOfTheGroupsDeviation) {
    const std::vector<double> rewards = {1, 0, 0, 1};
    for (const double advantage : group_advantages(rewards, {}))
        EXPECT_NEAR(std::abs(advantage), 0.5 / (std::sqrt(1.0 / 3) + 1e-6), 1e-12);
    EXPECT_EQ(group_advantages(rewards, {Baseline::mean, false}), (std::vector{0.5, -0.5, -0.5, 0.5}));
}

TEST(Advantages, LeaveOneOutTakesTheMeanOfTheOthers) {
    const std::vector<double> advantages =
        group_advantages(std::vector<double>{3, 1, 5}, {Baseline::leave_one_out, false});
    EXPECT_DOUBLE_EQ(advantages[0], 3 - 3.0);
    EXPECT_DOUBLE_EQ(advantages[1], 1 - 4.0);
    EXPECT_DOUBLE_EQ(advantages[2], 5 - 2.0);
}

TEST(Advantages, AreZeroWhereNothingCanBeLearned) {
    EXPECT_EQ(group_advantages(std::vector<double>{7}, {}), std::vector<double>{0});
    EXPECT_EQ(group_advantages(std::vector<double>{2, 2, 2}, {}), std::vector<double>(3, 0));
    EXPECT_TRUE(group_advantages({}, {}).empty());
}

TEST(Aggregation, WeightsOfAllTokensAddUpAsTheFormSays) {
    using Form = Aggregation::Form;
    const std::vector<double> lengths = {2, 8};
    const BatchCounts batch{2, 10};
    const auto sum = [&](const Aggregation& aggregation) {
        double total = 0;
        for (const double length : lengths) total += length * token_weight(aggregation, length, batch);
        return total;
    };
    EXPECT_DOUBLE_EQ(sum({Form::token_mean}), 1);
    EXPECT_DOUBLE_EQ(sum({Form::sequence_mean}), 1);
    EXPECT_DOUBLE_EQ(sum({Form::fixed, 20}), 10.0 / (2 * 20));
    EXPECT_DOUBLE_EQ(token_weight({Form::token_mean}, 2, batch), token_weight({Form::token_mean}, 8, batch));
    EXPECT_DOUBLE_EQ(token_weight({Form::sequence_mean}, 2, batch),
                     4 * token_weight({Form::sequence_mean}, 8, batch));
}

}  // namespace
}  // namespace tritonsmith::train
