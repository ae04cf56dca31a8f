#include "judge/compare/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "run/client/pack_writer.h"

namespace tritonsmith::judge {
namespace {

using plan::DType;

Elements numbers(std::vector<double> values, DType dtype = DType::f32) {
    return {dtype, {static_cast<int64_t>(values.size())}, std::move(values)};
}

ReferenceOutput output(std::vector<double> oracle, std::vector<double> native, DType dtype = DType::f32) {
    const DType exact = numerics::inexact(dtype) ? DType::f64 : dtype;
    return {"output/0", numbers(std::move(oracle), exact), numbers(std::move(native), dtype), {}, {}};
}

Expected expected(std::vector<double> oracle, std::vector<double> native) {
    return make_expected(output(std::move(oracle), std::move(native)), {});
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

TEST(Compare, IntegersAreTheOraclesOrTheReferencesOwn) {
    const Expected e = make_expected(output({3, 4}, {3, 5}, DType::i64), {});
    EXPECT_FALSE(compare(e, numbers({3, 4}, DType::i64)).mismatch);
    EXPECT_FALSE(compare(e, numbers({3, 5}, DType::i64)).mismatch);
    EXPECT_TRUE(compare(e, numbers({2, 4}, DType::i64)).mismatch);
}

TEST(Compare, NearTiesOfRoundingMayFallOnEitherSide) {
    ReferenceOutput quantised = output({3, 4, -7}, {3, 4, -7}, DType::i8);
    quantised.perturbed = {numbers({3, 5, -7}, DType::i8), numbers({3, 4, -7}, DType::i8)};
    const Expected e = make_expected(quantised, {});
    EXPECT_EQ(e.undecided, 1);
    EXPECT_EQ(e.forgiven, 0);
    EXPECT_FALSE(compare(e, numbers({3, 5, -7}, DType::i8)).mismatch);
    EXPECT_TRUE(compare(e, numbers({3, 6, -7}, DType::i8)).mismatch);
    EXPECT_TRUE(compare(e, numbers({4, 4, -7}, DType::i8)).mismatch);
}

TEST(Compare, PlacesOfEqualElementsAreNotAskedFor) {
    ReferenceOutput places = output({5, 1, 2, 0}, {5, 1, 2, 0}, DType::i64);
    places.perturbed = {numbers({5, 1, 9, 0}, DType::i64)};
    BoundOptions options;
    options.chooses = true;
    const Expected e = make_expected(places, options);
    EXPECT_FALSE(compare(e, numbers({5, 1, 700, 0}, DType::i64)).mismatch);
    EXPECT_EQ(e.forgiven, 2);
    EXPECT_FALSE(compare(e, numbers({5, 0, 700, 1}, DType::i64)).mismatch) << "not all near-ties are found";
    EXPECT_TRUE(compare(e, numbers({1, 0, 700, 5}, DType::i64)).mismatch);
}

TEST(Compare, PlacesAreRightByTheirValues) {
    // Of both rows the first and the third are near; the fourth of the second row equals its best.
    ReferenceOutput places = output({0, 0}, {0, 0}, DType::i64);
    places.perturbed = {numbers({2, 0}, DType::i64)};
    ReferenceOutput scores = output({3, 1, 3 - 1e-7, 2, 5, 1, 5 - 1e-7, 5}, {3, 1, 3, 2, 5, 1, 5, 5});
    for (Elements* each : {&scores.oracle, &scores.native}) each->shape = {2, 4};
    BoundOptions options;
    options.chooses = true;
    const ComparedValues compared{scores, 1};
    const Expected e = make_expected(places, options, &compared);
    for (const double near : {0.0, 2.0}) EXPECT_FALSE(compare(e, numbers({near, near}, DType::i64)).mismatch);
    for (const double far : {1.0, 3.0, 700.0})
        EXPECT_TRUE(compare(e, numbers({far, 0}, DType::i64)).mismatch);
    EXPECT_TRUE(compare(e, numbers({0, 3}, DType::i64)).mismatch) << "of equal ones the first";
    EXPECT_FALSE(e.meaningless);
    places.perturbed = {numbers({0, 0}, DType::i64)};
    EXPECT_TRUE(make_expected(places, options, &compared).places.empty()) << "nothing is undecided";
}

TEST(Compare, TheReferencesOwnErrorWidensTheBound) {
    // The reference itself is off by 1e-3: nobody can be asked to do better than that by much.
    const Expected e = expected({1000, 1}, {1000, 1.001});
    EXPECT_FALSE(compare(e, numbers({1000, 1.002})).mismatch);
    EXPECT_TRUE(compare(e, numbers({1000, 1.2})).mismatch);
}

TEST(Compare, LongSumsAllowMoreButNotMoreThanTheStatedTolerance) {
    const std::vector<double> values(64, 10.0);
    ReferenceOutput sums = output(values, values);
    sums.absolute = numbers(std::vector<double>(64, 1e5), DType::f64);  // much cancellation
    BoundOptions options;
    options.longest_reduction = 4096;
    const Expected e = make_expected(sums, options);
    std::vector<double> near = values, far = values;
    near[7] += 0.9e-3;  // within 1e-4 · 10
    far[7] += 2e-3;
    EXPECT_FALSE(compare(e, numbers(near)).mismatch);
    EXPECT_TRUE(compare(e, numbers(far)).mismatch);
}

TEST(Compare, WideBoundsAreTheLargerOfTheTwo) {
    ReferenceOutput large = output({1, 2}, {1, 2});
    large.absolute = numbers({1e5, 1e5}, DType::f64);  // terms a hundred thousand times as large
    BoundOptions options;
    EXPECT_TRUE(compare(make_expected(large, options), numbers({1.01, 2})).mismatch);
    options.wide = true;
    const Expected e = make_expected(large, options);
    EXPECT_FALSE(compare(e, numbers({1.01, 2})).mismatch);
    EXPECT_TRUE(compare(e, numbers({10, 2})).mismatch);
    EXPECT_TRUE(compare(e, numbers({NAN, 2})).mismatch);
}

TEST(Compare, NothingSmallerThanTheLeastNumberIsAskedFor) {
    const Expected tiny = expected({-3.7e-263, 1}, {0, 1});
    EXPECT_FALSE(compare(tiny, numbers({0, 1})).mismatch);
    EXPECT_TRUE(compare(tiny, numbers({1e-30, 1})).mismatch);
}

TEST(Compare, CancellationIsSeenByOtherRoundings) {
    // 1 - cos of nearly parallel vectors: the reference is right by chance.
    ReferenceOutput loss = output({1.3e-4}, {1.3e-4});
    loss.absolute = numbers({2}, DType::f64);
    EXPECT_TRUE(compare(make_expected(loss, {}), numbers({1.3e-4 + 5e-8})).mismatch);
    loss.perturbed = {numbers({1.3e-4 + 4e-8}, DType::f64), numbers({1.3e-4 - 3e-8}, DType::f64)};
    const Expected e = make_expected(loss, {});
    EXPECT_FALSE(compare(e, numbers({1.3e-4 + 5e-8})).mismatch);
    EXPECT_TRUE(compare(e, numbers({1.4e-4})).mismatch);
    EXPECT_FALSE(e.meaningless);
    ReferenceOutput nothing = loss;
    nothing.oracle.values = nothing.native.values = {1e-9};
    EXPECT_TRUE(make_expected(nothing, {}).meaningless);
}

TEST(Compare, NarrowResultsAreHeldToTheirOwnSize) {
    const std::vector<double> values{1, 0.125, -3, 0.01};
    ReferenceOutput product = output(values, values, DType::bf16);
    product.absolute = numbers({25, 25, 25, 25}, DType::f64);  // 4096 terms
    BoundOptions options;
    options.longest_reduction = 4096;
    const Expected e = make_expected(product, options);
    EXPECT_FALSE(compare(e, numbers({1 + 0x1p-8, 0.125, -3 - 0x1p-7, 0.01})).mismatch);
    EXPECT_TRUE(compare(e, numbers({1 + 0x1p-6, 0.125, -3, 0.01})).mismatch) << "two units in the last place";
    EXPECT_TRUE(compare(e, numbers({1, 0.125, -3, 0.013})).mismatch)
        << "as large an error as one is next to one";
}

TEST(Compare, PlansThatDecideForgiveAsManyMoreAndNoLargerErrors) {
    const std::vector<double> values(200, 1);
    ReferenceOutput gated = output(values, values);
    Elements other = gated.oracle;
    other.values[3] = 0;  // a near-tie fell on the other side
    gated.perturbed = {other};
    EXPECT_EQ(make_expected(gated, {}).forgiven, 0);
    BoundOptions options;
    options.decides = true;
    const Expected e = make_expected(gated, options);
    EXPECT_EQ(e.undecided, 1);
    EXPECT_EQ(e.forgiven, 2);
    std::vector<double> found = values;
    found[7] = found[9] = 0;
    EXPECT_FALSE(compare(e, numbers(found)).mismatch);
    EXPECT_FALSE(differ(e, numbers(values), numbers(found)));
    EXPECT_TRUE(accepts(e, [&](size_t i) { return found[i]; }));
    found[11] = 0;
    EXPECT_TRUE(compare(e, numbers(found)).mismatch);
    EXPECT_TRUE(differ(e, numbers(values), numbers(found)));
    EXPECT_FALSE(accepts(e, [&](size_t i) { return found[i]; }));
    found[9] = found[11] = 1;
    for (const double wrong : {4.0, double{NAN}, double{INFINITY}}) {
        found[7] = wrong;
        EXPECT_TRUE(compare(e, numbers(found)).mismatch) << wrong;
    }
}

TEST(Compare, ZerosAreNoMeaninglessAnswer) {
    const Expected e = expected({0, 0, 0}, {0, 0, 0});
    EXPECT_FALSE(e.meaningless);
    EXPECT_FALSE(compare(e, numbers({0, 0, 1e-40})).mismatch);
    EXPECT_TRUE(compare(e, numbers({0, 0, 1e-30})).mismatch);
}

TEST(Compare, WhatIsLeftOutMustBeNumbers) {
    ReferenceOutput cancelled = output({1, 2}, {7, 2});
    Expected e = make_expected(cancelled, {});
    e.left_out = true;
    const auto accepted = [&](double found) {
        const bool by_elements = accepts(e, [&](size_t i) { return i == 0 ? Exact(found) : Exact(2); });
        EXPECT_EQ(by_elements, !compare(e, numbers({found, 2})).mismatch);
        return by_elements;
    };
    EXPECT_TRUE(accepted(1e6));
    EXPECT_TRUE(accepted(INFINITY));
    EXPECT_FALSE(accepted(NAN));
    cancelled.perturbed = {numbers({NAN, 2}, DType::f64)};
    e = make_expected(cancelled, {});
    e.left_out = true;
    EXPECT_TRUE(accepted(NAN)) << "the reference is a number by chance";
}

TEST(Compare, IntegersThatAreMostlyUndecidedSayNothing) {
    ReferenceOutput places = output({5, 1, 2, 0}, {5, 1, 2, 0}, DType::i64);
    places.perturbed = {numbers({5, 9, 9, 0}, DType::i64)};
    EXPECT_FALSE(make_expected(places, {}).meaningless);
    places.perturbed = {numbers({5, 9, 9, 9}, DType::i64)};
    EXPECT_TRUE(make_expected(places, {}).meaningless);
}

TEST(Compare, ErrorsAreThoseOfElementsOfLikeSize) {
    // Large elements have an error of 1 % before they are stored, small ones none: those are held to less.
    std::vector<double> values, native;
    for (int i = 0; i < 2000; i++) {
        values.push_back(i % 2 ? 1 + i * 1e-4 : 0.01);
        native.push_back(values.back() * (i % 2 ? (i % 4 == 1 ? 1.01 : 0.99) : 1));
    }
    const Expected e = make_expected(output(values, native, DType::bf16), {});
    EXPECT_GT(e.limits[1], 0.02);
    EXPECT_LT(e.limits[0], 2e-4);
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

Elements whole_numbers(const std::vector<int64_t>& values) {
    run::PackWriter writer;
    const size_t entry = writer.add("x", DType::i64, {static_cast<int64_t>(values.size())});
    writer.map();
    std::memcpy(writer.data(entry), values.data(), values.size() * sizeof values[0]);
    const Json index = writer.index();
    const run::Pack pack(writer.seal().release(), index);
    return elements(pack, *pack.find("x"));
}

TEST(Compare, IntegersThatFloat64DoesNotHoldAreComparedByBits) {
    constexpr int64_t large = int64_t{1} << 60;
    const Elements want = whole_numbers({large + 1, 5, INT64_MIN});
    const Expected e = make_expected({"output/0", want, want, {}, {}}, {});
    EXPECT_FALSE(compare(e, want).mismatch);
    const Comparison c = compare(e, whole_numbers({large, 5, INT64_MIN}));
    ASSERT_TRUE(c.mismatch);
    EXPECT_EQ(c.mismatch->index, 0u);
    EXPECT_NE(describe(*c.mismatch, "x").find("1152921504606846976, expected 1152921504606846977"),
              std::string::npos);
    EXPECT_TRUE(compare(e, whole_numbers({large + 1, 5, INT64_MIN + 1})).mismatch);
    EXPECT_TRUE(differ(e, want, whole_numbers({large, 5, INT64_MIN})));
}

TEST(Compare, WhatOtherRoundingsGiveIsExactToo) {
    constexpr int64_t large = int64_t{1} << 60;
    const Elements oracle = whole_numbers({large + 2}), other = whole_numbers({large + 4});
    const Expected e = make_expected({"output/0", oracle, oracle, {}, {other}}, {});
    EXPECT_FALSE(compare(e, whole_numbers({large + 3})).mismatch);
    EXPECT_TRUE(compare(e, whole_numbers({large + 1})).mismatch);
    EXPECT_TRUE(compare(e, whole_numbers({large + 5})).mismatch);
}

TEST(Compare, WhatOtherRoundingsHideMayBeHidden) {
    ReferenceOutput hidden = output({1, -INFINITY, 3, -INFINITY}, {1, -INFINITY, 3, -INFINITY});
    hidden.perturbed = {numbers({1, 2, -INFINITY, -INFINITY}, DType::f64)};
    const Expected e = make_expected(hidden, {});
    EXPECT_EQ(e.undecided, 2);
    EXPECT_FALSE(compare(e, numbers({1, -INFINITY, 3, -INFINITY})).mismatch);
    EXPECT_FALSE(compare(e, numbers({1, 2, -INFINITY, -INFINITY})).mismatch);
    EXPECT_TRUE(compare(e, numbers({-INFINITY, -INFINITY, 3, -INFINITY})).mismatch);
    EXPECT_TRUE(compare(e, numbers({1, -INFINITY, 3, 0})).mismatch);
    EXPECT_TRUE(compare(e, numbers({1, -INFINITY, 3, INFINITY})).mismatch);
}

}  // namespace
}  // namespace tritonsmith::judge
