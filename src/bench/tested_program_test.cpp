#include "bench/tested_program.h"

#include <gtest/gtest.h>

namespace tritonsmith::bench {
namespace {

const std::string kRule(146, '#');

TEST(TestedProgram, IsDividedAtTheLongLine) {
    const auto found = split_program("def f():\n    return 1  ####\n" + kRule + "\r\n\nresult_gold = f()\n");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->golden, "def f():\n    return 1  ####\n");
    EXPECT_EQ(found->tests, "\nresult_gold = f()\n");
}

TEST(TestedProgram, NeedsTests) {
    EXPECT_FALSE(split_program("def f():\n    return 1\n"));
    EXPECT_FALSE(split_program("def f():\n    return 1\n" + kRule + "\n \n"));
    EXPECT_FALSE(split_program("# " + kRule + "\nx = 1\n")) << "a comment is no such line";
    EXPECT_FALSE(split_program(""));
}

TEST(TestedProgram, AnAnswerMayRepeatTheTests) {
    EXPECT_EQ(without_tests("x = 1\n" + kRule + "\nresult_gold = 2\n"), "x = 1\n");
    EXPECT_EQ(without_tests("x = 1\n"), "x = 1\n");
}

}  // namespace
}  // namespace tritonsmith::bench
