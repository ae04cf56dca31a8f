#include "run/worker/oracle/expected.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

/// The formulas of docs/judge.md (numerics) on numbers small enough to work out by hand.
namespace tritonsmith::run {
namespace {

using ::testing::ElementsAre;

constexpr double kInf = std::numeric_limits<double>::infinity(),
                 kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kEps32 = 0x1p-23;

at::Tensor doubles(std::vector<double> values) {
    return at::tensor(values, at::kDouble);
}
at::Tensor floats(std::vector<double> values) {
    return doubles(std::move(values)).to(at::kFloat);
}
at::Tensor longs(std::vector<int64_t> values) {
    return at::tensor(values, at::kLong);
}

ExpectedOutput expected(const at::Tensor& oracle, const at::Tensor& native, const BoundOptions& options = {},
                        const at::Tensor& absolute = {}, int64_t at_a_time = kPiece,
                        const OtherRoundings& others = {}) {
    return expect("output/0", oracle, native, absolute, others, options, at::Device(at::kCPU), at_a_time);
}
OutputComparison compared(const ExpectedOutput& expected, const at::Tensor& found,
                          int64_t at_a_time = kPiece) {
    return compare(expected, found, at::Device(at::kCPU), at_a_time);
}
double limit(const ExpectedOutput& expected, int64_t i) {
    return expected.limit[i].item().toDouble();
}

const std::vector<double> kValues{1, -1, 1, 3, 0, -2};  // squares sum to 16: rms is sqrt(16/6)
const double kRms = std::sqrt(16.0 / 6);

TEST(Expected, AnExactReferenceIsBoundByTheLongestReduction) {
    BoundOptions options;
    options.longest_reduction = 4;
    const ExpectedOutput e = expected(doubles(kValues), floats(kValues), options);
    EXPECT_DOUBLE_EQ(e.rms, kRms);
    EXPECT_EQ(e.reference_error, 0);
    EXPECT_EQ(e.forgiven, 0);
    // 8 of its spacing for the sums, twice for sqrt(K) and once for S; 1 for its own
    const double one = (8 * 3 + 1) * kEps32;
    EXPECT_NEAR(limit(e, 0), one, 1e-11);
    EXPECT_NEAR(limit(e, 3), 3 * one, 1e-11);
    EXPECT_EQ(limit(e, 4), 0x1p-126) << "nothing smaller is asked for";
}

TEST(Expected, TheTolerancesBoundIsTheLooserOrTheTighterOne) {
    BoundOptions options;
    options.longest_reduction = 1 << 20;
    const double by_rounding = (8 * 1025 + 1) * kEps32;  // for S = |x|
    ASSERT_GT(by_rounding, 1e-4);
    const double rms = std::sqrt(2.5);
    EXPECT_NEAR(limit(expected(doubles({1, 2}), floats({1, 2}), options), 0), rms * 1e-4, 1e-9);
    EXPECT_NEAR(limit(expected(doubles({1, 2}), floats({1, 2}), options), 1), 2e-4, 1e-9);
    options.wide = true;
    EXPECT_NEAR(limit(expected(doubles({1, 2}), floats({1, 2}), options), 1), 2 * by_rounding, 1e-8);
    options.wide = false;
    options.tolerance.f32 = 1e-6;
    EXPECT_NEAR(limit(expected(doubles({1, 2}), floats({1, 2}), options), 1), 2e-6, 1e-11);
}

TEST(Expected, NarrowTypesHaveTheirOwnSpacingAndTolerance) {
    const at::Tensor ones = doubles({1, 1});
    const std::vector<std::pair<at::ScalarType, double>> types{{at::kHalf, 0x1p-10},
                                                               {at::kBFloat16, 0x1p-7},
                                                               {at::kFloat8_e4m3fn, 0x1p-3},
                                                               {at::kFloat8_e5m2, 0x1p-2},
                                                               {at::kFloat, 0x1p-23}};
    for (const auto& [type, eps] : types) {
        const double limited = limit(expected(ones, ones.to(type)), 0);
        const double once = eps + 16 * kEps32;
        if (eps > 1e-6) {
            EXPECT_NEAR(limited, std::min(once, std::max(1e-2, eps / 2)), 0.01 * eps) << type;
        } else {
            EXPECT_NEAR(limited, once, 1e-3 * once) << type;
        }
    }
}

TEST(Expected, Float64IsBoundWhereFloat32HasNoNumbers) {
    const ExpectedOutput small = expected(doubles({1e-60, 2e-60}), doubles({1e-60, 2e-60}));
    EXPECT_EQ(compared(small, doubles({1e-60 * (1 + 0x1p-51), 2e-60})).out_of_bound, 0);
    EXPECT_EQ(compared(small, doubles({1.1e-60, 2e-60})).out_of_bound, 1);
    const ExpectedOutput large = expected(doubles({1e100, 1e100}), doubles({1e100, 1e100}));
    EXPECT_EQ(compared(large, doubles({2e100, 1e100})).out_of_bound, 1);
}

TEST(Compared, TellsTheWorstElement) {
    const ExpectedOutput e = expected(doubles(kValues), floats(kValues));
    OutputComparison c = compared(e, floats(kValues));
    EXPECT_EQ(c.out_of_bound, 0);
    EXPECT_EQ(c.index, -1);
    EXPECT_EQ(c.elements, 6);
    EXPECT_EQ(c.worst_error, 0);
    // An error of 0.25 is further out at -1 than at 3, though the other one's 0.5 is larger.
    c = compared(e, floats({1, -1.25, 1, 3.5, 0, -2}));
    EXPECT_EQ(c.out_of_bound, 2);
    EXPECT_EQ(c.index, 1);
    EXPECT_EQ(c.expected, -1);
    EXPECT_EQ(c.found, -1.25);
    EXPECT_DOUBLE_EQ(c.allowed, limit(e, 1));
    EXPECT_EQ(c.worst_error, 0.5);
    EXPECT_NEAR(c.worst_ratio, 0.25 / limit(e, 1), 1e-3 * c.worst_ratio);
}

TEST(Compared, WhatIsWithinTheBoundPassesAndWhatIsBeyondDoesNot) {
    const ExpectedOutput e = expected(doubles({1, 1}), floats({1, 1}));
    EXPECT_EQ(compared(e, floats({1 + 17 * kEps32, 1 - 17 * kEps32})).out_of_bound, 0);
    EXPECT_EQ(compared(e, floats({1 + 18 * kEps32, 1})).out_of_bound, 1);
}

TEST(Compared, NanAndInfinitiesAreMetByTheirEqualsOnly) {
    const ExpectedOutput finite = expected(doubles({1, 2}), floats({1, 2}));
    for (const double wrong : {kNan, kInf, -kInf}) {
        const OutputComparison c = compared(finite, floats({1, wrong}));
        EXPECT_EQ(c.out_of_bound, 1);
        EXPECT_EQ(c.index, 1);
        EXPECT_TRUE(std::isinf(c.worst_ratio));
        EXPECT_EQ(comparison_json(finite, c)["mismatch"]["found"], std::isnan(wrong) ? "nan"
                                                                   : wrong > 0       ? "inf"
                                                                                     : "-inf");
    }
    const ExpectedOutput wild = expected(doubles({kNan, kInf, -kInf, 2}), floats({kNan, kInf, -kInf, 2}));
    EXPECT_EQ(wild.rms, 2) << "of the finite ones";
    EXPECT_EQ(compared(wild, floats({kNan, kInf, -kInf, 2})).out_of_bound, 0);
    EXPECT_EQ(compared(wild, floats({0, kInf, -kInf, 2})).out_of_bound, 1);
    EXPECT_EQ(compared(wild, floats({kNan, -kInf, kNan, 2})).out_of_bound, 2);
}

TEST(Compared, IntegersAreTheOraclesOrTheReferencesOwn) {
    const ExpectedOutput e = expected(longs({3, 4, 7}), longs({3, 5, 7}));
    EXPECT_FALSE(e.floating());
    EXPECT_EQ(compared(e, longs({3, 4, 7})).out_of_bound, 0);
    EXPECT_EQ(compared(e, longs({3, 5, 7})).out_of_bound, 0);
    const OutputComparison c = compared(e, longs({3, 6, 9}));
    EXPECT_EQ(c.out_of_bound, 2);
    EXPECT_EQ(c.allowed, 0);
    const ExpectedOutput truth =
        expected(at::tensor({1.0, 0.0}).to(at::kBool), at::tensor({1.0, 0.0}).to(at::kBool));
    EXPECT_EQ(compared(truth, at::tensor({1.0, 1.0}).to(at::kBool)).out_of_bound, 1);
}

TEST(Compared, ATruthIsStoredAsZeroOrOne) {
    const at::Tensor truths = longs({1, 0, 1}).to(at::kBool);
    const ExpectedOutput e = expected(truths, truths);
    EXPECT_EQ(compared(e, truths).out_of_bound, 0);
    const OutputComparison two = compared(e, longs({1, 0, 2}).to(at::kByte).view(at::kBool));
    EXPECT_EQ(two.out_of_bound, 1);
    EXPECT_EQ(two.found, 2);
}

TEST(Compared, NeighboursBeyondFloat64AreToldApart) {
    const int64_t large = (int64_t{1} << 53) + 1;
    const ExpectedOutput e = expected(longs({large, 1}), longs({large, 1}));
    EXPECT_EQ(compared(e, longs({large, 1})).out_of_bound, 0);
    EXPECT_EQ(compared(e, longs({large - 1, 1})).out_of_bound, 1);
}

TEST(Compared, IntegersThatOtherRoundingsChangeAreLeftOpen) {
    OtherRoundings others;
    const at::Tensor oracle = longs({3, 4, -7, 9});
    others.add(oracle, longs({3, 5, -7, 9}));
    others.add(oracle, longs({3, 4, -8, 9}));
    const ExpectedOutput e = expected(oracle, oracle, {}, {}, kPiece, others);
    EXPECT_EQ(e.undecided, 2);
    EXPECT_EQ(e.forgiven, 0);
    EXPECT_EQ(compared(e, longs({3, 5, -8, 9})).out_of_bound, 0);
    EXPECT_EQ(compared(e, longs({3, 6, -6, 9})).out_of_bound, 2);
    BoundOptions options;
    options.chooses = true;
    const ExpectedOutput places = expected(oracle, oracle, options, {}, kPiece, others);
    EXPECT_EQ(compared(places, longs({3, 600, -800, 9})).out_of_bound, 0);
    EXPECT_EQ(places.forgiven, 2);
    EXPECT_EQ(compared(places, longs({3, 600, -800, 8})).out_of_bound, 0);
    EXPECT_EQ(compared(expected(oracle, oracle, options), longs({3, 4, -7, 8})).out_of_bound, 1);
}

TEST(Compared, PlansThatDecideForgiveAsManyMoreAndNoLargerErrors) {
    std::vector<double> values(200, 1);
    const at::Tensor oracle = doubles(values);
    values[3] = 0;  // a near-tie fell on the other side
    OtherRoundings others;
    others.add(oracle, doubles(values));
    const ExpectedOutput smooth = expected(oracle, oracle.to(at::kFloat), {}, {}, kPiece, others);
    EXPECT_EQ(smooth.forgiven, 0);
    BoundOptions options;
    options.decides = true;
    const ExpectedOutput e = expected(oracle, oracle.to(at::kFloat), options, {}, kPiece, others);
    EXPECT_EQ(e.undecided, 1);
    EXPECT_EQ(e.forgiven, 2);
    values[7] = values[9] = 0;
    EXPECT_EQ(compared(e, floats(values)).out_of_bound, 0);
    values[11] = 0;
    EXPECT_EQ(compared(e, floats(values)).out_of_bound, 3) << "the one that is undecided is within its limit";
    values[9] = values[11] = 1;
    for (const double wrong : {4.0, kNan, kInf}) {
        values[7] = wrong;
        EXPECT_EQ(compared(e, floats(values)).out_of_bound, 1) << wrong;
    }
}

TEST(Compared, ComplexNumbersAreTwoEach) {
    const at::Tensor oracle = at::complex(doubles({1, 2}), doubles({3, 4}));
    const ExpectedOutput e = expected(oracle, oracle.to(at::kComplexFloat));
    EXPECT_THAT(e.shape, ElementsAre(2, 2));
    const OutputComparison c = compared(e, at::complex(floats({1, 2}), floats({3, 5})));
    EXPECT_EQ(c.out_of_bound, 1);
    EXPECT_EQ(c.index, 3);
    EXPECT_EQ(comparison_json(e, c)["mismatch"]["index"], Json({1, 1}));
}

TEST(Compared, PiecesComeToTheSame) {
    const std::vector<double> values{4, -1, 0.5, 3, 0, -2, 100}, found{4, -1, 0.5, 3.1, 0, -2.5, 100};
    const std::vector<double> native{4, -1, 0.50001, 3, 0, -2, 100};
    const ExpectedOutput whole =
        expected(doubles(values), floats(native), {}, doubles({9, 9, 9, 9, 9, 9, 900}));
    for (const int64_t at_a_time : {1, 2, 3, 6}) {
        const ExpectedOutput parts =
            expected(doubles(values), floats(native), {}, doubles({9, 9, 9, 9, 9, 9, 900}), at_a_time);
        EXPECT_NEAR(parts.rms, whole.rms, 1e-12);
        EXPECT_EQ(parts.reference_error, whole.reference_error);
        EXPECT_TRUE(parts.limit.allclose(whole.limit, 1e-7, 0));
        const OutputComparison all = compared(whole, floats(found)),
                               c = compared(parts, floats(found), at_a_time);
        EXPECT_EQ(c.out_of_bound, 2);
        EXPECT_EQ(c.index, 5);
        EXPECT_EQ(c.index, all.index);
        EXPECT_EQ(c.found, -2.5);
        EXPECT_EQ(c.worst_error, all.worst_error);
        EXPECT_NEAR(c.worst_ratio, all.worst_ratio, 1e-6 * all.worst_ratio);
    }
}

TEST(Compared, OutputsOfAnyShapeAreNamedByTheirIndex) {
    const at::Tensor oracle = at::zeros({2, 3, 4}, at::kDouble) + 1;
    const ExpectedOutput e = expected(oracle, oracle.to(at::kFloat));
    at::Tensor found = oracle.to(at::kFloat).clone();
    found[1][2][0] = 5;
    const Json told = comparison_json(e, compared(e, found));
    EXPECT_EQ(told["mismatch"]["index"], Json({1, 2, 0}));
    EXPECT_EQ(told["mismatch"]["out_of_bound"], 1);
    EXPECT_EQ(told["mismatch"]["elements"], 24);
    EXPECT_TRUE(comparison_json(e, compared(e, oracle.to(at::kFloat)))["mismatch"].is_null());
    const at::Tensor scalar = at::full({}, 2.0, at::kDouble), none = at::zeros({0, 3}, at::kDouble);
    EXPECT_EQ(compared(expected(scalar, scalar.to(at::kFloat)), scalar.to(at::kFloat) * 2).index, 0);
    EXPECT_EQ(compared(expected(none, none.to(at::kFloat)), none.to(at::kFloat)).out_of_bound, 0);
}

TEST(Expected, CompactLimitsAreNeverBelowTheOthersAndHardlyAbove) {
    const at::Tensor exact = at::linspace(-3, 7, 1001, at::kDouble), native = exact.to(at::kFloat);
    BoundOptions options;
    const ExpectedOutput wide = expected(exact, native, options);
    options.compact = true;
    const ExpectedOutput e = expected(exact, native, options);
    EXPECT_EQ(e.oracle.scalar_type(), at::kFloat);
    EXPECT_EQ(e.bytes(), 1001 * (4 + 2));
    EXPECT_EQ(wide.bytes(), 1001 * (8 + 4));
    const at::Tensor ratio = e.limit.to(at::kDouble) / wide.limit.to(at::kDouble);
    EXPECT_GE(ratio.min().item<double>(), 1);
    EXPECT_LE(ratio.max().item<double>(), (1 + 1.0 / 32) * (1 + 0x1p-7) * (1 + 0x1p-8));
    EXPECT_EQ(compared(e, native).out_of_bound, 0);
    EXPECT_EQ(compared(e, native * (1 + 20 * kEps32)).out_of_bound,
              compared(wide, native * (1 + 20 * kEps32)).out_of_bound);
    at::Tensor wrong = native.clone();
    wrong[500] = wrong[500] + 0.001;
    EXPECT_EQ(compared(e, wrong).index, 500);
    EXPECT_EQ(expected(exact, exact, options).bytes(), 1001 * (8 + 8)) << "float64 needs all of its digits";
    const ExpectedOutput half = expected(exact, exact.to(at::kBFloat16), options);
    EXPECT_EQ(compared(half, exact.to(at::kBFloat16)).out_of_bound, 0);
}

TEST(Expected, TakesTheMemoryThatItSays) {
    EXPECT_EQ(expected(doubles({1, 2}), floats({1, 2})).bytes(), 2 * (8 + 4));
    EXPECT_EQ(expected(longs({1, 2}), longs({1, 2})).bytes(), 2 * (8 + 8));
}

}  // namespace
}  // namespace tritonsmith::run
