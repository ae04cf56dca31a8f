#include "data/zstd.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace tritonsmith::data {
namespace {

TEST(Zstd, FramesAreReadInOrder) {
    const std::string first(100000, 'a'), second = "the second frame";
    const std::string frames = compressed(first) + compressed(second) + compressed("");
    EXPECT_LT(frames.size(), 1000U);
    EXPECT_EQ(decompressed(frames, "file"), first + second);
}

TEST(Zstd, DamageIsNamed) {
    std::string frame = compressed("some text that is long enough to be compressed, some text that is long enough");
    EXPECT_THROW(decompressed(frame.substr(0, frame.size() / 2), "file"), InputError);
    EXPECT_THROW(decompressed("no zstd at all", "file"), InputError);
    frame[0] = 'x';
    EXPECT_THROW(decompressed(frame, "file"), InputError);
}

}  // namespace
}  // namespace tritonsmith::data
