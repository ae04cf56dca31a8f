#include "ttir/interp/simd/libdevice.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <string>

#include "ttir/interp/simd/approximate.h"
#include "ttir/interp/simd/libdevice_rounding.h"

namespace tritonsmith::ttir {
namespace {

using rounding::Mode;

template <class R, class A, auto F>
void map1(std::byte* out, const std::byte* const* in, int64_t n) {
    for (int64_t i = 0; i < n; ++i) reinterpret_cast<R*>(out)[i] = F(reinterpret_cast<const A*>(in[0])[i]);
}
template <class R, class A, class B, auto F>
void map2(std::byte* out, const std::byte* const* in, int64_t n) {
    for (int64_t i = 0; i < n; ++i)
        reinterpret_cast<R*>(out)[i] =
            F(reinterpret_cast<const A*>(in[0])[i], reinterpret_cast<const B*>(in[1])[i]);
}
template <class R, class A, auto F>
void map3(std::byte* out, const std::byte* const* in, int64_t n) {
    for (int64_t i = 0; i < n; ++i)
        reinterpret_cast<R*>(out)[i] =
            F(reinterpret_cast<const A*>(in[0])[i], reinterpret_cast<const A*>(in[1])[i],
              reinterpret_cast<const A*>(in[2])[i]);
}
template <auto F>
void map4(std::byte* out, const std::byte* const* in, int64_t n) {
    using A = decltype(F(0.0f, 0.0f, 0.0f, 0.0f));
    for (int64_t i = 0; i < n; ++i)
        reinterpret_cast<A*>(out)[i] =
            F(reinterpret_cast<const A*>(in[0])[i], reinterpret_cast<const A*>(in[1])[i],
              reinterpret_cast<const A*>(in[2])[i], reinterpret_cast<const A*>(in[3])[i]);
}

// Functions that libm does not have. All in double; float versions round the double result.
double normcdf(double x) {
    return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}
double erfcx(double x) {
    if (x < 25) return std::exp(x * x) * std::erfc(x);
    const double s = 1 / (x * x);  // asymptotic series
    return (1 - s * (0.5 - s * (0.75 - s * 1.875))) / (x * std::sqrt(std::numbers::pi));
}
/// Giles, Approximating the erfinv function (2012), then two Newton steps in double.
double erfinv(double x) {
    if (std::isnan(x) || x < -1 || x > 1) return std::nan("");
    if (x == 1 || x == -1) return std::copysign(INFINITY, x);
    double w = -std::log((1 - x) * (1 + x)), p = 0;
    if (w < 5) {
        w -= 2.5;
        p = 2.81022636e-08;
        for (double c : {3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503,
                         -0.00417768164, 0.246640727, 1.50140941})
            p = c + p * w;
    } else {
        w = std::sqrt(w) - 3;
        p = -0.000200214257;
        for (double c : {0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613,
                         0.00943887047, 1.00167406, 2.83297682})
            p = c + p * w;
    }
    double y = p * x;
    for (int i = 0; i < 2; ++i) {
        const double f = x > 0.5    ? (1 - x) - std::erfc(y)
                         : x < -0.5 ? std::erfc(-y) - (1 + x)
                                    : std::erf(y) - x;
        const double g = x > 0.5 ? -f : f;
        const double slope = 2 / std::sqrt(std::numbers::pi) * std::exp(-y * y);
        if (slope == 0) break;
        y -= (x > 0.5 ? -g : x < -0.5 ? g : f) / slope;
    }
    return y;
}
double erfcinv(double x) {
    if (x > 0.5) return erfinv(1 - x);
    if (std::isnan(x) || x < 0) return std::nan("");
    if (x == 0) return INFINITY;
    // Newton on log(erfc), from the asymptotic start.
    double y =
        std::sqrt(-std::log(x * std::sqrt(std::numbers::pi) * std::sqrt(-std::log(x) + 1e-300)) + 1e-3);
    for (int i = 0; i < 60; ++i) {
        const double e = std::erfc(y), slope = -2 / std::sqrt(std::numbers::pi) * std::exp(-y * y);
        const double step = (std::log(e) - std::log(x)) * e / slope;
        y -= step;
        if (std::fabs(step) < 1e-16 * std::fabs(y)) break;
    }
    return y;
}
double normcdfinv(double x) {
    return -std::numbers::sqrt2 * erfcinv(2 * x);
}
double sinpi(double x) {
    if (!std::isfinite(x)) return std::nan("");
    double r = std::fmod(std::fabs(x), 2.0), sign = std::signbit(x) ? -1 : 1;
    if (r >= 1) r -= 1, sign = -sign;
    return sign * (r == 0      ? 0.0
                   : r <= 0.25 ? std::sin(std::numbers::pi * r)
                   : r <= 0.75 ? std::cos(std::numbers::pi * (0.5 - r))
                               : std::sin(std::numbers::pi * (1 - r)));
}
double cospi(double x) {
    if (!std::isfinite(x)) return std::nan("");
    double r = std::fmod(std::fabs(x), 2.0), sign = 1;
    if (r > 1) r = 2 - r;
    if (r > 0.5) r = 1 - r, sign = -1;
    return sign * (r <= 0.25 ? std::cos(std::numbers::pi * r) : std::sin(std::numbers::pi * (0.5 - r)));
}
double power_int(double x, int32_t n) {
    return std::pow(x, static_cast<double>(n));
}
double rnorm3(double a, double b, double c) {
    return 1 / std::sqrt(a * a + b * b + c * c);
}

uint32_t brev(uint32_t v) {
    uint32_t r = 0;
    for (int i = 0; i < 32; ++i) r |= (v >> i & 1) << (31 - i);
    return r;
}
/// As the documentation of __fdividef says: 0 for divisors between 2^126 and 2^128.
float fast_divide(float a, float b) {
    return std::fabs(b) > 0x1p126f && std::isfinite(b) ? 0.0f * a : a / b;
}
float fast_sine(float x) {
    return static_cast<float>(approximate::sine(x));
}
float fast_cosine(float x) {
    return static_cast<float>(approximate::cosine(x));
}
float fast_log2(float x) {
    return static_cast<float>(approximate::logarithm(x));
}
float saturate(float x) {
    return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f;
}
uint64_t brev64(uint64_t x) {
    return static_cast<uint64_t>(brev(static_cast<uint32_t>(x))) << 32 | brev(static_cast<uint32_t>(x >> 32));
}
int32_t mul24(int32_t a, int32_t b) {
    const auto low = [](int32_t v) {
        return static_cast<int64_t>(static_cast<int32_t>(static_cast<uint32_t>(v) << 8) >> 8);
    };
    return static_cast<int32_t>(static_cast<uint32_t>(low(a) * low(b)));
}
uint32_t sad(int32_t a, int32_t b, int32_t c) {
    const int64_t d = static_cast<int64_t>(a) - b;
    return static_cast<uint32_t>(d < 0 ? -d : d) + static_cast<uint32_t>(c);
}

uint32_t byte_perm(uint32_t a, uint32_t b, uint32_t s) {
    const uint64_t both = static_cast<uint64_t>(b) << 32 | a;
    uint32_t r = 0;
    for (int i = 0; i < 4; ++i) {
        const uint32_t pick = s >> (4 * i) & 0xF;
        auto byte = static_cast<uint32_t>(both >> (8 * (pick & 7)) & 0xFF);
        if ((pick & 8) != 0) byte = (byte & 0x80) != 0 ? 0xFF : 0;
        r |= byte << (8 * i);
    }
    return r;
}

using Functions = std::map<std::string, KernelFn, std::less<>>;

#define F1(name, expr)                                      \
    t["__nv_" name "f"] = map1<float, float, [](float xf) { \
        [[maybe_unused]] const double x = xf;               \
        return static_cast<float>(expr);                    \
    }>;                                                     \
    t["__nv_" name] = map1<double, double, [](double x) { return static_cast<double>(expr); }>
#define F2(name, expr)                                                       \
    t["__nv_" name "f"] = map2<float, float, float, [](float xf, float yf) { \
        const double x = xf, y = yf;                                         \
        return static_cast<float>(expr);                                     \
    }>;                                                                      \
    t["__nv_" name] =                                                        \
        map2<double, double, double, [](double x, double y) { return static_cast<double>(expr); }>
#define LIBM1(name, fn)                                                                               \
    t["__nv_" name "f"] = map1<float, float, [](float x) { return static_cast<float>(std::fn(x)); }>; \
    t["__nv_" name] = map1<double, double, [](double x) { return static_cast<double>(std::fn(x)); }>
#define LIBM2(name, fn)                                                                                \
    t["__nv_" name "f"] =                                                                              \
        map2<float, float, float, [](float x, float y) { return static_cast<float>(std::fn(x, y)); }>; \
    t["__nv_" name] =                                                                                  \
        map2<double, double, double, [](double x, double y) { return static_cast<double>(std::fn(x, y)); }>

void add_functions(Functions& t) {
    LIBM1("acos", acos);
    LIBM1("acosh", acosh);
    LIBM1("asin", asin);
    LIBM1("asinh", asinh);
    LIBM1("atan", atan);
    LIBM1("atanh", atanh);
    LIBM1("cbrt", cbrt);
    LIBM1("ceil", ceil);
    LIBM1("cos", cos);
    LIBM1("cosh", cosh);
    LIBM1("erf", erf);
    LIBM1("erfc", erfc);
    LIBM1("exp", exp);
    LIBM1("exp2", exp2);
    LIBM1("expm1", expm1);
    LIBM1("floor", floor);
    LIBM1("lgamma", lgamma);
    LIBM1("log", log);
    LIBM1("log10", log10);
    LIBM1("log1p", log1p);
    LIBM1("log2", log2);
    LIBM1("logb", logb);
    LIBM1("nearbyint", nearbyint);
    LIBM1("rint", rint);
    LIBM1("round", round);
    LIBM1("sin", sin);
    LIBM1("sinh", sinh);
    LIBM1("sqrt", sqrt);
    LIBM1("tan", tan);
    LIBM1("tanh", tanh);
    LIBM1("tgamma", tgamma);
    LIBM1("trunc", trunc);
    LIBM2("atan2", atan2);
    LIBM2("copysign", copysign);
    LIBM2("fdim", fdim);
    LIBM2("fmod", fmod);
    LIBM2("hypot", hypot);
    LIBM2("nextafter", nextafter);
    LIBM2("pow", pow);
    LIBM2("remainder", remainder);
    LIBM2("fmax", fmax);
    LIBM2("fmin", fmin);
    F1("fabs", std::fabs(x));
    F1("exp10", std::pow(10.0, x));
    F1("rsqrt", 1 / std::sqrt(x));
    F1("rcbrt", 1 / std::cbrt(x));
    F1("normcdf", normcdf(x));
    F1("normcdfinv", normcdfinv(x));
    F1("erfcx", erfcx(x));
    F1("erfinv", erfinv(x));
    F1("erfcinv", erfcinv(x));
    F1("sinpi", sinpi(x));
    F1("cospi", cospi(x));
    F1("j0", ::j0(x));
    F1("j1", ::j1(x));
    F1("y0", ::y0(x));
    F1("y1", ::y1(x));
    F1("cyl_bessel_i0", std::cyl_bessel_i(0.0, std::fabs(x)));
    F1("cyl_bessel_i1", std::copysign(std::cyl_bessel_i(1.0, std::fabs(x)), x));
    F2("rhypot", 1 / std::hypot(x, y));
    t["__nv_fabsf"] = map1<float, float, [](float x) { return std::fabs(x); }>;
    t["__nv_fabs"] = map1<double, double, [](double x) { return std::fabs(x); }>;
    // The frequent ones of float in vectors.
    for (const auto& [symbol, kernel] : {std::pair{"__nv_expf", "exp"},
                                         {"__nv_exp2f", "exp2"},
                                         {"__nv_logf", "log"},
                                         {"__nv_log2f", "log2"},
                                         {"__nv_log10f", "log10"},
                                         {"__nv_tanhf", "tanh"},
                                         {"__nv_erff", "erf"},
                                         {"__nv_rsqrtf", "rsqrt"},
                                         {"__nv_sinf", "sin"},
                                         {"__nv_cosf", "cos"},
                                         {"__nv_sqrtf", "sqrt"},
                                         {"__nv_floorf", "floor"},
                                         {"__nv_ceilf", "ceil"},
                                         {"__nv_truncf", "trunc"}})
        t[symbol] = find_kernel(kernel, Scalar::f32);
    t["__nv_saturatef"] = map1<float, float, saturate>;
    t["__nv_norm3df"] =
        map3<float, float, [](float a, float b, float c) { return static_cast<float>(1 / rnorm3(a, b, c)); }>;
    t["__nv_norm3d"] = map3<double, double, [](double a, double b, double c) { return std::hypot(a, b, c); }>;
    t["__nv_rnorm3df"] =
        map3<float, float, [](float a, float b, float c) { return static_cast<float>(rnorm3(a, b, c)); }>;
    t["__nv_rnorm3d"] =
        map3<double, double, [](double a, double b, double c) { return 1 / std::hypot(a, b, c); }>;
    t["__nv_norm4df"] = map4<[](float a, float b, float c, float d) {
        return static_cast<float>(std::hypot(std::hypot(double(a), double(b), double(c)), double(d)));
    }>;
    t["__nv_rnorm4df"] = map4<[](float a, float b, float c, float d) {
        return static_cast<float>(1 / std::hypot(std::hypot(double(a), double(b), double(c)), double(d)));
    }>;
    t["__nv_norm4d"] =
        map4<[](double a, double b, double c, double d) { return std::hypot(std::hypot(a, b, c), d); }>;
    t["__nv_rnorm4d"] =
        map4<[](double a, double b, double c, double d) { return 1 / std::hypot(std::hypot(a, b, c), d); }>;
    t["__nv_fmaf"] = find_kernel("fma", Scalar::f32);
    t["__nv_fma"] = find_kernel("fma", Scalar::f64);
    t["__nv_ldexpf"] = t["__nv_scalbnf"] =
        map2<float, float, int32_t, [](float x, int32_t n) { return std::ldexp(x, n); }>;
    t["__nv_ldexp"] = t["__nv_scalbn"] =
        map2<double, double, int32_t, [](double x, int32_t n) { return std::ldexp(x, n); }>;
    t["__nv_powif"] =
        map2<float, float, int32_t, [](float x, int32_t n) { return static_cast<float>(power_int(x, n)); }>;
    t["__nv_powi"] = map2<double, double, int32_t, [](double x, int32_t n) { return power_int(x, n); }>;
    t["__nv_jnf"] = map2<float, int32_t, float,
                         [](int32_t n, float x) { return static_cast<float>(::jn(n, double(x))); }>;
    t["__nv_jn"] = map2<double, int32_t, double, [](int32_t n, double x) { return ::jn(n, x); }>;
    t["__nv_ynf"] = map2<float, int32_t, float,
                         [](int32_t n, float x) { return static_cast<float>(::yn(n, double(x))); }>;
    t["__nv_yn"] = map2<double, int32_t, double, [](int32_t n, double x) { return ::yn(n, x); }>;
    t["__nv_ilogbf"] = map1<int32_t, float, [](float x) { return static_cast<int32_t>(std::ilogb(x)); }>;
    t["__nv_ilogb"] = map1<int32_t, double, [](double x) { return static_cast<int32_t>(std::ilogb(x)); }>;
    t["__nv_llrintf"] = map1<int64_t, float, [](float x) { return rounding::integer<int64_t>(x, Mode::rn); }>;
    t["__nv_llrint"] =
        map1<int64_t, double, [](double x) { return rounding::integer<int64_t>(x, Mode::rn); }>;
    t["__nv_llroundf"] =
        map1<int64_t, float, [](float x) { return rounding::integer<int64_t>(std::round(x), Mode::rz); }>;
    t["__nv_llround"] =
        map1<int64_t, double, [](double x) { return rounding::integer<int64_t>(std::round(x), Mode::rz); }>;
    t["__nv_isnanf"] = map1<int32_t, float, [](float x) { return int32_t{std::isnan(x)}; }>;
    t["__nv_isnand"] = map1<int32_t, double, [](double x) { return int32_t{std::isnan(x)}; }>;
    t["__nv_isinff"] = map1<int32_t, float, [](float x) { return int32_t{std::isinf(x)}; }>;
    t["__nv_isinfd"] = map1<int32_t, double, [](double x) { return int32_t{std::isinf(x)}; }>;
    t["__nv_finitef"] = map1<int32_t, float, [](float x) { return int32_t{std::isfinite(x)}; }>;
    t["__nv_isfinited"] = map1<int32_t, double, [](double x) { return int32_t{std::isfinite(x)}; }>;
    t["__nv_signbitf"] = map1<int32_t, float, [](float x) { return int32_t{std::signbit(x)}; }>;
    t["__nv_signbitd"] = map1<int32_t, double, [](double x) { return int32_t{std::signbit(x)}; }>;
    t["__nv_rcp64h"] = map1<double, double, [](double x) {
        return std::bit_cast<double>(std::bit_cast<uint64_t>(1 / x) >> 32 << 32);
    }>;
}

/// As libdevice makes them of the special function unit's instructions, with its constants.
void add_fast_functions(Functions& t) {
    t["__nv_fast_sinf"] = map1<float, float, fast_sine>;
    t["__nv_fast_cosf"] = map1<float, float, fast_cosine>;
    t["__nv_fast_tanf"] =
        map1<float, float, [](float x) { return fast_divide(fast_sine(x), fast_cosine(x)); }>;
    t["__nv_fast_tanhf"] =
        map1<float, float, [](float x) { return static_cast<float>(approximate::hyperbolic_tangent(x)); }>;
    t["__nv_fast_log2f"] = map1<float, float, fast_log2>;
    t["__nv_fast_logf"] = map1<float, float, [](float x) { return 0.6931472F * fast_log2(x); }>;
    t["__nv_fast_log10f"] = map1<float, float, [](float x) { return 0.3010300F * fast_log2(x); }>;
    t["__nv_fast_expf"] = map1<float, float, [](float x) { return std::exp2(x * 1.442695F); }>;
    t["__nv_fast_exp10f"] = map1<float, float, [](float x) { return std::exp2(x * 3.3219280F); }>;
    t["__nv_fast_powf"] =
        map2<float, float, float, [](float x, float y) { return std::exp2(y * fast_log2(x)); }>;
    t["__nv_fast_fdividef"] = map2<float, float, float, fast_divide>;
}

void add_integers(Functions& t) {
    t["__nv_clz"] =
        map1<int32_t, uint32_t, [](uint32_t x) { return static_cast<int32_t>(std::countl_zero(x)); }>;
    t["__nv_clzll"] =
        map1<int32_t, uint64_t, [](uint64_t x) { return static_cast<int32_t>(std::countl_zero(x)); }>;
    t["__nv_popc"] =
        map1<int32_t, uint32_t, [](uint32_t x) { return static_cast<int32_t>(std::popcount(x)); }>;
    t["__nv_popcll"] =
        map1<int32_t, uint64_t, [](uint64_t x) { return static_cast<int32_t>(std::popcount(x)); }>;
    t["__nv_ffs"] = map1<int32_t, uint32_t, [](uint32_t x) { return x == 0 ? 0 : std::countr_zero(x) + 1; }>;
    t["__nv_ffsll"] =
        map1<int32_t, uint64_t, [](uint64_t x) { return x == 0 ? 0 : std::countr_zero(x) + 1; }>;
    t["__nv_brev"] = map1<uint32_t, uint32_t, brev>;
    t["__nv_brevll"] = map1<uint64_t, uint64_t, brev64>;
    t["__nv_byte_perm"] = map3<uint32_t, uint32_t, byte_perm>;
    t["__nv_abs"] = find_kernel("absi", Scalar::i32);
    t["__nv_llabs"] = find_kernel("absi", Scalar::i64);
    t["__nv_mulhi"] = find_kernel("mulhisi", Scalar::i32);
    t["__nv_umulhi"] = find_kernel("mulhiui", Scalar::i32);
    t["__nv_mul64hi"] = find_kernel("mulhisi", Scalar::i64);
    t["__nv_umul64hi"] = find_kernel("mulhiui", Scalar::i64);
    t["__nv_mul24"] = map2<int32_t, int32_t, int32_t, mul24>;
    t["__nv_umul24"] = map2<uint32_t, uint32_t, uint32_t,
                            [](uint32_t a, uint32_t b) { return (a & 0xFFFFFF) * (b & 0xFFFFFF); }>;
    t["__nv_sad"] = map3<uint32_t, int32_t, sad>;
    t["__nv_usad"] = map3<uint32_t, uint32_t,
                          [](uint32_t a, uint32_t b, uint32_t c) { return (a > b ? a - b : b - a) + c; }>;
    t["__nv_hadd"] = map2<int32_t, int32_t, int32_t, [](int32_t a, int32_t b) {
        return static_cast<int32_t>((static_cast<int64_t>(a) + b) >> 1);
    }>;
    t["__nv_rhadd"] = map2<int32_t, int32_t, int32_t, [](int32_t a, int32_t b) {
        return static_cast<int32_t>((static_cast<int64_t>(a) + b + 1) >> 1);
    }>;
    t["__nv_uhadd"] = map2<uint32_t, uint32_t, uint32_t, [](uint32_t a, uint32_t b) {
        return static_cast<uint32_t>((static_cast<uint64_t>(a) + b) >> 1);
    }>;
    t["__nv_urhadd"] = map2<uint32_t, uint32_t, uint32_t, [](uint32_t a, uint32_t b) {
        return static_cast<uint32_t>((static_cast<uint64_t>(a) + b + 1) >> 1);
    }>;
    for (const char* s :
         {"__nv_float_as_int", "__nv_float_as_uint", "__nv_int_as_float", "__nv_uint_as_float"})
        t[s] = map1<uint32_t, uint32_t, [](uint32_t x) { return x; }>;
    for (const char* s : {"__nv_double_as_longlong", "__nv_longlong_as_double"})
        t[s] = map1<uint64_t, uint64_t, [](uint64_t x) { return x; }>;
    t["__nv_double2hiint"] =
        map1<uint32_t, uint64_t, [](uint64_t x) { return static_cast<uint32_t>(x >> 32); }>;
    t["__nv_double2loint"] = map1<uint32_t, uint64_t, [](uint64_t x) { return static_cast<uint32_t>(x); }>;
    t["__nv_hiloint2double"] = map2<uint64_t, uint32_t, uint32_t, [](uint32_t hi, uint32_t lo) {
        return static_cast<uint64_t>(hi) << 32 | lo;
    }>;
    t["__nv_int2double_rn"] = map1<double, int32_t, [](int32_t x) { return static_cast<double>(x); }>;
    t["__nv_uint2double_rn"] = map1<double, uint32_t, [](uint32_t x) { return static_cast<double>(x); }>;
    t["__nv_frsqrt_rn"] =
        map1<float, float, [](float x) { return static_cast<float>(1 / std::sqrt(static_cast<double>(x))); }>;
}

template <Mode M>
void add_rounded(Functions& t, const std::string& m) {
    const auto put = [&](const char* stem, KernelFn fn) { t["__nv_" + std::string(stem) + "_" + m] = fn; };
    put("fadd", map2<float, float, float, [](float a, float b) { return rounding::add(a, b, M); }>);
    put("dadd", map2<double, double, double, [](double a, double b) { return rounding::add(a, b, M); }>);
    put("fsub", map2<float, float, float, [](float a, float b) { return rounding::add(a, -b, M); }>);
    put("dsub", map2<double, double, double, [](double a, double b) { return rounding::add(a, -b, M); }>);
    put("fmul", map2<float, float, float, [](float a, float b) { return rounding::multiply(a, b, M); }>);
    put("dmul", map2<double, double, double, [](double a, double b) { return rounding::multiply(a, b, M); }>);
    put("fdiv", map2<float, float, float, [](float a, float b) { return rounding::divide(a, b, M); }>);
    put("ddiv", map2<double, double, double, [](double a, double b) { return rounding::divide(a, b, M); }>);
    put("frcp", map1<float, float, [](float a) { return rounding::divide(1.0f, a, M); }>);
    put("drcp", map1<double, double, [](double a) { return rounding::divide(1.0, a, M); }>);
    put("fsqrt", map1<float, float, [](float a) { return rounding::root(a, M); }>);
    put("dsqrt", map1<double, double, [](double a) { return rounding::root(a, M); }>);
    put("fmaf", map3<float, float, [](float a, float b, float c) { return rounding::fused(a, b, c, M); }>);
    put("fma",
        map3<double, double, [](double a, double b, double c) { return rounding::fused(a, b, c, M); }>);
    put("double2float", map1<float, double, [](double a) { return rounding::narrow<float>(a, M); }>);
    put("float2int", map1<int32_t, float, [](float a) { return rounding::integer<int32_t>(a, M); }>);
    put("float2uint", map1<uint32_t, float, [](float a) { return rounding::integer<uint32_t>(a, M); }>);
    put("float2ll", map1<int64_t, float, [](float a) { return rounding::integer<int64_t>(a, M); }>);
    put("float2ull", map1<uint64_t, float, [](float a) { return rounding::integer<uint64_t>(a, M); }>);
    put("double2int", map1<int32_t, double, [](double a) { return rounding::integer<int32_t>(a, M); }>);
    put("double2uint", map1<uint32_t, double, [](double a) { return rounding::integer<uint32_t>(a, M); }>);
    put("double2ll", map1<int64_t, double, [](double a) { return rounding::integer<int64_t>(a, M); }>);
    put("double2ull", map1<uint64_t, double, [](double a) { return rounding::integer<uint64_t>(a, M); }>);
    put("int2float",
        map1<float, int32_t, [](int32_t a) { return rounding::narrow<float>(static_cast<double>(a), M); }>);
    put("uint2float",
        map1<float, uint32_t, [](uint32_t a) { return rounding::narrow<float>(static_cast<double>(a), M); }>);
    put("ll2float", map1<float, int64_t,
                         [](int64_t a) { return rounding::narrow<float>(static_cast<long double>(a), M); }>);
    put("ull2float", map1<float, uint64_t, [](uint64_t a) {
            return rounding::narrow<float>(static_cast<long double>(a), M);
        }>);
    put("ll2double", map1<double, int64_t, [](int64_t a) {
            return rounding::narrow<double>(static_cast<long double>(a), M);
        }>);
    put("ull2double", map1<double, uint64_t, [](uint64_t a) {
            return rounding::narrow<double>(static_cast<long double>(a), M);
        }>);
}

}  // namespace

KernelFn find_libdevice(std::string_view symbol) {
    static const Functions table = [] {
        Functions t;
        add_functions(t);
        add_fast_functions(t);
        add_integers(t);
        add_rounded<Mode::rn>(t, "rn");
        add_rounded<Mode::rd>(t, "rd");
        add_rounded<Mode::ru>(t, "ru");
        add_rounded<Mode::rz>(t, "rz");
        return t;
    }();
    const auto it = table.find(symbol);
    return it == table.end() ? nullptr : it->second;
}

}  // namespace tritonsmith::ttir
