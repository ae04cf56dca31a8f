#include "run/worker/sample/buffers/constants.h"

#include <set>

#include "plan/ir/arguments.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "run/draw/store.h"

namespace tritonsmith::run::sample {

std::optional<double> constant_of(const plan::AtenStep& step) {
    const plan::OpName op(step.op);
    if (op.space != "aten") return std::nullopt;
    if (op.base == "zeros" || op.base == "zeros_like" || op.base == "new_zeros" || op.base == "zero_" ||
        op.base == "zero")
        return 0;
    if (op.base == "ones" || op.base == "ones_like" || op.base == "new_ones") return 1;
    if (op.base == "full" || op.base == "full_like" || (op.base == "fill_" && op.overload != "Tensor"))
        return plan::as_number_or_truth(
            plan::find_argument(step, 1, op.base == "fill_" ? "value" : "fill_value"));
    if (op.base == "new_full") return plan::as_number_or_truth(plan::find_argument(step, 2, "fill_value"));
    return std::nullopt;
}

std::optional<Copy> copy_of(const plan::AtenStep& step) {
    const plan::OpName op(step.op);
    const std::vector<plan::Tensor> results = plan::tensors_in(step.result);
    if (op.space != "aten" || results.size() != 1) return std::nullopt;
    static const std::set<std::string_view> same_places{
        "clone", "contiguous", "_to_copy", "to", "copy_", "lift_fresh_copy", "detach_copy", "alias_copy"};
    const size_t position = op.base == "copy_" ? 1 : 0;
    if (!same_places.contains(op.base)) return std::nullopt;
    const auto* from = plan::argument<plan::Tensor>(step, position);
    const plan::Tensor& to = results.front();
    if (!from || from->shape.size() > to.shape.size() || !convertible(from->dtype, to.dtype))
        return std::nullopt;
    Copy copy{*from, to};
    // Broadcast from the right, as copy_ does.
    const size_t missing = to.shape.size() - from->shape.size();
    for (size_t d = 0; d < from->shape.size(); d++) {
        if (from->shape[d] == to.shape[d + missing]) continue;
        if (from->shape[d] != 1) return std::nullopt;
        copy.from.shape[d] = to.shape[d + missing];
        copy.from.stride[d] = 0;
    }
    copy.from.shape.insert(copy.from.shape.begin(), to.shape.begin(),
                           to.shape.begin() + static_cast<std::ptrdiff_t>(missing));
    copy.from.stride.insert(copy.from.stride.begin(), missing, 0);
    return copy;
}

}  // namespace tritonsmith::run::sample
