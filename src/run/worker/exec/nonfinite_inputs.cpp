#include "run/worker/exec/nonfinite_inputs.h"

#include <ATen/MemoryOverlap.h>
#include <ATen/TensorOperators.h>

#include <limits>

#include "plan/ir/json.h"
#include "plan/values/input_use.h"
#include "run/draw/draw.h"
#include "run/worker/exec/scattered.h"

namespace tritonsmith::run {
namespace {

constexpr uint32_t kNonfiniteStream = 20;  ///< ordinal: of the input
constexpr int64_t kKinds = 3;              ///< NaN, both infinities
constexpr double kOneIn = 64;              ///< of all kinds

}  // namespace

void add_nonfinite_inputs(const plan::Plan& plan, Memory& memory, uint64_t seed, const Variant& variant) {
    using Nonfinite = Variant::Nonfinite;
    if (variant.nonfinite == Nonfinite::none) return;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::vector<plan::Tensor> inputs = plan::tensors_in(plan.inputs);
    for (size_t i : plan::asked_whether_finite(plan)) {
        const at::Tensor values = memory.view(inputs[i]);
        if (values.numel() == 0 || at::has_internal_overlap(values) == at::MemOverlap::Yes) continue;
        // Rows of nothing but NaN.
        const at::Tensor scattered =
            scattered_kinds(values, {seed, kNonfiniteStream, static_cast<uint32_t>(i)}, kOneIn, kKinds,
                            variant.lines ? 1 : 0);
        if (variant.nonfinite != Nonfinite::infinite)
            values.masked_fill_(of_kind(scattered, 0, kKinds), std::numeric_limits<double>::quiet_NaN());
        if (variant.nonfinite == Nonfinite::nan) continue;
        values.masked_fill_(of_kind(scattered, 1, kKinds), infinity);
        values.masked_fill_(of_kind(scattered, 2, kKinds), -infinity);
    }
}

}  // namespace tritonsmith::run
