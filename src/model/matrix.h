#pragma once

#include <ATen/core/Tensor.h>

namespace tritonsmith::model {

/// A matrix of weights that products read: rows are outputs, as in safetensors.
struct Matrix {
    at::Tensor
        values;  ///< [outputs, inputs] float32, bfloat16, float16 (not on the CPU) or int8 (on the CPU alone)
    at::Tensor scales;  ///< [outputs] float32, which rows of int8 are multiplied with; else undefined

    bool defined() const { return values.defined(); }
    int64_t outputs() const { return values.size(0); }
    int64_t inputs() const { return values.size(1); }
};

/// Rows of int8, each with a scale of its own: round(127 row / max |row|). @param weight [outputs, inputs],
/// on the CPU
Matrix quantise(const at::Tensor& weight);
/// @return [outputs, inputs] float32
at::Tensor dequantise(const Matrix& matrix);

}  // namespace tritonsmith::model
