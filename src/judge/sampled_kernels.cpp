#include "judge/sampled_kernels.h"

#include <algorithm>

#include "plan/json.h"

namespace tritonsmith::judge {

Kernels::Kernels(const std::vector<std::shared_ptr<const ttir::Module>>& modules)
    : modules_(modules), programs_(modules.size()), effects_(modules.size()) {}

const ttir::Program& Kernels::program(int kernel) {
    auto& slot = programs_[static_cast<size_t>(kernel)];
    if (!slot) slot = std::make_unique<ttir::Program>(modules_[static_cast<size_t>(kernel)]);
    return *slot;
}

const std::vector<ttir::Effect>& Kernels::effects(int kernel) {
    auto& slot = effects_[static_cast<size_t>(kernel)];
    if (!slot) slot = ttir::parameter_effects(module(kernel));
    return *slot;
}

int buffer_of(const plan::Value& value) {
    if (auto* tensor = std::get_if<plan::Tensor>(&value.v)) return tensor->buffer;
    if (auto* pointer = std::get_if<plan::Pointer>(&value.v)) return pointer->buffer;
    if (auto* descriptor = std::get_if<plan::Descriptor>(&value.v)) return descriptor->base.buffer;
    return -1;
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

std::set<int> written_by_launches(const std::vector<plan::Executed>& steps, Kernels& kernels) {
    std::set<int> out;
    for (const plan::Executed& e : steps) {
        const auto* launch = std::get_if<plan::LaunchStep>(&e.step->what);
        if (!launch) continue;
        const std::vector<ttir::Effect>& effects = kernels.effects(launch->kernel);
        for (size_t i = 0; i < std::min(effects.size(), launch->args.size()); i++)
            if ((effects[i].writes || effects[i].escapes) && buffer_of(launch->args[i]) >= 0)
                out.insert(buffer_of(launch->args[i]));
    }
    return out;
}

}  // namespace tritonsmith::judge
