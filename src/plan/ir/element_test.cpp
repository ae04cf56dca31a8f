#include "plan/ir/element.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>

namespace tritonsmith::plan {
namespace {

TEST(Element, NarrowFloatsAreDecoded) {
    auto bytes = [](auto v) {
        std::array<std::byte, 8> out{};
        std::memcpy(out.data(), &v, sizeof v);
        return out;
    };
    EXPECT_EQ(read_element(bytes(uint16_t{0x3C01}).data(), DType::f16), 1 + 0x1p-10);
    EXPECT_EQ(read_element(bytes(uint16_t{0x0001}).data(), DType::f16), 0x1p-24);
    EXPECT_EQ(read_element(bytes(uint16_t{0xFC00}).data(), DType::f16), -INFINITY);
    EXPECT_EQ(read_element(bytes(uint16_t{0xC010}).data(), DType::bf16), -2.25);
    EXPECT_EQ(read_element(bytes(uint8_t{0x7E}).data(), DType::f8e4m3fn), 448);
    EXPECT_TRUE(std::isnan(read_element(bytes(uint8_t{0x7F}).data(), DType::f8e4m3fn)));
    EXPECT_EQ(read_element(bytes(uint8_t{0x7B}).data(), DType::f8e5m2), 57344);
    EXPECT_EQ(read_element(bytes(uint8_t{0x7C}).data(), DType::f8e5m2), INFINITY);
    EXPECT_EQ(read_element(bytes(uint8_t{0x7F}).data(), DType::f8e4m3fnuz), 240);
    EXPECT_TRUE(std::isnan(read_element(bytes(uint8_t{0x80}).data(), DType::f8e5m2fnuz)));
    EXPECT_EQ(read_element(bytes(int64_t{-5}).data(), DType::i64), -5);
}

}  // namespace
}  // namespace tritonsmith::plan
