#include "plan/analysis/exact.h"

#include <algorithm>
#include <set>

#include "plan/analysis/flow.h"
#include "plan/ir/arguments.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"

namespace tritonsmith::plan {
namespace {

/// Of the operator, or of the one that it is in place.
bool has(std::string_view op, aten::Trait trait) {
    const aten::Operator* known = out_of_place(op);
    return known && known->is(trait);
}

bool is_integer(DType dtype) {
    return !is_floating(dtype) && dtype != DType::c64 && dtype != DType::c128 && dtype != DType::b1;
}

bool any_forward(const Plan& plan, const auto& holds) {
    const std::vector<Executed> steps = executed_steps(plan);
    return std::any_of(steps.begin(), steps.end(), [&](const Executed& executed) {
        const auto* aten = std::get_if<AtenStep>(&executed.step->what);
        return aten && executed.step->phase == Phase::forward && holds(*aten);
    });
}

}  // namespace

bool exact(std::string_view op) {
    if (op_class(op) != OpClass::compute || rearranges(op)) return true;
    const aten::Operator* known = out_of_place(op);
    return known &&
           (known->is(aten::Trait::exact) || known->is(aten::Trait::chooses) ||
            known->is(aten::Trait::compares) || (known->is(aten::Trait::rounds) && known->name != "frac"));
}

const Tensor* cast_to_integers(const AtenStep& step) {
    const aten::Operator* known = out_of_place(step.op);
    const std::string_view name = known ? known->name : std::string_view{};
    const bool casts = name == "_to_copy" || name == "to" || name == "copy";
    if (!casts) return nullptr;
    const size_t source = name == "copy" ? 1 : 0;
    const std::vector<Tensor> results = tensors_in(step.result);
    const auto* from = argument<Tensor>(step, source);
    return from && !results.empty() && is_floating(from->dtype) && is_integer(results[0].dtype) ? from
                                                                                                : nullptr;
}

bool casts_to_integers(const Plan& plan) {
    return any_forward(plan, [](const AtenStep& step) { return cast_to_integers(step) != nullptr; });
}

bool rounds_to_integers(const AtenStep& step) {
    return has(step.op, aten::Trait::rounds) || cast_to_integers(step);
}

bool chooses(std::string_view op) {
    if (has(op, aten::Trait::chooses)) return true;
    const OpName name(op);
    return (name.base == "max" || name.base == "min") &&
           (name.overload.starts_with("dim") || name.overload.starts_with("names"));
}

bool chooses_any(const AtenStep& step) {
    if (!has(step.op, aten::Trait::ties)) return false;
    // sort.stable(self, *, stable, dim, descending)
    auto stable = [](const auto& named) {
        const auto* value = named.first == "stable" ? std::get_if<bool>(&named.second.v) : nullptr;
        return value && *value;
    };
    return std::none_of(step.kwargs.begin(), step.kwargs.end(), stable);
}

bool chooses(const Plan& plan) {
    return any_forward(plan, [](const AtenStep& step) { return chooses(step.op); });
}

namespace {

bool narrow_attention(const AtenStep& step) {
    const aten::Operator* known = out_of_place(step.op);
    const auto* queries = argument<Tensor>(step, 0);
    return known && known->sum == aten::Sum::attention && queries && is_floating(queries->dtype) &&
           element_size(queries->dtype) < 4;
}

}  // namespace

bool chooses_any(const Plan& plan) {
    return any_forward(plan, [](const AtenStep& step) { return chooses_any(step); });
}

bool works_with_choices(const Plan& plan) {
    std::set<int> places;
    return any_forward(plan, [&](const AtenStep& step) {
        const std::vector<ByteRange> reads = flow_of(step).reads;
        if (std::any_of(reads.begin(), reads.end(),
                        [&](const ByteRange& r) { return places.contains(r.buffer); }))
            return true;
        if (chooses(step.op))
            for (const Tensor& result : tensors_in(step.result))
                if (is_integer(result.dtype)) places.insert(result.buffer);
        return false;
    });
}

bool decides(const Plan& plan) {
    return any_forward(plan, [](const AtenStep& step) {
        return chooses(step.op) || rounds_to_integers(step) || has(step.op, aten::Trait::compares) ||
               narrow_attention(step);
    });
}

namespace {

/// A forward step that `holds` has an operand first that another one has rounded.
bool any_of_computed(const Plan& plan, const auto& holds) {
    std::set<int> computed;
    return any_forward(plan, [&](const AtenStep& step) {
        const auto* operand = argument<Tensor>(step, 0);
        const aten::Operator* known = out_of_place(step.op);
        if (operand && known && computed.contains(operand->buffer) && holds(*known)) return true;
        if (!exact(step.op))
            for (const Tensor& result : tensors_in(step.result)) computed.insert(result.buffer);
        return false;
    });
}

}  // namespace

bool turns_computed_angles(const Plan& plan) {
    return any_of_computed(plan, [](const aten::Operator& known) {
        return known.name == "sin" || known.name == "cos" || known.name == "tan";
    });
}

bool takes_computed_logarithms(const Plan& plan) {
    return any_of_computed(plan, [](const aten::Operator& known) {
        return known.name == "log" || known.name == "log2" || known.name == "log10" ||
               known.name == "log1p" || known.name == "logit" || known.magnitude == aten::Magnitude::entropy;
    });
}

}  // namespace tritonsmith::plan
