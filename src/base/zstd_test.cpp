#include "base/zstd.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace tritonsmith {
namespace {

TEST(Zstd, FramesAreReadInOrder) {
    const std::string first(100000, 'a'), second = "the second frame";
    const std::string frames = compressed(first) + compressed(second) + compressed("");
    EXPECT_LT(frames.size(), 1000U);
    EXPECT_EQ(decompressed(frames, "file"), first + second);
}

TEST(Zstd, DamageIsNamed) {
    std::string frame =
        compressed("some text that is long enough to be compressed, some text that is long enough");
    EXPECT_THROW(decompressed(frame.substr(0, frame.size() / 2), "file"), InputError);
    EXPECT_THROW(decompressed("no zstd at all", "file"), InputError);
    frame[0] = 'x';
    EXPECT_THROW(decompressed(frame, "file"), InputError);
}

TEST(Zstd, AStreamIsReadInPiecesOfAnySize) {
    std::string text;
    for (int64_t i = 0; i < 100000; ++i) text += std::to_string(i * i) + "\n";
    const std::string frames = compressed(text) + compressed("") + compressed("the end");
    for (const size_t piece : {size_t{1}, size_t{1000}, frames.size()}) {
        ZstdStream stream("file");
        std::string out;
        for (size_t at = 0; at < frames.size(); at += piece)
            stream.feed(std::string_view(frames).substr(at, piece), out);
        stream.finish();
        EXPECT_EQ(out, text + "the end");
    }
    ZstdStream cut("file"), damaged("file");
    std::string out;
    cut.feed(std::string_view(frames).substr(0, 1000), out);
    EXPECT_THROW(cut.finish(), InputError);
    EXPECT_THROW(damaged.feed("no zstd at all", out), InputError);
}

}  // namespace
}  // namespace tritonsmith
