#include "run/worker/sample/choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tritonsmith::run::sample {
namespace {

std::set<int64_t> choose(const std::array<int64_t, 3>& grid, const std::vector<int64_t>& extents,
                         uint64_t seed, int most = 24) {
    std::mt19937_64 random(seed);
    const std::vector<int64_t> list = choose_programs(grid, extents, most, random);
    const std::set<int64_t> chosen(list.begin(), list.end());
    EXPECT_EQ(chosen.size(), list.size()) << "a program twice";
    EXPECT_TRUE(chosen.empty() || (*chosen.begin() >= 0 && *chosen.rbegin() < grid[0] * grid[1] * grid[2]));
    return chosen;
}

TEST(SampleChoice, AllOfASmallGridAndNoMoreThanAskedOfALargeOne) {
    EXPECT_EQ(choose({4, 3, 2}, {}, 1).size(), 24u);
    EXPECT_EQ(choose({0, 1, 1}, {}, 1).size(), 0u);
    EXPECT_EQ(choose({25, 1, 1}, {}, 1).size(), 24u);
    EXPECT_EQ(choose({int64_t{1} << 31, 65535, 1}, {}, 1).size(), 24u);
    EXPECT_EQ(choose({100, 1, 1}, {}, 1, 1).size(), 1u);
}

TEST(SampleChoice, EveryCornerOfTheGrid) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
        const auto chosen = choose({10, 20, 30}, {}, seed);
        for (int64_t x : {0, 9})
            for (int64_t y : {0, 19})
                for (int64_t z : {0, 29}) EXPECT_TRUE(chosen.contains(x + 10 * (y + 20 * z))) << x << y << z;
    }
}

TEST(SampleChoice, TheTileBeforeTheLastIsWhole) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
        const auto chosen = choose({1000, 1, 1}, {}, seed);
        for (int64_t p : {0, 1, 998, 999}) EXPECT_TRUE(chosen.contains(p)) << p;
    }
}

TEST(SampleChoice, PartialTilesOfAFlattenedGrid) {
    // 1000 x 3000 in tiles of 128 x 64: 8 rows of 47, the last of each partial. Other tiles would fit as
    // well, so not every seed has it.
    int column = 0, row = 0;
    for (uint64_t seed = 0; seed < 100; ++seed) {
        const auto chosen = choose({8 * 47, 1, 1}, {1000, 3000}, seed);
        const auto any = [&](auto f) { return std::any_of(chosen.begin(), chosen.end(), f); };
        column += any([](int64_t p) { return p % 47 == 46 && p != 375; });
        row += any([](int64_t p) { return p >= 7 * 47 && p < 374; });
    }
    EXPECT_GE(column, 90);  // by chance alone: 35
    EXPECT_GE(row, 95);
}

TEST(SampleChoice, AtLeastHalfIsRandomAndDependsOnTheSeed) {
    std::set<int64_t> seen;
    for (uint64_t seed = 0; seed < 100; ++seed)
        for (int64_t p : choose({100000, 1, 1}, {12345, 777}, seed)) seen.insert(p);
    EXPECT_GT(seen.size(), 1000u);  // of 2400: 12 random ones of each seed
    EXPECT_EQ(choose({100000, 1, 1}, {12345}, 7), choose({100000, 1, 1}, {12345}, 7));
}

}  // namespace
}  // namespace tritonsmith::run::sample
