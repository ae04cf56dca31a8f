#include "judge/compare/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "numerics/alike.h"
#include "plan/ir/json.h"

namespace tritonsmith::judge {

using plan::DType;

namespace {

/// From here on float64 does not hold all integers.
constexpr double kNotExact = 0x1p53;

template <class Integer>
void read_wide(const std::byte* bytes, Elements& out) {
    if (std::none_of(out.values.begin(), out.values.end(),
                     [](double value) { return std::abs(value) >= kNotExact; }))
        return;
    out.wide.resize(out.values.size());
    for (size_t i = 0; i < out.wide.size(); ++i) {
        Integer value = 0;
        std::memcpy(&value, bytes + i * sizeof value, sizeof value);
        out.wide[i] = static_cast<Exact>(value);
    }
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
    if (part == DType::i64) read_wide<int64_t>(p, out);
    if (part == DType::u64) read_wide<uint64_t>(p, out);
    return out;
}

Exact Elements::at(size_t i) const {
    if (i >= values.size()) return NAN;
    return wide.empty() ? values[i] : wide[i];
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
    if (!std::isfinite(value)) {
        auto same = [&](const Elements& run) { return !(std::abs(value_at(run, i) - value) > 0); };
        return std::all_of(output.perturbed.begin(), output.perturbed.end(), same) ? 0 : INFINITY;
    }
    auto error = [&](const Elements& run) {
        const double found = std::abs(value_at(run, i) - value);
        return std::isnan(found) ? 0 : found;  // infinite: other roundings hide the element, or show it
    };
    double others = 0;
    for (const Elements& perturbed : output.perturbed) others = std::max(others, error(perturbed));
    return std::max({0.0, error(output.native) - numerics::one_rounding(std::abs(value), bound),
                     others - numerics::last_move<Rule>(std::abs(value), others, bound)});
}

void bound_integers(const ReferenceOutput& output, const BoundOptions& options, Expected& e) {
    if (output.perturbed.empty()) return;
    e.low.assign(e.oracle.values.begin(), e.oracle.values.end());
    if (!e.oracle.wide.empty()) e.low = e.oracle.wide;
    e.high = e.low;
    for (size_t i = 0; i < e.low.size(); i++) {
        auto see = [&](Exact value) {
            e.low[i] = std::min(e.low[i], value);
            e.high[i] = std::max(e.high[i], value);
        };
        for (const Elements& perturbed : output.perturbed) see(perturbed.at(i));
        if (e.low[i] != e.high[i] || e.native.at(i) != e.oracle.at(i)) ++e.undecided;
        see(e.native.at(i));
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
        own[i] = own_error(output, i, bound);
        if (!std::isfinite(value)) continue;
        if (const double error = std::abs(value_at(e.native, i) - value); std::isfinite(error))
            e.reference_error = std::max(e.reference_error, error);
        scale[i] = scale_of(output, i);
        if (std::isfinite(own[i]) &&
            !(options.decides && numerics::wholly_different(own[i], std::max(std::abs(value), e.rms))))
            alike.add(std::abs(value), scale[i], own[i]);
    }
    alike.finish(options.decides);
    e.limits.resize(n);
    size_t finite = 0, loose = 0;
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        const double value = std::abs(e.oracle.values[i]);
        if (!std::isfinite(value)) {
            e.undecided += std::isinf(own[i]);
            e.limits[i] = std::isinf(own[i]) ? own[i] : 0;
            continue;
        }
        const double regular =
            numerics::regular_limit<Rule>(value, scale[i], alike.at(value, scale[i]), bound);
        e.limits[i] = numerics::element_limit<Rule>(value, regular, own[i], bound);
        if (own[i] > regular) {
            ++e.undecided;
            largest = std::max(largest, own[i]);
        }
        ++finite;
        loose += e.limits[i] > numerics::meaningless_from<Rule>(value, bound);
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

void find_order(const ComparedValues& compared, const BoundOptions& options, Expected& e) {
    const Expected scores = make_expected(compared.values, options);
    e.order = OpenOrder::make(compared.values, scores, compared.dimension,
                              static_cast<int64_t>(e.oracle.values.size()));
    if (e.order) e.meaningless = e.order->meaningless([&](size_t i) { return e.oracle.at(i); });
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
    e.fragile = std::any_of(output.perturbed.begin(), output.perturbed.end(), [](const Elements& run) {
        return !std::all_of(run.values.begin(), run.values.end(), [](double v) { return std::isfinite(v); });
    });
    if (e.floating())
        bound_floats(output, options, e);
    else
        bound_integers(output, options, e);
    if (compared && compared->open && !e.floating())
        find_order(*compared, options, e);
    else if (compared && e.undecided > 0 && !e.low.empty())
        find_places(*compared, options, e);
    return e;
}

namespace {

struct Deviation {
    double error, limit;
    bool out() const { return error > limit; }
};

/// Of integers, which must be equal: how far they are apart.
Deviation deviation_of_integer(const Expected& e, size_t i, Exact got) {
    const Exact want = e.oracle.at(i);
    bool right = got == want || got == e.native.at(i);
    if (e.order)
        right = right || e.order->admits(i, want, got);
    else if (i < e.places.size() && !e.places[i].empty())
        right =
            right || std::binary_search(e.places[i].begin(), e.places[i].end(), static_cast<int64_t>(got));
    else if (!e.low.empty())
        right = right || (got >= e.low[i] && got <= e.high[i]);
    return {right ? 0 : std::max(1.0, static_cast<double>(std::abs(got - want))), 0};
}

Deviation deviation_of_real(const Expected& e, size_t i, double got) {
    const double want = e.oracle.values[i];
    if (!std::isfinite(want)) {
        const bool same = (std::isnan(want) && std::isnan(got)) || want == got;
        return {same ? 0 : INFINITY, allowed(e, i)};
    }
    const double error = std::abs(got - want);
    return {std::isnan(error) ? INFINITY : error, allowed(e, i)};
}

/// What the reference's other roundings leave finite is no number in the answer: wrong even where nothing
/// else is asked.
bool lost(const Expected& e, size_t i, double got) {
    return e.floating() && !e.fragile && std::isnan(got) && std::isfinite(e.oracle.values[i]) &&
           std::isfinite(value_at(e.native, i));
}

/// Counts elements beyond their limits.
class Beyond {
  public:
    /// @param by_places what near ties change is among the places that are right
    explicit Beyond(const Expected& e, bool by_places)
        : e_(e), most_(by_places && (!e.places.empty() || e.order) ? 0 : e.forgiven) {}
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

bool accepts(const Expected& e, const std::function<Exact(size_t)>& found) {
    if (e.left_out) {
        for (size_t i = 0; e.floating() && i < e.oracle.values.size(); i++)
            if (lost(e, i, static_cast<double>(found(i)))) return false;
        return true;
    }
    Beyond beyond(e, true);
    for (size_t i = 0; i < e.oracle.values.size(); i++) {
        const Deviation d = e.floating() ? deviation_of_real(e, i, static_cast<double>(found(i)))
                                         : deviation_of_integer(e, i, found(i));
        if (!d.out()) continue;
        beyond.add(d.error);
        if (!beyond.forgiven()) return false;
    }
    return !e.order || e.order->repeated(found).empty();
}

Comparison compare(const Expected& e, const Elements& found) {
    Comparison result;
    const size_t n = e.oracle.values.size();
    Mismatch worst;
    worst.total = static_cast<int64_t>(n);
    worst.integers = !e.floating();
    double worst_ratio = -1, worst_within = 0;
    Beyond beyond(e, true);
    std::vector<bool> repeats(n);
    if (e.order)
        for (const size_t i : e.order->repeated([&](size_t i) { return found.at(i); })) repeats[i] = true;
    for (size_t i = 0; i < n; i++) {
        if (e.left_out && !lost(e, i, value_at(found, i))) continue;
        const Deviation d = e.floating() ? deviation_of_real(e, i, value_at(found, i))
                            : repeats[i] ? Deviation{1, 0}
                                         : deviation_of_integer(e, i, found.at(i));
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
            worst.expected = e.oracle.at(i);
            worst.found = found.at(i);
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
        const bool same =
            (a == b && (e.floating() || one.at(i) == other.at(i))) || (std::isnan(a) && std::isnan(b));
        const double near = e.tolerance * std::max(std::abs(a), std::abs(b));
        if (same || (e.floating() && apart <= std::max(allowed(e, i), near))) continue;
        beyond.add(std::isnan(apart) ? INFINITY : apart);
        if (!beyond.forgiven()) return true;
    }
    return false;
}

std::string describe(const Mismatch& m, const std::string& name) {
    auto number = [&](Exact value) {
        return m.integers ? fmt::format("{:.0f}", value) : fmt::format("{:.9g}", static_cast<double>(value));
    };
    return fmt::format("{}[{}] is {}, expected {} (allowed error {:.3g}); {} of {} elements are out of bound",
                       name, fmt::join(m.position, ", "), number(m.found), number(m.expected), m.allowed,
                       m.count, m.total);
}

Json to_json(const Mismatch& m) {
    auto number = [](Exact exact) {
        const auto v = static_cast<double>(exact);
        return std::isfinite(v) ? Json(v) : Json(fmt::format("{}", v));
    };
    return {{"index", m.position},          {"expected", number(m.expected)}, {"found", number(m.found)},
            {"allowed", number(m.allowed)}, {"out_of_bound", m.count},        {"elements", m.total}};
}

}  // namespace tritonsmith::judge
