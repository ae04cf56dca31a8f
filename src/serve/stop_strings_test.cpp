#include "serve/stop_strings.h"

#include <gtest/gtest.h>

#include <random>

namespace tritonsmith::serve {
namespace {

/// All that is shown when `text` comes in pieces that end at `cuts`.
std::string shown(const std::vector<std::string>& strings, const std::string& text, size_t step,
                  bool* hit = nullptr) {
    StopStrings stop(strings);
    std::string out;
    for (size_t at = 0; at < text.size() && !stop.hit(); at += step) out += stop.feed(text.substr(at, step));
    if (hit) *hit = stop.hit();
    return stop.hit() ? out : out + stop.finish();
}

TEST(StopStrings, CutBeforeTheFirstWhereverPiecesEnd) {
    for (size_t step = 1; step < 20; ++step) {
        EXPECT_EQ(shown({"END"}, "one END two", step), "one ");
        EXPECT_EQ(shown({"END", "ne"}, "one END two", step), "o");
        EXPECT_EQ(shown({"aab"}, "aaaaab", step), "aaa");
        EXPECT_EQ(shown({"abcabd"}, "abcabcabd!", step), "abc");
        EXPECT_EQ(shown({"ENDE"}, "one END two", step), "one END two");
        EXPECT_EQ(shown({"ENDE"}, "one END", step), "one END");
        EXPECT_EQ(shown({}, "one END", step), "one END");
        EXPECT_EQ(shown({"\n\n"}, "a\nb\n\nc", step), "a\nb");
    }
}

TEST(StopStrings, AgreeWithSearchingTheWholeText) {
    std::mt19937 random(1);
    auto word = [&](size_t most) {
        std::string out(1 + random() % most, ' ');
        for (char& c : out) c = "ab"[random() % 2];
        return out;
    };
    for (int round = 0; round < 20000; ++round) {
        const std::string text = word(30);
        const std::vector<std::string> strings = {word(5), word(8)};
        // The earliest one that is whole first: what came before its last byte is all that was known.
        size_t cut = std::string::npos;
        for (size_t end = 1; end <= text.size() && cut == std::string::npos; ++end)
            for (const std::string& one : strings) cut = std::min(cut, text.substr(0, end).find(one));
        bool hit = false;
        const std::string out = shown(strings, text, 1, &hit);
        EXPECT_EQ(out, text.substr(0, cut)) << text << " / " << strings[0] << " / " << strings[1];
        EXPECT_EQ(hit, cut != std::string::npos);
    }
}

TEST(StopStrings, HoldBackNoMoreThanTheyMust) {
    StopStrings stop({"</code>"});
    EXPECT_EQ(stop.feed("x = 1 <"), "x = 1 ");
    EXPECT_EQ(stop.feed("2"), "<2");
    EXPECT_EQ(stop.feed("</co"), "");
    EXPECT_EQ(stop.feed("de>after"), "");
    EXPECT_TRUE(stop.hit());
}

}  // namespace
}  // namespace tritonsmith::serve
