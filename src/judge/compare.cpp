#include "judge/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "plan/json.h"

namespace tritonsmith::judge {

using plan::DType;

namespace {

double from_f16(uint16_t h) {
    const int exponent = (h >> 10) & 31, mantissa = h & 1023;
    // 2^(exponent - 25), by its bits.
    const double step = std::bit_cast<double>(uint64_t(std::max(exponent, 1) - 25 + 1023) << 52);
    const double finite = (mantissa + (exponent == 0 ? 0 : 1024)) * step;
    const double v = exponent == 31 ? (mantissa ? NAN : INFINITY) : finite;
    return h >> 15 ? -v : v;
}

double from_bf16(uint16_t h) {
    return std::bit_cast<float>(uint32_t{h} << 16);
}

/// 8-bit floats: `finite` has no infinities (e4m3fn: only 0x7f is NaN); `fnuz` has no negative zero (0x80 is
/// NaN).
double from_f8(uint8_t b, int mantissa_bits, int bias, bool finite, bool fnuz) {
    if (fnuz && b == 0x80) return NAN;
    int exponent_bits = 7 - mantissa_bits;
    int top = (1 << exponent_bits) - 1;
    int exponent = (b >> mantissa_bits) & top, mantissa = b & ((1 << mantissa_bits) - 1);
    double v;
    if (!fnuz && !finite && exponent == top)
        v = mantissa ? NAN : INFINITY;
    else if (!fnuz && finite && (b & 0x7f) == 0x7f)
        v = NAN;
    else if (exponent == 0)
        v = std::ldexp(mantissa, 1 - bias - mantissa_bits);
    else
        v = std::ldexp(mantissa + (1 << mantissa_bits), exponent - bias - mantissa_bits);
    return (b & 0x80) ? -v : v;
}

template <class T>
T read(const std::byte* p) {
    T v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

template <DType dtype>
double element(const std::byte* p) {
    if constexpr (dtype == DType::f64) return read<double>(p);
    if constexpr (dtype == DType::f32) return read<float>(p);
    if constexpr (dtype == DType::f16) return from_f16(read<uint16_t>(p));
    if constexpr (dtype == DType::bf16) return from_bf16(read<uint16_t>(p));
    if constexpr (dtype == DType::f8e4m3fn) return from_f8(read<uint8_t>(p), 3, 7, true, false);
    if constexpr (dtype == DType::f8e5m2) return from_f8(read<uint8_t>(p), 2, 15, false, false);
    if constexpr (dtype == DType::f8e4m3fnuz) return from_f8(read<uint8_t>(p), 3, 8, true, true);
    if constexpr (dtype == DType::f8e5m2fnuz) return from_f8(read<uint8_t>(p), 2, 16, true, true);
    if constexpr (dtype == DType::i64) return static_cast<double>(read<int64_t>(p));
    if constexpr (dtype == DType::i32) return read<int32_t>(p);
    if constexpr (dtype == DType::i16) return read<int16_t>(p);
    if constexpr (dtype == DType::i8) return read<int8_t>(p);
    if constexpr (dtype == DType::u64) return static_cast<double>(read<uint64_t>(p));
    if constexpr (dtype == DType::u32) return read<uint32_t>(p);
    if constexpr (dtype == DType::u16) return read<uint16_t>(p);
    if constexpr (dtype == DType::u8 || dtype == DType::b1) return read<uint8_t>(p);
    return NAN;  // complex outputs are split into pairs by `elements`
}

/// Calls `f.operator()<dtype>()`, so that its loops are made for the one type.
template <class F>
auto with_dtype(DType dtype, F f) {
    switch (dtype) {
        case DType::f64:
            return f.template operator()<DType::f64>();
        case DType::f32:
            return f.template operator()<DType::f32>();
        case DType::f16:
            return f.template operator()<DType::f16>();
        case DType::bf16:
            return f.template operator()<DType::bf16>();
        case DType::f8e4m3fn:
            return f.template operator()<DType::f8e4m3fn>();
        case DType::f8e5m2:
            return f.template operator()<DType::f8e5m2>();
        case DType::f8e4m3fnuz:
            return f.template operator()<DType::f8e4m3fnuz>();
        case DType::f8e5m2fnuz:
            return f.template operator()<DType::f8e5m2fnuz>();
        case DType::i64:
            return f.template operator()<DType::i64>();
        case DType::i32:
            return f.template operator()<DType::i32>();
        case DType::i16:
            return f.template operator()<DType::i16>();
        case DType::i8:
            return f.template operator()<DType::i8>();
        case DType::u64:
            return f.template operator()<DType::u64>();
        case DType::u32:
            return f.template operator()<DType::u32>();
        case DType::u16:
            return f.template operator()<DType::u16>();
        case DType::u8:
            return f.template operator()<DType::u8>();
        case DType::b1:
            return f.template operator()<DType::b1>();
        case DType::c64:
        case DType::c128:
            break;
    }
    return f.template operator()<DType::c128>();
}

}  // namespace

double read_element(const std::byte* p, DType dtype) {
    return with_dtype(dtype, [&]<DType d>() { return element<d>(p); });
}

void read_elements(const std::byte* p, int64_t step, DType dtype, std::span<double> out) {
    with_dtype(dtype, [&]<DType d>() {
        for (size_t i = 0; i < out.size(); i++) out[i] = element<d>(p + static_cast<int64_t>(i) * step);
    });
}

namespace {

double epsilon(DType dtype) {
    switch (dtype) {
        case DType::f64:
        case DType::c128:
            return 0x1p-52;
        case DType::f16:
            return 0x1p-10;
        case DType::bf16:
            return 0x1p-7;
        case DType::f8e4m3fn:
        case DType::f8e4m3fnuz:
            return 0x1p-3;
        case DType::f8e5m2:
        case DType::f8e5m2fnuz:
            return 0x1p-2;
        default:
            return 0x1p-23;
    }
}

bool inexact(DType dtype) {
    return plan::is_floating(dtype) || dtype == DType::c64 || dtype == DType::c128;
}

}  // namespace

Elements elements(const run::Pack& pack, const run::PackEntry& entry) {
    Elements out{entry.dtype, entry.shape, {}};
    int64_t count = run::Pack::element_count(entry);
    const std::byte* p = pack.bytes(entry);
    DType part = entry.dtype;
    if (part == DType::c64 || part == DType::c128) {
        part = part == DType::c64 ? DType::f32 : DType::f64;
        count *= 2;
        out.shape.push_back(2);
    }
    out.values.resize(static_cast<size_t>(count));
    read_elements(p, plan::element_size(part), part, out.values);
    return out;
}

bool same_values(std::span<const std::byte> one, std::span<const std::byte> other, DType dtype) {
    if (one.size() != other.size()) return false;
    if (one.empty() || std::memcmp(one.data(), other.data(), one.size()) == 0) return true;
    if (!inexact(dtype)) return false;
    if (dtype == DType::c64) dtype = DType::f32;
    if (dtype == DType::c128) dtype = DType::f64;
    const int64_t size = plan::element_size(dtype);
    for (size_t at = 0; at < one.size(); at += static_cast<size_t>(size)) {
        const double a = read_element(&one[at], dtype), b = read_element(&other[at], dtype);
        if (a != b && !(std::isnan(a) && std::isnan(b))) return false;
    }
    return true;
}

double allowed(const Expected& e, size_t i) {
    const double reference = 4 * e.bound.reference_error;
    const double by_scale = e.bound.relative_to_scale * e.scale[i];
    const double stated = e.bound.tolerance * std::max(std::abs(e.oracle.values[i]), e.rms);
    const double by_error = std::max(stated, reference);
    return e.bound.by_conditioning ? std::max(by_scale, by_error) : std::min(by_scale, by_error);
}

Expected make_expected(const std::string& name, const Elements& oracle, const Elements& native,
                       const std::optional<Elements>& absolute, int64_t longest_reduction,
                       const Tolerance& tolerance) {
    Expected e{name, oracle, native, {}, 0, {}};
    const size_t n = oracle.values.size();
    e.scale.resize(n);
    double squares = 0, own = 0, own_relative = 0;
    size_t finite = 0;
    for (size_t i = 0; i < n; i++) {
        double value = oracle.values[i];
        if (!std::isfinite(value)) continue;
        finite++;
        squares += value * value;
    }
    e.rms = finite ? std::sqrt(squares / static_cast<double>(finite)) : 0;
    for (size_t i = 0; i < n; i++) {
        double value = oracle.values[i];
        double s = std::abs(value);
        if (absolute && i < absolute->values.size() && std::isfinite(absolute->values[i]))
            s = std::max(s, std::abs(absolute->values[i]));
        // An element far below the output's own magnitude still carries the rounding of its neighbours'
        // inputs.
        e.scale[i] = std::isfinite(s) ? std::max(s, 1e-3 * e.rms) : e.rms;
        if (i >= native.values.size() || !std::isfinite(value) || !std::isfinite(native.values[i])) continue;
        double error = std::abs(native.values[i] - value);
        own = std::max(own, error);
        if (e.scale[i] > 0) own_relative = std::max(own_relative, error / e.scale[i]);
    }
    const double eps = epsilon(native.dtype);
    e.bound.reference_error = own;
    e.bound.relative_to_scale = std::max(
        4 * own_relative, 16 * eps * std::sqrt(static_cast<double>(std::max<int64_t>(longest_reduction, 1))));
    e.bound.tolerance = eps > 0x1p-20 ? tolerance.low : tolerance.f32;
    return e;
}

namespace {

struct Deviation {
    double error, limit;
    bool out() const { return error > limit; }
};

Deviation deviation(const Expected& e, bool floating, size_t i, double got) {
    const double want = e.oracle.values[i];
    if (!floating) {
        const bool equal = got == want || got == e.native.values[i];
        return {equal ? 0 : std::max(1.0, std::abs(got - want)), 0};
    }
    if (!std::isfinite(want)) {
        const bool same = (std::isnan(want) && std::isnan(got)) || want == got;
        return {same ? 0 : INFINITY, 0};
    }
    const double error = std::abs(got - want);
    return {std::isnan(error) ? INFINITY : error, allowed(e, i)};
}

}  // namespace

bool accepts(const Expected& e, const std::function<double(size_t)>& found) {
    const bool floating = inexact(e.native.dtype);
    for (size_t i = 0; i < e.oracle.values.size(); i++)
        if (deviation(e, floating, i, found(i)).out()) return false;
    return true;
}

Comparison compare(const Expected& e, const Elements& found) {
    Comparison result;
    const size_t n = e.oracle.values.size();
    const bool floating = inexact(e.native.dtype);
    Mismatch worst;
    worst.total = static_cast<int64_t>(n);
    double worst_ratio = -1;
    for (size_t i = 0; i < n; i++) {
        const double got = i < found.values.size() ? found.values[i] : NAN;
        const Deviation d = deviation(e, floating, i, got);
        if (d.error == 0) continue;
        if (std::isfinite(d.error)) result.worst_error = std::max(result.worst_error, d.error);
        const double ratio = d.limit > 0 ? d.error / d.limit : INFINITY;
        result.worst_ratio = std::max(result.worst_ratio, ratio);
        if (!d.out()) continue;
        worst.count++;
        if (ratio > worst_ratio) {
            worst_ratio = ratio;
            worst.index = i;
            worst.expected = e.oracle.values[i];
            worst.found = got;
            worst.allowed = d.limit;
        }
    }
    if (!floating && worst.count <= e.bound.ties) return {};
    if (worst.count == 0) return result;
    size_t rest = worst.index;
    worst.position.resize(e.oracle.shape.size());
    for (size_t d = e.oracle.shape.size(); d-- > 0;) {
        worst.position[d] = static_cast<int64_t>(rest % static_cast<size_t>(e.oracle.shape[d]));
        rest /= static_cast<size_t>(e.oracle.shape[d]);
    }
    result.mismatch = worst;
    return result;
}

std::string describe(const Mismatch& m, const std::string& name) {
    return fmt::format(
        "{}[{}] is {:.9g}, expected {:.9g} (allowed error {:.3g}); {} of {} elements are out of bound", name,
        fmt::join(m.position, ", "), m.found, m.expected, m.allowed, m.count, m.total);
}

Json to_json(const Mismatch& m) {
    auto number = [](double v) { return std::isfinite(v) ? Json(v) : Json(fmt::format("{}", v)); };
    return {{"index", m.position},          {"expected", number(m.expected)}, {"found", number(m.found)},
            {"allowed", number(m.allowed)}, {"out_of_bound", m.count},        {"elements", m.total}};
}

}  // namespace tritonsmith::judge
