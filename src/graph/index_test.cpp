#include "graph/index.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "graph/index_map.h"

namespace tritonsmith::graph {
namespace {

/// Calls `visit` with every position of an index space.
template <class Visit>
void each(const Extents& extents, Visit visit) {
    for (int64_t flat = 0; flat < element_count(extents); ++flat) {
        std::vector<int64_t> at(extents.size());
        int64_t left = flat;
        for (size_t i = extents.size(); i-- > 0; left /= extents[i]) at[i] = left % extents[i];
        visit(at, flat);
    }
}
int64_t floor_of(int64_t a, int64_t b) {
    return static_cast<int64_t>(std::floor(static_cast<double>(a) / static_cast<double>(b)));
}

TEST(Index, SumsAreInNormalForm) {
    const Index i = Index::axis(0), j = Index::axis(1);
    EXPECT_EQ(i * 3 + j - i * 3, j);
    EXPECT_EQ((j + i * 2 + 1).text(), "2*i0 + i1 + 1");
    EXPECT_EQ((i - j).text({"m", "n"}), "m - n");
    EXPECT_EQ(Index(0).text(), "0");
    EXPECT_EQ(i.plain_axis(), 0);
    EXPECT_EQ((i + 1).plain_axis(), -1);
}

TEST(Index, QuotientsSimplifyByTheExtents) {
    const Index flat = Index::axis(0) * 64 + Index::axis(1);
    const Extents extents{32, 64};
    EXPECT_EQ(quotient(flat, 64, extents), Index::axis(0));
    EXPECT_EQ(remainder(flat, 64, extents), Index::axis(1));
    EXPECT_EQ(quotient(flat, 1024, extents).text(), "i0 // 16");
    EXPECT_EQ(remainder(quotient(flat, 64, extents), 16, extents).text(), "i0 % 16");
    EXPECT_EQ(remainder(Index::axis(0) + 5, 8, {3, 1}), Index::axis(0) + 5);
}

TEST(Index, QuotientAndRemainderRejoin) {
    const Extents extents{4096};
    const Index i = Index::axis(0);
    const Index apart = quotient(i, 1024, extents) * 1024 +
                        remainder(quotient(i, 64, extents), 16, extents) * 64 + remainder(i, 64, extents);
    EXPECT_EQ(apart, i);
}

TEST(Index, RandomExpressionsHaveTheirValues) {
    std::mt19937 random(7);
    auto number = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    for (int round = 0; round < 400; ++round) {
        const Extents extents{number(1, 5), number(1, 6), number(1, 4)};
        Index sum = number(-9, 9);
        for (int axis = 0; axis < 3; ++axis) sum = sum + Index::axis(axis) * number(-7, 7);
        const int64_t a = number(1, 9), b = number(1, 9);
        const int64_t shift = number(0, 3);
        const Index outer = quotient(quotient(sum, a, extents) + shift, b, extents);
        const Index mixed = remainder(outer + remainder(sum, a * b, extents), a, extents);
        const Index::Range bounds = mixed.range(extents);
        each(extents, [&](const std::vector<int64_t>& at, int64_t) {
            const int64_t value = sum.at(at);
            ASSERT_EQ(quotient(sum, a, extents).at(at), floor_of(value, a));
            ASSERT_EQ(remainder(sum, a, extents).at(at), value - floor_of(value, a) * a);
            ASSERT_EQ(outer.at(at), floor_of(floor_of(value, a) + shift, b));
            ASSERT_GE(mixed.at(at), bounds.low);
            ASSERT_LE(mixed.at(at), bounds.high);
            const std::vector<Index> moved{Index::axis(1), Index::axis(0) * 2, Index(3)};
            ASSERT_EQ(substitute(mixed, moved, extents).at(at), mixed.at({at[1], at[0] * 2, 3}));
        });
    }
}

TEST(IndexMap, AViewOfAMatrixHasPlainAxes) {
    const auto transposed = map_of({64, 32}, {{1, 64}, 0}, {32, 64}, {64, 1});
    ASSERT_TRUE(transposed);
    EXPECT_EQ(transposed->index[0], Index::axis(1));
    EXPECT_EQ(transposed->index[1], Index::axis(0));
    const auto flat = map_of({32, 64}, {{64, 1}, 0}, {2, 16, 64}, {1024, 64, 1});
    ASSERT_TRUE(flat);
    EXPECT_EQ(flat->index[0].text(), "i0 // 16");
    EXPECT_EQ(strided(*flat, {1024, 64, 1})->stride, (std::vector<int64_t>{64, 1}));
    EXPECT_FALSE(map_of({4}, {{2}, 0}, {6}, {1})) << "leaves the base";
    EXPECT_FALSE(map_of({4}, {{1}, 0}, {6}, {2})) << "the base has gaps";
}

TEST(IndexMap, RandomViewsReadTheElementsOfTheirStrides) {
    std::mt19937 random(11);
    auto number = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    int seen = 0;
    for (int round = 0; round < 2000; ++round) {
        std::vector<int64_t> shape{number(1, 4), number(1, 6), number(1, 5)};
        std::vector<int64_t> order{0, 1, 2}, stride(3);
        std::shuffle(order.begin(), order.end(), random);
        int64_t next = 1;
        for (int64_t axis : order) {
            stride[static_cast<size_t>(axis)] = next;
            next *= shape[static_cast<size_t>(axis)];
        }
        const std::vector<int64_t> view{number(1, 5), number(1, 4)};
        const Strided by{{number(0, 12), number(0, 12)}, number(0, 5)};
        const auto map = map_of(view, by, shape, stride);
        if (!map) continue;
        ++seen;
        each(view, [&](const std::vector<int64_t>& at, int64_t) {
            int64_t reached = 0;
            for (size_t i = 0; i < 3; ++i) {
                const int64_t index = map->index[i].at(at);
                ASSERT_GE(index, 0);
                ASSERT_LT(index, shape[i]);
                reached += index * stride[i];
            }
            ASSERT_EQ(reached, by.offset + at[0] * by.stride[0] + at[1] * by.stride[1]);
            ASSERT_EQ(address(*map, stride).at(at), reached);
        });
    }
    EXPECT_GT(seen, 200);
}

TEST(IndexMap, ComposedMapsKeepGuardsThatMatter) {
    IndexMap pad{{10}, {Index::axis(0) - 1}, {{Index::axis(0) - 1, 8}}};
    const IndexMap inside{{8}, {Index::axis(0) + 1}};
    EXPECT_TRUE(compose(inside, pad)->guards.empty());
    const IndexMap every{{5}, {Index::axis(0) * 2}};
    EXPECT_EQ(compose(every, pad)->guards[0].at, Index::axis(0) * 2 - 1);
    IndexMap other{{12}, {Index::axis(0) - 1}, {{Index::axis(0) - 1, 10}}, 1.0};
    EXPECT_FALSE(compose(other, pad)) << "two fills";
}

}  // namespace
}  // namespace tritonsmith::graph
