#include <cmath>
#include <limits>
#include <random>
#include <type_traits>

#include "ttir/interp/interp_testing.h"
#include "ttir/interp/simd/exec_kernels.h"

namespace tritonsmith::ttir {
namespace {

using testing::elementwise;
using testing::Kernel;
using testing::values;

template <class T>
std::vector<T> numbers(int n, T low, T high, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<T> v(static_cast<size_t>(n));
    for (T& x : v) {
        if constexpr (std::is_floating_point_v<T>)
            x = std::uniform_real_distribution<T>(low, high)(random);
        else
            x = static_cast<T>(std::uniform_int_distribution<int64_t>(low, high)(random));
    }
    return v;
}

template <class T, class R = T>
void binary(const std::string& op, const std::string& type, const std::string& result,
            const std::vector<T>& a, const std::vector<T>& b, std::type_identity_t<R (*)(T, T)> expected) {
    const int n = static_cast<int>(a.size());
    const std::string t = "tensor<" + std::to_string(n) + "x" + type + ">";
    Kernel k(elementwise({type, type}, result, " %r = " + op + " %v0, %v1 : " + t, n));
    k.in(a);
    k.in(b);
    Buffer& out = k.out<R>(n);
    k.clean();
    const auto got = values<R>(out);
    for (size_t i = 0; i < a.size(); ++i)
        ASSERT_EQ(got[i], expected(a[i], b[i])) << op << " of " << +a[i] << " and " << +b[i];
}

TEST(Integers, Wrap) {
    auto a = numbers<int32_t>(1024, INT32_MIN, INT32_MAX, 1),
         b = numbers<int32_t>(1024, INT32_MIN, INT32_MAX, 2);
    using I = int32_t;
    using U = uint32_t;
    binary<I>("arith.addi", "i32", "i32", a, b, [](I x, I y) { return static_cast<I>(U(x) + U(y)); });
    binary<I>("arith.subi", "i32", "i32", a, b, [](I x, I y) { return static_cast<I>(U(x) - U(y)); });
    binary<I>("arith.muli", "i32", "i32", a, b, [](I x, I y) { return static_cast<I>(U(x) * U(y)); });
    binary<I>("arith.maxui", "i32", "i32", a, b, [](I x, I y) { return U(x) > U(y) ? x : y; });
    binary<I>("arith.minsi", "i32", "i32", a, b, [](I x, I y) { return x < y ? x : y; });
    binary<I>("tt.mulhiui", "i32", "i32", a, b,
              [](I x, I y) { return static_cast<I>((uint64_t{U(x)} * U(y)) >> 32); });
    for (I& y : b) y = y == 0 ? 1 : y;
    binary<I>("arith.divsi", "i32", "i32", a, b, [](I x, I y) { return static_cast<I>(int64_t{x} / y); });
    binary<I>("arith.remsi", "i32", "i32", a, b, [](I x, I y) { return static_cast<I>(int64_t{x} % y); });
    binary<I>("arith.divui", "i32", "i32", a, b, [](I x, I y) { return static_cast<I>(U(x) / U(y)); });
    binary<I>("arith.remui", "i32", "i32", a, b, [](I x, I y) { return static_cast<I>(U(x) % U(y)); });
}

TEST(Integers, DivisionIsExactAtTheEdges) {
    std::vector<int32_t> a, b;
    for (int32_t x : {INT32_MIN + 1, INT32_MAX, INT32_MAX - 1, -7, 7, 0, 1, -1})
        for (int32_t y : {1, -1, 2, -2, 3, INT32_MAX, INT32_MIN, 7}) a.push_back(x), b.push_back(y);
    binary<int32_t>("arith.divsi", "i32", "i32", a, b,
                    [](int32_t x, int32_t y) { return static_cast<int32_t>(int64_t{x} / y); });
    binary<int32_t>("arith.floordivsi", "i32", "i32", a, b, [](int32_t x, int32_t y) {
        return static_cast<int32_t>(std::floor(static_cast<long double>(x) / y));
    });
    binary<int32_t>("arith.ceildivsi", "i32", "i32", a, b, [](int32_t x, int32_t y) {
        return static_cast<int32_t>(std::ceil(static_cast<long double>(x) / y));
    });
}

TEST(Integers, SmallAndWide) {
    binary<int8_t>("arith.muli", "i8", "i8", numbers<int8_t>(64, -128, 127, 3),
                   numbers<int8_t>(64, -128, 127, 4),
                   [](int8_t x, int8_t y) { return static_cast<int8_t>(x * y); });
    binary<int64_t>("arith.addi", "i64", "i64", numbers<int64_t>(64, INT64_MIN, INT64_MAX, 3),
                    numbers<int64_t>(64, INT64_MIN, INT64_MAX, 4),
                    [](int64_t x, int64_t y) { return static_cast<int64_t>(uint64_t(x) + uint64_t(y)); });
    binary<int16_t, uint8_t>("arith.cmpi ult,", "i16", "i1", numbers<int16_t>(64, -300, 300, 3),
                             numbers<int16_t>(64, -300, 300, 4), [](int16_t x, int16_t y) {
                                 return static_cast<uint8_t>(uint16_t(x) < uint16_t(y));
                             });
}

TEST(Integers, Shifts) {
    binary<int32_t>("arith.shrsi", "i32", "i32", numbers<int32_t>(64, INT32_MIN, INT32_MAX, 5),
                    numbers<int32_t>(64, 0, 31, 6), [](int32_t x, int32_t y) { return x >> y; });
    binary<int32_t>("arith.shrui", "i32", "i32", numbers<int32_t>(64, INT32_MIN, INT32_MAX, 5),
                    numbers<int32_t>(64, 0, 31, 6),
                    [](int32_t x, int32_t y) { return static_cast<int32_t>(uint32_t(x) >> y); });
    Kernel k(elementwise({"i32", "i32"}, "i32", " %r = arith.shli %v0, %v1 : tensor<64xi32>"));
    k.in(std::vector<int32_t>(64, 5));
    std::vector<int32_t> by(64, 3);
    by[17] = 32;
    k.in(by);
    k.out<int32_t>(64);
    const LaunchReport r = k.run();
    const Finding* f = testing::find(r.findings, "shift_out_of_range");
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->evidence["lane"], 17);
    EXPECT_EQ(f->evidence["right"], 32);
}

TEST(Floats, ArithmeticIsIeee) {
    std::vector<float> a = numbers<float>(64, -10, 10, 7), b = numbers<float>(64, -10, 10, 8);
    const float nan = std::nanf(""), inf = INFINITY;
    a[0] = nan, a[1] = inf, a[2] = -0.0f, a[3] = 0.0f, b[2] = 0.0f, b[3] = -0.0f, b[4] = nan, a[5] = 1e-40f;
    const auto same = [](float x, float y) { return std::memcmp(&x, &y, 4) == 0 || (x != x && y != y); };
    const auto check = [&](const std::string& op, float (*expected)(float, float)) {
        Kernel k(elementwise({"f32", "f32"}, "f32", " %r = " + op + " %v0, %v1 : tensor<64xf32>"));
        k.in(a);
        k.in(b);
        Buffer& out = k.out<float>(64);
        k.clean();
        const auto got = values<float>(out);
        for (size_t i = 0; i < 64; ++i)
            EXPECT_TRUE(same(got[i], expected(a[i], b[i])))
                << op << " " << a[i] << " " << b[i] << " " << got[i];
    };
    check("arith.addf", [](float x, float y) { return x + y; });
    check("arith.divf", [](float x, float y) { return x / y; });
    check("arith.maxnumf", [](float x, float y) {
        return x != x ? y : y != y ? x : x > y ? x : y > x ? y : std::signbit(x) ? y : x;
    });
    check("arith.minnumf", [](float x, float y) {
        return x != x ? y : y != y ? x : x < y ? x : y < x ? y : std::signbit(x) ? x : y;
    });
    check("arith.maximumf", [](float x, float y) {
        return x != x ? x : y != y ? y : x > y ? x : y > x ? y : std::signbit(x) ? y : x;
    });
    check("arith.minimumf", [](float x, float y) {
        return x != x ? x : y != y ? y : x < y ? x : y < x ? y : std::signbit(x) ? x : y;
    });
}

TEST(Floats, ComparisonsOfNan) {
    const float nan = std::nanf("");
    const std::vector<float> a = {1, 2, 1, nan}, b = {2, 1, 1, 1};
    const auto check = [&](const std::string& predicate, std::vector<uint8_t> expected) {
        Kernel k(elementwise({"f32", "f32"}, "i1",
                             " %r = arith.cmpf " + predicate + ", %v0, %v1 : tensor<4xf32>", 4));
        k.in(a);
        k.in(b);
        Buffer& out = k.out<uint8_t>(4);
        k.clean();
        EXPECT_EQ(values<uint8_t>(out), expected) << predicate;
    };
    check("olt", {1, 0, 0, 0});
    check("ult", {1, 0, 0, 1});
    check("oge", {0, 1, 1, 0});
    check("uge", {0, 1, 1, 1});
    check("oeq", {0, 0, 1, 0});
    check("ueq", {0, 0, 1, 1});
    check("one", {1, 1, 0, 0});
    check("une", {1, 1, 0, 1});
    check("ord", {1, 1, 1, 0});
    check("uno", {0, 0, 0, 1});
}

double ulps(float got, double exact) {
    const auto nearest = static_cast<float>(exact);
    if (got == nearest || (std::isnan(got) && std::isnan(nearest))) return 0;
    const float next = std::nextafter(std::fabs(nearest), INFINITY);
    return std::fabs(static_cast<double>(got) - exact) /
           (static_cast<double>(next) - std::fabs(static_cast<double>(nearest)));
}

TEST(Math, FloatFunctionsAreWithinOneUlp) {
    struct Case {
        const char* op;
        double (*exact)(double);
        float low, high;
    };
    const Case cases[] = {{"math.exp", std::exp, -110, 95},
                          {"math.exp2", std::exp2, -155, 130},
                          {"math.log", std::log, 1e-40f, 1e30f},
                          {"math.log", std::log, 0.5f, 2},
                          {"math.log2", std::log2, 0.9f, 1.1f},
                          {"math.log10", std::log10, 1e-3f, 1e3f},
                          {"math.tanh", std::tanh, -10, 10},
                          {"math.tanh", std::tanh, -0.1f, 0.1f},
                          {"math.erf", std::erf, -4, 4},
                          {"math.erf", std::erf, -1e-3f, 1e-3f},
                          {"math.sin", std::sin, -1000, 1000},
                          {"math.cos", std::cos, -1e5f, 1e5f},
                          {"math.sin", std::sin, -1e7f, 1e7f},
                          {"math.rsqrt", [](double x) { return 1 / std::sqrt(x); }, 1e-38f, 1e10f}};
    for (const Case& c : cases) {
        const int n = 8192;
        Kernel k(elementwise({"f32"}, "f32", std::string(" %r = ") + c.op + " %v0 : tensor<8192xf32>", n));
        const auto x = numbers<float>(n, c.low, c.high, 9);
        k.in(x);
        Buffer& out = k.out<float>(n);
        k.clean();
        const auto got = values<float>(out);
        for (int i = 0; i < n; ++i) {
            const auto at = static_cast<size_t>(i);
            ASSERT_LE(ulps(got[at], c.exact(static_cast<double>(x[at]))), 1.0)
                << c.op << " of " << x[at] << " gave " << got[at];
        }
    }
}

TEST(Math, SpecialValues) {
    const float inf = INFINITY, nan = std::nanf("");
    const auto check = [&](const std::string& op, std::vector<float> in, const std::vector<float>& expected) {
        in.resize(8, 1.0f);
        Kernel k(elementwise({"f32"}, "f32", " %r = " + op + " %v0 : tensor<8xf32>", 8));
        k.in(in);
        Buffer& out = k.out<float>(8);
        k.clean();
        const auto got = values<float>(out);
        for (size_t i = 0; i < expected.size(); ++i)
            EXPECT_TRUE(got[i] == expected[i] || (got[i] != got[i] && expected[i] != expected[i]))
                << op << " of " << in[i] << " gave " << got[i];
    };
    check("math.exp", {inf, -inf, nan, 0, 1000, -1000}, {inf, 0, nan, 1, inf, 0});
    check("math.log", {0, -0.0f, -1, inf, nan, 1}, {-inf, -inf, nan, inf, nan, 0});
    check("math.tanh", {inf, -inf, nan, 0, 100, -100}, {1, -1, nan, 0, 1, -1});
    check("math.erf", {inf, -inf, nan, 0}, {1, -1, nan, 0});
    check("math.sin", {inf, nan, 0}, {nan, nan, 0});
    check("math.rsqrt", {0, inf, -1}, {inf, 0, nan});
}

TEST(Casts, SaturateAsTheHardware) {
    const float inf = INFINITY, nan = std::nanf("");
    const std::vector<float> x = {1.9f, -1.9f, 3e9f, -3e9f, inf, -inf, nan, 0.5f};
    Kernel k(elementwise({"f32"}, "i32", " %r = arith.fptosi %v0 : tensor<8xf32> to tensor<8xi32>", 8));
    k.in(x);
    Buffer& out = k.out<int32_t>(8);
    k.clean();
    EXPECT_EQ(values<int32_t>(out),
              (std::vector<int32_t>{1, -1, INT32_MAX, INT32_MIN, INT32_MAX, INT32_MIN, 0, 0}));
    Kernel u(elementwise({"f32"}, "i32", " %r = arith.fptoui %v0 : tensor<8xf32> to tensor<8xi32>", 8));
    u.in(x);
    Buffer& uo = u.out<uint32_t>(8);
    u.clean();
    EXPECT_EQ(values<uint32_t>(uo), (std::vector<uint32_t>{1, 0, 3000000000u, 0, UINT32_MAX, 0, 0, 0}));
}

TEST(Casts, HalfRoundsOnce) {
    // 2049 lies between two halves; double to half must not round twice: 1 + 2^-11 + 2^-40 rounds up.
    Kernel k(elementwise({"f64"}, "f16", " %r = arith.truncf %v0 : tensor<8xf64> to tensor<8xf16>", 8));
    k.in(std::vector<double>{2049.0, 2051.0, 1 + std::ldexp(1, -11) + std::ldexp(1, -40), 65519.0, 65520.0,
                             1e-8, -0.0, 5.9604644775390625e-08});
    Buffer& out = k.out<uint16_t>(8);
    k.clean();
    EXPECT_EQ(values<uint16_t>(out),
              (std::vector<uint16_t>{0x6800, 0x6802, 0x3C01, 0x7BFF, 0x7C00, 0x0000, 0x8000, 0x0001}));
}

TEST(Casts, EightBitFloats) {
    Kernel k(elementwise({"f32"}, "f8E4M3FN",
                         " %r = tt.fp_to_fp %v0, rounding = rtne : tensor<8xf32> -> tensor<8xf8E4M3FN>", 8));
    k.in(std::vector<float>{1.0f, 448.0f, 1000.0f, -1000.0f, 0.001953125f, 0.0009765625f, 17.0f,
                            std::nanf("")});
    Buffer& out = k.out<uint8_t>(8);
    k.clean();
    EXPECT_EQ(values<uint8_t>(out), (std::vector<uint8_t>{0x38, 0x7E, 0x7E, 0xFE, 0x01, 0x00, 0x58, 0x7F}));
}

/// Every instruction set that this machine runs gives the same bits (but for fused products: tt.dot alone).
TEST(Kernels, AllInstructionSetsAgree) {
    const KernelSet& base = isa_base::kernel_set();
    const KernelSet& best = kernels();
    ASSERT_EQ(base.entry_count, best.entry_count);
    std::mt19937_64 random(5);
    std::vector<uint64_t> a(200), b(200), c(200);
    for (auto* v : {&a, &b, &c})
        for (uint64_t& x : *v) x = random();
    for (int64_t e = 0; e < base.entry_count; ++e) {
        const KernelEntry& entry = base.entries[e];
        std::vector<uint64_t> in[3] = {a, b, c};
        for (auto& v : in) {
            // Numbers of moderate size in the entry's type, so that functions are compared where they are
            // defined.
            for (size_t i = 0; i < v.size(); ++i) {
                const double x = static_cast<double>(static_cast<int64_t>(v[i] % 4001) - 2000) / 37.0;
                if (entry.type == Scalar::f32) reinterpret_cast<float*>(v.data())[i] = static_cast<float>(x);
                if (entry.type == Scalar::f64) reinterpret_cast<double*>(v.data())[i] = x;
                if (entry.type == Scalar::i1)
                    reinterpret_cast<uint8_t*>(v.data())[i] = static_cast<uint8_t>(v[i] & 1);
            }
        }
        if (std::string_view(entry.name) == "select")
            for (size_t i = 0; i < 200; ++i) reinterpret_cast<uint8_t*>(in[0].data())[i] &= 1;
        const std::byte* operands[3] = {reinterpret_cast<std::byte*>(in[0].data()),
                                        reinterpret_cast<std::byte*>(in[1].data()),
                                        reinterpret_cast<std::byte*>(in[2].data())};
        std::vector<uint64_t> x(200), y(200);
        entry.fn(reinterpret_cast<std::byte*>(x.data()), operands, 199);
        best.entries[e].fn(reinterpret_cast<std::byte*>(y.data()), operands, 199);
        EXPECT_EQ(std::memcmp(x.data(), y.data(), x.size() * 8), 0)
            << entry.name << " on type " << static_cast<int>(entry.type);
    }
}

}  // namespace
}  // namespace tritonsmith::ttir
