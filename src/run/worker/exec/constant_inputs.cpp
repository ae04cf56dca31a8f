#include "run/worker/exec/constant_inputs.h"

#include <ATen/MemoryOverlap.h>
#include <ATen/TensorOperators.h>

#include <algorithm>

#include "plan/analysis/flow.h"
#include "plan/ir/json.h"
#include "plan/values/input_use.h"
#include "run/worker/exec/other_values.h"

namespace tritonsmith::run {
namespace {

/// Offsets of sequences whose greatest length is an argument of the call: it goes on to hold.
bool longest_is_stated(const plan::Plan& plan, const at::Tensor& offsets) {
    if (offsets.dim() == 0 || offsets.size(-1) < 2 || !at::isIntegralType(offsets.scalar_type(), false))
        return false;
    const int64_t n = offsets.size(-1);
    const auto longest = (offsets.slice(-1, 1) - offsets.slice(-1, 0, n - 1)).max().item<int64_t>();
    return std::any_of(plan.inputs.begin(), plan.inputs.end(), [&](const plan::Value& value) {
        const auto* number = std::get_if<int64_t>(&value.v);
        return number && *number == longest;
    });
}

/// Without its repetitions: each element once.
at::Tensor not_expanded(at::Tensor values) {
    for (int64_t d = 0; d < values.dim(); ++d)
        if (values.stride(d) == 0 && values.size(d) > 1) values = values.narrow(d, 0, 1);
    return values;
}

}  // namespace

bool vary_constant_inputs(const plan::Plan& plan, Memory& memory, uint64_t seed, const Variant& variant) {
    if (variant.constants == Variant::Constants::kept) return false;
    const std::vector<plan::Tensor> inputs = plan::tensors_in(plan.inputs);
    const std::vector<size_t> constant = plan::constant_inputs(plan);
    const std::vector<plan::Use> uses = plan::uses(plan, inputs);
    // What the reference does not read may say the same in another form (offsets of sorted segments,
    // lengths), and a kernel may read that instead: then it stays, and so do the integers and flags that it
    // may say.
    const bool all_read =
        std::all_of(constant.begin(), constant.end(), [&](size_t i) { return uses[i].read; });
    bool changed = false;
    for (size_t i : constant) {
        const at::Tensor given = memory.view(inputs[i]);
        if (!uses[i].read || (!all_read && at::isIntegralType(given.scalar_type(), true))) continue;
        const at::Tensor values = not_expanded(given);
        if (at::has_internal_overlap(values) == at::MemOverlap::Yes) continue;
        Other how{seed, static_cast<uint32_t>(i)};
        how.near = variant.constants == Variant::Constants::near;
        how.empty = variant.constants == Variant::Constants::empty;
        how.anywhere = how.empty || variant.constants == Variant::Constants::anywhere;
        how.compared = uses[i].compared;
        how.places = uses[i].places;
        how.patterns = variant.patterns && all_read;
        how.index = uses[i].index_only();
        how.steps_kept = how.patterns && longest_is_stated(plan, values);
        const at::Tensor other = other_values(values, how);
        if (!other.defined()) continue;
        values.copy_(other);
        changed = true;
    }
    return changed;
}

}  // namespace tritonsmith::run
