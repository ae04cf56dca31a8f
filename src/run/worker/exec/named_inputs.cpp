#include "run/worker/exec/named_inputs.h"

#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/where.h>

#include <algorithm>

#include "plan/ir/json.h"
#include "run/draw/draw.h"
#include "run/worker/exec/scattered.h"

namespace tritonsmith::run {
namespace {

constexpr uint32_t kNamedStream = 22;  ///< ordinal: of the input

/// Elements of the weight: those that meet `values`, where it may be laid over these, else any.
/// @param part uniform in [0, 1) where it matters
at::Tensor elements_of(const at::Tensor& weight, const at::Tensor& values, const at::Tensor& part) {
    const at::Tensor numbers = weight.to(values.scalar_type());
    if (at::is_expandable_to(numbers.sizes(), values.sizes())) return numbers.expand(values.sizes());
    const auto last = static_cast<double>(numbers.numel() - 1);
    return numbers.flatten().take(part.mul(numbers.numel()).floor().clamp(0, last).to(at::kLong));
}

/// Every second row of `values` becomes one of the weight's, in turn; each one where they are few. @param set
/// of those that have all of the weight's
void put_rows(const at::Tensor& values, const at::Tensor& weight, int set) {
    const int64_t choices = weight.size(0), length = weight.size(1);
    const at::Tensor rows = values.size(-1) == length ? values : values.movedim(1, -1);
    const int64_t count = rows.numel() / length, every = count < 2 * choices ? 1 : 2;
    const at::Tensor index = at::arange(count, values.options().dtype(at::kLong));
    const at::Tensor turn = index.div(every, "floor").add(set * (count / every)).remainder(choices);
    const at::Tensor there = weight.to(values.scalar_type()).index_select(0, turn).view(rows.sizes());
    std::vector<int64_t> lines(rows.sizes().begin(), rows.sizes().end());
    lines.back() = 1;
    rows.copy_(at::where(index.remainder(every).eq(0).view(lines), there, rows));
}

}  // namespace

void add_named_inputs(const plan::Plan& plan, Memory& memory, uint64_t seed, const Variant& variant) {
    if (variant.named.empty()) return;
    const std::vector<plan::Tensor> inputs = plan::tensors_in(plan.inputs);
    for (size_t i = 0; i < std::min(variant.named.size(), variant.inputs.size()); ++i) {
        const int64_t input = variant.inputs[i];
        const std::vector<double>& named = variant.named[i];
        const std::vector<int64_t> met = i < variant.met.size() ? variant.met[i] : std::vector<int64_t>{};
        if ((named.empty() && met.empty()) || input < 0 || input >= static_cast<int64_t>(inputs.size()))
            continue;
        const at::Tensor values = memory.view(inputs[static_cast<size_t>(input)]);
        if (values.numel() == 0 || at::has_internal_overlap(values) == at::MemOverlap::Yes) continue;
        if (variant.by_rows) {
            const auto which = static_cast<size_t>(met.empty() ? -1 : met[0]);
            if (which < plan.weights.size())
                put_rows(values, memory.view(plan.weights[which].tensor), variant.turn);
            continue;
        }
        if (variant.everywhere) {
            if (named.empty()) continue;
            values.fill_(named[0]);
            continue;
        }
        const auto numbers = static_cast<int64_t>(named.size()),
                   kinds = numbers + static_cast<int64_t>(met.size());
        const at::Tensor scattered =
            scattered_kinds(values, {seed, kNamedStream, static_cast<uint32_t>(input)}, Variant::kNamedOneIn,
                            kinds, variant.lines ? numbers : 0);
        for (int64_t kind = 0; kind < numbers; ++kind)
            values.masked_fill_(of_kind(scattered, kind, kinds), named[static_cast<size_t>(kind)]);
        for (int64_t kind = numbers; kind < kinds; ++kind) {
            const auto which = static_cast<size_t>(met[static_cast<size_t>(kind - numbers)]);
            if (which >= plan.weights.size()) continue;
            const at::Tensor part = scattered.mul(kinds).sub(kind);
            const at::Tensor there = elements_of(memory.view(plan.weights[which].tensor), values, part);
            values.copy_(at::where(of_kind(scattered, kind, kinds), there, values));
        }
    }
}

}  // namespace tritonsmith::run
