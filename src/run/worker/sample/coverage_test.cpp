#include "run/worker/sample/coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/worker/sample/sample_testing.h"

namespace tritonsmith::run::sample {
namespace {

using namespace testing;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::Lt;
using ::testing::Not;

std::vector<int64_t> gaps_of(const LargeCandidate& candidate, uint64_t seed) {
    Before before(candidate.plan);
    std::mt19937_64 random(seed);
    return gaps(*before.events, candidate.out, random);
}

TEST(Coverage, ATensorThatIsWrittenWhollyHasNoGaps) {
    for (uint64_t seed = 0; seed < 5; ++seed) EXPECT_THAT(gaps_of(LargeCandidate(), seed), IsEmpty());
}

TEST(Coverage, AGridThatIsOneProgramShortLeavesTheLastTile) {
    for (uint64_t seed = 0; seed < 5; ++seed)
        EXPECT_THAT(gaps_of(LargeCandidate(kTiles - 1), seed),
                    AllOf(Not(IsEmpty()), Each(AllOf(Ge(kLarge - kTile), Lt(kLarge)))));
}

TEST(Coverage, AHoleBetweenTwoLaunchesIsFound) {
    constexpr int64_t begin = 1000 * kTile, end = 1001 * kTile;
    LargeCandidate split(begin / kTile);
    split.add(from_element(split.x, end), from_element(split.y, end), from_element(split.out, end),
              (kLarge - end) / kTile, kLarge - end);
    for (uint64_t seed = 0; seed < 5; ++seed)
        EXPECT_THAT(gaps_of(split, seed), AllOf(Not(IsEmpty()), Each(AllOf(Ge(begin), Lt(end)))));
}

}  // namespace
}  // namespace tritonsmith::run::sample
