#include "numerics/alike.h"

#include <gtest/gtest.h>

#include <vector>

namespace tritonsmith::numerics {
namespace {

TEST(Alike, SaysWhatElementsOfTheSameSizeAreWrongBy) {
    Alike alike(1);
    for (int i = 0; i < 1000; ++i) {
        alike.add(1.5, 1.5, 3e-3);
        alike.add(0.01, 0.01, 1e-6);
    }
    alike.finish(false);
    // The upper edge of the class that holds the error: 2^-8.5 < 3e-3 < 2^-8, 2^-20 < 1e-6 < 2^-19.5.
    EXPECT_EQ(alike.at(1.2, 1.9), 0x1p-8);
    EXPECT_EQ(alike.at(0.011, 0.01), Alike::kHalf * 0x1p-19);
}

TEST(Alike, ElementsOfOneSizeButOtherTermsAreApart) {
    Alike alike(1);
    for (int i = 0; i < 1000; ++i) {
        alike.add(1, 1000, 1e-2);
        alike.add(1, 1, 0);
    }
    alike.finish(false);
    EXPECT_GT(alike.at(1, 1000), 1e-2);
    EXPECT_EQ(alike.at(1, 1), 0);
}

TEST(Alike, TheLargestErrorCountsUnlessOutliersAreExpected) {
    auto limit = [](int few, bool outliers) {
        Alike alike(1);
        for (int i = 0; i < 1000 - few; ++i) alike.add(1, 1, 1e-6);
        for (int i = 0; i < few; ++i) alike.add(1, 1, 1);
        alike.finish(outliers);
        return alike.at(1, 1);
    };
    EXPECT_EQ(limit(5, false), Alike::kHalf * 2);
    EXPECT_EQ(limit(5, true), Alike::kBeyond * Alike::kHalf * 0x1p-19);
    EXPECT_EQ(limit(20, true), Alike::kBeyond * Alike::kHalf * 2);
}

TEST(Alike, FewElementsAreSeenWithTheirNeighbours) {
    Alike alike(1);
    alike.add(1, 1, 0);
    for (int i = 0; i < 100; ++i) alike.add(0.6, 0.6, 1e-3);
    alike.finish(false);
    EXPECT_EQ(alike.at(1, 1), Alike::kHalf * 0x1p-8) << "half of S, so half of the error";
    EXPECT_EQ(alike.at(0.6, 0.6), Alike::kHalf * 0x1p-9);
    Alike alone(1);
    alone.add(1, 1, 1e-3);
    alone.finish(false);
    EXPECT_EQ(alone.at(1, 1), Alike::kHalf * 0x1p-9);
}

TEST(Alike, WhereLittleCancelsTheRoundingOfAResultHidesErrors) {
    // One element of terms that cancel, next to many that are as large as S, and others like it.
    auto limit = [](int like_it) {
        Alike alike(1);
        alike.add(0x1p-20, 0x1p-10, 1e-9);
        for (int i = 0; i < 1000; ++i) alike.add(0x1p-10, 0x1p-10, 0);
        for (int i = 0; i < like_it; ++i) alike.add(0x1p-25, 0x1p-15, 1e-10);
        alike.finish(false);
        return alike.at(0x1p-20, 0x1p-10);
    };
    EXPECT_EQ(limit(100), 0x1p-28) << "1e-10 beside 2^-15 is 3.2e-9 beside 2^-10";
    EXPECT_LT(limit(0), 2e-9);
    Alike alike(1);
    alike.add(0x1p-10, 0x1p-10, 1e-9);
    for (int i = 0; i < 1000; ++i) alike.add(0x1p-11, 0x1p-11, 0);
    alike.finish(false);
    EXPECT_EQ(alike.at(0x1p-10, 0x1p-10), Alike::kHalf * 0x1p-29) << "of its own kind";
}

TEST(Alike, ErrorsOfNeighboursAreRelativeToTheirS) {
    auto limit = [](double scale_of_others) {
        Alike alike(1);
        alike.add(1e-3, 1, 1e-9);
        for (int i = 0; i < 100; ++i) alike.add(1e-3, scale_of_others, 1e-6);
        alike.finish(false);
        return alike.at(1e-3, 1);
    };
    EXPECT_EQ(limit(0x1p-6), limit(1) * 0x1p6);
    EXPECT_EQ(limit(0x1p6), limit(1)) << "and are never made smaller";
    EXPECT_EQ(limit(0x1p-20), limit(1)) << "of sums so small the error may be what underflows";
    EXPECT_EQ(limit(0), limit(1)) << "of no sum at all";
}

TEST(Alike, AnOutputOfZerosHasNoClasses) {
    Alike alike(0);
    alike.add(0, 5, 1);
    alike.finish(false);
    EXPECT_EQ(alike.at(0, 5), 0);
}

TEST(Alike, CountsMadeElsewhereAreTheSame) {
    Alike one(2), other(2);
    std::vector<int64_t> counts(static_cast<size_t>(Alike::kClasses) * Alike::kErrors);
    for (int i = 1; i < 500; ++i) {
        const double value = i * 1e-3, scale = i * 2e-2, error = i * 1e-7;
        one.add(value, scale, error);
        ++counts[static_cast<size_t>(other.class_of(value, scale)) * Alike::kErrors +
                 static_cast<size_t>(other.class_of_error(error))];
    }
    other.add(counts.data());
    EXPECT_EQ(one.finish(true), other.finish(true));
}

}  // namespace
}  // namespace tritonsmith::numerics
