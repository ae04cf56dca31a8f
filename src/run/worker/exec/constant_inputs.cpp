#include "run/worker/exec/constant_inputs.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/where.h>

#include <cmath>

#include "plan/analysis/flow.h"
#include "plan/ir/json.h"
#include "run/worker/exec/draw_step.h"

namespace tritonsmith::run {
namespace {

constexpr uint32_t kConstantInputStream = 19;  ///< ordinal: twice the input's position, and one more

at::Tensor uniform(const at::Tensor& like, uint64_t seed, size_t input, uint32_t which) {
    at::Tensor out = at::empty(like.sizes(), like.options().dtype(at::kFloat));
    const auto ordinal = static_cast<uint32_t>(2 * input) + which;
    draw_into(out, {{seed, kConstantInputStream, ordinal}, {Law::uniform, 0, 1}});
    return out;
}

/// Nothing where it is to stay.
at::Tensor varied(const at::Tensor& values, uint64_t seed, size_t input, Variant::Constants how) {
    const at::Tensor first = values.reshape({-1})[0];
    const at::Tensor u = uniform(values, seed, input, 0), v = uniform(values, seed, input, 1);
    if (values.scalar_type() == at::kBool) {
        at::Tensor flipped = u.lt(1.0 / 3);
        if (values.dim() > 0 && values.size(-1) > 1) flipped.select(-1, 0).fill_(false);
        return at::where(flipped, values.logical_not(), values);
    }
    if (!values.is_floating_point()) {
        const auto most = first.item<int64_t>();
        if (most <= 1) return {};
        return u.to(at::kDouble).mul(static_cast<double>(most)).floor().add(1).clamp_max(most);
    }
    const auto value = first.item<double>();
    if (!std::isfinite(value)) return {};
    const at::Tensor kept = u.lt(0.75), factor = v.to(at::kDouble).add(0.5);
    if (value == 0) return v.to(at::kDouble).sub(0.5).mul(how == Variant::Constants::all ? 2 : 0.1);
    if (how == Variant::Constants::near) return kept.to(at::kDouble).mul(value);
    return at::where(kept, factor.mul(value), factor.mul(0));
}

}  // namespace

bool vary_constant_inputs(const plan::Plan& plan, Memory& memory, uint64_t seed, Variant::Constants how) {
    if (how == Variant::Constants::kept) return false;
    const std::vector<plan::Tensor> inputs = plan::tensors_in(plan.inputs);
    bool changed = false;
    for (size_t i : plan::constant_inputs(plan)) {
        const at::Tensor values = memory.view(inputs[i]);
        const bool usual = values.scalar_type() == at::kBool ||
                           at::isIntegralType(values.scalar_type(), false) ||
                           (values.is_floating_point() && values.element_size() > 1);
        if (!usual || values.is_complex()) continue;
        if (!values.eq(values.reshape({-1})[0]).all().item<bool>()) continue;
        const at::Tensor other = varied(values, seed, i, how);
        if (!other.defined()) continue;
        values.copy_(other);
        changed = true;
    }
    return changed;
}

}  // namespace tritonsmith::run
