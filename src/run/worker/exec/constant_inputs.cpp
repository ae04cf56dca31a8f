#include "run/worker/exec/constant_inputs.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/argsort.h>
#include <ATen/ops/cat.h>
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

/// One in three, and never the first of a row.
at::Tensor flipped(const at::Tensor& values, const at::Tensor& u) {
    at::Tensor flip = u.lt(1.0 / 3);
    if (values.dim() > 0 && values.size(-1) > 1) flip.select(-1, 0).fill_(false);
    return at::where(flip, values.eq(0).to(values.scalar_type()), values);
}

/// Along the last dimension, the same way in each row: what was an index of something stays one.
at::Tensor permuted(const at::Tensor& values, const at::Tensor& u) {
    return values.index_select(-1, at::argsort(u.reshape({-1, values.size(-1)})[0]));
}

/// Rising from the same first to the same last number of each row, as offsets and grids do.
/// @param least between neighbours
at::Tensor other_steps(const at::Tensor& values, const at::Tensor& u, int64_t least) {
    const int64_t steps = values.size(-1) - 1;
    const at::Tensor numbers = values.to(at::kDouble), first = numbers.narrow(-1, 0, 1),
                     total = numbers.narrow(-1, steps, 1) - first;
    at::Tensor share = u.narrow(-1, 0, steps).to(at::kDouble).add(1e-3).cumsum(-1);
    share = share / share.narrow(-1, steps - 1, 1);
    at::Tensor rise = share * (total - static_cast<double>(least * steps));
    if (!values.is_floating_point()) rise = rise.floor();
    rise = rise + at::arange(1, steps + 1, rise.options()) * static_cast<double>(least);
    return at::cat({first, first + rise}, -1);
}

/// Of values that are not all equal. Nothing where they are to stay.
at::Tensor varied_pattern(const at::Tensor& values, const at::Tensor& u, const at::Tensor& v,
                          Variant::Constants how) {
    if (values.scalar_type() == at::kBool) return flipped(values, u);
    if (values.dim() == 0 || values.size(-1) < 2) return {};
    const bool real = values.is_floating_point();
    if (how == Variant::Constants::near && !real) return {};
    const at::Tensor steps = values.to(at::kDouble).diff(1, -1);
    const bool rises = values.size(-1) > 2 && steps.ge(0).all().item<bool>() && steps.gt(0).any().item<bool>();
    const bool counts = steps.eq(1).all().item<bool>();
    if (rises && !counts) return other_steps(values, u, !real && steps.ge(1).all().item<bool>() ? 1 : 0);
    if (!real) return permuted(values, u);
    const double low = values.min().item<double>(), high = values.max().item<double>();
    const at::Tensor order = how == Variant::Constants::near ? values : permuted(values, u);
    // Masks, and targets that are one thing or the other.
    const bool of_two = values.eq(low).logical_or(values.eq(high)).all().item<bool>();
    return of_two ? order : order.to(at::kDouble) * (v.to(at::kDouble) * 0.6 + 0.7);
}

/// Of values that are all equal. Nothing where they are to stay.
at::Tensor varied(const at::Tensor& values, const at::Tensor& u, const at::Tensor& v,
                  Variant::Constants how) {
    const at::Tensor first = values.reshape({-1})[0];
    if (values.scalar_type() == at::kBool) return flipped(values, u);
    if (!values.is_floating_point()) {
        const auto most = first.item<int64_t>();
        if (most < 0) return {};
        // Masks and types, as tokenizers give them.
        if (most <= 1) return how == Variant::Constants::all ? flipped(values, u) : at::Tensor();
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
        const at::Tensor u = uniform(values, seed, i, 0), v = uniform(values, seed, i, 1);
        const bool one_value = values.eq(values.reshape({-1})[0]).all().item<bool>();
        const at::Tensor other = one_value ? varied(values, u, v, how) : varied_pattern(values, u, v, how);
        if (!other.defined()) continue;
        values.copy_(other);
        changed = true;
    }
    return changed;
}

}  // namespace tritonsmith::run
