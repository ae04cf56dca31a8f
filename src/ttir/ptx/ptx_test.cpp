#include "ttir/ptx/ptx.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "ttir/interp/interp_testing.h"

namespace tritonsmith::ttir {
namespace {

/// $0 of a text with one result and these arguments.
uint64_t result(const std::string& text, const std::vector<uint64_t>& arguments) {
    const PtxCode code(text, 1, static_cast<int>(arguments.size()));
    EXPECT_EQ(code.refusal(), "") << text;
    std::vector<uint64_t> registers(static_cast<size_t>(code.registers()));
    for (size_t i = 0; i < arguments.size(); ++i) registers[i + 1] = arguments[i];
    if (code.refusal().empty()) code.run(registers.data());
    return registers[0];
}
uint64_t bits(float f) {
    return std::bit_cast<uint32_t>(f);
}
float float_of(uint64_t b) {
    return std::bit_cast<float>(static_cast<uint32_t>(b));
}
uint32_t low(uint64_t b) {
    return static_cast<uint32_t>(b);
}

TEST(Ptx, IntegersAreExact) {
    EXPECT_EQ(low(result("mad.lo.s32 $0, $1, $2, $3;", {7, low(-3), 100})), 79u);
    EXPECT_EQ(low(result("mul.hi.u32 $0, $1, $2;", {0xFFFFFFFF, 0xFFFFFFFF})), 0xFFFFFFFEu);
    EXPECT_EQ(low(result("mul.hi.s32 $0, $1, $2;", {0xFFFFFFFF, 2})), 0xFFFFFFFFu);
    EXPECT_EQ(result("mul.wide.s32 $0, $1, $2;", {low(-5), 1 << 30}), static_cast<uint64_t>(-5LL << 30));
    EXPECT_EQ(low(result("min.s32 $0, $1, $2;", {low(-1), 1})), low(-1));
    EXPECT_EQ(low(result("min.u32 $0, $1, $2;", {low(-1), 1})), 1u);
    EXPECT_EQ(low(result("abs.s32 $0, $1;", {low(-9)})), 9u);
}

TEST(Ptx, ShiftsBeyondTheWidthAreDefined) {
    EXPECT_EQ(low(result("shl.b32 $0, $1, $2;", {1, 40})), 0u);
    EXPECT_EQ(low(result("shr.s32 $0, $1, 99;", {0x80000000})), 0xFFFFFFFFu);
    EXPECT_EQ(low(result("shr.u32 $0, $1, 31;", {0x80000000})), 1u);
    EXPECT_EQ(low(result("shf.l.wrap.b32 $0, $1, $2, 36;", {0x80000000, 1})), 0x18u);
    EXPECT_EQ(low(result("shf.r.clamp.b32 $0, $1, $2, 40;", {7, 9})), 9u);
}

TEST(Ptx, BitsAreMovedAndMerged) {
    EXPECT_EQ(low(result("prmt.b32 $0, $1, $2, 0x7610;", {0x33221100, 0x77665544})), 0x77661100u);
    EXPECT_EQ(low(result("prmt.b32 $0, $1, 0, 0x9;", {0x00008000})), 0xFFu | 0u);
    // (a & b) | c
    EXPECT_EQ(low(result("lop3.b32 $0, $1, $2, $3, 0xEA;", {0b1100, 0b1010, 0b0001})), 0b1001u);
    EXPECT_EQ(low(result("bfe.s32 $0, $1, 4, 4;", {0xF0})), 0xFFFFFFFFu);
    EXPECT_EQ(low(result("bfe.u32 $0, $1, 4, 4;", {0xF0})), 0xFu);
    EXPECT_EQ(low(result("bfi.b32 $0, $1, $2, 8, 4;", {0x5, 0xFFFFFFFF})), 0xFFFFF5FFu);
    EXPECT_EQ(low(result("brev.b32 $0, $1;", {1})), 0x80000000u);
    EXPECT_EQ(low(result("clz.b32 $0, $1;", {1})), 31u);
    EXPECT_EQ(low(result("mov.b32 $0, {$2, $1};", {0x1111, 0x2222})), 0x11112222u);
    EXPECT_EQ(low(result("{ .reg .b16 lo, hi; mov.b32 {lo, hi}, $1; mov.b32 $0, {hi, lo}; }", {0xAAAABBBB})),
              0xBBBBAAAAu);
}

TEST(Ptx, FloatsAreRoundedOnce) {
    EXPECT_EQ(float_of(result("fma.rn.f32 $0, $1, $2, $3;", {bits(0.1F), bits(0.3F), bits(-0.03F)})),
              std::fma(0.1F, 0.3F, -0.03F));
    // 1 + 2^-24 + 2^-60: a tie but for the last term.
    EXPECT_EQ(float_of(result("fma.rn.f32 $0, $1, $2, $3;", {bits(0x1p-30F), bits(0x1p-30F), bits(1.0F)})),
              1.0F);
    EXPECT_EQ(
        float_of(result("fma.rn.f32 $0, $1, $2, $3;", {bits(0x1.000002p-12F), bits(0x1p-12F), bits(1.0F)})),
        std::fma(0x1.000002p-12F, 0x1p-12F, 1.0F));
    EXPECT_EQ(float_of(result("add.sat.f32 $0, $1, $2;", {bits(2.0F), bits(3.0F)})), 1.0F);
    EXPECT_EQ(float_of(result("mul.ftz.f32 $0, $1, $2;", {bits(0x1p-100F), bits(0x1p-40F)})), 0.0F);
    EXPECT_EQ(float_of(result("ex2.approx.ftz.f32 $0, $1;", {bits(3.0F)})), 8.0F);
    EXPECT_EQ(float_of(result("neg.f32 $0, $1;", {bits(0.0F)})), 0.0F);
    EXPECT_TRUE(std::signbit(float_of(result("neg.f32 $0, $1;", {bits(0.0F)}))));
    EXPECT_EQ(float_of(result("max.f32 $0, $1, $2;", {bits(NAN), bits(2.0F)})), 2.0F);
    EXPECT_TRUE(std::isnan(float_of(result("max.NaN.f32 $0, $1, $2;", {bits(NAN), bits(2.0F)}))));
    // Halves of a pair: (1, 2) * (3, 4)
    EXPECT_EQ(low(result("mul.f16x2 $0, $1, $2;", {0x40003C00, 0x44004200})), 0x48004200u);
    EXPECT_EQ(low(result("fma.rn.bf16x2 $0, $1, $2, $3;", {0x3F804000, 0x40403F80, 0x3F803F80})),
              0x40804040u);
}

TEST(Ptx, ApproximationsShowTheirErrors) {
    double largest = 0;
    for (int angle = 200; angle < 300; ++angle) {
        const float found = float_of(result("sin.approx.f32 $0, $1;", {bits(static_cast<float>(angle))}));
        largest = std::max(largest, std::abs(found - std::sin(static_cast<double>(angle))));
    }
    EXPECT_LE(largest, std::exp2(-14.7));
    EXPECT_GE(largest, 0x1p-18);
    EXPECT_EQ(float_of(result("cos.approx.ftz.f32 $0, $1;", {bits(0.0F)})), 1.0F);
    EXPECT_EQ(float_of(result("lg2.approx.f32 $0, $1;", {bits(8.0F)})), 3.0F);
    EXPECT_EQ(float_of(result("lg2.approx.f32 $0, $1;", {bits(1.0F + 0x1p-23F)})), 0.0F);
}

TEST(Ptx, Conversions) {
    EXPECT_EQ(low(result("cvt.rni.s32.f32 $0, $1;", {bits(-2.5F)})), low(-2));
    EXPECT_EQ(low(result("cvt.rzi.s32.f32 $0, $1;", {bits(-2.5F)})), low(-2));
    EXPECT_EQ(low(result("cvt.rmi.s32.f32 $0, $1;", {bits(-2.5F)})), low(-3));
    EXPECT_EQ(low(result("cvt.rzi.s32.f32 $0, $1;", {bits(1e20F)})), 0x7FFFFFFFu);
    EXPECT_EQ(low(result("cvt.rzi.u32.f32 $0, $1;", {bits(-1.0F)})), 0u);
    EXPECT_EQ(low(result("cvt.sat.s8.s32 $0, $1;", {1000})) & 0xFF, 127u);
    EXPECT_EQ(float_of(result("cvt.rn.f32.s32 $0, $1;", {low(-7)})), -7.0F);
    EXPECT_EQ(low(result("cvt.rn.f16x2.f32 $0, $1, $2;", {bits(2.0F), bits(1.0F)})), 0x40003C00u);
    EXPECT_EQ(low(result("cvt.rn.bf16x2.f32 $0, $1, $2;", {bits(1.0F), bits(-2.0F)})), 0x3F80C000u);
    EXPECT_EQ(low(result("cvt.rn.satfinite.e4m3x2.f32 $0, $1, $2;", {bits(1.0F), bits(1e6F)})) & 0xFFFF,
              0x387Eu);
    EXPECT_EQ(low(result("cvt.rn.f16x2.e5m2x2 $0, $1;", {0x3C40})), 0x3C004000u);
    EXPECT_EQ(low(result("cvt.rz.f16.f32 $0, $1;", {bits(1.9999F)})), 0x3FFFu);
}

TEST(Ptx, PredicatesGuardAndSelect) {
    const std::string text =
        "{ .reg .pred p; setp.lt.s32 p, $1, $2; selp.b32 $0, 10, 20, p; @!p add.s32 $0, $0, 1; }";
    EXPECT_EQ(low(result(text, {low(-1), 0})), 10u);
    EXPECT_EQ(low(result(text, {1, 0})), 21u);
    EXPECT_EQ(low(result("{.reg .pred p<3>; setp.ltu.f32 p2, $1, $2; selp.u32 $0, 1, 0, p2;}",
                         {bits(NAN), bits(0.0F)})),
              1u);
    EXPECT_EQ(low(result("{.reg .pred p; setp.ne.f32 p, $1, $1; selp.u32 $0, 1, 0, p;}", {bits(NAN)})), 0u);
}

TEST(Ptx, WhatIsNotInTheListIsRefused) {
    for (const char* text : {"st.global.b32 [$1], $0;",
                             "ld.global.b32 $0, [$1];",
                             "mov.u64 $0, %globaltimer;",
                             "mov.u32 $0, %tid.x;",
                             "bar.sync 0;",
                             "membar.gl;",
                             "bra L1;",
                             "L1: mov.b32 $0, $1;",
                             "atom.add.u32 $0, [$1], 1;",
                             "trap;",
                             "mov.b32 $0, $9;",
                             "mov.b32 $0, x;",
                             "add.s32 $0, $1;",
                             "add.s32 $0, $1, 1.5;",
                             "mov.b32 $0 $1;",
                             "mov.b32 $0, $1",
                             "{ mov.b32 $0, $1;",
                             "shfl.sync.idx.b32 $0, $1, 0, 0, 0;",
                             "nanosleep.u32 10;",
                             "cvt.s32.f32 $0, $1;",
                             "cvt.rn.satfinite.e4m3x2.f16x2 $0, $1;",
                             "add.rp.f32 $0, $1, $1;",
                             "add.cc.u32 $0, $1, $1;",
                             "call f;",
                             "",
                             "mov.b32 $1, 5; mov.b32 $0, 1;",
                             "{.reg .b32 x; add.u32 $0, x, 1;}",
                             ".reg .b32 x<999999>;",
                             ".global .b32 x;",
                             "/*",
                             "@$1",
                             "mov.b32 5, $1;",
                             "add.s32 {$0,$1}, $1, $1;",
                             "\xff"})
        EXPECT_NE(PtxCode(text, 1, 1).refusal(), "") << text;
}

TEST(InlineAsm, RunsElementByElement) {
    testing::Kernel k(testing::elementwise(
        {"i32", "i32"}, "i32",
        "%r = tt.elementwise_inline_asm \"sub.s32 $0, $2, $1;\" {constraints = \"=r,r,r\", packed_element = "
        "1 "
        ": i32, pure = true} %v0, %v1 : tensor<64xi32>, tensor<64xi32> -> tensor<64xi32>"));
    std::vector<int32_t> a(64), b(64);
    for (int i = 0; i < 64; ++i) a[i] = i * i, b[i] = 3 * i;
    k.in(a);
    k.in(b);
    Buffer& out = k.out<int32_t>(64);
    k.clean();
    for (int i = 0; i < 64; ++i) EXPECT_EQ(testing::values<int32_t>(out)[i], b[i] - a[i]);
}

TEST(InlineAsm, NarrowElementsShareARegister) {
    testing::Kernel k(testing::elementwise({"i8"}, "i8",
                                           "%r = tt.elementwise_inline_asm \"prmt.b32 $0, $1, 0, 0x0123;\" "
                                           "{constraints = \"=r,r\", packed_element "
                                           "= 4 : i32, pure = true} %v0 : tensor<64xi8> -> tensor<64xi8>"));
    std::vector<int8_t> a(64);
    for (int i = 0; i < 64; ++i) a[i] = static_cast<int8_t>(i);
    k.in(a);
    Buffer& out = k.out<int8_t>(64);
    k.clean();
    for (int i = 0; i < 64; ++i) EXPECT_EQ(testing::values<int8_t>(out)[i], i / 4 * 4 + 3 - i % 4);
}

TEST(InlineAsm, ConstraintsMustFit) {
    for (const char* constraints : {"=r", "=r,r,r", "=l,r", "r,r", "=r,m", "=r,=r", "=r,i", ""}) {
        testing::Kernel k(testing::elementwise(
            {"i32"}, "i32",
            std::string("%r = tt.elementwise_inline_asm \"mov.b32 $0, $1;\" {constraints = \"") +
                constraints +
                "\", packed_element = 1 : i32, pure = true} %v0 : tensor<64xi32> -> tensor<64xi32>"));
        k.in(std::vector<int32_t>(64));
        k.out<int32_t>(64);
        EXPECT_NE(testing::find(k.run().findings, "inline_asm"), nullptr) << constraints;
    }
}

}  // namespace
}  // namespace tritonsmith::ttir
