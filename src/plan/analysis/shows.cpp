#include "plan/analysis/shows.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "plan/analysis/flow.h"
#include "plan/analysis/reduction.h"
#include "plan/ir/arguments.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"

namespace tritonsmith::plan {
namespace {

template <size_t N>
bool among(std::string_view base, const std::string_view (&names)[N]) {
    if (base.ends_with('_')) base.remove_suffix(1);
    return std::find(std::begin(names), std::end(names), base) != std::end(names);
}

/// Of several inputs' values the result is a sum, or holds all of them.
bool only_joins(const AtenStep& step) {
    static constexpr std::string_view names[] = {"add",  "cat",        "stack",
                                                 "copy", "index_copy", "slice_scatter"};
    const aten::Operator* known = out_of_place(step.op);
    const auto is_sum = [&](aten::Sum sum) { return known && known->sum == sum; };
    if (is_sum(aten::Sum::attention) || is_sum(aten::Sum::recurrent)) return true;
    const std::vector<Tensor> results = tensors_in(step.result);
    const bool reals = !results.empty() && is_floating(results[0].dtype);
    return among(OpName(step.op).base, names) || (reals && sums_products(step));
}

bool only_looks_up(const AtenStep& step) {
    static constexpr std::string_view names[] = {"embedding",
                                                 "index_select",
                                                 "index",
                                                 "gather",
                                                 "take",
                                                 "nll_loss_forward",
                                                 "nll_loss",
                                                 "nll_loss2d",
                                                 "nll_loss2d_forward",
                                                 "nll_loss_nd",
                                                 "cross_entropy_loss"};
    return among(OpName(step.op).base, names);
}

/// Calls `see(step)` for the forward steps that compute until it says true. @return whether it did
template <class See>
bool any_computing(const Plan& plan, See see) {
    const std::vector<Executed> steps = executed_steps(plan);
    return std::any_of(steps.begin(), steps.end(), [&](const Executed& executed) {
        const auto* aten = std::get_if<AtenStep>(&executed.step->what);
        return aten && executed.step->phase == Phase::forward && op_class(aten->op) == OpClass::compute &&
               see(*aten);
    });
}

/// Elements of the largest tensor of reals that the step takes.
int64_t most_reals(const AtenStep& step) {
    int64_t most = 0;
    for (const Tensor& argument : tensors_in(step.args))
        if (is_floating(argument.dtype)) most = std::max(most, element_count(argument));
    return most;
}

}  // namespace

bool reduces_everything(const Plan& plan) {
    return any_computing(plan, [](const AtenStep& step) {
        const std::vector<Tensor> results = tensors_in(step.result);
        return !results.empty() && element_count(results[0]) == 1 && most_reals(step) > 1;
    });
}

bool reduces_to_few(const Plan& plan) {
    constexpr int64_t kFew = 8, kLeastTerms = 16;
    return any_computing(plan, [](const AtenStep& step) {
        const int64_t reals = most_reals(step);
        const std::vector<Tensor> results = tensors_in(step.result);
        return std::any_of(results.begin(), results.end(), [&](const Tensor& result) {
            const int64_t count = element_count(result);
            return count > 0 && count <= kFew && count * kLeastTerms <= reals;
        });
    });
}

bool has_case_of_zero(const Plan& plan) {
    static constexpr std::string_view names[] = {"xlogy", "special_xlogy", "special_xlog1py", "special_entr",
                                                 "kl_div"};
    return any_computing(plan, [](const AtenStep& step) {
        const std::string_view base = OpName(step.op).base;
        if (among(base, names)) return true;
        const auto number = as_number(find_argument(step, 1));
        return (base == "eq" || base == "ne") && number && *number == 0 && most_reals(step) > 0;
    });
}

bool measures_lengths(const Plan& plan) {
    static constexpr std::string_view names[] = {
        "norm",        "linalg_vector_norm", "frobenius_norm",    "linalg_norm",
        "native_norm", "_cdist_forward",     "pairwise_distance", "sqrt"};
    return any_computing(plan, [](const AtenStep& step) {
        const aten::Operator* known = out_of_place(step.op);
        const auto magnitude = known ? known->magnitude : aten::Magnitude::as_values;
        return magnitude == aten::Magnitude::variance || magnitude == aten::Magnitude::deviation ||
               among(OpName(step.op).base, names);
    });
}

bool multiplies_beyond_half(const Plan& plan) {
    const auto half = [](const Tensor& tensor) { return tensor.dtype == DType::f16; };
    const auto holds_half = [&](const AtenStep& step) {
        const std::vector<Tensor> arguments = tensors_in(step.args), results = tensors_in(step.result);
        return std::any_of(arguments.begin(), arguments.end(), half) ||
               std::any_of(results.begin(), results.end(), half);
    };
    const auto multiplies = [](const AtenStep& step) {
        const aten::Operator* known = out_of_place(step.op);
        if (known && (known->sum == aten::Sum::attention || known->sum == aten::Sum::recurrent)) return true;
        const std::vector<Tensor> results = tensors_in(step.result);
        return !results.empty() && is_floating(results[0].dtype) && sums_products(step) && !averages(step);
    };
    return any_computing(plan, multiplies) && !any_computing(plan, holds_half);
}

int64_t longest_count(const Plan& plan) {
    static constexpr std::string_view sums[] = {"sum", "count_nonzero", "mean"};
    const auto whole = [](const Tensor& tensor) { return !is_floating(tensor.dtype); };
    std::set<int> whole_numbers;  // buffers of floats
    int64_t longest = 0;
    for (const Executed& executed : executed_steps(plan)) {
        const auto* aten = std::get_if<AtenStep>(&executed.step->what);
        if (!aten || executed.step->phase != Phase::forward) continue;
        const std::vector<Tensor> arguments = tensors_in(aten->args);
        if (arguments.empty()) continue;
        const Tensor& first = arguments.front();
        const bool counts = whole(first) || whole_numbers.contains(first.buffer);
        const std::string_view base = OpName(aten->op).base;
        if (among(base, sums)) {
            if (counts || base == "count_nonzero") longest = std::max(longest, reduction_length(*aten));
        } else if (base == "_to_copy" && counts) {
            for (const Tensor& result : tensors_in(aten->result)) whole_numbers.insert(result.buffer);
        }
    }
    return longest;
}

bool holds_inputs_together(const Plan& plan) {
    const std::vector<Tensor> inputs = tensors_in(plan.inputs);
    std::map<int, std::set<size_t>> from;  // of buffers: the inputs they are computed from
    for (size_t i = 0; i < inputs.size(); ++i) from[inputs[i].buffer].insert(i);
    for (const Executed& executed : executed_steps(plan)) {
        if (executed.step->phase != Phase::forward) continue;
        const Flow flow = flow_of(plan, *executed.step, {});
        std::set<size_t> here;
        bool different = false;
        for (const ByteRange& range : flow.reads) {
            const auto found = from.find(range.buffer);
            if (found == from.end()) continue;
            different = different || (!here.empty() && here != found->second);
            here.insert(found->second.begin(), found->second.end());
        }
        const auto* aten = std::get_if<AtenStep>(&executed.step->what);
        if (different && aten && !only_joins(*aten)) return true;
        for (const ByteRange& range : flow.writes) from[range.buffer].insert(here.begin(), here.end());
    }
    return false;
}

bool computes_with_integers(const Plan& plan) {
    std::set<int> integers;
    for (const Tensor& input : tensors_in(plan.inputs))
        if (!is_floating(input.dtype) || element_size(input.dtype) == 1) integers.insert(input.buffer);
    const std::vector<Executed> steps = executed_steps(plan);
    return std::any_of(steps.begin(), steps.end(), [&](const Executed& executed) {
        const auto* aten = std::get_if<AtenStep>(&executed.step->what);
        if (!aten || executed.step->phase != Phase::forward || only_looks_up(*aten)) return false;
        if (op_class(aten->op) == OpClass::view) return false;
        const Flow flow = flow_of(*aten);
        return std::any_of(flow.reads.begin(), flow.reads.end(),
                           [&](const ByteRange& range) { return integers.contains(range.buffer); });
    });
}

}  // namespace tritonsmith::plan
