#include "forge/module/windows.h"

#include <gtest/gtest.h>

namespace tritonsmith::forge {
namespace {

std::string text(const Windows& windows) {
    return windows.count_of({"size"}).text;
}

TEST(Windows, AreCountedByTheLayersNumbers) {
    EXPECT_EQ(text({.kernel = 3}), "size - 3 + 1");
    EXPECT_EQ(text({.kernel = 3, .stride = 3}), "size // 3");
    EXPECT_EQ(text({.kernel = 3, .stride = 2, .padding = 1}), "(size + 2 * 1 - 3) // 2 + 1");
    EXPECT_EQ(text({.kernel = 8, .padding = 4, .dilation = 3}), "size + 2 * 4 - 3 * (8 - 1)");
    EXPECT_EQ(text({.kernel = 3, .stride = 2, .ceil_mode = true}), "triton.cdiv(size - 3, 2) + 1");
    EXPECT_EQ(text({.kernel = 2, .stride = 4, .padding = 1, .dilation = 2, .ceil_mode = true}),
              "triton.cdiv(size + 1, 4)");
    EXPECT_EQ(text({.kernel = 3, .stride = 5, .padding = 1, .dilation = 2, .transposed = true}),
              "(size - 1) * 5 - 2 * 1 + 2 * (3 - 1) + 1");
    EXPECT_EQ(text({.kernel = 4, .stride = 2, .padding = 1, .more = 1, .transposed = true}),
              "(size - 1) * 2 - 2 * 1 + 4 + 1");
}

TEST(Windows, CountAsPyTorchDoes) {
    EXPECT_EQ((Windows{.from = 65536, .kernel = 8, .padding = 4, .dilation = 3}.count()), 65523);
    EXPECT_EQ((Windows{.from = 2048, .kernel = 11, .stride = 11}.count()), 186);
    EXPECT_EQ((Windows{.from = 7, .kernel = 2, .stride = 2, .ceil_mode = true}.count()), 4);
    EXPECT_EQ((Windows{.from = 115, .kernel = 2, .stride = 4, .padding = 1, .dilation = 2, .ceil_mode = true}
                   .count()),
              29);
    EXPECT_EQ((Windows{.from = 20, .kernel = 1, .stride = 2, .ceil_mode = true}.count()), 10);
    EXPECT_EQ((Windows{.from = 64, .kernel = 3, .stride = 5, .padding = 1, .dilation = 2, .transposed = true}
                   .count()),
              318);
}

}  // namespace
}  // namespace tritonsmith::forge
