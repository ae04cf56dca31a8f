#include "plan/ir/element.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "plan/ir/json.h"

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

TEST(Element, ValuesOfEveryFormat) {
    struct Case {
        DType dtype;
        uint32_t bits;
        double value;
    };
    const Case cases[] = {{DType::f32, 0x40490FDB, 3.1415927410125732},
                          {DType::f16, 0x7BFF, 65504},
                          {DType::f16, 0x8000, -0.0},
                          {DType::f16, 0xFC00, -HUGE_VAL},
                          {DType::bf16, 0x3F80, 1},
                          {DType::bf16, 0x0001, std::ldexp(1, -133)},
                          {DType::f8e4m3fn, 0x7E, 448},
                          {DType::f8e4m3fn, 0x01, std::ldexp(1, -9)},
                          {DType::f8e5m2, 0x7B, 57344},
                          {DType::f8e5m2, 0x7C, HUGE_VAL},
                          {DType::f8e5m2fnuz, 0x7F, 57344},
                          {DType::f8e4m3fnuz, 0x7F, 240},
                          {DType::f8e4m3fnuz, 0x08, std::ldexp(1, -7)}};
    for (const Case& one : cases) {
        std::byte bytes[8];
        std::memcpy(bytes, &one.bits, 4);
        EXPECT_EQ(read_element(bytes, one.dtype), one.value) << dtype_name(one.dtype) << " " << one.bits;
    }
    for (auto [dtype, bits] : {std::pair(DType::f8e4m3fn, 0xFFu),
                               {DType::f8e4m3fnuz, 0x80u},
                               {DType::f8e5m2fnuz, 0x80u},
                               {DType::f16, 0x7C01u}}) {
        std::byte bytes[8];
        std::memcpy(bytes, &bits, 4);
        EXPECT_TRUE(std::isnan(read_element(bytes, dtype))) << dtype_name(dtype);
    }
}

}  // namespace
}  // namespace tritonsmith::plan
