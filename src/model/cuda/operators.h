#pragma once

#include <ATen/core/Tensor.h>

#include "kernels/arguments.h"
#include "model/operators.h"

namespace tritonsmith::model {

/// The stream that PyTorch's operators would be enqueued on: a cudaStream_t. No CUDA is linked for it.
void* current_stream(const at::Device& device);
/// As our kernels name it. @param tensor of float32, float16 or bfloat16
kernels::DType dtype_of(const at::Tensor& tensor);

/// See log_probabilities(). A target outside of the vocabulary gives NaN, or the device's assertion without
/// our kernels.
at::Tensor cuda_log_probabilities(const at::Tensor& logits, const at::Tensor& targets);

}  // namespace tritonsmith::model
