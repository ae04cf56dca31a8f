#include "base/process/interrupts.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace tritonsmith {
namespace {

TEST(Interrupts, TwoSignalsAtOnceAreOneWish) {
    const Interrupts interrupts;
    EXPECT_EQ(interrupts.signal(), 0);
    ::raise(SIGINT);
    ::raise(SIGINT);
    ::raise(SIGTERM);
    EXPECT_EQ(interrupts.signal(), SIGINT);
    EXPECT_TRUE(interrupts.flag());
}

TEST(InterruptsDeathTest, TheSecondMayComeWhileTheProgramEnds) {
    EXPECT_EXIT(
        {
            {
                const Interrupts interrupts;
                ::raise(SIGINT);
            }
            ::raise(SIGINT);
            ::_exit(7);
        },
        ::testing::ExitedWithCode(7), "");
    EXPECT_EXIT(
        {
            { const Interrupts interrupts; }
            ::raise(SIGINT);
            ::_exit(7);
        },
        ::testing::KilledBySignal(SIGINT), "");
}

TEST(InterruptsDeathTest, OneThatComesLaterEndsTheProgram) {
    EXPECT_EXIT(
        {
            const Interrupts interrupts;
            ::raise(SIGTERM);
            std::this_thread::sleep_for(std::chrono::milliseconds(1100));
            ::raise(SIGTERM);
            ::_exit(0);
        },
        ::testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace tritonsmith
