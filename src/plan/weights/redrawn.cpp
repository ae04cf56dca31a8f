#include "plan/weights/redrawn.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "plan/ir/json.h"
#include "plan/ir/ops.h"

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

/// A number, one number everywhere, or a short list of them: a scale, a mean, a temperature. What is computed
/// (masks, tables of angles) is as fixed as the program that computes it.
bool plain_numbers(const Plan& plan, const Weight& weight, const WeightOrigin& origin) {
    const bool short_list = element_count(weight.tensor) <= kMostOfList;
    return std::all_of(origin.writes.begin(), origin.writes.end(), [&](int index) {
        const Step& step = plan.steps[static_cast<size_t>(index)];
        return fills(step) || (short_list && copies(step));
    }) && (short_list || !origin.writes.empty());
}

}  // namespace

std::vector<Redrawn> redrawn_weights(const Plan& plan, const std::vector<WeightOrigin>& origins) {
    std::vector<Redrawn> out;
    for (size_t i = 0; i < plan.weights.size(); ++i) {
        const Weight& weight = plan.weights[i];
        const bool stored = weight.parameter || weight.persistent;
        Redrawn how = Redrawn::no;
        if (stored && is_floating(weight.tensor.dtype) && element_size(weight.tensor.dtype) > 1) {
            if (origins[i].law == Law::ones) how = Redrawn::ones;
            if (origins[i].law == Law::zeros) how = Redrawn::zeros;
            if (origins[i].law == Law::constant &&
                (weight.parameter || plain_numbers(plan, weight, origins[i])))
                how = Redrawn::around;
        }
        out.push_back(how);
    }
    return out;
}

}  // namespace tritonsmith::plan
