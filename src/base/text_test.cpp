#include "base/text.h"

#include <gtest/gtest.h>

#include "base/json.h"

namespace tritonsmith {
namespace {

TEST(Cut, NeverInsideACharacter) {
    const std::string text = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z";  // a é € 😀 z: 1 2 3 4 1 bytes
    const size_t whole[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
    for (size_t most = 0; most < std::size(whole); ++most) {
        EXPECT_EQ(cut(text, most).size(), whole[most]) << most;
        EXPECT_TRUE(is_utf8(cut(text, most)));
        EXPECT_NO_THROW((void)Json(shortened(text, most)).dump());
    }
    EXPECT_EQ(shortened("abc", 3), "abc");
    EXPECT_EQ(shortened("abcd", 3), "abc ...");
    EXPECT_EQ(cut(std::string(100, '\x80'), 50).size(), 47u) << "what is no text is cut all the same";
}

TEST(IsUtf8, ByUnicodesTable) {
    for (const char* good : {"", "abc", "\xc2\x80", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf", "\xef\xbf\xbd"})
        EXPECT_TRUE(is_utf8(good)) << good;
    for (const char* bad :
         {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
          "\xf5\x80\x80\x80", "\xff", "\xc3", "\xe2\x82", "\xf0\x9f\x98", "a\xc3z"})
        EXPECT_FALSE(is_utf8(bad)) << bad;
}

TEST(Printable, LeavesTextAndTakesControls) {
    EXPECT_EQ(printable("naïve\n\t✓", 100), "naïve\n\t✓");
    EXPECT_EQ(printable("\x1b[2J\x07", 100), "?[2J?");
    EXPECT_EQ(printable("a\u202e"
                        "b\u0085"
                        "c\u2066",
                        100),
              "a?b?c?");
    EXPECT_EQ(printable("\xff\xfe", 100), "??");
    EXPECT_EQ(printable("é\xff", 100), "é?");
    EXPECT_EQ(printable("ééé", 3), "é ...");
    EXPECT_EQ(printable(std::string("a\0b", 3), 100), "a?b");
}

}  // namespace
}  // namespace tritonsmith
