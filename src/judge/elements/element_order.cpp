#include <algorithm>
#include <cmath>
#include <numeric>

#include "judge/elements/element_families.h"

namespace tritonsmith::judge {

namespace {

OracleElement exact(double value) {
    return {value, std::abs(value)};
}

/// NaN is the largest and the smallest, and the first of equal elements is taken, as PyTorch documents it.
size_t extreme(const Line& line, bool largest) {
    size_t best = 0;
    for (size_t i = 0; i < line.size(); i++) {
        if (std::isnan(line[i].value)) return i;
        if (largest ? line[i].value > line[best].value : line[i].value < line[best].value) best = i;
    }
    return best;
}

/// The index of the argument with a zero in the reduced dimension, from that of the result.
Index with_dimension(const plan::Tensor& tensor, size_t dim, const Index& index) {
    Index out = index;
    if (index.size() < tensor.shape.size()) out.insert(out.begin() + static_cast<std::ptrdiff_t>(dim), 0);
    return out;
}

/// argmax, argmin, and the second result of max.dim and min.dim.
std::optional<OracleElement> position(const std::string& base, int result, const StepArguments& a,
                                      const Index& index, ElementContext& context) {
    const bool arg = base == "aten::argmax" || base == "aten::argmin";
    const bool pair = (base == "aten::max" || base == "aten::min") && result == 1;
    if (!arg && !pair) return std::nullopt;
    const plan::Tensor& x = a.tensor(0);
    const bool largest = base == "aten::argmax" || base == "aten::max";
    const std::vector<int64_t> dims = a.integers(1, "dim");
    Line line;
    if (dims.empty()) {  // of all elements, row major
        Line part;
        Index at(x.shape.size(), 0);
        for (;;) {
            if (at.empty()) throw CannotEvaluate("an extreme of one number");
            context.line(x, at, at.size() - 1, part);
            line.insert(line.end(), part.begin(), part.end());
            size_t d = at.size() - 1;
            while (d > 0 && ++at[d - 1] == x.shape[d - 1]) at[--d] = 0;
            if (d == 0) break;
        }
    } else {
        const size_t dim = dimension(x, dims.front());
        context.line(x, with_dimension(x, dim, index), dim, line);
    }
    if (line.empty()) throw CannotEvaluate("an extreme of nothing");
    return exact(static_cast<double>(extreme(line, largest)));
}

/// Rows in order: sort, and the largest or smallest of topk.
std::optional<OracleElement> sorted(const std::string& base, int result, const StepArguments& a,
                                    const Index& index, ElementContext& context) {
    const bool top = base == "aten::topk";
    if (!top && base != "aten::sort" && base != "aten::argsort") return std::nullopt;
    const plan::Tensor& x = a.tensor(0);
    if (x.shape.empty()) throw CannotEvaluate("one number in order");
    if (top && !a.flag(4, "sorted", true)) throw CannotEvaluate("the largest in any order");
    // sort(x, dim, descending), sort.stable(x, stable, dim, descending)
    const plan::Value* second = a.find(1, "dim");
    const bool stable = !top && second && !std::holds_alternative<int64_t>(second->v);
    const size_t at = stable || top ? 2 : 1;
    const size_t dim = dimension(x, a.whole(at, "dim", -1));
    const bool descending = top ? a.flag(3, "largest", true) : a.flag(at + 1, "descending", false);
    const bool places = result == 1 || base == "aten::argsort";
    Index key = index;
    const auto rank = static_cast<size_t>(std::exchange(key[dim], 0));
    // The elements in order, and behind them where they were.
    const Line& row = context.kept(key, [&] {
        Line line;
        context.line(x, key, dim, line);
        std::vector<size_t> order(line.size());
        std::iota(order.begin(), order.end(), size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](size_t p, size_t q) {
            return descending ? line[p].value > line[q].value : line[p].value < line[q].value;
        });
        Line out;
        for (size_t i : order) out.push_back(line[i]);
        for (size_t i : order) out.push_back(exact(static_cast<double>(i)));
        return out;
    });
    const size_t count = row.size() / 2;
    if (rank >= count) throw CannotEvaluate(base);
    if (!places) return row[rank];
    // Nobody promises which of two equal elements comes first.
    const double value = row[rank].value;
    if ((rank > 0 && row[rank - 1].value == value) || (rank + 1 < count && row[rank + 1].value == value))
        throw CannotEvaluate("the places of equal elements");
    return row[count + rank];
}

/// One more element of a running sum, product, or logarithm of sums of exponentials.
OracleElement gathered(const std::string& base, const OracleElement& total, const OracleElement& e) {
    if (base == "aten::cumsum") return {total.value + e.value, total.scale + e.scale};
    if (base == "aten::cumprod") return {total.value * e.value, total.scale * e.scale};
    const double top = std::max(total.value, e.value), low = std::min(total.value, e.value);
    const double scale = std::max({total.scale, e.scale, std::isfinite(top) ? std::abs(top) + 1 : 0});
    return {std::isfinite(top) ? top + std::log1p(std::exp(low - top)) : top, scale};
}

std::optional<OracleElement> running(const std::string& base, int /*result*/, const StepArguments& a,
                                     const Index& index, ElementContext& context) {
    const bool log_sum = base == "aten::logcumsumexp" || base == "aten::_logcumsumexp";
    if (base != "aten::cumsum" && base != "aten::cumprod" && !log_sum) return std::nullopt;
    const plan::Tensor& x = a.tensor(0);
    if (x.shape.empty()) throw CannotEvaluate(base);
    const size_t dim = dimension(x, a.whole(1, "dim", -1));
    Index key = index;
    const auto last = static_cast<size_t>(std::exchange(key[dim], 0));
    const Line& row = context.kept(key, [&] {
        Line line;
        context.line(x, key, dim, line);
        OracleElement total = log_sum                  ? OracleElement{-INFINITY, 0}
                              : base == "aten::cumsum" ? OracleElement{}
                                                       : OracleElement{1, 1};
        for (OracleElement& e : line) {
            e = total = gathered(base, total, e);
            e.value = context.noise(e.value, e.scale);
        }
        return line;
    });
    return row.at(last);
}

/// The greatest or least so far, and where the last of equal ones was.
std::optional<OracleElement> running_extreme(const std::string& base, int result, const StepArguments& a,
                                             const Index& index, ElementContext& context) {
    if (base != "aten::cummax" && base != "aten::cummin") return std::nullopt;
    const plan::Tensor& x = a.tensor(0);
    if (x.shape.empty()) throw CannotEvaluate(base);
    const size_t dim = dimension(x, a.whole(1, "dim", -1));
    Line line;
    context.line(x, index, dim, line);
    auto best = static_cast<size_t>(0);
    for (size_t i = 0; i <= static_cast<size_t>(index[dim]); i++) {
        if (std::isnan(line.at(i).value)) throw CannotEvaluate(base);
        const double apart = line[i].value - line[best].value;
        if (base == "aten::cummax" ? apart >= 0 : apart <= 0) best = i;
    }
    return result == 0 ? line[best] : exact(static_cast<double>(best));
}

}  // namespace

size_t dimension(const plan::Tensor& tensor, int64_t dim) {
    const auto rank = static_cast<int64_t>(tensor.shape.size());
    if (dim < 0) dim += rank;
    if (dim < 0 || dim >= rank) throw CannotEvaluate("a dimension is out of range");
    return static_cast<size_t>(dim);
}

std::optional<OracleElement> ordering(const std::string& base, int result, const StepArguments& a,
                                      const Index& index, ElementContext& context) {
    for (Family* family : {position, sorted, running, running_extreme})
        if (auto e = family(base, result, a, index, context)) return e;
    return std::nullopt;
}

}  // namespace tritonsmith::judge
