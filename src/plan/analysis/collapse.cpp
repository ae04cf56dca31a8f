#include "plan/analysis/collapse.h"

#include <algorithm>
#include <set>
#include <vector>

#include "plan/ir/json.h"

namespace tritonsmith::plan {
namespace {

std::vector<const Step*> forward_operators(const Plan& plan) {
    std::vector<const Step*> steps;
    for (const Step& step : plan.steps)
        if (step.phase == Phase::forward && std::holds_alternative<AtenStep>(step.what))
            steps.push_back(&step);
    return steps;
}

bool lost(int64_t full, int64_t small) {
    return full > 1 && small <= 1;
}

/// Calls visit(full extent, small extent) for each dimension that both lists of tensors have.
template <class Visit>
void each_dimension(const std::vector<Tensor>& full, const std::vector<Tensor>& small, Visit visit) {
    for (size_t t = 0; t < std::min(full.size(), small.size()); ++t) {
        if (full[t].shape.size() != small[t].shape.size()) continue;
        for (size_t d = 0; d < full[t].shape.size(); ++d) visit(full[t].shape[d], small[t].shape[d]);
    }
}

}  // namespace

std::string collapse(const Plan& full, const Plan& small) {
    std::set<int64_t> batches;
    each_dimension(tensors_in(full.inputs), tensors_in(small.inputs), [&](int64_t before, int64_t now) {
        if (lost(before, now) && now == 1) batches.insert(before);
    });
    std::vector<const Step*> before = forward_operators(full), now = forward_operators(small);
    for (size_t i = 0; i < std::min(before.size(), now.size()); ++i) {
        const auto& a = std::get<AtenStep>(before[i]->what);
        const auto& b = std::get<AtenStep>(now[i]->what);
        if (a.op != b.op) break;
        std::string found;
        each_dimension(tensors_in(a.result), tensors_in(b.result), [&](int64_t large, int64_t left) {
            if (lost(large, left) && !batches.contains(large))
                found = a.op + " at line " + std::to_string(before[i]->line) + ": " + std::to_string(large) +
                        " elements became " + std::to_string(left);
        });
        if (!found.empty()) return found;
    }
    return "";
}

}  // namespace tritonsmith::plan
