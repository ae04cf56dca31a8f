#include "reward/answer.h"

#include <gtest/gtest.h>

namespace tritonsmith::reward {
namespace {

TEST(Answer, AProgramIsForTheJudge) {
    const text::Response whole = text::parse_response("```python\nimport triton\n```\n");
    EXPECT_FALSE(verdict_without_program(whole, false, "t"));
    EXPECT_FALSE(verdict_without_program(whole, true, "t"));  // cut off behind it
}

TEST(Answer, WithoutAProgramTheReasonSaysWhy) {
    const auto none = verdict_without_program(text::parse_response("I cannot."), false, "t");
    ASSERT_TRUE(none);
    EXPECT_EQ(none->reason, "no_code");
    EXPECT_EQ(none->status, judge::Status::rejected);
    EXPECT_FALSE(none->valid || none->correct);
    const auto cut = verdict_without_program(text::parse_response("```python\nimport triton"), true, "t");
    ASSERT_TRUE(cut);
    EXPECT_EQ(cut->reason, "answer_cut");
}

}  // namespace
}  // namespace tritonsmith::reward
