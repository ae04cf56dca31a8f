#include "train/optimizer/schedule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/error.h"

namespace tritonsmith::train {
namespace {

TEST(Schedule, WarmUpIsLinearFromTheFirstStep) {
    for (const auto kind :
         {Schedule::Kind::constant, Schedule::Kind::linear, Schedule::Kind::cosine, Schedule::Kind::wsd}) {
        const Schedule schedule{.kind = kind, .peak = 2e-3, .warmup = 4, .decay = 4, .steps = 20};
        EXPECT_DOUBLE_EQ(schedule.at(1), 0.5e-3);
        EXPECT_DOUBLE_EQ(schedule.at(4), 2e-3);
    }
}

TEST(Schedule, PhasesEndAtTheFloor) {
    Schedule schedule{.kind = Schedule::Kind::linear, .peak = 1, .floor = 0.1, .warmup = 10, .steps = 110};
    EXPECT_DOUBLE_EQ(schedule.at(60), 0.55);
    EXPECT_DOUBLE_EQ(schedule.at(110), 0.1);
    schedule.kind = Schedule::Kind::cosine;
    EXPECT_DOUBLE_EQ(schedule.at(60), 0.55);
    EXPECT_NEAR(schedule.at(35), 0.1 + 0.9 * 0.5 * (1 + std::numbers::sqrt2 / 2), 1e-12);
    EXPECT_DOUBLE_EQ(schedule.at(110), 0.1);
    schedule.kind = Schedule::Kind::constant;
    EXPECT_DOUBLE_EQ(schedule.at(110), 1);
    schedule.kind = Schedule::Kind::wsd;
    schedule.decay = 40;
    EXPECT_DOUBLE_EQ(schedule.at(70), 1);
    EXPECT_DOUBLE_EQ(schedule.at(90), 0.55);
    EXPECT_DOUBLE_EQ(schedule.at(110), 0.1);
}

TEST(Schedule, RefusesPhasesLongerThanTheRun) {
    EXPECT_THROW((Schedule{.warmup = 11, .steps = 10}.check()), InputError);
    EXPECT_THROW((Schedule{.kind = Schedule::Kind::wsd, .warmup = 6, .decay = 5, .steps = 10}.check()),
                 InputError);
    EXPECT_THROW((Schedule{.peak = 0}.check()), InputError);
    EXPECT_THROW((Schedule{.floor = 1.5}.check()), InputError);
    EXPECT_NO_THROW((Schedule{.kind = Schedule::Kind::wsd, .warmup = 5, .decay = 5, .steps = 10}.check()));
}

}  // namespace
}  // namespace tritonsmith::train
