#include "run/worker/sample/handed_on.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/worker/sample/sample_testing.h"

namespace tritonsmith::run::sample {
namespace {

using namespace testing;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// between = x + y, out = between + x
/// @param made, taken tiles that the first launch and the second one have programs for
std::vector<HandedOn> by_two_launches(int64_t made, int64_t taken) {
    LargeCandidate candidate(0);
    const plan::Tensor between = candidate.scratch();
    candidate.add(candidate.x, candidate.y, between, made, kLarge);
    candidate.add(between, candidate.x, candidate.out, taken, kLarge);
    OwnedSampleRequest owned;
    owned.leaves = leaf_plan(AddReference(kLarge).plan);
    owned.plan = candidate.plan;
    ProgramCache programs;
    Kernels kernels(owned.plan, programs);
    const Context context{owned, owned.request, kernels, {}};
    PageCache pages;
    std::mt19937_64 random(kSeed);
    return handed_on(context, {kSeed, {}, false}, pages, random);
}

TEST(HandedOn, NothingIsSaidOfWhatIsWrittenAndRead) {
    EXPECT_THAT(by_two_launches(kTiles, kTiles), IsEmpty());
}

TEST(HandedOn, WhatIsReadAndNeverWrittenIsFound) {
    const std::vector<HandedOn> found = by_two_launches(kTiles - 1, kTiles);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].argument, 2);
    EXPECT_EQ(found[0].bytes, kLarge * 4);
    EXPECT_EQ(found[0].unwritten, kTile * 4);
    EXPECT_EQ(found[0].unread, 0);
}

TEST(HandedOn, WhatNobodyReadsIsFoundByItsShare) {
    const std::vector<HandedOn> found = by_two_launches(kTiles, kTiles / 2);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].unwritten, 0);
    EXPECT_NEAR(found[0].unread, 0.5, 0.3);
}

TEST(HandedOn, WhatIsNeitherWrittenNorReadIsNothing) {
    EXPECT_THAT(by_two_launches(kTiles / 2, kTiles / 2), IsEmpty());
}

}  // namespace
}  // namespace tritonsmith::run::sample
