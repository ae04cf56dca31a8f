#include "run/worker/sample/closure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/worker/sample/sample_testing.h"

namespace tritonsmith::run::sample {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kAny = 1e9;  // seconds

/// out = (x + y) + x by two launches.
struct Twice : LargeCandidate {
    plan::Tensor sum = out, result = scratch();
    Twice() {
        add_all(sum, x, result);
        plan.output = value(result);
    }
};

TEST(Closure, OneElementNeedsTheProgramsOfItsTileInEveryLaunch) {
    const Twice twice;
    Before before(twice.plan, {1, 1});
    Closure closure(*before.events);
    const auto selection = closure.of(before.bytes_of(twice.result, 3 * kTile + 5), kAny);
    ASSERT_TRUE(selection);
    EXPECT_EQ(selection->launch, 1);
    EXPECT_EQ(selection->program, 3);
    ASSERT_EQ(selection->programs.size(), 2U);
    EXPECT_THAT(selection->programs[0], ElementsAre(3));
    EXPECT_THAT(selection->programs[1], ElementsAre(3));
    EXPECT_EQ(closure.seconds(*selection, {}), 2);
    EXPECT_EQ(closure.seconds(*selection, *selection), 0) << "they run once";
}

TEST(Closure, WhatIsReadFromAnotherTileIsFollowedThere) {
    LargeCandidate shifted;
    const plan::Tensor result = shifted.scratch();
    // Of all tiles but the last: what the tile before them holds.
    shifted.add(from_element(shifted.out, kTile), shifted.x, result, kTiles - 1, kLarge - kTile);
    Before before(shifted.plan, {1, 1});
    const auto selection = Closure(*before.events).of(before.bytes_of(result, 10 * kTile), kAny);
    ASSERT_TRUE(selection);
    EXPECT_THAT(selection->programs[0], ElementsAre(11));
    EXPECT_THAT(selection->programs[1], ElementsAre(10));
}

TEST(Closure, ItStopsWhereTheProgramsTakeTooLong) {
    const Twice twice;
    Before before(twice.plan, {1, 1});
    EXPECT_FALSE(Closure(*before.events).of(before.bytes_of(twice.result, 0), 1.5));
    EXPECT_TRUE(Closure(*before.events).of(before.bytes_of(twice.result, 0), 2.5));
}

TEST(Closure, WhatNoLaunchWritesNeedsNothing) {
    const LargeCandidate missing(kTiles - 1);
    Before before(missing.plan, {1});
    Closure closure(*before.events);
    const auto last = closure.of(before.bytes_of(missing.out, kLarge - 1), kAny);
    ASSERT_TRUE(last);
    EXPECT_EQ(last->launch, -1);
    EXPECT_EQ(last->program, -1);
    EXPECT_EQ(closure.written(before.bytes_of(missing.out, kLarge - 1)), std::optional(false));
    EXPECT_EQ(closure.written(before.bytes_of(missing.out, kLarge - kTile - 1)), std::optional(true));
}

TEST(Closure, ACopyByTheHostIsPartOfTheChain) {
    LargeCandidate copied;
    const plan::Tensor result = copied.scratch();
    copied.forward("aten::copy_", {value(result), value(copied.out)}, value(result));
    Before before(copied.plan, {1});
    const auto selection = Closure(*before.events).of(before.bytes_of(result, 2 * kTile), kAny);
    ASSERT_TRUE(selection);
    EXPECT_THAT(selection->programs[0], ElementsAre(2));
    ASSERT_EQ(selection->bytes.size(), 1U);
    EXPECT_EQ(selection->bytes.begin()->second.bytes(), 4) << "one element is copied";
}

TEST(Closure, WhatTheHostComputesIsNotFollowed) {
    LargeCandidate computed;
    const plan::Tensor result = computed.tensor({kLarge});
    computed.forward("aten::cumsum", {value(computed.out), {int64_t{0}}}, value(result));
    Before before(computed.plan, {1});
    EXPECT_FALSE(Closure(*before.events).of(before.bytes_of(result, 0), kAny));
}

}  // namespace
}  // namespace tritonsmith::run::sample
