#include "text/unicode.h"

#include <gtest/gtest.h>

namespace tritonsmith::text {
namespace {

std::string lossy(std::string_view bytes) {
    std::string buffer;
    return std::string(utf8_lossy(bytes, buffer));
}

const std::string R = "\xEF\xBF\xBD";

TEST(Unicode, ValidTextIsItself) {
    const std::string text = "a\xC3\xA9\xE6\xBC\xA2\xF0\x9F\x99\x82";
    std::string buffer;
    EXPECT_EQ(utf8_lossy(text, buffer).data(), text.data());
}

// Each maximal subpart of an ill-formed sequence is one U+FFFD (Unicode 15, table 3-8 and its neighbours).
TEST(Unicode, MaximalSubpartsBecomeOneReplacement) {
    EXPECT_EQ(lossy("\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64"),
              "a" + R + R + R + "b" + R + "c" + R + R + "d");
    EXPECT_EQ(lossy("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"), R + R + R + R + R + R + R + R + "A");
    EXPECT_EQ(lossy("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"), R + R + R + R + R + R + R + R + "A");
    EXPECT_EQ(lossy("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"), R + R + R + R + R + "A" + R + R + "B");
    EXPECT_EQ(lossy("x\xF0\x9F\x98"), "x" + R);
}

TEST(Unicode, UnfinishedBytesAreThoseThatMoreMayComplete) {
    EXPECT_EQ(unfinished_bytes(""), 0);
    EXPECT_EQ(unfinished_bytes("abc"), 0);
    EXPECT_EQ(unfinished_bytes("a\xC3"), 1);
    EXPECT_EQ(unfinished_bytes("\xE6\xBC"), 2);
    EXPECT_EQ(unfinished_bytes("\xF0\x9F\x99"), 3);
    EXPECT_EQ(unfinished_bytes("\xF0\x9F\x99\x82"), 0);
    EXPECT_EQ(unfinished_bytes("\xE0\x80"), 0) << "an overlong form is never completed";
    EXPECT_EQ(unfinished_bytes("\xFF"), 0);
    EXPECT_EQ(unfinished_bytes("\x80\x80\x80\x80"), 0);
}

TEST(Unicode, EveryCharacterGoesThereAndBack) {
    for (char32_t c = 0; c < 0x110000; ++c) {
        if (c >= 0xD800 && c < 0xE000) continue;
        std::string text;
        append_utf8(c, text);
        const Utf8Step step = utf8_step(text);
        ASSERT_EQ(step.kind, Utf8Step::character) << static_cast<uint32_t>(c);
        ASSERT_TRUE(step.value == c) << static_cast<uint32_t>(c);
        ASSERT_EQ(step.length, static_cast<int>(text.size()));
        for (size_t n = 1; n < text.size(); ++n)
            ASSERT_EQ(unfinished_bytes(text.substr(0, n)), static_cast<int>(n)) << static_cast<uint32_t>(c);
    }
}

TEST(Unicode, AsciiIsRecognised) {
    EXPECT_TRUE(is_ascii("twelve bytes"));
    EXPECT_FALSE(is_ascii("twelve byte\xC3\xA9"));
    EXPECT_FALSE(is_ascii("\xC3\xA9 twelve byte"));
}

}  // namespace
}  // namespace tritonsmith::text
