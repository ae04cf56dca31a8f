#include "task/smaller_size.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace tritonsmith::task {
namespace {

using testing::ElementsAre;

/// Down to the last that is not below `floor`.
std::vector<int64_t> sizes(int64_t size, int64_t floor) {
    std::vector<int64_t> out;
    for (; size >= floor; size = smaller_size(size)) {
        out.push_back(size);
        if (size == 1) break;
    }
    return out;
}

TEST(SmallerSize, TilesStillDivide) {
    EXPECT_THAT(sizes(4096, 64), ElementsAre(4096, 2048, 1024, 512, 256, 128, 64));
    EXPECT_THAT(sizes(768, 64), ElementsAre(768, 256, 128, 64));
    EXPECT_THAT(sizes(640, 64), ElementsAre(640, 128, 64));
    EXPECT_THAT(sizes(1280, 128), ElementsAre(1280, 256, 128));
    EXPECT_THAT(sizes(1536, 256), ElementsAre(1536, 768, 256));
    EXPECT_THAT(sizes(2560, 256), ElementsAre(2560, 1280, 256));
    EXPECT_THAT(sizes(3072, 256), ElementsAre(3072, 1536, 768, 256));
}

TEST(SmallerSize, WhatNoTileDividesStaysSo) {
    EXPECT_THAT(sizes(1000, 40), ElementsAre(1000, 200, 40));
    EXPECT_THAT(sizes(6000, 16), ElementsAre(6000, 2000, 400, 80, 16));
    EXPECT_THAT(sizes(93, 16), ElementsAre(93, 31));
    for (int64_t size : {50257, 30522, 151936, 997, 3001}) {
        const int64_t power = size & -size;
        for (int64_t smaller : sizes(size, 16 * power)) EXPECT_EQ(smaller & -smaller, power) << size;
    }
}

TEST(SmallerSize, PowersOfTwoMayBeKeptLonger) {
    EXPECT_EQ(smaller_size(3072, INT64_MAX), 1024);
    EXPECT_EQ(smaller_size(2560, INT64_MAX), 512);
    EXPECT_EQ(smaller_size(1024, INT64_MAX), 512);
    EXPECT_EQ(smaller_size(6000, INT64_MAX), 2000);
}

TEST(SmallerSize, EverySizeEndsAtOne) {
    for (int64_t size = 1; size < 3000; ++size) EXPECT_EQ(sizes(size, 1).back(), 1) << size;
    EXPECT_EQ(sizes(INT64_MAX, 1).back(), 1);
    EXPECT_EQ(sizes(INT64_MAX - 1, 1).back(), 1);
    EXPECT_LT(sizes(INT64_MAX, 1).size(), 64);
}

}  // namespace
}  // namespace tritonsmith::task
