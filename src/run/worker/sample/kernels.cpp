#include "run/worker/sample/kernels.h"

#include <algorithm>

#include "plan/ir/json.h"
#include "run/worker/step_error.h"

namespace tritonsmith::run::sample {

Kernels::Kernels(const plan::Plan& plan, ProgramCache& cache, const IssuedKernels& issued)
    : plan_(plan),
      cache_(cache),
      issued_(issued),
      entries_(plan.kernels.size()),
      effects_(plan.kernels.size()) {}

const ProgramCache::Entry& Kernels::entry(int kernel) {
    auto& slot = entries_.at(static_cast<size_t>(kernel));
    if (!slot) {
        auto made = cache_.get(plan_.kernels[static_cast<size_t>(kernel)]);
        if (const auto* invalid = std::get_if<Finding>(&made))
            throw StepError(invalid->reason, invalid->message);
        slot = std::move(std::get<ProgramCache::Entry>(made));
        slot->program = as_issued(kernel, *slot, issued_);
    }
    return *slot;
}

const std::vector<ttir::Effect>& Kernels::effects(int kernel) {
    auto& slot = effects_.at(static_cast<size_t>(kernel));
    if (!slot) slot = ttir::parameter_effects(module(kernel));
    return *slot;
}

std::vector<int64_t> extents_of(const plan::LaunchStep& launch) {
    std::vector<int64_t> extents;
    for (const plan::Value& value : launch.args) {
        for (const plan::Tensor& tensor : plan::tensors_in(value))
            extents.insert(extents.end(), tensor.shape.begin(), tensor.shape.end());
        if (auto* number = std::get_if<int64_t>(&value.v); number && *number > 1) extents.push_back(*number);
    }
    return extents;
}

std::set<int> written_by(const plan::LaunchStep& launch, Kernels& kernels) {
    std::set<int> out;
    const std::vector<ttir::Effect>& effects = kernels.effects(launch.kernel);
    for (size_t i = 0; i < std::min(effects.size(), launch.args.size()); i++)
        if ((effects[i].writes || effects[i].escapes) && plan::buffer_of(launch.args[i]) >= 0)
            out.insert(plan::buffer_of(launch.args[i]));
    return out;
}

std::set<int> written_by_launches(const std::vector<plan::Executed>& steps, Kernels& kernels) {
    std::set<int> out;
    for (const plan::Executed& e : steps)
        if (const auto* launch = std::get_if<plan::LaunchStep>(&e.step->what))
            out.merge(written_by(*launch, kernels));
    return out;
}

}  // namespace tritonsmith::run::sample
