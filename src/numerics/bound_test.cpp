#include "numerics/bound.h"

#include <gtest/gtest.h>

namespace tritonsmith::numerics {
namespace {

using plan::DType;

Bound bound(DType dtype, int64_t longest = 1, Precision precision = Precision::defaults) {
    return bound_of(dtype, longest, 1, Tolerance{}, precision, false);
}
double limit(double value, double scale, double alike, const Bound& bound) {
    return regular_limit<Numbers>(value, scale, alike, bound);
}

TEST(Bound, NarrowResultsAreHeldToTheirUnitInTheLastPlace) {
    const Bound bf16 = bound(DType::bf16, 4096);
    EXPECT_LE(limit(1, 1, 0, bf16), 0.01);
    // An element near zero among large ones: not a hundredth of the output's magnitude.
    EXPECT_LT(limit(1e-3, 25, 0, bf16), 5e-5);
}

TEST(Bound, WhatTheReferencesOwnRoundingsDoIsAllowedTwice) {
    EXPECT_NEAR(limit(1, 1, 0.1, bound(DType::bf16)), 0.2, 0.01);
    EXPECT_NEAR(limit(1, 1, 1e-3, bound(DType::f32)), 2e-3, 1e-4);
}

TEST(Bound, OfAnErrorNextToZeroHalfIsTheLastMoveAtMost) {
    const Bound f16 = bound(DType::f16);
    EXPECT_EQ(last_move<Numbers>(0.0, 0x1p-26, f16), 0x1p-27);
    EXPECT_EQ(last_move<Numbers>(0.0, 1.0, f16), 0x1p-25) << "no more than one rounding";
    EXPECT_NEAR(last_move<Numbers>(1.0, 1.0, f16), 0x1p-11, 1e-7);
}

TEST(Bound, PartialSumsOfUnevenTermsMayBeAsLargeAsTheLargest) {
    Bound even = bound(DType::f32, 2560);
    even.rms = 1e9;  // the tolerance is far away
    const double before = limit(0, 1e4, 0, even);
    even.uneven = true;
    const double uneven = limit(0, 1e4, 0, even);
    EXPECT_GT(uneven, 20 * before);
    EXPECT_LT(uneven, 1e4 / 2560 / 5) << "a term that is left out is seen";
    Bound few = bound(DType::f32, 4);
    few.rms = 1e9;
    const double sums = limit(0, 1e4, 0, few);
    few.uneven = true;
    EXPECT_EQ(limit(0, 1e4, 0, few), sums);
}

TEST(Bound, NothingBelowTheLeastNumberIsAskedFor) {
    EXPECT_EQ(limit(1e-200, 1e-200, 0, bound(DType::f32)), 0x1p-126);
    EXPECT_LT(limit(1e-200, 1e-200, 0, bound(DType::f64)), 1e-210);
    EXPECT_GE(limit(1e-30, 1e-30, 0, bound(DType::f16)), 0x1p-24);
}

TEST(Bound, Tf32IsAdmittedByItsSpacingAndThePublishedTolerance) {
    const Bound tf32 = bound(DType::f32, 4096, Precision::tf32);
    const double own = 5e-4;  // of operands rounded to 11 bits
    EXPECT_GT(limit(0.5, 50, own, tf32), 2 * own);
    EXPECT_LT(limit(0.5, 50, own, bound(DType::f32, 4096)), 2 * own + 5e-4);
    EXPECT_GT(limit(1, 1, 0, tf32), 9e-4) << "a rounding to TF32 where the reference has none";
    EXPECT_NEAR(limit(1, 1, 0.1, tf32), 0.2, 2e-3);
    EXPECT_EQ(bound(DType::f16, 1, Precision::tf32).tolerance, 1e-2);
    EXPECT_EQ(bound(DType::f64, 1, Precision::tf32).tolerance, 1e-4);
}

TEST(Bound, UndecidedElementsForgiveAsManyMore) {
    EXPECT_EQ(forgiven(0), 0);
    EXPECT_EQ(forgiven(1), 2);
    EXPECT_EQ(forgiven(100), 100);
    EXPECT_EQ(forgiven_error(0.5), 2 * 0.5);
}

TEST(Precision, NamesAndOperators) {
    for (const Precision one : {Precision::defaults, Precision::ieee, Precision::tf32})
        EXPECT_EQ(precision_from_name(name(one)), one);
    EXPECT_EQ(precision_from_name("fp8"), std::nullopt);
    const plan::AtenStep product{"aten::addmm", {}, {}, {}}, convolution{"aten::convolution", {}, {}, {}},
        sum{"aten::sum", {}, {}, {}};
    EXPECT_TRUE(rounds_to_tf32(convolution, Precision::defaults));
    EXPECT_FALSE(rounds_to_tf32(product, Precision::defaults));
    EXPECT_TRUE(rounds_to_tf32(product, Precision::tf32));
    EXPECT_FALSE(rounds_to_tf32(convolution, Precision::ieee));
    EXPECT_FALSE(rounds_to_tf32(sum, Precision::tf32));
}

}  // namespace
}  // namespace tritonsmith::numerics
