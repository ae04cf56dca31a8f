#include "run/worker/exec/other_values.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace tritonsmith::run {
namespace {

at::Tensor changed(const at::Tensor& values, Other how = {}) {
    how.seed = 7;
    const at::Tensor out = other_values(values, how);
    EXPECT_TRUE(out.defined());
    if (out.defined()) {
        EXPECT_EQ(out.sizes(), values.sizes());
        EXPECT_FALSE(out.to(values.scalar_type()).equal(values));
    }
    return out;
}

/// The same elements in each row.
bool rows_rearranged(const at::Tensor& a, const at::Tensor& b) {
    return std::get<0>(a.sort(-1)).equal(std::get<0>(b.to(a.scalar_type()).sort(-1)));
}

TEST(OtherValues, FlagsAreFlippedNeverTheFirstOfARow) {
    for (const int64_t flag : {0, 1}) {
        const at::Tensor out = changed(at::full({6, 9}, flag, at::kLong));
        EXPECT_TRUE(out.eq(0).logical_or(out.eq(1)).all().item<bool>());
        EXPECT_TRUE(out.select(1, 0).eq(flag).all().item<bool>());
    }
    EXPECT_EQ(changed(at::ones({1}, at::kInt)).item<int>(), 0);
    Other how;
    how.patterns = false;
    EXPECT_FALSE(other_values(at::ones({8}, at::kLong), how).defined());
}

Other anywhere(bool empty) {
    Other how;
    how.anywhere = true;
    how.empty = empty;
    return how;
}

TEST(OtherValues, AnywhereFirstFlagsAreFlippedAsWellAndWithEmptyWholeRows) {
    for (const at::ScalarType type : {at::kBool, at::kLong}) {
        const at::Tensor ones = at::ones({8, 9}, type);
        const at::Tensor some = changed(ones, anywhere(false)), all = changed(ones, anywhere(true));
        EXPECT_TRUE(some.select(1, 0).eq(0).any().item<bool>());
        EXPECT_TRUE(some.select(1, 0).eq(1).any().item<bool>());
        EXPECT_TRUE(some.eq(1).any(1).all().item<bool>()) << "of each row something is left";
        EXPECT_EQ(all.eq(0).all(1).sum().item<int64_t>(), 2) << "one row in four";
    }
    const at::Tensor alone = changed(at::ones({9}, at::kBool), anywhere(true));
    EXPECT_FALSE(alone[0].item<bool>());
    EXPECT_TRUE(alone.any().item<bool>());
    const at::Tensor mask = at::ones({8, 12}, at::kBool).tril(4), out = changed(mask, anywhere(true));
    EXPECT_TRUE(out.logical_not().all(1).any().item<bool>());
    EXPECT_TRUE(out.all(1).any().item<bool>());
}

TEST(OtherValues, AnywhereNumbersGetSignsUnlessTheyAreFlags) {
    const at::Tensor ones = at::ones({8, 16});
    const at::Tensor some = changed(ones, anywhere(false)), all = changed(ones, anywhere(true));
    EXPECT_TRUE(some.lt(0).any().item<bool>() && some.gt(0).any().item<bool>());
    EXPECT_FALSE(some.eq(0).any().item<bool>());
    EXPECT_EQ(all.eq(0).all(1).sum().item<int64_t>(), 2);
    Other flags = anywhere(true);
    flags.compared = true;
    const at::Tensor mask = changed(ones, flags);
    EXPECT_TRUE(mask.eq(0).logical_or(mask.eq(1)).all().item<bool>());
}

TEST(OtherValues, ALengthIsZeroUnlessPlacesComeOfIt) {
    const at::Tensor lengths = at::full({32}, 5, at::kLong);
    EXPECT_EQ(changed(lengths, anywhere(true)).eq(0).sum().item<int64_t>(), 1);
    Other how = anywhere(true);
    how.places = true;
    EXPECT_GE(changed(lengths, how).min().item<int64_t>(), 1);
    EXPECT_GE(changed(at::full({}, 999, at::kLong), anywhere(true)).item<int64_t>(), 1) << "one alone";
}

TEST(OtherValues, ASegmentIsEmptied) {
    const auto classes = [](const at::Tensor& values) {
        return values.reshape({-1}).bincount({}, 8).gt(0).sum().item<int64_t>();
    };
    const at::Tensor sorted = at::arange(8, at::kLong).repeat_interleave(64);
    const at::Tensor out = changed(sorted, anywhere(true));
    EXPECT_GE(out.diff().min().item<int64_t>(), 0);
    EXPECT_EQ(classes(out), 7);
    EXPECT_EQ(classes(changed(at::arange(512, at::kLong).remainder(8), anywhere(true))), 7);
    const at::Tensor experts = at::tensor({0, 1, 2, 3, 4, 5, 6, 7}, at::kLong).reshape({4, 2}).flip(1);
    EXPECT_EQ(classes(changed(experts, anywhere(true))), 8) << "none comes twice in a row";
    const at::Tensor offsets = at::arange(0, 65, 8, at::kLong);
    EXPECT_EQ(changed(offsets, anywhere(true)).diff().min().item<int64_t>(), 0);
}

TEST(OtherValues, AStepAloneBecomesTheNextOne) {
    Other how;
    how.near = true;
    EXPECT_EQ(changed(at::ones({}, at::kLong), how).item<int>(), 2);
}

TEST(OtherValues, ComplexNumbersAreTurned) {
    const at::Tensor ones = at::ones({4, 8}, at::kComplexFloat), out = changed(ones);
    EXPECT_TRUE(out.abs().allclose(ones.abs()));
    EXPECT_FALSE(at::imag(out).allclose(at::imag(ones)));
}

TEST(OtherValues, LengthsAreDrawnUpToTheGreatest) {
    const at::Tensor out = changed(at::full({32}, 5, at::kLong));
    EXPECT_GE(out.min().item<double>(), 1);
    EXPECT_LE(out.max().item<double>(), 5);
}

TEST(OtherValues, IndicesArePermutedAlongTheLastDimension) {
    Other how;
    how.index = true;
    const at::Tensor places = at::arange(40, at::kLong).reshape({4, 10});
    EXPECT_TRUE(rows_rearranged(places, changed(places, how)));
    const at::Tensor routes = at::arange(64, at::kLong).remainder(8);
    EXPECT_TRUE(rows_rearranged(routes, changed(routes)));
}

TEST(OtherValues, OffsetsStaySortedBetweenFirstAndLast) {
    const at::Tensor offsets = at::arange(0, 65, 8, at::kLong);
    for (const bool near : {false, true}) {
        Other how;
        how.near = near;
        const at::Tensor out = changed(offsets, how);
        const at::Tensor steps = out.diff();
        EXPECT_GE(steps.min().item<int64_t>(), near ? 1 : 0);
        EXPECT_EQ(out[0].item<int64_t>(), 0);
        EXPECT_EQ(out[8].item<int64_t>(), 64);
    }
    Other kept;
    kept.steps_kept = true;
    const at::Tensor uneven = at::tensor({0, 1, 5, 7, 20, 21}, at::kLong);
    EXPECT_TRUE(rows_rearranged(uneven.diff(), changed(uneven, kept).diff()));
}

TEST(OtherValues, SortedSegmentsStaySorted) {
    const at::Tensor segments = at::arange(6, at::kLong).repeat_interleave(5);
    Other how;
    how.index = true;
    const at::Tensor out = changed(segments, how);
    EXPECT_GE(out.diff().min().item<int64_t>(), 0);
    EXPECT_EQ(out.max().item<int64_t>(), 5);
}

TEST(OtherValues, MasksKeepTheirTwoValues) {
    const at::Tensor causal = at::tril(at::ones({12, 12}, at::kBool));
    const at::Tensor out = changed(causal);
    EXPECT_TRUE(out.select(1, 0).all().item<bool>());
    const at::Tensor bias = at::triu(at::full({12, 12}, -1e9), 1);
    const at::Tensor other = changed(bias);
    EXPECT_TRUE(other.eq(0).logical_or(other.eq(-1e9)).all().item<bool>());
    const at::Tensor one_of_each = at::eye(7);
    EXPECT_TRUE(rows_rearranged(one_of_each, changed(one_of_each)));
}

TEST(OtherValues, NumbersMoveAroundTheirOwnAndStaySorted) {
    const at::Tensor list = at::tensor({0.4, 0.1, 0.3, 0.2});
    const at::Tensor ratio = changed(list) / list;
    EXPECT_GE(ratio.min().item<double>(), 0.69);
    EXPECT_LE(ratio.max().item<double>(), 1.31);
    const at::Tensor ramp = at::linspace(0, 1, 50);
    EXPECT_GE(changed(ramp).diff().min().item<double>(), 0);
    Other how;
    how.near = true;
    const at::Tensor near = changed(ramp, how);
    EXPECT_GE(near.diff().min().item<double>(), 0);
    EXPECT_EQ(near[49].item<double>(), 1);
    EXPECT_FALSE(other_values(at::tensor({1.0, std::nan(""), 2.0}), {}).defined());
}

}  // namespace
}  // namespace tritonsmith::run
