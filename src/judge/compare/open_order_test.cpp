#include "judge/compare/open_order.h"

#include <gtest/gtest.h>

#include "judge/compare/compare.h"

namespace tritonsmith::judge {
namespace {

using plan::DType;

Elements shaped(std::vector<double> values, DType dtype, std::vector<int64_t> shape) {
    return {dtype, std::move(shape), std::move(values)};
}

/// The three largest of two rows of four.
Expected of_places(const std::vector<double>& scores, const std::vector<double>& native,
                   const std::vector<double>& named) {
    const ReferenceOutput places{
        "output/0", shaped(named, DType::i64, {2, 3}), shaped(named, DType::i64, {2, 3}), {}, {}};
    const ComparedValues compared{
        {"scores/0", shaped(scores, DType::f64, {2, 4}), shaped(native, DType::f32, {2, 4}), {}, {}},
        1,
        true};
    BoundOptions options;
    options.chooses = true;
    return make_expected(places, options, &compared);
}

bool taken(const Expected& e, const std::vector<double>& found) {
    const bool accepted = accepts(e, [&](size_t i) { return static_cast<Exact>(found[i]); });
    EXPECT_EQ(accepted, !compare(e, shaped(found, DType::i64, {2, 3})).mismatch);
    return accepted;
}

const std::vector<double> kScores{3, 1, 3, 3, 5, 1, 4, 0};

TEST(OpenOrder, EqualElementsInAnyOrderEachOnce) {
    const Expected e = of_places(kScores, kScores, {0, 2, 3, 0, 2, 1});
    ASSERT_TRUE(e.order);
    EXPECT_FALSE(e.meaningless);
    EXPECT_TRUE(taken(e, {3, 0, 2, 0, 2, 1}));
    EXPECT_FALSE(taken(e, {3, 0, 3, 0, 2, 1})) << "one of them twice";
    EXPECT_FALSE(taken(e, {0, 2, 1, 0, 2, 1})) << "one that is less";
    EXPECT_FALSE(taken(e, {0, 2, 3, 2, 0, 1})) << "another order";
    EXPECT_FALSE(taken(e, {0, 2, 3, 0, 2, 4}));
    EXPECT_FALSE(taken(e, {0, 2, 3, 0, 2, -1}));
}

TEST(OpenOrder, NearElementsWhereTheyAreComputed) {
    const std::vector<double> near{3, 1, 3 - 1e-7, 2, 5, 1, 4, 0};
    std::vector<double> native = near;
    EXPECT_FALSE(taken(of_places(near, native, {0, 2, 3, 0, 2, 1}), {2, 0, 3, 0, 2, 1})) << "nothing rounds";
    native[2] = 3;
    EXPECT_TRUE(taken(of_places(near, native, {0, 2, 3, 0, 2, 1}), {2, 0, 3, 0, 2, 1}));
}

TEST(OpenOrder, RowsOfEqualElementsSayNothing) {
    EXPECT_TRUE(
        of_places(std::vector<double>(8, 1), std::vector<double>(8, 1), {0, 1, 2, 0, 1, 2}).meaningless);
}

TEST(OpenOrder, AlongAnotherDimension) {
    // Columns of three, the two largest of each.
    const std::vector<double> scores{1, 7, 2, 7, 2, 6}, named{1, 0, 2, 1};
    const ReferenceOutput places{
        "output/0", shaped(named, DType::i64, {2, 2}), shaped(named, DType::i64, {2, 2}), {}, {}};
    const ComparedValues compared{
        {"scores/0", shaped(scores, DType::i64, {3, 2}), shaped(scores, DType::i64, {3, 2}), {}, {}},
        0,
        true};
    const Expected e = make_expected(places, {}, &compared);
    const auto accepted = [&](std::vector<double> found) {
        return accepts(e, [&](size_t i) { return static_cast<Exact>(found[i]); });
    };
    EXPECT_TRUE(accepted({2, 1, 1, 0}));
    EXPECT_FALSE(accepted({2, 1, 2, 0}));
    EXPECT_FALSE(accepted({0, 1, 1, 0}));
}

}  // namespace
}  // namespace tritonsmith::judge
