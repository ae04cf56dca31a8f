#include "base/process/deaths.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace tritonsmith {
namespace {

TEST(Deaths, OnlyAKillWithLittleMemoryAndTimeIsOfOthers) {
    constexpr int64_t kMuch = 1000;
    EXPECT_EQ(blame({SIGKILL, 1000, 4.9}, kMuch, 5), Blame::others);
    EXPECT_EQ(blame({SIGKILL, 1001, 4.9}, kMuch, 5), Blame::memory);
    EXPECT_EQ(blame({SIGKILL, 1000, 5}, kMuch, 5), Blame::processor);
    EXPECT_EQ(blame({SIGXCPU, 0, 5}, kMuch, 5), Blame::processor);
    EXPECT_EQ(blame({SIGSEGV, 0, 0}, kMuch, 5), Blame::itself);
    EXPECT_EQ(blame({0, 0, 0}, kMuch, 5), Blame::itself);
}

TEST(Deaths, WhatDiesByItselfIsAskedLessOften) {
    EXPECT_TRUE(ask_again(kAttempts - 1, Blame::itself));
    EXPECT_FALSE(ask_again(kAttempts, Blame::memory));
    EXPECT_TRUE(ask_again(kAttempts, Blame::others));
    EXPECT_FALSE(ask_again(kAttemptsWhereKilled, Blame::others));
}

TEST(Deaths, AHelperIsAskedUntilItAnswers) {
    int asked = 0;
    EXPECT_EQ(ask_until_answered([&](bool last) {
                  EXPECT_FALSE(last);
                  if (++asked < 5) throw HelperEnded("killed");
                  return asked;
              }),
              5);
    asked = 0;
    auto dies = [&](bool last) -> int {
        EXPECT_EQ(last, ++asked == kAttemptsWhereKilled);
        throw HelperEnded("killed");
    };
    EXPECT_THROW(ask_until_answered(dies), HelperEnded);
    EXPECT_EQ(asked, kAttemptsWhereKilled);
    asked = 0;
    auto fails = [&](bool) -> int {
        ++asked;
        throw MachineError("no such program");
    };
    EXPECT_THROW(ask_until_answered(fails), MachineError);
    EXPECT_EQ(asked, 1) << "nothing died";
}

TEST(Deaths, WhatIsDearIsBegunAFewTimesWhoeverEndsIt) {
    int asked = 0;
    auto ask = [&] { return ++asked; };
    EXPECT_EQ(ask_while_it_dies(ask, [](int answer) { return answer < 3; }), 3);
    asked = 0;
    EXPECT_EQ(ask_while_it_dies(ask, [](int) { return true; }), kAttempts)
        << "the last answer, whatever it is";
    EXPECT_EQ(asked, kAttempts);
}

}  // namespace
}  // namespace tritonsmith
