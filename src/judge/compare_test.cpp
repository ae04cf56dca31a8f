#include "judge/compare.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tritonsmith::judge {
namespace {

using plan::DType;

Elements numbers(std::vector<double> values, DType dtype = DType::f32) {
    return {dtype, {static_cast<int64_t>(values.size())}, std::move(values)};
}

Expected expected(std::vector<double> oracle, std::vector<double> native, int64_t reduction = 1) {
    return make_expected("output/0", numbers(std::move(oracle), DType::f64), numbers(std::move(native)),
                         std::nullopt, reduction, {});
}

TEST(Compare, RoundingErrorsPass) {
    const Expected e = expected({1, -2, 3}, {1, -2, 3});
    EXPECT_FALSE(compare(e, numbers({1 + 1e-7, -2, 3})).mismatch);
}

TEST(Compare, TellsTheWorstElement) {
    const Expected e = expected({1, -2, 3, 4}, {1, -2, 3, 4});
    const Comparison c = compare(e, numbers({1, -2.01, 3.5, 4}));
    ASSERT_TRUE(c.mismatch);
    EXPECT_EQ(c.mismatch->index, 2u);
    EXPECT_EQ(c.mismatch->count, 2);
    EXPECT_DOUBLE_EQ(c.mismatch->found, 3.5);
    EXPECT_DOUBLE_EQ(c.worst_error, 0.5);
}

TEST(Compare, NotANumberIsNeverWithinABound) {
    const Expected e = expected({1, 2}, {1, 2});
    EXPECT_TRUE(compare(e, numbers({1, NAN})).mismatch);
    EXPECT_TRUE(compare(e, numbers({1, INFINITY})).mismatch);
}

TEST(Compare, InfinitiesOfTheReferenceMustBeMet) {
    const Expected e = expected({1, -INFINITY}, {1, -INFINITY});
    EXPECT_FALSE(compare(e, numbers({1, -INFINITY})).mismatch);
    EXPECT_TRUE(compare(e, numbers({1, -1e30})).mismatch);
    EXPECT_TRUE(compare(e, numbers({1, INFINITY})).mismatch);
}

TEST(Compare, MissingElementsAreAMismatch) {
    const Expected e = expected({1, 2}, {1, 2});
    EXPECT_TRUE(compare(e, numbers({1})).mismatch);
}

TEST(Compare, IntegersAreExactButForTheReferencesOwnTies) {
    const Expected e = make_expected("output/0", numbers({3, 4}, DType::i64), numbers({3, 5}, DType::i64),
                                     std::nullopt, 1, {});
    EXPECT_FALSE(compare(e, numbers({3, 4}, DType::i64)).mismatch);  // the oracle's
    EXPECT_FALSE(compare(e, numbers({3, 5}, DType::i64)).mismatch);  // the reference's own
    EXPECT_TRUE(compare(e, numbers({2, 4}, DType::i64)).mismatch);
}

TEST(Compare, TheReferencesOwnErrorWidensTheBound) {
    // The reference itself is off by 1e-3: nobody can be asked to do better than that by much.
    const Expected e = expected({1000, 1}, {1000, 1.001});
    EXPECT_FALSE(compare(e, numbers({1000, 1.002})).mismatch);
    EXPECT_TRUE(compare(e, numbers({1000, 1.2})).mismatch);
}

TEST(Compare, LongSumsAllowMoreButNotMoreThanTheStatedTolerance) {
    const std::vector<double> values(64, 10.0);
    Elements scale = numbers(std::vector<double>(64, 1000.0), DType::f64);  // much cancellation
    const Expected e =
        make_expected("output/0", numbers(values, DType::f64), numbers(values), scale, 4096, {});
    std::vector<double> near = values, far = values;
    near[7] += 0.9e-3;  // within 1e-4 · 10
    far[7] += 2e-3;
    EXPECT_FALSE(compare(e, numbers(near)).mismatch);
    EXPECT_TRUE(compare(e, numbers(far)).mismatch);
}

TEST(Compare, ByConditioningTheLargerBoundHolds) {
    Expected e =
        make_expected("output/0", numbers({1, 2}, DType::f64), numbers({1, 2}),
                      numbers({1e5, 1e5}, DType::f64), 100, {});  // terms a hundred thousand times as large
    EXPECT_TRUE(compare(e, numbers({1.01, 2})).mismatch);
    e.bound.by_conditioning = true;
    EXPECT_FALSE(compare(e, numbers({1.01, 2})).mismatch);
    EXPECT_TRUE(compare(e, numbers({10, 2})).mismatch);
    EXPECT_TRUE(compare(e, numbers({NAN, 2})).mismatch);
}

TEST(Compare, EqualElementsMayComeInAnyOrder) {
    Expected e = make_expected("output/1", numbers({3, 1, 2, 0}, DType::i64),
                               numbers({3, 1, 2, 0}, DType::i64), std::nullopt, 1, {});
    EXPECT_TRUE(compare(e, numbers({3, 2, 1, 0}, DType::i64)).mismatch);
    e.bound.ties = 2;
    EXPECT_FALSE(compare(e, numbers({3, 2, 1, 0}, DType::i64)).mismatch);
    EXPECT_TRUE(compare(e, numbers({1, 2, 3, 0}, DType::i64)).mismatch);
}

TEST(Compare, ZerosOfEitherSignAreTheSameValue) {
    auto same = [](auto one, auto other, DType dtype) {
        return same_values(std::as_bytes(std::span(one)), std::as_bytes(std::span(other)), dtype);
    };
    using Floats = std::array<float, 2>;
    EXPECT_TRUE(same(Floats{-0.0F, 1}, Floats{0.0F, 1}, DType::f32));
    EXPECT_TRUE(same(Floats{NAN, 1}, Floats{-NAN, 1}, DType::f32));
    EXPECT_FALSE(same(Floats{-0.0F, 1}, Floats{0.0F, 1 + 0x1p-23F}, DType::f32));
    EXPECT_FALSE(same(Floats{NAN, 1}, Floats{0, 1}, DType::f32));
    EXPECT_FALSE(same(Floats{-0.0F, 1}, Floats{0.0F, 1}, DType::i32)) << "integers have one zero";
}

}  // namespace
}  // namespace tritonsmith::judge
