#pragma once

#include <vector>

#include "train/network/parameters.h"

namespace tritonsmith::train {

/// The sum of all gradients' squares, in double. @param device of the result, a scalar
at::Tensor gradient_square(const std::vector<Parameter>& parameters, at::Device device);
/// The Euclidean norm of all gradients together, summed in double.
double gradient_norm(const std::vector<Parameter>& parameters);
/// What gradients are multiplied with so that their norm is at most `most` (as clip_grad_norm_ does); 1 where
/// most is 0.
double clip_scale(double norm, double most);
/// Before the first micro-batch of a step.
void clear_gradients(const std::vector<Parameter>& parameters);

}  // namespace tritonsmith::train
