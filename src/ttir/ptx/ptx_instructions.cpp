// What each allowed PTX instruction computes (PTX ISA 8.x, "Instruction Set"). The approximate ones
// (ex2.approx, rcp.approx …) give the rounded exact value, as elsewhere in the interpreter; but for those
// whose approximation is far from it (ttir/interp/simd/approximate.h).
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <string_view>

#include "ttir/interp/simd/approximate.h"
#include "ttir/interp/simd/exec_kernels.h"
#include "ttir/ptx/ptx.h"

namespace tritonsmith::ttir {
namespace {

using I = PtxInstruction;

bool is_signed(PtxType t) {
    return t == PtxType::s8 || t == PtxType::s16 || t == PtxType::s32 || t == PtxType::s64;
}
bool is_floating(PtxType t) {
    return t >= PtxType::f16 && t <= PtxType::f64;
}

bool is_pair16(PtxType t) {
    return t == PtxType::f16x2 || t == PtxType::bf16x2;
}
bool is_pair8(PtxType t) {
    return t == PtxType::e4m3x2 || t == PtxType::e5m2x2;
}

uint64_t cut(uint64_t value, int bits) {
    return bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1);
}
/// The integer that the low bits are, in 128 bits so that nothing wraps.
__int128 integer(uint64_t bits, PtxType t) {
    const int width = ptx_bits(t);
    bits = cut(bits, width);
    if (!is_signed(t)) return static_cast<__int128>(bits);
    return static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}

Scalar scalar_of(PtxType t) {
    switch (t) {
        case PtxType::f16:
        case PtxType::f16x2:
            return Scalar::f16;
        case PtxType::bf16:
        case PtxType::bf16x2:
            return Scalar::bf16;
        case PtxType::e4m3x2:
            return Scalar::f8e4m3fn;
        case PtxType::e5m2x2:
            return Scalar::f8e5m2;
        default:
            return Scalar::none;
    }
}

/// One element as a double: exact for every type.
double floating(uint64_t bits, PtxType t, bool flush) {
    if (t == PtxType::f64) return std::bit_cast<double>(bits);
    float f = 0;
    if (t == PtxType::f32) {
        f = std::bit_cast<float>(static_cast<uint32_t>(bits));
    } else {
        const std::byte* in[1] = {reinterpret_cast<const std::byte*>(&bits)};
        find_kernel("to_f32", scalar_of(t))(reinterpret_cast<std::byte*>(&f), in, 1);
    }
    return static_cast<double>(flush && std::fpclassify(f) == FP_SUBNORMAL ? std::copysign(0.0F, f) : f);
}

uint64_t rounded(double value, const I& i) {
    if (i.saturate && i.type == i.from) value = value > 0 ? std::min(value, 1.0) : 0.0;
    if (i.type == PtxType::f64) return std::bit_cast<uint64_t>(value);
    if (i.type == PtxType::f32) {
        auto f = static_cast<float>(value);
        if (i.toward_zero && std::fabs(static_cast<double>(f)) > std::fabs(value))
            f = std::nextafter(f, 0.0F);
        if (i.flush && std::fpclassify(f) == FP_SUBNORMAL) f = std::copysign(0.0F, f);
        return std::bit_cast<uint32_t>(f);
    }
    // Through a float that keeps whether anything was lost, so that it is rounded once.
    float wide = 0;
    const std::byte* in[1] = {reinterpret_cast<const std::byte*>(&value)};
    find_kernel("narrow_odd", Scalar::f64)(reinterpret_cast<std::byte*>(&wide), in, 1);
    in[0] = reinterpret_cast<const std::byte*>(&wide);
    uint64_t bits = 0;
    find_kernel(i.toward_zero ? "from_f32_rtz" : "from_f32", scalar_of(i.type))(
        reinterpret_cast<std::byte*>(&bits), in, 1);
    return bits;
}

/// F of one to three floats, or of each half of pairs of 16-bit floats.
template <auto F>
uint64_t floats(const I& i, const uint64_t* s) {
    const bool pair = is_pair16(i.type);
    uint64_t out = 0;
    for (int half = 0; half < (pair ? 2 : 1); ++half) {
        double x[3] = {};
        for (size_t k = 0; k < std::min<size_t>(i.sources.size(), 3); ++k)
            x[k] = floating(pair ? s[k] >> (16 * half) & 0xFFFF : s[k], i.type, i.flush);
        const uint64_t bits = rounded(F(i, x), i);
        out |= (pair ? cut(bits, 16) : bits) << (16 * half);
    }
    return out;
}
/// A function of doubles as F. In float64, sums, products and quotients of float32 and narrower numbers are
/// exact or rounded so finely that rounding them once more gives the same.
template <auto F>
constexpr auto one = [](const I&, const double* x) { return F(x[0]); };
template <auto F>
constexpr auto two = [](const I&, const double* x) { return F(x[0], x[1]); };

/// x·y + z, rounded to odd where it is not float64's own: rounding it once more is right.
constexpr auto fused = [](const I& i, const double* x) {
    if (i.type == PtxType::f64) return std::fma(x[0], x[1], x[2]);
    const double product = x[0] * x[1], sum = product + x[2];
    const double back = sum - product, lost = (product - (sum - back)) + (x[2] - back);
    const auto bits = std::bit_cast<uint64_t>(sum);
    if (!std::isfinite(sum) || lost == 0 || (bits & 1) != 0) return sum;
    return std::bit_cast<double>((lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
};
template <bool LEAST>
constexpr auto extreme = [](const I& i, const double* x) {
    if (i.nan && (std::isnan(x[0]) || std::isnan(x[1]))) return std::nan("");
    if (x[0] == x[1]) return std::signbit(x[0]) == LEAST ? x[0] : x[1];  // -0 is less than +0
    return LEAST ? std::fmin(x[0], x[1]) : std::fmax(x[0], x[1]);
};

template <auto F>
uint64_t integer2(const I& i, const uint64_t* s) {
    return static_cast<uint64_t>(F(integer(s[0], i.type), integer(s[1], i.type)));
}

constexpr auto add = [](auto a, auto b) { return a + b; };
constexpr auto sub = [](auto a, auto b) { return a - b; };
constexpr auto mul = [](auto a, auto b) { return a * b; };
constexpr auto quotient = [](double a, double b) { return a / b; };
constexpr auto reciprocal = [](double x) { return 1 / x; };
constexpr auto square_root = [](double x) { return std::sqrt(x); };
constexpr auto reciprocal_root = [](double x) { return 1 / std::sqrt(x); };
constexpr auto power_of_two = [](double x) { return std::exp2(x); };
constexpr auto least = [](auto a, auto b) { return a < b ? a : b; };
constexpr auto most = [](auto a, auto b) { return a > b ? a : b; };
constexpr auto both = [](__int128 a, __int128 b) { return a & b; };
constexpr auto either = [](__int128 a, __int128 b) { return a | b; };
constexpr auto differ = [](__int128 a, __int128 b) { return a ^ b; };

uint64_t multiplied(const I& i, const uint64_t* s) {
    const __int128 product = integer(s[0], i.type) * integer(s[1], i.type);
    return static_cast<uint64_t>(i.high ? product >> ptx_bits(i.type) : product);
}
uint64_t multiplied_and_added(const I& i, const uint64_t* s) {
    return multiplied(i, s) + s[2];
}
uint64_t moved(const I&, const uint64_t* s) {
    return s[0];
}
uint64_t inverted(const I& i, const uint64_t* s) {
    return i.type == PtxType::pred ? ~s[0] & 1 : ~s[0];
}
uint64_t is_zero(const I& i, const uint64_t* s) {
    return cut(s[0], ptx_bits(i.type)) == 0 ? 1 : 0;
}
uint64_t shifted_left(const I& i, const uint64_t* s) {
    const uint64_t by = cut(s[1], 32);
    return by >= static_cast<uint64_t>(ptx_bits(i.type)) ? 0 : s[0] << by;
}
uint64_t shifted_right(const I& i, const uint64_t* s) {
    const uint64_t by = std::min<uint64_t>(cut(s[1], 32), 127);
    return static_cast<uint64_t>(integer(s[0], i.type) >> by);
}
template <bool LEFT>
uint64_t funnel(const I& i, const uint64_t* s) {
    const uint64_t both_words = cut(s[0], 32) | cut(s[1], 32) << 32;
    const uint64_t by = i.mode == 1 ? s[2] & 31 : std::min<uint64_t>(cut(s[2], 32), 32);  // wrap, clamp
    return LEFT ? both_words << by >> 32 : both_words >> by;
}
uint64_t logic3(const I&, const uint64_t* s) {
    uint64_t out = 0;
    for (int row = 0; row < 8; ++row)
        if ((s[3] >> row & 1) != 0)
            out |= ((row & 4) != 0 ? s[0] : ~s[0]) & ((row & 2) != 0 ? s[1] : ~s[1]) &
                   ((row & 1) != 0 ? s[2] : ~s[2]);
    return out;
}
uint64_t permuted(const I&, const uint64_t* s) {
    const uint64_t bytes = cut(s[0], 32) | cut(s[1], 32) << 32;
    uint64_t out = 0;
    for (int k = 0; k < 4; ++k) {
        const uint64_t choice = s[2] >> (4 * k) & 15;
        uint64_t byte = bytes >> (8 * (choice & 7)) & 0xFF;
        if ((choice & 8) != 0) byte = (byte & 0x80) != 0 ? 0xFF : 0;
        out |= byte << (8 * k);
    }
    return out;
}
uint64_t extracted(const I& i, const uint64_t* s) {
    const int width = ptx_bits(i.type);
    const int at = static_cast<int>(s[1] & 0xFF), length = static_cast<int>(s[2] & 0xFF);
    if (length == 0) return 0;
    const __int128 value = integer(s[0], i.type) >> std::min(at, 127);
    if (at + length >= width) return static_cast<uint64_t>(value);
    const uint64_t field = cut(static_cast<uint64_t>(value), length);
    const bool negative = is_signed(i.type) && (field >> (length - 1) & 1) != 0;
    return negative ? field | ~cut(~uint64_t{0}, length) : field;
}
uint64_t inserted(const I& i, const uint64_t* s) {
    const uint64_t at = s[2] & 0xFF, length = s[3] & 0xFF;
    if (at >= static_cast<uint64_t>(ptx_bits(i.type))) return s[1];
    const uint64_t mask = cut(~uint64_t{0}, static_cast<int>(std::min<uint64_t>(length, 64))) << at;
    return (s[1] & ~mask) | (s[0] << at & mask);
}
uint64_t popcount(const I& i, const uint64_t* s) {
    return static_cast<uint64_t>(std::popcount(cut(s[0], ptx_bits(i.type))));
}
uint64_t leading_zeros(const I& i, const uint64_t* s) {
    return static_cast<uint64_t>(std::countl_zero(cut(s[0], ptx_bits(i.type))) - 64 + ptx_bits(i.type));
}
uint64_t reversed(const I& i, const uint64_t* s) {
    uint64_t out = 0;
    for (int k = 0, width = ptx_bits(i.type); k < width; ++k) out |= (s[0] >> k & 1) << (width - 1 - k);
    return out;
}
uint64_t magnitude(const I& i, const uint64_t* s) {
    const __int128 v = integer(s[0], i.type);
    return static_cast<uint64_t>(v < 0 ? -v : v);
}
uint64_t negated(const I& i, const uint64_t* s) {
    return static_cast<uint64_t>(-integer(s[0], i.type));
}
/// abs and neg of floats change the sign bits only.
template <bool CLEAR>
uint64_t signs(const I& i, const uint64_t* s) {
    const bool pair = is_pair16(i.type);
    const uint64_t mask = pair ? 0x80008000u : uint64_t{1} << (ptx_bits(i.type) - 1);
    return CLEAR ? s[0] & ~mask : s[0] ^ mask;
}
uint64_t selected(const I&, const uint64_t* s) {
    return (s[2] & 1) != 0 ? s[0] : s[1];
}

const char* const kComparisons[] = {"eq", "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi",
                                    "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

template <class T>
bool compared(int mode, T a, T b, bool unordered) {
    switch (mode) {
        case 0:
            return a == b;
        case 1:
            return !unordered && a != b;
        case 2:
        case 6:
            return a < b;
        case 3:
        case 7:
            return a <= b;
        case 4:
        case 8:
            return a > b;
        case 5:
        case 9:
            return a >= b;
        case 10:
            return unordered || a == b;
        case 11:
            return a != b;
        case 12:
            return unordered || a < b;
        case 13:
            return unordered || a <= b;
        case 14:
            return unordered || a > b;
        case 15:
            return unordered || a >= b;
        case 16:
            return !unordered;
        default:
            return unordered;
    }
}
uint64_t comparison(const I& i, const uint64_t* s) {
    if (!is_floating(i.type))
        return compared(i.mode, integer(s[0], i.type), integer(s[1], i.type), false) ? 1 : 0;
    const double a = floating(s[0], i.type, i.flush), b = floating(s[1], i.type, i.flush);
    return compared(i.mode, a, b, std::isnan(a) || std::isnan(b)) ? 1 : 0;
}

// --- cvt

double whole(double v, int mode) {
    return mode == 1   ? std::nearbyint(v)
           : mode == 2 ? std::trunc(v)
           : mode == 3 ? std::floor(v)
                       : std::ceil(v);
}
uint64_t clamped(double v, PtxType t) {
    const int bits = ptx_bits(t);
    if (std::isnan(v)) return bits == 64 ? uint64_t{1} << 63 : 0;
    const double top = std::ldexp(1.0, is_signed(t) ? bits - 1 : bits), bottom = is_signed(t) ? -top : 0;
    if (v >= top) return is_signed(t) ? (uint64_t{1} << (bits - 1)) - 1 : cut(~uint64_t{0}, bits);
    if (v <= bottom) return is_signed(t) ? uint64_t{1} << (bits - 1) : 0;
    return v < 0 ? static_cast<uint64_t>(static_cast<int64_t>(v)) : static_cast<uint64_t>(v);
}
uint64_t converted(const I& i, const uint64_t* s) {
    if (is_pair8(i.from)) {
        uint64_t out = 0;
        for (int half = 0; half < 2; ++half)
            out |= cut(rounded(floating(s[0] >> (8 * half) & 0xFF, i.from, false), i), 16) << (16 * half);
        return out;
    }
    if (const int part = is_pair8(i.type)    ? 8
                         : is_pair16(i.type) ? 16
                                             : 0;
        part != 0)  // cvt d, a, b: a is the upper half
        return cut(rounded(floating(s[0], i.from, i.flush), i), part) << part |
               cut(rounded(floating(s[1], i.from, i.flush), i), part);
    if (is_floating(i.from)) {
        const double value = floating(s[0], i.from, i.flush);
        if (!is_floating(i.type)) return clamped(whole(value, i.mode), i.type);
        return rounded(i.mode != 0 && i.type == i.from ? whole(value, i.mode) : value, i);
    }
    const __int128 value = integer(s[0], i.from);
    if (is_floating(i.type)) {
        if (i.type == PtxType::f32) return std::bit_cast<uint32_t>(static_cast<float>(value));
        return rounded(static_cast<double>(value), i);
    }
    if (!i.saturate) return static_cast<uint64_t>(value);
    const __int128 one = 1;
    const int bits = ptx_bits(i.type) - (is_signed(i.type) ? 1 : 0);
    return static_cast<uint64_t>(
        std::clamp<__int128>(value, is_signed(i.type) ? -(one << bits) : 0, (one << bits) - 1));
}

// --- names

const std::map<std::string, PtxType>& types() {
    static const std::map<std::string, PtxType> table = {
        {"pred", PtxType::pred}, {"b8", PtxType::b8},         {"b16", PtxType::b16},
        {"b32", PtxType::b32},   {"b64", PtxType::b64},       {"u8", PtxType::u8},
        {"u16", PtxType::u16},   {"u32", PtxType::u32},       {"u64", PtxType::u64},
        {"s8", PtxType::s8},     {"s16", PtxType::s16},       {"s32", PtxType::s32},
        {"s64", PtxType::s64},   {"f16", PtxType::f16},       {"f16x2", PtxType::f16x2},
        {"bf16", PtxType::bf16}, {"bf16x2", PtxType::bf16x2}, {"f32", PtxType::f32},
        {"f64", PtxType::f64},   {"e4m3x2", PtxType::e4m3x2}, {"e5m2x2", PtxType::e5m2x2}};
    return table;
}

/// One line an instruction: its sources, and what it computes of floats and of everything else (null: no such
/// form).
struct Row {
    std::string_view name;
    size_t sources;
    PtxInstruction::Function floats, others;
};
constexpr Row kTable[] = {
    // arithmetic
    {"add", 2, floats<two<add>>, integer2<add>},
    {"sub", 2, floats<two<sub>>, integer2<sub>},
    {"mul", 2, floats<two<mul>>, multiplied},
    {"mad", 3, floats<fused>, multiplied_and_added},
    {"fma", 3, floats<fused>, nullptr},
    {"div", 2, floats<two<quotient>>, nullptr},
    {"min", 2, floats<extreme<true>>, integer2<least>},
    {"max", 2, floats<extreme<false>>, integer2<most>},
    {"abs", 1, signs<true>, magnitude},
    {"neg", 1, signs<false>, negated},
    // functions
    {"rcp", 1, floats<one<reciprocal>>, nullptr},
    {"sqrt", 1, floats<one<square_root>>, nullptr},
    {"rsqrt", 1, floats<one<reciprocal_root>>, nullptr},
    {"ex2", 1, floats<one<power_of_two>>, nullptr},
    {"lg2", 1, floats<one<approximate::logarithm>>, nullptr},
    {"sin", 1, floats<one<approximate::sine>>, nullptr},
    {"cos", 1, floats<one<approximate::cosine>>, nullptr},
    {"tanh", 1, floats<one<approximate::hyperbolic_tangent>>, nullptr},
    // bits
    {"and", 2, nullptr, integer2<both>},
    {"or", 2, nullptr, integer2<either>},
    {"xor", 2, nullptr, integer2<differ>},
    {"not", 1, nullptr, inverted},
    {"cnot", 1, nullptr, is_zero},
    {"shl", 2, nullptr, shifted_left},
    {"shr", 2, nullptr, shifted_right},
    {"shf", 3, nullptr, nullptr},  // by its direction: resolve_ptx
    {"lop3", 4, nullptr, logic3},
    {"prmt", 3, nullptr, permuted},
    {"bfe", 3, nullptr, extracted},
    {"bfi", 4, nullptr, inserted},
    {"popc", 1, nullptr, popcount},
    {"clz", 1, nullptr, leading_zeros},
    {"brev", 1, nullptr, reversed},
    // moves, comparisons, conversions
    {"mov", 1, moved, moved},
    {"selp", 3, selected, selected},
    {"setp", 2, comparison, comparison},
    {"cvt", 1, converted, converted},  // two where it packs a pair
};

}  // namespace

namespace {

bool known_conversion(const I& i) {
    if (is_pair8(i.from)) return i.type == PtxType::f16x2;
    if (is_pair8(i.type) || is_pair16(i.type)) return i.from == PtxType::f32;
    if (is_pair16(i.from)) return false;
    if (!is_floating(i.from)) return !i.toward_zero;
    return is_floating(i.type) ? !(i.toward_zero && i.type == PtxType::f64) : i.mode != 0 && !i.toward_zero;
}

}  // namespace

bool resolve_ptx(const std::vector<std::string>& words, PtxInstruction& i) {
    const std::string& name = words[0];
    bool left = false;
    for (size_t k = 1; k < words.size(); ++k) {
        const std::string& w = words[k];
        const auto type = types().find(w);
        const auto* comparison_name = std::find(std::begin(kComparisons), std::end(kComparisons), w);
        if (type != types().end()) {
            (i.type == PtxType::none ? i.type : i.from) = type->second;
        } else if (name == "setp" && comparison_name != std::end(kComparisons)) {
            i.mode = static_cast<int>(comparison_name - std::begin(kComparisons));
        } else if (w == "ftz") {
            i.flush = true;
        } else if (w == "sat" || w == "satfinite") {
            i.saturate = true;
        } else if (w == "rz") {
            i.toward_zero = true;
        } else if (w == "NaN") {
            i.nan = true;
        } else if (w == "wide" || w == "hi") {
            (w == "wide" ? i.wide : i.high) = true;
        } else if (w == "rni" || w == "rzi" || w == "rmi" || w == "rpi") {
            i.mode = w == "rni" ? 1 : w == "rzi" ? 2 : w == "rmi" ? 3 : 4;
        } else if (name == "shf" && (w == "l" || w == "r" || w == "wrap" || w == "clamp")) {
            left = left || w == "l";
            if (w == "wrap") i.mode = 1;
        } else if (w != "rn" && w != "lo" &&
                   !(w == "approx" && is_floating(i.type == PtxType::none ? PtxType::f32 : i.type)) &&
                   w != "full") {
            return false;
        }
    }
    if (i.type == PtxType::none || (i.from != PtxType::none) != (name == "cvt")) return false;
    if (i.from == PtxType::none) i.from = i.type;
    if (name == "cvt" && !known_conversion(i)) return false;
    if (name != "cvt" && (is_pair8(i.type) || i.toward_zero)) return false;
    const Row* row =
        std::find_if(std::begin(kTable), std::end(kTable), [&](const Row& r) { return r.name == name; });
    if (row == std::end(kTable)) return false;
    i.arity =
        name == "cvt" && (is_pair8(i.type) || is_pair16(i.type)) && i.from == PtxType::f32 ? 2 : row->sources;
    i.run = is_floating(i.type) ? row->floats : row->others;
    if (name == "shf") i.run = left ? funnel<true> : funnel<false>;
    return i.run != nullptr;
}

}  // namespace tritonsmith::ttir
