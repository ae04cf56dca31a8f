#include "judge/compare/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "numerics/alike.h"
#include "plan/ir/json.h"

namespace tritonsmith::judge {

using plan::DType;

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
    if (!numerics::inexact(dtype)) return false;
    if (dtype == DType::c64) dtype = DType::f32;
    if (dtype == DType::c128) dtype = DType::f64;
    const int64_t size = plan::element_size(dtype);
    for (size_t at = 0; at < one.size(); at += static_cast<size_t>(size)) {
        const double a = plan::read_element(&one[at], dtype), b = plan::read_element(&other[at], dtype);
        if (a != b && !(std::isnan(a) && std::isnan(b))) return false;
    }
    return true;
}

double allowed(const Expected& e, size_t i) {
    return e.limits[i];
}

namespace {

using Rule = numerics::Numbers;

double value_at(const Elements& elements, size_t i) {
    return i < elements.values.size() ? elements.values[i] : NAN;
}

double root_mean_square(const Elements& oracle) {
    double squares = 0;
    size_t finite = 0;
    for (double value : oracle.values) {
        if (!std::isfinite(value)) continue;
        ++finite;
        squares += value * value;
    }
    return finite ? std::sqrt(squares / static_cast<double>(finite)) : 0;
}

/// S: never less than the element's own magnitude.
double scale_of(const ReferenceOutput& output, size_t i) {
    const double value = std::abs(output.oracle.values[i]);
    const double scale = output.absolute ? std::abs(value_at(*output.absolute, i)) : value;
    return std::isfinite(scale) ? std::max(scale, value) : value;
}

/// What the reference's own roundings change in an element, beyond its last one.
double own_error(const ReferenceOutput& output, size_t i, const numerics::Bound& bound) {
    const double value = output.oracle.values[i];
    auto error = [&](const Elements& run) {
        const double found = std::abs(value_at(run, i) - value);
        return std::isfinite(found) ? found : 0;
    };
    double others = 0;
    for (const Elements& perturbed : output.perturbed) others = std::max(others, error(perturbed));
    return std::max({0.0, error(output.native) - numerics::one_rounding(std::abs(value), bound),
                     others - numerics::last_move<Rule>(std::abs(value), others, bound)});
}

void bound_integers(const ReferenceOutput& output, const BoundOptions& options, Expected& e) {
    if (output.perturbed.empty()) return;
    e.low = e.high = e.oracle.values;
    for (size_t i = 0; i < e.low.size(); i++) {
        auto see = [&](double value) {
            e.low[i] = std::min(e.low[i], value);
            e.high[i] = std::max(e.high[i], value);
        };
        for (const Elements& perturbed : output.perturbed) see(value_at(perturbed, i));
        if (e.low[i] != e.high[i] || value_at(e.native, i) != e.oracle.values[i]) ++e.undecided;
        see(value_at(e.native, i));
        // Which of several elements comes first says nothing about the ones between them.
        if (options.chooses && e.low[i] != e.high[i]) e.low[i] = -INFINITY, e.high[i] = INFINITY;
    }
    if (options.chooses || e.native.dtype == DType::b1) {
        e.forgiven = numerics::forgiven(e.undecided);
        e.forgiven_error = INFINITY;
    }
    e.meaningless = 2 * e.undecided > static_cast<int64_t>(e.low.size());
}

void bound_floats(const ReferenceOutput& output, const BoundOptions& options, Expected& e) {
    const size_t n = e.oracle.values.size();
    numerics::Bound bound = numerics::bound_of(e.native.dtype, options.longest_reduction, e.rms,
                                               options.tolerance, options.precision, options.wide);
    bound.uneven = options.uneven;
    e.tolerance = bound.tolerance;
    numerics::Alike alike(e.rms);
    std::vector<double> own(n), scale(n);
    for (size_t i = 0; i < n; i++) {
        const double value = e.oracle.values[i];
        if (!std::isfinite(value)) continue;
        if (const double error = std::abs(value_at(e.native, i) - value); std::isfinite(error))
            e.reference_error = std::max(e.reference_error, error);
        own[i] = own_error(output, i, bound);
        scale[i] = scale_of(output, i);
        alike.add(std::abs(value), scale[i], own[i]);
    }
    alike.finish(options.decides);
    e.limits.resize(n);
    size_t finite = 0, loose = 0;
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        const double value = std::abs(e.oracle.values[i]);
        if (!std::isfinite(value)) continue;
        const double regular =
            numerics::regular_limit<Rule>(value, scale[i], alike.at(value, scale[i]), bound);
        e.limits[i] = numerics::element_limit<Rule>(value, regular, own[i], bound);
        if (own[i] > regular) {
            ++e.undecided;
            largest = std::max(largest, own[i]);
        }
        ++finite;
        loose += e.limits[i] > numerics::kMeaningless * std::max(value, e.rms);
    }
    if (options.decides) {
        e.forgiven = numerics::forgiven(e.undecided);
        e.forgiven_error = numerics::forgiven_error(largest);
    }
    e.meaningless = 2 * loose > finite;
}

}  // namespace

namespace {

/// Where other roundings choose other places, each place may stand for the best whose value is as near to it
/// as both may be wrong. One whose value is the same as the best's only where the runs disagree: of equal
/// ones PyTorch names the first.
void find_places(const ComparedValues& compared, const BoundOptions& options, Expected& e) {
    const Expected scores = make_expected(compared.values, options);
    const std::vector<double>& values = scores.oracle.values;
    const std::vector<int64_t>& shape = scores.oracle.shape;
    int64_t length = static_cast<int64_t>(values.size()), inner = 1;
    if (compared.dimension >= 0) {
        const auto d = static_cast<size_t>(compared.dimension);
        if (d >= shape.size()) return;
        length = shape[d];
        for (size_t i = d + 1; i < shape.size(); ++i) inner *= shape[i];
    }
    const auto count = static_cast<int64_t>(e.low.size());
    if (!scores.floating() || length <= 0 || count * length != static_cast<int64_t>(values.size())) return;
    std::vector<std::vector<int64_t>> places(e.low.size());
    int64_t open = 0;
    for (int64_t i = 0; i < count; ++i) {
        const auto at = [&](int64_t j) {
            return static_cast<size_t>((i / inner * length + j) * inner + i % inner);
        };
        const auto n = static_cast<size_t>(i);
        const bool undecided = e.low[n] != e.high[n] || value_at(e.native, n) != e.oracle.values[n];
        const double named = e.oracle.values[n];
        if (!(named >= 0 && named < static_cast<double>(length))) continue;
        const auto best = static_cast<int64_t>(named);
        if (!std::isfinite(values[at(best)])) continue;
        for (int64_t j = 0; j < length; ++j) {
            const double apart = std::abs(values[at(best)] - values[at(j)]);
            const bool near = apart <= scores.limits[at(best)] + scores.limits[at(j)];
            if (j == best || (near && (undecided || apart > 0))) places[n].push_back(j);
        }
        open += 2 * static_cast<int64_t>(places[n].size()) > length;
    }
    e.places = std::move(places);
    e.meaningless = 2 * open > count;
}

}  // namespace

Expected make_expected(const ReferenceOutput& output, const BoundOptions& options,
                       const ComparedValues* compared) {
    Expected e;
    e.name = output.name;
    e.oracle = output.oracle;
    e.native = output.native;
    e.rms = root_mean_square(output.oracle);
    e.wide = options.wide;
    if (e.floating())
        bound_floats(output, options, e);
    else
        bound_integers(output, options, e);
    if (compared && e.undecided > 0 && !e.low.empty()) find_places(*compared, options, e);
    return e;
}

namespace {

struct Deviation {
    double error, limit;
    bool out() const { return error > limit; }
};

Deviation deviation(const Expected& e, size_t i, double got) {
    const double want = e.oracle.values[i];
    if (!e.floating()) {
        bool right = got == want || got == value_at(e.native, i);
        if (i < e.places.size() && !e.places[i].empty())
            right = right ||
                    std::binary_search(e.places[i].begin(), e.places[i].end(), static_cast<int64_t>(got));
        else if (!e.low.empty())
            right = right || (got >= e.low[i] && got <= e.high[i]);
        return {right ? 0 : std::max(1.0, std::abs(got - want)), 0};
    }
    if (!std::isfinite(want)) {
        const bool same = (std::isnan(want) && std::isnan(got)) || want == got;
        return {same ? 0 : INFINITY, 0};
    }
    const double error = std::abs(got - want);
    return {std::isnan(error) ? INFINITY : error, allowed(e, i)};
}

/// Counts elements beyond their limits.
class Beyond {
  public:
    /// @param by_places what near ties change is among the places that are right
    explicit Beyond(const Expected& e, bool by_places)
        : e_(e), most_(by_places && !e.places.empty() ? 0 : e.forgiven) {}
    void add(double error) {
        ++count_;
        too_far_ = too_far_ || !(error <= e_.forgiven_error);
    }
    bool forgiven() const { return count_ <= most_ && (count_ == 0 || !too_far_); }

  private:
    const Expected& e_;
    int64_t most_, count_ = 0;
    bool too_far_ = false;
};

}  // namespace

bool accepts(const Expected& e, const std::function<double(size_t)>& found) {
    if (e.left_out) return true;
    Beyond beyond(e, true);
    for (size_t i = 0; i < e.oracle.values.size(); i++) {
        const Deviation d = deviation(e, i, found(i));
        if (!d.out()) continue;
        beyond.add(d.error);
        if (!beyond.forgiven()) return false;
    }
    return true;
}

Comparison compare(const Expected& e, const Elements& found) {
    Comparison result;
    if (e.left_out) return result;
    const size_t n = e.oracle.values.size();
    Mismatch worst;
    worst.total = static_cast<int64_t>(n);
    double worst_ratio = -1, worst_within = 0;
    Beyond beyond(e, true);
    for (size_t i = 0; i < n; i++) {
        const double got = value_at(found, i);
        const Deviation d = deviation(e, i, got);
        if (d.error == 0) continue;
        if (std::isfinite(d.error)) result.worst_error = std::max(result.worst_error, d.error);
        const double ratio = d.limit > 0 ? d.error / d.limit : INFINITY;
        result.worst_ratio = std::max(result.worst_ratio, ratio);
        if (!d.out()) {
            worst_within = std::max(worst_within, ratio);
            continue;
        }
        worst.count++;
        beyond.add(d.error);
        if (ratio > worst_ratio) {
            worst_ratio = ratio;
            worst.index = i;
            worst.expected = e.oracle.values[i];
            worst.found = got;
            worst.allowed = d.limit;
        }
    }
    if (beyond.forgiven()) {
        result.worst_ratio = worst_within;
        return result;
    }
    size_t rest = worst.index;
    worst.position.resize(e.oracle.shape.size());
    for (size_t d = e.oracle.shape.size(); d-- > 0;) {
        worst.position[d] = static_cast<int64_t>(rest % static_cast<size_t>(e.oracle.shape[d]));
        rest /= static_cast<size_t>(e.oracle.shape[d]);
    }
    result.mismatch = worst;
    return result;
}

bool differ(const Expected& e, const Elements& one, const Elements& other) {
    if (e.left_out) return false;
    Beyond beyond(e, false);
    for (size_t i = 0; i < e.oracle.values.size(); i++) {
        const double a = value_at(one, i), b = value_at(other, i), apart = std::abs(a - b);
        const bool same = a == b || (std::isnan(a) && std::isnan(b));
        const double near = e.tolerance * std::max(std::abs(a), std::abs(b));
        if (same || (e.floating() && apart <= std::max(allowed(e, i), near))) continue;
        beyond.add(std::isnan(apart) ? INFINITY : apart);
        if (!beyond.forgiven()) return true;
    }
    return false;
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
