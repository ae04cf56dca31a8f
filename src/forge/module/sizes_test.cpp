#include "forge/module/sizes.h"

#include <gtest/gtest.h>

#include "forge/emit/code.h"
#include "forge/emit/numbers.h"

namespace tritonsmith::forge {
namespace {

std::string fitted(const Series& series, const std::vector<Symbol>& symbols) {
    std::set<size_t> used;
    const std::optional<Code> code = fit(series, symbols, used);
    return code ? code->text : "nothing";
}

TEST(Sizes, FindsTheExpressionThatHoldsAtEverySize) {
    const std::vector<Symbol> symbols = {{"rows", {64, 32, 64}, ""}, {"cols", {64, 64, 16}, ""}};
    EXPECT_EQ(fitted({64, 32, 64}, symbols), "rows");
    EXPECT_EQ(fitted({4096, 2048, 1024}, symbols), "rows * cols");
    EXPECT_EQ(fitted({576, 576, 144}, symbols), "cols * 9");
    EXPECT_EQ(fitted({31, 31, 7}, symbols), "(cols - 1) // 2");
    EXPECT_EQ(fitted({3, 3, 3}, symbols), "3");
    EXPECT_EQ(fitted({7, 100, 3}, symbols), "nothing");
}

TEST(Sizes, AGroupOfChannelsHasItsTaps) {
    EXPECT_EQ(fitted({216, 2538}, {{"channels", {16, 188}, ""}, {"height", {32, 68}, ""}}),
              "channels // 2 * 27");
    EXPECT_EQ(
        fitted({16 * 34 * 36 * 38, 2 * 34 * 36 * 38, 16 * 18 * 36 * 38, 16 * 34 * 18 * 38, 16 * 34 * 36 * 18},
               {{"channels", {128, 16, 128, 128, 128}, ""},
                {"depth", {34, 34, 18, 34, 34}, ""},
                {"height", {36, 36, 36, 18, 36}, ""},
                {"width", {38, 38, 38, 38, 18}, ""}}),
        "channels * depth * height * width // 8");
}

TEST(Sizes, TakesTheSimplestAffineForm) {
    EXPECT_EQ(fitted({253, 16}, {{"rows", {512, 38}, ""}, {"cols", {256, 19}, ""}}), "cols - 3");
    EXPECT_EQ(fitted({19 * 24 * 64, 9 * 24 * 64, 19 * 8 * 64},
                     {{"batch", {24, 24, 8}, ""}, {"length", {20, 10, 20}, ""}, {"width", {64, 64, 64}, ""}}),
              "(length - 1) * batch * width");
    EXPECT_EQ(
        fitted({128, 256}, {{"depth", {16, 32}, ""}, {"batch", {8, 8}, ""}, {"features", {64, 128}, ""}}),
        "features * 2");
    EXPECT_EQ(fitted({33, 37}, {{"height", {56, 64}, ""}, {"out_height", {28, 32}, ""}}), "out_height + 5");
}

TEST(Sizes, OfTwoSizesNoShiftAndDivisorAreMadeUp) {
    // 8 of 32 and 11 of 44 are a fourth of the height; (batch + 16) // 6 is true of them as well.
    EXPECT_EQ(fitted({8, 11}, {{"batch", {32, 53}, ""}}), "nothing");
    EXPECT_EQ(fitted({8, 11}, {{"batch", {32, 53}, ""}, {"height", {32, 44}, ""}}), "height // 4");
    EXPECT_EQ(fitted({16, 19}, {{"width", {32, 37}, ""}}), "(width + 1) // 2");
    EXPECT_EQ(fitted({8, 11, 6}, {{"batch", {32, 53, 18}, ""}}), "(batch + 18) // 6");
}

TEST(Numbers, MarksAreReplacedWithParenthesesWhereTheyAreAPart) {
    Numbers numbers;
    const std::string first = numbers.open(6), second = numbers.open(6);
    const std::string text = "f(" + first + ", x * " + second + ")";
    const auto with = [](int, bool whole) { return std::string(whole ? "a * b" : "(a * b)"); };
    EXPECT_EQ(replace_marks(text, with), "f(a * b, x * (a * b))");
    EXPECT_EQ(marks_in(text), (std::vector<int>{0, 1}));
}

TEST(Numbers, AFloatIsOpenWhereItMayBeARootOrAnArgument) {
    Numbers numbers;
    EXPECT_EQ(numbers.open_real(0.3, "0.3"), "0.3");
    const std::string root = numbers.open_real(0.125, "0.125");
    ASSERT_EQ(marks_in(root).size(), 1U);
    const Numbers::Real& real = numbers.reals().at(marks_in(root)[0]);
    EXPECT_EQ(real.square, 64);
    EXPECT_TRUE(real.reciprocal);
    numbers.arguments = true;
    const std::string given = numbers.open_real(-0.3, "-0.3");
    ASSERT_EQ(marks_in(given).size(), 1U);
    EXPECT_EQ(numbers.reals().at(marks_in(given)[0]).value, -0.3);
    EXPECT_EQ(numbers.reals().at(marks_in(given)[0]).square, 0);
    Numbers again;
    again.open_again(numbers, marks_in(root)[0]);
    EXPECT_EQ(again.reals().at(0).literal, "0.125");
}

TEST(Code, BindsAsPythonDoes) {
    const Code sum = binary({"a"}, "+", {"b"});
    EXPECT_EQ(binary(sum, "*", {"c"}).text, "(a + b) * c");
    EXPECT_EQ(binary({"c"}, "-", sum).text, "c - (a + b)");
    EXPECT_EQ(binary(binary({"a"}, "<", {"b"}), "&", binary({"c"}, "<", {"d"})).text, "(a < b) & (c < d)");
}

TEST(Code, BreaksLongLinesBehindCommasOfTheOutermostCall) {
    EXPECT_EQ(wrap_lines("    store(pointer + offset[:, None], value, mask=inside)", 40),
              "    store(pointer + offset[:, None],\n          value, mask=inside)\n");
}

}  // namespace
}  // namespace tritonsmith::forge
