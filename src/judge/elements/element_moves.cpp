#include <cmath>

#include "judge/elements/element_families.h"
#include "plan/ir/json.h"

namespace tritonsmith::judge {

namespace {

/// A position that a tensor of indices holds.
int64_t place(const plan::Tensor& indices, const Index& at, int64_t size, ElementContext& context) {
    const double value = context.at(indices, at).value;
    if (!(value >= -static_cast<double>(size) && value < static_cast<double>(size)))
        throw CannotEvaluate("an index out of range");
    const auto whole = static_cast<int64_t>(value);
    return whole < 0 ? whole + size : whole;
}

std::vector<plan::Tensor> tensors_of(const StepArguments& a) {
    const plan::Value* value = a.find(0, "tensors");
    return value ? plan::tensors_in(*value) : std::vector<plan::Tensor>{};
}

}  // namespace

std::optional<OracleElement> moves(const std::string& base, int /*result*/, const StepArguments& a,
                                   const Index& index, ElementContext& context) {
    if (base == "aten::cat" || base == "aten::stack") {
        const bool stack = base == "aten::stack";
        const std::vector<plan::Tensor> parts = tensors_of(a);
        if (parts.empty() || index.empty()) throw CannotEvaluate(base);
        int64_t dim = a.whole(1, "dim", 0);
        if (dim < 0) dim += static_cast<int64_t>(index.size());
        Index at = index;
        int64_t& along = at.at(static_cast<size_t>(dim));
        if (stack) {
            const auto which = static_cast<size_t>(along);
            at.erase(at.begin() + dim);
            return context.at(parts.at(which), at);
        }
        for (const plan::Tensor& part : parts) {
            if (part.shape.size() != index.size()) continue;  // an empty one, by PyTorch's old rule
            if (along < part.shape[static_cast<size_t>(dim)]) return context.at(part, at);
            along -= part.shape[static_cast<size_t>(dim)];
        }
        throw CannotEvaluate(base);
    }
    if (base == "aten::tril" || base == "aten::triu") {
        if (index.size() < 2) throw CannotEvaluate(base);
        const int64_t beyond = index.back() - index[index.size() - 2], diagonal = a.whole(1, "diagonal", 0);
        const bool kept = base == "aten::tril" ? beyond <= diagonal : beyond >= diagonal;
        return kept ? context.at(a.tensor(0), index) : OracleElement{};
    }
    if (base == "aten::gather" || base == "aten::index_select") {
        const plan::Tensor &x = a.tensor(0), &indices = a.tensor(2);
        const size_t dim = dimension(x, a.whole(1, "dim", 0));
        Index at = index;
        at[dim] = place(indices, base == "aten::gather" ? index : Index{index[dim]}, x.shape[dim], context);
        return context.at(x, at);
    }
    if (base == "aten::embedding") {
        const plan::Tensor &table = a.tensor(0), &indices = a.tensor(1);
        if (index.empty()) throw CannotEvaluate(base);
        const Index at(index.begin(), index.end() - 1);
        return context.at(table, {place(indices, at, table.shape.at(0), context), index.back()});
    }
    if (base == "aten::flip") {
        const plan::Tensor& x = a.tensor(0);
        Index at = index;
        for (int64_t dim : a.integers(1, "dims")) {
            const size_t d = dimension(x, dim);
            at[d] = x.shape[d] - 1 - at[d];
        }
        return context.at(x, at);
    }
    return std::nullopt;
}

}  // namespace tritonsmith::judge
