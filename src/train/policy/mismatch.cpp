#include "train/policy/mismatch.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

namespace tritonsmith::train {

Mismatch mismatch_of(const at::Tensor& old, const at::Tensor& rollout) {
    if (old.numel() == 0) return {};
    const at::Tensor delta = old.to(at::kDouble) - rollout.to(at::kDouble);
    const at::Tensor weights = delta.exp();
    const double sum = weights.sum().item<double>(), squares = weights.square().sum().item<double>();
    return {(delta.expm1() - delta).mean().item<double>(), delta.abs().max().item<double>(),
            sum * sum / (static_cast<double>(old.numel()) * squares)};
}

}  // namespace tritonsmith::train
