#include "forge/module/sizes.h"

#include <algorithm>

namespace tritonsmith::forge {
namespace {

/// Constants up to here are what the program is, not how large its data are: taps, strides, factors.
constexpr int64_t kSmall = 16;
constexpr size_t kMostFactors = 5;
/// Into which a product of many sizes is divided: groups of channels.
constexpr int64_t kMostParts = 64;

Code literal(int64_t value) {
    return {std::to_string(value), value < 0 ? Binding::unary : Binding::atom};
}

Code product(const std::vector<size_t>& factors, const std::vector<Symbol>& symbols, int64_t times) {
    std::optional<Code> out;
    for (const size_t factor : factors)
        out = out ? binary(*out, "*", {symbols[factor].name}) : Code{symbols[factor].name};
    if (times != 1) out = out ? binary(*out, "*", literal(times)) : literal(times);
    return out.value_or(literal(1));
}

/// What series / product is, where that is the same whole number at all sizes; 0 where not.
int64_t ratio(const Series& series, const Series& by) {
    int64_t out = 0;
    for (size_t k = 0; k < series.size(); ++k) {
        if (by[k] == 0 || series[k] % by[k] != 0) return 0;
        if (k > 0 && series[k] / by[k] != out) return 0;
        out = series[k] / by[k];
    }
    return out;
}

/// The products of `length` symbols, with repetitions.
class Products {
  public:
    explicit Products(const std::vector<Symbol>& symbols) : symbols_(symbols) {}

    /// @param accept is asked about each product: its factors and its value; true ends the search
    /// @param whole only products that divide it
    template <class Accept>
    bool each(size_t length, size_t series, const Series* whole, const Accept& accept) {
        if (levels_.empty()) levels_.assign(kMostFactors + 1, Series(series, 1));
        chosen_.clear();
        return further(length, 0, whole, accept);
    }

  private:
    template <class Accept>
    bool further(size_t length, size_t from, const Series* whole, const Accept& accept) {
        const Series& sofar = levels_[chosen_.size()];
        if (length == 0) return accept(chosen_, sofar);
        Series& next = levels_[chosen_.size() + 1];
        for (size_t i = from; i < symbols_.size(); ++i) {
            bool fits = true;
            for (size_t k = 0; k < next.size() && fits; ++k) {
                next[k] = sofar[k] * symbols_[i].values[k];
                fits = next[k] > 0 && next[k] < (int64_t{1} << 50) && (!whole || (*whole)[k] % next[k] == 0);
            }
            if (!fits) continue;
            chosen_.push_back(i);
            if (further(length - 1, i, whole, accept)) return true;
            chosen_.pop_back();
        }
        return false;
    }

    const std::vector<Symbol>& symbols_;
    std::vector<Series> levels_;  ///< the product of the first factors
    std::vector<size_t> chosen_;
};

struct Affine {
    Code code;
    int64_t cost = 0;  ///< of what a reader has to understand
};

/// (scale · s + shift) // divisor for one symbol s. Of few sizes some divisor and shift are true of any two
/// numbers: there the shift is a rounding only, less than the divisor.
std::optional<Affine> affine(const Series& series, const Symbol& symbol) {
    if (constant(symbol.values)) return std::nullopt;
    const bool few = std::set<int64_t>(symbol.values.begin(), symbol.values.end()).size() < 3;
    for (int64_t divisor = 1; divisor <= 16; ++divisor)
        for (int64_t scale = 1; scale <= 8; ++scale) {
            if (divisor > 1 && scale > 1) continue;
            int64_t low = INT64_MIN, high = INT64_MAX;  // of the shift
            for (size_t k = 0; k < series.size(); ++k) {
                low = std::max(low, series[k] * divisor - scale * symbol.values[k]);
                high = std::min(high, series[k] * divisor + divisor - 1 - scale * symbol.values[k]);
            }
            const int64_t most = few && divisor > 1 ? divisor - 1 : 64;
            if (low > high || std::min(std::abs(low), std::abs(high)) > most) continue;
            // Of what fits, the least shift: it need not be the one of the text where the sizes do not tell.
            const int64_t shift = std::abs(low) <= std::abs(high) ? low : high;
            Code out{symbol.name};
            if (scale != 1) out = binary(literal(scale), "*", out);
            if (shift != 0) out = binary(out, shift < 0 ? "-" : "+", literal(std::abs(shift)));
            if (divisor != 1) out = binary(out, "//", literal(divisor));
            return Affine{out, std::abs(shift) + 100 * (divisor - 1) + 10 * (scale - 1)};
        }
    return std::nullopt;
}

/// The simplest of all symbols' affine forms.
std::optional<Code> simplest_affine(const Series& series, const std::vector<Symbol>& symbols,
                                    std::set<size_t>& used) {
    std::optional<Affine> best;
    size_t of = 0;
    for (size_t i = 0; i < symbols.size(); ++i) {
        std::optional<Affine> form = affine(series, symbols[i]);
        if (!form || (best && best->cost <= form->cost)) continue;
        best = std::move(form);
        of = i;
    }
    if (!best) return std::nullopt;
    used.insert(of);
    return best->code;
}

}  // namespace

bool constant(const Series& series) {
    return std::all_of(series.begin(), series.end(), [&](int64_t value) { return value == series[0]; });
}

std::optional<Code> fit_product(const Series& series, const std::vector<Symbol>& symbols,
                                std::set<size_t>& used) {
    if (constant(series) && series[0] <= kSmall) return literal(series[0]);
    std::optional<Code> out;
    Products products(symbols);
    for (size_t length = 1; length <= kMostFactors && !out; ++length) {
        products.each(length, series.size(), &series,
                      [&](const std::vector<size_t>& factors, const Series& value) {
                          if (value != series) return false;
                          out = product(factors, symbols, 1);
                          used.insert(factors.begin(), factors.end());
                          return true;
                      });
        for (size_t i = 0; i < symbols.size() && length == 1 && !out && !constant(series);
             ++i) {  // twice, thrice, four times a size
            const int64_t times = ratio(series, symbols[i].values);
            if (times < 2 || times > 4) continue;
            out = product({i}, symbols, times);
            used.insert(i);
        }
    }
    return out;
}

std::optional<Code> fit_beside(const Series& series, const std::vector<Symbol>& symbols,
                               std::set<size_t>& used) {
    constexpr int64_t kLittle = 16;
    std::optional<size_t> best;
    auto beside = [&](size_t i) { return series[0] - symbols[i].values[0]; };
    for (size_t i = 0; i < symbols.size(); ++i) {
        const Series& values = symbols[i].values;
        bool fits = std::abs(beside(i)) <= kLittle && !constant(values);
        for (size_t k = 1; k < series.size() && fits; ++k) fits = series[k] - values[k] == beside(i);
        if (fits && (!best || std::abs(beside(i)) < std::abs(beside(*best)))) best = i;
    }
    if (!best) return std::nullopt;
    used.insert(*best);
    const int64_t shift = beside(*best);
    const Code name{symbols[*best].name};
    return shift == 0 ? name : binary(name, shift < 0 ? "-" : "+", literal(std::abs(shift)));
}

std::optional<Code> fit_ratio(const Series& series, const std::vector<Symbol>& symbols,
                              std::set<size_t>& used) {
    const bool same = constant(series);
    if (same && series[0] <= kSmall) return literal(series[0]);
    for (size_t i = 0; i < symbols.size(); ++i)
        if (symbols[i].values == series) {
            used.insert(i);
            return Code{symbols[i].name};
        }
    if (same) return literal(series[0]);
    std::optional<Code> out = fit_product(series, symbols, used);
    Products products(symbols);
    for (size_t length = 1; length <= 3 && !out; ++length)
        products.each(length, series.size(), nullptr,
                      [&](const std::vector<size_t>& factors, const Series& value) {
                          const int64_t times = ratio(series, value), part = ratio(value, series);
                          if (times < 1 && part < 1) return false;
                          out = times >= 1 ? product(factors, symbols, times)
                                           : binary(product(factors, symbols, 1), "//", literal(part));
                          used.insert(factors.begin(), factors.end());
                          return true;
                      });
    return out;
}

std::optional<Code> fit(const Series& series, const std::vector<Symbol>& symbols, std::set<size_t>& used) {
    std::optional<Code> out = fit_ratio(series, symbols, used);
    return out ? out : fit_rounded(series, symbols, used);
}

std::optional<Code> fit_rounded(const Series& series, const std::vector<Symbol>& symbols,
                                std::set<size_t>& used) {
    Products products(symbols);
    std::optional<Code> out = simplest_affine(series, symbols, used);
    for (size_t i = 0; i < symbols.size() && !out; ++i)  // a // b * c: a group of channels and its taps
        for (int64_t part = 2; part <= 16 && !out; ++part) {
            Series group = symbols[i].values;
            if (constant(group) ||
                std::any_of(group.begin(), group.end(), [&](int64_t value) { return value % part != 0; }))
                continue;
            for (int64_t& value : group) value /= part;
            const int64_t times = ratio(series, group);
            if (times < 2) continue;
            out = binary(binary({symbols[i].name}, "//", literal(part)), "*", literal(times));
            used.insert(i);
        }
    for (size_t length = 1; length <= 3 && !out; ++length)  // (a · b) // c
        products.each(length, series.size(), nullptr,
                      [&](const std::vector<size_t>& factors, const Series& value) {
                          for (size_t i = 0; i < symbols.size(); ++i) {
                              bool same = true;
                              for (size_t k = 0; k < series.size() && same; ++k)
                                  same = series[k] * symbols[i].values[k] == value[k];
                              if (!same || constant(symbols[i].values)) continue;
                              out = binary(product(factors, symbols, 1), "//", {symbols[i].name});
                              used.insert(factors.begin(), factors.end());
                              used.insert(i);
                              return true;
                          }
                          return false;
                      });
    for (size_t length = 1; length <= 2 && !out; ++length)  // affine in one, times others
        products.each(length, series.size(), &series,
                      [&](const std::vector<size_t>& factors, const Series& value) {
                          if (constant(value)) return false;
                          Series rest = series;
                          for (size_t k = 0; k < rest.size(); ++k) rest[k] /= value[k];
                          const std::optional<Code> form = simplest_affine(rest, symbols, used);
                          if (!form) return false;
                          out = *form;
                          for (const size_t factor : factors) out = binary(*out, "*", {symbols[factor].name});
                          used.insert(factors.begin(), factors.end());
                          return true;
                      });
    for (size_t length = 4; length <= kMostFactors && !out; ++length)  // (a · b · c · d) // 8: a group's size
        products.each(length, series.size(), nullptr,
                      [&](const std::vector<size_t>& factors, const Series& value) {
                          const int64_t part = ratio(value, series);
                          if (part < 2 || part > kMostParts) return false;
                          out = binary(product(factors, symbols, 1), "//", literal(part));
                          used.insert(factors.begin(), factors.end());
                          return true;
                      });
    return out;
}

}  // namespace tritonsmith::forge
