#include "run/worker/exec/named_inputs.h"

#include <ATen/MemoryOverlap.h>
#include <ATen/TensorOperators.h>

#include <algorithm>

#include "plan/ir/json.h"
#include "run/draw/draw.h"
#include "run/worker/exec/scattered.h"

namespace tritonsmith::run {
namespace {

constexpr uint32_t kNamedStream = 22;  ///< ordinal: of the input

}  // namespace

void add_named_inputs(const plan::Plan& plan, Memory& memory, uint64_t seed, const Variant& variant) {
    if (variant.named.empty()) return;
    const std::vector<plan::Tensor> inputs = plan::tensors_in(plan.inputs);
    for (size_t i = 0; i < std::min(variant.named.size(), variant.inputs.size()); ++i) {
        const int64_t input = variant.inputs[i];
        const std::vector<double>& named = variant.named[i];
        if (named.empty() || input < 0 || input >= static_cast<int64_t>(inputs.size())) continue;
        const at::Tensor values = memory.view(inputs[static_cast<size_t>(input)]);
        if (values.numel() == 0 || at::has_internal_overlap(values) == at::MemOverlap::Yes) continue;
        if (variant.everywhere) {
            values.fill_(named[0]);
            continue;
        }
        const auto kinds = static_cast<int64_t>(named.size());
        const at::Tensor scattered =
            scattered_kinds(values, {seed, kNamedStream, static_cast<uint32_t>(input)}, Variant::kNamedOneIn,
                            kinds, variant.lines ? kinds : 0);
        for (int64_t kind = 0; kind < kinds; ++kind)
            values.masked_fill_(of_kind(scattered, kind, kinds), named[static_cast<size_t>(kind)]);
    }
}

}  // namespace tritonsmith::run
