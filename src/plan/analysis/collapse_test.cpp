#include "plan/analysis/collapse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/ir/build.h"

namespace tritonsmith::plan {
namespace {

using B = Builder;

/// batch images of side × side, pooled over windows of 8, then averaged.
Plan pooled(int64_t batch, int64_t side) {
    B b("reference");
    Tensor x = b.input({batch, 3, side, side});
    Tensor y = b.make("aten::max_pool2d", B::args(x), {batch, 3, side / 8, side / 8});
    b.plan.output = {b.make("aten::mean.dim", B::args(y), {batch, 3, 1, 1})};
    return b.plan;
}

TEST(Collapse, SmallerIsNotCollapsed) {
    EXPECT_EQ(collapse(pooled(64, 256), pooled(64, 256)), "");
    EXPECT_EQ(collapse(pooled(64, 256), pooled(2, 16)), "");
}

TEST(Collapse, AnAverageOverOneElementSaysNothing) {
    EXPECT_THAT(collapse(pooled(64, 256), pooled(2, 8)),
                testing::HasSubstr("aten::max_pool2d at line 10: 32 elements became 1"));
    EXPECT_THAT(collapse(pooled(64, 256), pooled(2, 4)), testing::HasSubstr("32 elements became 0"));
}

TEST(Collapse, WhatWasOneBeforeIsNoLoss) {
    EXPECT_EQ(collapse(pooled(64, 8), pooled(2, 8)), "");
}

TEST(Collapse, ABatchOfOneIsOneEverywhere) {
    EXPECT_EQ(collapse(pooled(64, 256), pooled(1, 16)), "");
    EXPECT_NE(collapse(pooled(64, 256), pooled(1, 8)), "");
}

TEST(Collapse, OtherStepsAreNotCompared) {
    B b("reference");
    Tensor x = b.input({64, 3, 256, 256});
    b.plan.output = {b.make("aten::mean.dim", B::args(x), {1, 1, 1, 1})};
    EXPECT_EQ(collapse(pooled(64, 256), b.plan), "");
    EXPECT_EQ(collapse(pooled(64, 256), B("reference").plan), "");
}

}  // namespace
}  // namespace tritonsmith::plan
