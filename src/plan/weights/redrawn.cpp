#include "plan/weights/redrawn.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "plan/analysis/reduction.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/weights/stated_numbers.h"

namespace tritonsmith::plan {
namespace {

/// Longer lists are tables that a program may as well compute.
constexpr int64_t kMostOfList = 64;

bool fills(const Step& step) {
    static const std::set<std::string_view> names{"full", "full_like", "new_full", "fill_", "scalar_tensor"};
    const auto* aten = std::get_if<AtenStep>(&step.what);
    return aten && names.contains(OpName(aten->op).base);
}

bool copies(const Step& step) {
    const auto* aten = std::get_if<AtenStep>(&step.what);
    return aten && op_class(aten->op) == OpClass::copy;
}

/// A number, one number everywhere, or a short list of them: a scale, a mean, a temperature, however they are
/// made. Tables that are computed (masks, angles) are as fixed as the program that computes them.
bool plain_numbers(const Plan& plan, const Weight& weight, const WeightOrigin& origin, Stated stated) {
    if (stated == Stated::one) return true;
    const bool short_list = element_count(weight.tensor) <= kMostOfList;
    if (short_list && stated == Stated::some) return true;
    return std::all_of(origin.writes.begin(), origin.writes.end(),
                       [&](int index) {
                           const Step& step = plan.steps[static_cast<size_t>(index)];
                           return fills(step) || (short_list && copies(step));
                       }) &&
           (short_list || !origin.writes.empty());
}

/// As torch.nn calls them.
bool running_statistic(const std::string& name) {
    return name.ends_with("running_mean") || name.ends_with("running_var");
}

/// Read by host code, whose steps hold for these values only.
std::set<int> host_read(const Plan& plan) {
    std::set<int> out;
    for (const Step& step : plan.steps)
        if (const auto* read = std::get_if<ReadStep>(&step.what)) out.insert(read->tensor.buffer);
    return out;
}

}  // namespace

std::vector<size_t> scalable_weights(const Plan& plan, const std::vector<WeightOrigin>& origins) {
    std::set<int> left_alone = host_read(plan);
    for (const Step& step : plan.steps) {
        const auto* aten = std::get_if<AtenStep>(&step.what);
        if (!aten || step.phase != Phase::forward || !recurrent(*aten)) continue;
        for (const Value& value : aten->args)
            for (const Tensor& tensor : tensors_in(value)) left_alone.insert(tensor.buffer);
    }
    std::vector<size_t> out;
    for (size_t i = 0; i < plan.weights.size(); ++i) {
        const Weight& weight = plan.weights[i];
        const bool drawn = weight.parameter && origins[i].law == Law::random && !origins[i].writes.empty();
        if (drawn && is_floating(weight.tensor.dtype) && element_size(weight.tensor.dtype) > 1 &&
            left_alone.insert(weight.tensor.buffer).second)
            out.push_back(i);
    }
    return out;
}

std::vector<Redrawn> redrawn_weights(const Plan& plan, const std::vector<WeightOrigin>& origins, bool state) {
    const std::set<int> read = host_read(plan);
    const std::vector<Stated> stated = stated_numbers(plan);
    std::vector<Redrawn> out(plan.weights.size(), Redrawn::no);
    for (size_t i = 0; i < plan.weights.size(); ++i) {
        const Weight& weight = plan.weights[i];
        const Law law = origins[i].law;
        const bool stored =
            weight.parameter || running_statistic(weight.name) || (weight.persistent && state);
        if (!stored || read.contains(weight.tensor.buffer)) continue;
        const bool plain = law == Law::constant && plain_numbers(plan, weight, origins[i], stated[i]);
        if (!is_floating(weight.tensor.dtype)) {
            if (state && (law == Law::ones || law == Law::zeros || plain)) out[i] = Redrawn::other;
            continue;
        }
        if (element_size(weight.tensor.dtype) == 1) continue;
        if (law == Law::ones) out[i] = Redrawn::ones;
        if (law == Law::zeros) out[i] = Redrawn::zeros;
        if (plain || (law == Law::constant && weight.parameter)) out[i] = Redrawn::around;
        if (law == Law::derived && state && weight.parameter && origins[i].last >= 0)
            out[i] = Redrawn::around;
    }
    return out;
}

}  // namespace tritonsmith::plan
