#include "judge/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "plan/json.h"

namespace tritonsmith::judge {

using plan::DType;

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

namespace {

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
    plan::read_elements(p, plan::element_size(part), part, out.values);
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
