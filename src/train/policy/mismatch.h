#pragma once

#include <ATen/core/Tensor.h>

namespace tritonsmith::train {

/// How far the policy that sampled is from the one that is trained, before an update: the same weights, but
/// other kernels and other orders of sums. With Δ = log π_old - log π_rollout of each sampled token.
struct Mismatch {
    double kl = 0;         ///< of rollout from trainer: the mean of exp(Δ) - 1 - Δ
    double largest = 0;    ///< |Δ|
    double effective = 1;  ///< effective sample size, (Σ w)² / (n Σ w²) with w = exp(Δ): 1 is best
};
/// @param old, rollout [n] float32
Mismatch mismatch_of(const at::Tensor& old, const at::Tensor& rollout);

}  // namespace tritonsmith::train
