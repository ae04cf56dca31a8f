#include "plan/analysis/narrow_products.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "plan/analysis/exact.h"
#include "plan/ir/arguments.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"

namespace tritonsmith::plan {
namespace {

bool half(DType dtype) {
    return is_floating(dtype) && element_size(dtype) == 2;
}

bool wide(DType dtype) {
    return is_floating(dtype) && element_size(dtype) > 2;
}

/// Both operands; null where the step is no product of matrices.
std::pair<const Tensor*, const Tensor*> operands(const AtenStep& step) {
    const std::string_view base = OpName(step.op).base;
    const bool adds = base == "addmm" || base == "baddbmm" || base == "addmv";
    if (!adds && base != "mm" && base != "bmm" && base != "mv" && base != "dot" && base != "matmul")
        return {};
    return {argument<Tensor>(step, adds ? 1 : 0), argument<Tensor>(step, adds ? 2 : 1)};
}

/// The narrow type that holds all numbers of the results: of the reals that the step moves. Nothing: there is
/// none, or it does more than move them.
std::optional<DType> narrow_results(const AtenStep& step, const std::map<int, DType>& holds) {
    if (!exact(step.op)) return std::nullopt;
    std::optional<DType> type;
    for (size_t i = overwrites(step.op) ? 1 : 0; i < step.args.size(); ++i)
        for (const Tensor& read : tensors_in(step.args[i])) {
            if (!is_floating(read.dtype)) continue;
            const auto found = holds.find(read.buffer);
            if (!half(read.dtype) && found == holds.end()) return std::nullopt;
            const DType of = half(read.dtype) ? read.dtype : found->second;
            if (type && type != of) return std::nullopt;
            type = of;
        }
    return type;
}

/// Wide buffers of which each write moves numbers of one narrow type. @param others wide buffers that are
/// written otherwise
std::map<int, DType> narrow_contents(const std::vector<Executed>& steps, std::set<int>& others) {
    std::map<int, DType> holds;
    for (const Executed& executed : steps) {
        const auto* aten = std::get_if<AtenStep>(&executed.step->what);
        if (!aten || executed.step->phase != Phase::forward) continue;
        const OpClass kind = op_class(aten->op);
        if (kind == OpClass::view || kind == OpClass::allocate) continue;
        const std::optional<DType> type = narrow_results(*aten, holds);
        for (const Tensor& result : tensors_in(aten->result)) {
            if (!wide(result.dtype)) continue;
            const auto before = holds.find(result.buffer);
            if (type && !others.contains(result.buffer) &&
                (before == holds.end() || before->second == *type)) {
                holds[result.buffer] = *type;
            } else {
                holds.erase(result.buffer);
                others.insert(result.buffer);
            }
        }
    }
    return holds;
}

std::set<int> reach_wide_outputs(const Plan& plan, const std::vector<Executed>& steps) {
    std::set<int> needed;
    for (const Tensor& output : tensors_in(plan.output))
        if (wide(output.dtype)) needed.insert(output.buffer);
    for (size_t i = steps.size(); i-- > 0 && !needed.empty();) {
        if (steps[i].step->phase != Phase::forward) continue;
        const Flow flow = flow_of(plan, *steps[i].step, {});
        if (std::any_of(flow.writes.begin(), flow.writes.end(),
                        [&](const ByteRange& range) { return needed.contains(range.buffer); }))
            for (const ByteRange& range : flow.reads) needed.insert(range.buffer);
    }
    return needed;
}

}  // namespace

NarrowProducts::NarrowProducts(const Plan& reference) {
    const std::vector<Executed> steps = executed_steps(reference);
    holds_ = narrow_contents(steps, computed_);
    if (holds_.empty()) return;
    to_wide_ = reach_wide_outputs(reference, steps);
    find_scaled(steps);
}

void NarrowProducts::find_scaled(const std::vector<Executed>& steps) {
    std::set<int> products;
    for (const Executed& executed : steps) {
        const auto* aten = std::get_if<AtenStep>(&executed.step->what);
        if (!aten || executed.step->phase != Phase::forward) continue;
        if (operands(*aten).first)
            for (const Tensor& result : tensors_in(aten->result)) products.insert(result.buffer);
        const std::string_view base = OpName(aten->op).base;
        if ((base != "mul" && base != "mul_" && base != "div" && base != "div_") || aten->args.size() < 2)
            continue;
        const auto* product = argument<Tensor>(*aten, 0);
        int exponent = 0;
        const double factor = std::abs(std::frexp(as_number(&aten->args[1]).value_or(0), &exponent));
        const bool changes_digits = factor != 0 && factor != 0.5;
        if (product && products.contains(product->buffer) && changes_digits) scaled_.insert(product->buffer);
    }
}

std::optional<NarrowProducts::Rounded> NarrowProducts::rounded(const AtenStep& step) const {
    if (holds_.empty()) return std::nullopt;
    const auto [a, b] = operands(step);
    if (!a || !b || !wide(a->dtype) || !wide(b->dtype)) return std::nullopt;
    bool scaled = false;
    for (const Tensor& result : tensors_in(step.result)) {
        if (to_wide_.contains(result.buffer)) return std::nullopt;
        scaled = scaled || scaled_.contains(result.buffer);
    }
    const auto of_a = holds_.find(a->buffer), of_b = holds_.find(b->buffer);
    const bool a_narrow = of_a != holds_.end(), b_narrow = of_b != holds_.end();
    if (a_narrow && b_narrow && scaled) return Rounded{*a, *b, of_a->second};
    if (b_narrow && computed_.contains(a->buffer)) return Rounded{*a, *b, of_b->second};
    if (a_narrow && computed_.contains(b->buffer)) return Rounded{*b, *a, of_a->second};
    return std::nullopt;
}

}  // namespace tritonsmith::plan
