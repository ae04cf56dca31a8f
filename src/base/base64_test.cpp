#include "base/base64.h"

#include <gtest/gtest.h>

namespace tritonsmith {
namespace {

std::string text(const std::vector<uint8_t>& bytes) {
    return {bytes.begin(), bytes.end()};
}

TEST(Base64, VectorsOfRfc4648) {
    const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                           {"f", "Zg=="},
                                                           {"fo", "Zm8="},
                                                           {"foo", "Zm9v"},
                                                           {"foob", "Zm9vYg=="},
                                                           {"fooba", "Zm9vYmE="},
                                                           {"foobar", "Zm9vYmFy"}};
    for (auto [plain, coded] : vectors) {
        EXPECT_EQ(base64_encode(plain, std::string(plain).size()), coded);
        auto decoded = base64_decode(coded);
        ASSERT_TRUE(decoded);
        EXPECT_EQ(text(*decoded), plain);
    }
}

TEST(Base64, RefusesWhatIsNotCanonical) {
    for (const char* bad : {"Z", "Zg", "Zg=", "====", "Zh==", "Zm9=", "Zg==Zg==", "Zm 9", "Zm9\n", "=m9v"})
        EXPECT_FALSE(base64_decode(bad)) << bad;
}

TEST(Base64, EveryByteSurvives) {
    std::vector<uint8_t> bytes(256);
    for (size_t i = 0; i < 256; ++i) bytes[i] = static_cast<uint8_t>(i);
    EXPECT_EQ(base64_decode(base64_encode(bytes.data(), bytes.size())), bytes);
}

}  // namespace
}  // namespace tritonsmith
