#include "text/tokenizer/regex.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"

namespace tritonsmith::text {
namespace {

std::vector<std::string> matches(std::string_view pattern, std::string_view text) {
    const Regex regex(pattern, "pattern");
    RegexScratch scratch;
    std::vector<std::string> result;
    for_each_match(regex, text, scratch,
                   [&](size_t begin, size_t end) { result.emplace_back(text.substr(begin, end - begin)); });
    return result;
}

using testing::ElementsAre;

TEST(Regex, WhiteSpaceIsWhatOnigurumaTakes) {
    EXPECT_THAT(matches("\\s+", "a\xC2\x85\xC2\xA0 b"), ElementsAre("\xC2\x85\xC2\xA0 "));
    EXPECT_THAT(matches("\\s", "\xE1\xA0\x8E"), ElementsAre()) << "U+180E was white space once";
    EXPECT_THAT(matches("[^\\s]", " \xE1\xA0\x8E"), ElementsAre("\xE1\xA0\x8E"));
}

TEST(Regex, WordsHaveMarksAndOfOtherNumbersLatin1s) {
    EXPECT_THAT(matches("\\w+", "e\xCC\x81_1 \xC2\xBD \xE2\x85\x93"), ElementsAre("e\xCC\x81_1", "\xC2\xBD"))
        << "1/2, but not 1/3";
    EXPECT_THAT(matches("\\h+", "xAF09g"), ElementsAre("AF09"));
}

TEST(Regex, RubysMultilineIsDotAll) {
    EXPECT_THAT(matches("(?m:a.b)", "a\nb"), ElementsAre("a\nb"));
    EXPECT_THAT(matches("a.b", "a\nb"), ElementsAre());
    EXPECT_THAT(matches("^b$", "a\nb\nc"), ElementsAre("b"));
}

TEST(Regex, ScriptsAreTheScriptAlone) {
    // U+30FC is Common, and used with Hiragana and Katakana.
    EXPECT_THAT(matches("\\p{Hiragana}+", "\xE3\x81\x82\xE3\x83\xBC"), ElementsAre("\xE3\x81\x82"));
    EXPECT_THAT(matches("\\p{Letter}+", "ab1"), ElementsAre("ab"));
    EXPECT_THAT(matches("\\p{^L}+", "ab1"), ElementsAre("1"));
}

TEST(Regex, EmptyMatchesDoNotTouchTheLastOne) {
    EXPECT_THAT(matches("x*", "axb"), ElementsAre("", "x", "")) << "at 0, 1 to 2, and at the end";
}

TEST(Regex, SyntaxWithoutAnEquivalentIsRefused) {
    for (const char* pattern : {"[a&&b]", "[a[b]]", "a{1,2}+", "[\\W]", "(", "\\p{Nonsense}", "a\\"})
        EXPECT_THROW(Regex(pattern, "here"), InputError) << pattern;
    try {
        Regex("(", "tokenizer.json: pre_tokenizer.pattern");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("tokenizer.json: pre_tokenizer.pattern"));
    }
}

TEST(Regex, LongRunsAndHardExpressionsEnd) {
    const std::string many(1 << 20, 'a');
    EXPECT_EQ(matches("(?:a|b)+", many).size(), 1u) << "needs stack for each character";
    EXPECT_EQ(matches("\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+", std::string(1 << 20, ' ') + "x").size(), 2u);
    EXPECT_THROW(matches("(a+)+$", std::string(60, 'a') + "b"), InputError) << "exponential";
}

TEST(Regex, ALiteralHasNoSyntax) {
    const Regex regex = Regex::literal("a.b", "here");
    RegexScratch scratch;
    EXPECT_FALSE(regex.find("axb", 0, scratch));
    EXPECT_EQ(regex.find("xa.b", 0, scratch)->begin, 1u);
}

}  // namespace
}  // namespace tritonsmith::text
