#include "forge/schedules.h"

#include <gtest/gtest.h>

namespace tritonsmith::forge {
namespace {

const std::map<std::string, int64_t> kMade = {{"linear_kernel.precision", 0}, {"linear_kernel.m", 64},
                                              {"linear_kernel.n", 16},        {"linear_kernel.k", 32},
                                              {"linear_kernel.warps", 4},     {"linear_kernel.stages", 3},
                                              {"relu_kernel.block", 1024}};

TEST(Schedules, EachChangesSomethingAndNoTwoAreAlike) {
    const std::vector<Change> all = changes(kMade);
    EXPECT_GE(all.size(), 6U);
    for (size_t i = 0; i < all.size(); ++i) {
        EXPECT_NE(all[i].choices, kMade) << all[i].name;
        EXPECT_EQ(all[i].choices.size(), kMade.size()) << all[i].name;
        for (size_t j = 0; j < i; ++j) EXPECT_NE(all[i].choices, all[j].choices) << all[i].name;
    }
}

TEST(Schedules, ATileStaysWithinWhatItCovers) {
    for (const Change& change : changes(kMade))
        EXPECT_EQ(change.choices.at("linear_kernel.n"), 16) << change.name;
}

TEST(Schedules, WhatCannotBeDecidedOtherwiseStaysAsItIs) {
    for (const Change& change : changes({{"value_3.taps", -1}, {"convolution_0.channels_last", -1}}))
        ADD_FAILURE() << change.name;
    EXPECT_EQ(changes({{"convolution_0.channels_last", 0}}).size(), 1U);
}

TEST(Schedules, AKernelWithoutTheDecisionStaysAsItIs) {
    for (const Change& change : changes({{"copy_kernel.wide", 0}})) ADD_FAILURE() << change.name;
}

}  // namespace
}  // namespace tritonsmith::forge
