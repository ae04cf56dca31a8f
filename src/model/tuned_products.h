#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <vector>

namespace tritonsmith::model {

/// x · weightᵀ + bias on a GPU, by whichever of cuBLASLt's kernels was fastest when a product of that shape
/// was first asked for: they are timed against PyTorch's own choice, with a cold second cache. Rows count by
/// powers of two. Few rows, and shapes that cuBLASLt does not take, are PyTorch's. What is chosen, and with
/// it the last bits of results, may differ from one process to the next. Thread-safe; on the current stream.
/// @param x [rows, inputs] bfloat16 or float16 @param weight [outputs, inputs] of x's dtype
/// @param bias [outputs] or undefined @param dtype of the result: x's own, or float32 @param plain PyTorch's
/// product
at::Tensor tuned_product(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                         at::ScalarType dtype, const std::function<at::Tensor()>& plain);

/// One line for each shape that was timed: rows, outputs, inputs, microseconds of PyTorch's and of the chosen
/// one. For benchmarks.
std::vector<std::string> tuned_products();

}  // namespace tritonsmith::model
