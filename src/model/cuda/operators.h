#pragma once

#include <ATen/core/Tensor.h>

#include "kernels/arguments.h"
#include "model/operators.h"

namespace tritonsmith::model {

/// PyTorch's current stream: a cudaStream_t. Links no CUDA.
void* current_stream(const at::Device& device);
/// The kernels' name of a tensor's dtype. @param tensor of float32, float16 or bfloat16
kernels::DType dtype_of(const at::Tensor& tensor);

/// See log_probabilities(). A target outside of the vocabulary gives NaN; without our kernels, a device
/// assertion.
at::Tensor cuda_log_probabilities(const at::Tensor& logits, const at::Tensor& targets);

}  // namespace tritonsmith::model
