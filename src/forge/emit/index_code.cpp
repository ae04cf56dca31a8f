#include "forge/emit/index_code.h"

#include <algorithm>
#include <climits>
#include <cstdlib>

namespace tritonsmith::forge {
namespace {

using graph::Index;

Code factor_code(const Index::Term& term, const Axes& axes, Numbers& numbers) {
    if (term.factor == Index::Factor::axis) return {axes.names[static_cast<size_t>(term.axis)]};
    const Code divisor{numbers.open(term.divisor)};
    const int64_t low = term.argument->range(axes.extents).low;
    Code argument = index_code(*term.argument, axes, numbers);
    const int64_t periods = low < 0 ? (-low + term.divisor - 1) / term.divisor : 0;
    if (periods > 0)
        argument =
            binary(argument, "+", periods == 1 ? divisor : binary({std::to_string(periods)}, "*", divisor));
    if (term.factor == Index::Factor::remainder) return binary(argument, "%", divisor);
    const Code whole = binary(argument, "//", divisor);
    return periods > 0 ? binary(whole, "-", {std::to_string(periods)}) : whole;
}

/// The sizes that a coefficient is a product of: those of the axes within it, (batch · rows + row) · cols +
/// col.
std::string stride_name(const Index& index, int64_t coefficient, const Axes& axes) {
    for (const Index::Term& term : index.terms()) {
        const auto axis = static_cast<size_t>(term.axis);
        if (term.factor != Index::Factor::axis || axis >= axes.sizes.size() || axes.sizes[axis].empty() ||
            term.coefficient < 1 || term.coefficient >= coefficient ||
            axes.extents[axis] * term.coefficient != coefficient)
            continue;
        if (term.coefficient == 1) return axes.sizes[axis];
        const std::string inner = stride_name(index, term.coefficient, axes);
        return inner.empty() ? "" : axes.sizes[axis] + " * " + inner;
    }
    return "";
}

}  // namespace

Code index_code(const Index& index, const Axes& axes, Numbers& numbers) {
    Code out;
    bool first = true;
    // Terms that are added before those that are taken away.
    // The outermost stride first: the same order at every size.
    std::vector<Index::Term> terms(index.terms().begin(), index.terms().end());
    auto lead = [](const Index::Term& term, const auto& self) -> int {
        if (term.factor == Index::Factor::axis) return term.axis;
        int out = INT_MAX;
        for (const Index::Term& inner : term.argument->terms()) out = std::min(out, self(inner, self));
        return out;
    };
    std::stable_sort(terms.begin(), terms.end(), [&](const Index::Term& a, const Index::Term& b) {
        const int64_t x = std::abs(a.coefficient), y = std::abs(b.coefficient);
        return x != y ? x > y : lead(a, lead) < lead(b, lead);
    });
    for (const bool negative : {false, true})
        for (const Index::Term& term : terms) {
            if ((term.coefficient < 0) != negative) continue;
            Code code = factor_code(term, axes, numbers);
            if (std::abs(term.coefficient) != 1)
                code = binary(
                    code, "*",
                    {numbers.open(std::abs(term.coefficient), stride_name(index, term.coefficient, axes))});
            if (first)
                out = negative ? Code{"-" + code.in(Binding::unary), Binding::unary} : code;
            else
                out = binary(out, negative ? "-" : "+", code);
            first = false;
        }
    if (first)
        return index.constant() == 0
                   ? Code{"0"}
                   : Code{(index.constant() < 0 ? "-" : "") + numbers.open(std::abs(index.constant())),
                          index.constant() < 0 ? Binding::unary : Binding::atom};
    if (index.constant() != 0)
        out = binary(out, index.constant() < 0 ? "-" : "+", {numbers.open(std::abs(index.constant()))});
    return out;
}

std::string guard_code(const graph::Guard& guard, const Axes& axes, Numbers& numbers,
                       const std::string& name) {
    const Index::Range range = guard.at.range(axes.extents);
    const Code at = name.empty() ? index_code(guard.at, axes, numbers) : Code{name};
    std::string out;
    if (range.low < 0) out = "(" + binary(at, ">=", {"0"}).text + ")";
    if (range.high >= guard.extent || guard.end) {
        if (!out.empty()) out += " & ";
        if (guard.extent == 1)  // a remainder
            return out + "(" + binary(at, "==", {"0"}).text + ")";
        out += "(" + binary(at, "<", {numbers.open(guard.extent)}).text + ")";
    }
    return out;
}

}  // namespace tritonsmith::forge
