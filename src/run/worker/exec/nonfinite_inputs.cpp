#include "run/worker/exec/nonfinite_inputs.h"

#include <ATen/MemoryOverlap.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <limits>

#include "plan/ir/json.h"
#include "plan/values/input_use.h"
#include "run/draw/draw.h"
#include "run/worker/exec/draw_step.h"

namespace tritonsmith::run {
namespace {

constexpr uint32_t kNonfiniteStream = 20;  ///< ordinal: of the input

}  // namespace

void add_nonfinite_inputs(const plan::Plan& plan, Memory& memory, uint64_t seed, const Variant& variant) {
    using Nonfinite = Variant::Nonfinite;
    if (variant.nonfinite == Nonfinite::none) return;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::vector<plan::Tensor> inputs = plan::tensors_in(plan.inputs);
    for (size_t i : plan::asked_whether_finite(plan)) {
        const at::Tensor values = memory.view(inputs[i]);
        if (values.numel() == 0 || at::has_internal_overlap(values) == at::MemOverlap::Yes) continue;
        at::Tensor u = at::empty(values.sizes(), values.options().dtype(at::kFloat));
        draw_into(u, {{seed, kNonfiniteStream, static_cast<uint32_t>(i)}, {Law::uniform, 0, 64}});
        // One row in eight holds nothing but NaN.
        const int64_t length = values.dim() > 1 ? values.size(-1) : 0;
        if (const int64_t rows = length > 0 ? values.numel() / length : 0; variant.lines && rows > 2)
            u.view({rows, length})
                .slice(0, static_cast<int64_t>(seed % std::min<uint64_t>(8, static_cast<uint64_t>(rows))),
                       rows, 8)
                .fill_(0);
        // However few they are.
        at::Tensor flat = u.view({-1});
        const int64_t n = flat.numel();
        for (int64_t kind = 0; kind < 3 && kind < n; ++kind)
            flat.select(0, (2 * kind + 1) * n / 6).fill_((static_cast<double>(kind) + 0.5) / 3);
        if (variant.nonfinite != Nonfinite::infinite)
            values.masked_fill_(u.lt(1.0 / 3), std::numeric_limits<double>::quiet_NaN());
        if (variant.nonfinite == Nonfinite::nan) continue;
        values.masked_fill_(u.ge(1.0 / 3).logical_and(u.lt(2.0 / 3)), infinity);
        values.masked_fill_(u.ge(2.0 / 3).logical_and(u.lt(1)), -infinity);
    }
}

}  // namespace tritonsmith::run
