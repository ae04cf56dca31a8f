#include "plan/weights/redrawn.h"

#include "plan/ir/json.h"

namespace tritonsmith::plan {
namespace {

/// As torch.nn calls them: means stay real numbers, variances positive.
bool running_statistic(const std::string& name) {
    return name.ends_with("running_mean") || name.ends_with("running_var");
}

}  // namespace

std::vector<Redrawn> redrawn_weights(const Plan& plan, const std::vector<WeightOrigin>& origins) {
    std::vector<Redrawn> out;
    for (size_t i = 0; i < plan.weights.size(); ++i) {
        const Weight& weight = plan.weights[i];
        const bool of_interest = weight.parameter || running_statistic(weight.name);
        Redrawn how = Redrawn::no;
        if (of_interest && is_floating(weight.tensor.dtype) && element_size(weight.tensor.dtype) > 1) {
            if (origins[i].law == Law::ones) how = Redrawn::ones;
            if (origins[i].law == Law::zeros) how = Redrawn::zeros;
            if (origins[i].law == Law::constant) how = Redrawn::around;
        }
        out.push_back(how);
    }
    return out;
}

}  // namespace tritonsmith::plan
