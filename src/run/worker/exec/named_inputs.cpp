#include "run/worker/exec/named_inputs.h"

#include <ATen/MemoryOverlap.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>

#include <algorithm>

#include "plan/ir/json.h"
#include "run/draw/draw.h"
#include "run/worker/exec/draw_step.h"

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
        at::Tensor u = at::empty(values.sizes(), values.options().dtype(at::kFloat));
        draw_into(
            u, {{seed, kNamedStream, static_cast<uint32_t>(input)}, {Law::uniform, 0, Variant::kNamedOneIn}});
        const auto kinds = static_cast<int64_t>(named.size());
        // One row in eight holds nothing else.
        const int64_t length = values.dim() > 1 ? values.size(-1) : 0;
        if (const int64_t rows = length > 0 ? values.numel() / length : 0; variant.lines && rows > 2) {
            const at::Tensor by_row = u.view({rows, length});
            for (int64_t kind = 0; kind < kinds; ++kind) {
                const int64_t first = static_cast<int64_t>(seed % std::min<uint64_t>(8, rows)) + 8 * kind;
                if (first < rows)
                    by_row.slice(0, first, rows, 8 * kinds)
                        .fill_((static_cast<double>(kind) + 0.5) / static_cast<double>(kinds));
            }
        }
        // However few elements there are; one alone may be all that the reference has to go by.
        at::Tensor flat = u.view({-1});
        for (int64_t kind = 0; kind < kinds && kinds < flat.numel(); ++kind)
            flat.select(0, (2 * kind + 1) * flat.numel() / (2 * kinds))
                .fill_((static_cast<double>(kind) + 0.5) / static_cast<double>(kinds));
        for (int64_t kind = 0; kind < kinds; ++kind) {
            const double from = static_cast<double>(kind) / static_cast<double>(kinds),
                         to = static_cast<double>(kind + 1) / static_cast<double>(kinds);
            values.masked_fill_(u.ge(from).logical_and(u.lt(to)), named[static_cast<size_t>(kind)]);
        }
    }
}

}  // namespace tritonsmith::run
