#include "train/optimizer/gradients.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>

namespace tritonsmith::train {

double gradient_norm(const std::vector<Parameter>& parameters) {
    const at::NoGradGuard no_grad;
    std::vector<at::Tensor> squares;
    for (const Parameter& parameter : parameters)
        squares.push_back(
            at::linalg_vector_norm(parameter.gradient, 2, {}, false, at::kFloat).to(at::kDouble).square());
    return squares.empty() ? 0 : std::sqrt(at::stack(squares).sum().item<double>());
}

double clip_scale(double norm, double most) {
    return most == 0 ? 1 : std::min(1.0, most / (norm + 1e-6));
}

void clear_gradients(const std::vector<Parameter>& parameters) {
    for (const Parameter& parameter : parameters) parameter.gradient.zero_();
}

}  // namespace tritonsmith::train
