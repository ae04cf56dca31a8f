#include <cmath>

#include "judge/elements/element_families.h"

namespace tritonsmith::judge {

namespace {

using Tensor = plan::Tensor;

/// Those that a row of places sends to one of them.
Line sent_to(const StepArguments& a, const Index& index, size_t dim, ElementContext& context) {
    const Tensor& places = a.tensor(2);
    const Tensor* source = a.tensor_or_null(3, "src");
    Line out;
    for (size_t d = 0; d < index.size(); d++)
        if (d != dim && index[d] >= places.shape[d]) return out;  // further than the tensor of places
    Index at = index;
    for (int64_t i = 0; i < places.shape[dim]; i++) {
        at[dim] = i;
        if (place(places, at, a.tensor(0).shape[dim], context) != index[dim]) continue;
        const double value = source ? 0 : a.real(3, "value", 0);
        out.push_back(source ? context.at(*source, at) : OracleElement{value, std::abs(value)});
    }
    return out;
}

/// The same of places that are one row for all: (self, dim, index, source).
Line slices_sent_to(const StepArguments& a, const Index& index, size_t dim, ElementContext& context) {
    const Tensor& places = a.tensor(2);
    const Tensor* source = a.tensor_or_null(3, "source");
    Line out;
    Index at = index;
    for (int64_t i = 0; i < plan::element_count(places); i++) {
        if (place(places, places.shape.empty() ? Index{} : Index{i}, a.tensor(0).shape[dim], context) !=
            index[dim])
            continue;
        at[dim] = i;
        const double value = source ? 0 : a.real(3, "value", 0);
        out.push_back(source ? context.at(*source, at) : OracleElement{value, std::abs(value)});
    }
    return out;
}

/// Nobody promises which of several stays.
OracleElement only(const Line& sent, const OracleElement& before) {
    for (const OracleElement& e : sent)
        if (e.value != sent.front().value) throw CannotEvaluate("several elements for one place");
    return sent.empty() ? before : sent.front();
}

OracleElement summed(const Line& sent, OracleElement sum, double factor, ElementContext& context) {
    for (const OracleElement& e : sent)
        sum = {sum.value + factor * e.value, sum.scale + std::abs(factor) * e.scale};
    sum.value = context.noise(sum.value, sum.scale, static_cast<double>(sent.size()));
    return sum;
}

/// (self, dim, index, src, reduce, include_self)
OracleElement reduced(const Line& sent, const OracleElement& before, const StepArguments& a,
                      ElementContext& context) {
    const std::string how = a.text(4, "reduce", "");
    Line all = sent;
    if (all.empty()) return before;
    if (a.flag(5, "include_self", true)) all.push_back(before);
    if (how == "sum" || how == "mean") {
        const OracleElement sum = summed(all, {}, 1, context);
        const double terms = how == "sum" ? 1 : static_cast<double>(all.size());
        return {sum.value / terms, sum.scale / terms};
    }
    if (how != "amax" && how != "amin") throw CannotEvaluate("a reduction by " + how);
    OracleElement best = all.front();
    for (const OracleElement& e : all)
        if (how == "amax" ? e.value > best.value : e.value < best.value) best = e;
    return best;
}

}  // namespace

std::optional<OracleElement> scattered(const std::string& base, int result, const StepArguments& a,
                                       const Index& index, ElementContext& context) {
    const bool scatter = base == "aten::scatter", adds = base == "aten::scatter_add",
               reduces = base == "aten::scatter_reduce";
    const bool slices = base == "aten::index_add" || base == "aten::index_copy" || base == "aten::index_fill";
    if (result != 0 || (!scatter && !adds && !reduces && !slices)) return std::nullopt;
    if (index.empty() || (scatter && a.text(4, "reduce", "") != "")) throw CannotEvaluate(base);
    const Tensor& self = a.tensor(0);
    const size_t dim = dimension(self, a.whole(1, "dim", 0));
    const Line sent = slices ? slices_sent_to(a, index, dim, context) : sent_to(a, index, dim, context);
    const OracleElement before = context.at(self, index);
    if (adds) return summed(sent, before, 1, context);
    if (base == "aten::index_add") return summed(sent, before, a.real(4, "alpha", 1), context);
    return reduces ? reduced(sent, before, a, context) : only(sent, before);
}

}  // namespace tritonsmith::judge
