#include "train/optimizer/gradients.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>

namespace tritonsmith::train {
namespace {

std::vector<at::Tensor> gradients_of(const std::vector<Parameter>& parameters) {
    std::vector<at::Tensor> gradients;
    for (const Parameter& parameter : parameters) gradients.push_back(parameter.gradient);
    return gradients;
}

}  // namespace

at::Tensor gradient_square(const std::vector<Parameter>& parameters, at::Device device) {
    const at::NoGradGuard no_grad;
    if (parameters.empty()) return at::zeros({}, at::TensorOptions().dtype(at::kDouble).device(device));
    const std::vector<at::Tensor> norms = at::_foreach_norm(gradients_of(parameters), 2, at::kFloat);
    return at::stack(norms).to(at::kDouble).square().sum();
}

double gradient_norm(const std::vector<Parameter>& parameters) {
    if (parameters.empty()) return 0;
    return std::sqrt(gradient_square(parameters, parameters.front().gradient.device()).item<double>());
}

double clip_scale(double norm, double most) {
    return most == 0 ? 1 : std::min(1.0, most / (norm + 1e-6));
}

void clear_gradients(const std::vector<Parameter>& parameters) {
    if (!parameters.empty()) at::_foreach_zero_(gradients_of(parameters));
}

}  // namespace tritonsmith::train
