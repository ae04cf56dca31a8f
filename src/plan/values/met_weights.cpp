#include "plan/values/met_weights.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "plan/ir/arguments.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/values/input_use.h"

namespace tritonsmith::plan {
namespace {

bool compares_two(std::string_view base) {
    static const std::set<std::string_view> names{"eq", "ne", "lt", "le", "gt", "ge", "isin"};
    return names.contains(base);
}

/// Buffers that hold whole numbers when the inputs are there: of integer types, and what is copied from them.
std::set<int> whole_inputs(const Plan& plan) {
    const auto whole_type = [](DType dtype) {
        return !is_floating(dtype) && dtype != DType::b1 && dtype != DType::c64 && dtype != DType::c128;
    };
    std::set<int> out;
    for (const Step& step : plan.steps) {
        const auto* aten = std::get_if<AtenStep>(&step.what);
        if (!aten || step.phase != Phase::inputs) continue;
        const std::vector<Tensor> results = tensors_in(aten->result);
        const bool copied = op_class(aten->op) == OpClass::copy;
        const std::vector<Tensor> from = tensors_in(aten->args);
        const bool of_whole = copied && std::any_of(from.begin(), from.end(), [&](const Tensor& tensor) {
                                  return out.contains(tensor.buffer);
                              });
        for (const Tensor& result : results)
            if (of_whole || whole_type(result.dtype)) out.insert(result.buffer);
    }
    for (const Tensor& input : tensors_in(plan.inputs))
        if (whole_type(input.dtype)) out.insert(input.buffer);
    return out;
}

}  // namespace

std::vector<bool> met_weights(const Plan& plan) {
    std::vector<bool> out(plan.weights.size(), false);
    if (plan.weights.empty()) return out;
    const std::vector<Tensor> weights = tensors_of_weights(plan);
    std::vector<Tensor> inputs;
    const std::set<int> whole = whole_inputs(plan);
    for (const Tensor& input : tensors_in(plan.inputs))
        if (whole.contains(input.buffer)) inputs.push_back(input);
    if (inputs.empty()) return out;
    TensorsThere weights_there(weights), inputs_there(inputs);
    for (const Executed& executed : executed_steps(plan)) {
        const auto* aten = std::get_if<AtenStep>(&executed.step->what);
        if (!aten || executed.step->phase != Phase::forward) continue;
        const Flow flow = flow_of(*aten);
        weights_there.follow(*executed.step, flow);
        if (inputs_there.follow(*executed.step, flow) || !compares_two(OpName(aten->op).base)) continue;
        const auto *one = argument<Tensor>(*aten, 0), *other = argument<Tensor>(*aten, 1);
        if (!one || !other) continue;
        for (const auto& [input, weight] : {std::pair{one, other}, std::pair{other, one}})
            if (!inputs_there.in(input->buffer).empty())
                for (const size_t i : weights_there.in(weight->buffer)) out[i] = true;
    }
    const std::vector<Use> use = uses(plan, weights);
    for (size_t i = 0; i < out.size(); ++i)
        if (use[i].index || use[i].places || weights[i].dtype == DType::b1) out[i] = false;
    return out;
}

}  // namespace tritonsmith::plan
