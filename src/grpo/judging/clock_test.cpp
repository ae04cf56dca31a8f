#include "grpo/judging/clock.h"

#include <gtest/gtest.h>

namespace tritonsmith::grpo {
namespace {

using std::chrono::seconds;

TEST(SamplingTime, TellsWhatSomebodyWaitedFor) {
    SamplingTime sampling;
    const Clock::time_point now = Clock::now();
    sampling.begin(false);
    sampling.add(now - seconds(9), now - seconds(6), true);
    sampling.add(now - seconds(6), now - seconds(5), false);
    sampling.await();
    sampling.add(now - seconds(5), now + seconds(1000), false);
    StepTime time;
    sampling.put(time);
    EXPECT_EQ(time.decode, 0);
    EXPECT_NEAR(time.ahead, 9, 1) << "4, and 5 until somebody waited";
    EXPECT_NEAR(time.judge, 1000, 1);
}

TEST(SamplingTime, IsAllOfTheStepWhereSomebodyWaitsFromTheBeginning) {
    SamplingTime sampling;
    const Clock::time_point now = Clock::now();
    sampling.begin(false);
    sampling.add(now - seconds(9), now, true);
    sampling.begin(true);
    sampling.add(now - seconds(3), now - seconds(1), true);
    sampling.add(now - seconds(1), now, false);
    StepTime time{.total = 4};
    sampling.put(time);
    EXPECT_EQ(time.ahead, 0);
    EXPECT_EQ(time.decode, 2);
    EXPECT_EQ(time.judge, 1);
    EXPECT_EQ(time.wait(), 1);
}

}  // namespace
}  // namespace tritonsmith::grpo
