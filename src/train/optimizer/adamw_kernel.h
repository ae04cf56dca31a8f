#pragma once

#include "train/network/parameters.h"

namespace tritonsmith::train {

/// The numbers of one step for one parameter.
struct AdamWStep {
    int64_t step = 1;
    double learning_rate = 0, gradient_scale = 1;
    double decay = 1;  ///< that the value is multiplied with
    double beta1 = 0.9, beta2 = 0.95, epsilon = 1e-8;
    uint64_t value_stream = 0, first_stream = 0, second_stream = 0;  ///< of stochastic rounding
};

/// Whether this project's kernels run there.
bool has_adamw_kernel(at::Device device);
/// A step in one pass over memory. @param master float32 copy of the value, which it is rounded from to
/// nearest; or undefined: the value is rounded stochastically
void adamw_by_kernel(const Parameter& parameter, const at::Tensor& first, const at::Tensor& second,
                     const at::Tensor& master, const AdamWStep& step);

}  // namespace tritonsmith::train
