#pragma once

#include <ATen/core/Tensor.h>

#include "model/cpu/tiled_values.h"

namespace tritonsmith::model {

/// A matrix of weights for products: rows are outputs, as in safetensors. Its values are in `values`, or, if
/// the CPU has a matrix unit for them, in `tiles`; never in both.
struct Matrix {
    at::Tensor values;  ///< [outputs, inputs] float32, bfloat16, float16 or e4m3 (on CUDA alone) or int8 (on
                        ///< the CPU)
    at::Tensor scales = {};  ///< [outputs] float32: factors of rows in int8 and e4m3
    TiledValues tiles = {};  ///< bfloat16 or int8, on the CPU alone

    bool defined() const { return values.defined() || tiles.defined(); }
    int64_t outputs() const { return tiles.defined() ? tiles.outputs : values.size(0); }
    int64_t inputs() const { return tiles.defined() ? tiles.inputs : values.size(1); }
    at::ScalarType dtype() const {
        return tiles.defined() ? tiles.tiles.scalar_type() : values.scalar_type();
    }
};

/// Whether weights of this dtype have scales: int8 and e4m3.
bool is_quantised(at::ScalarType dtype);
/// Rows of int8 or e4m3 (at::kFloat8_e4m3fn), each with a scale of its own: g row / max |row| rounded to
/// nearest, where g is 127 or 448. @param weight [outputs, inputs]
Matrix quantise(const at::Tensor& weight, at::ScalarType dtype = at::kChar);
/// @return [outputs, inputs] float32
at::Tensor dequantise(const Matrix& matrix);

struct TileKernels;
/// Products with weights of this dtype in tiles; null if the machine has no matrix unit for them.
const TileKernels* tile_kernels(at::ScalarType dtype);
/// The matrix in the form that the CPU's products read fastest: in tiles if the machine has a matrix unit for
/// its dtype, else unchanged. @param matrix on the CPU
Matrix for_products(Matrix matrix);
/// Rows from `first` on, [count, inputs] of matrix.dtype(), without scales: a copy if the matrix is in tiles.
at::Tensor row_major(const Matrix& matrix, int64_t first, int64_t count);
/// Copies other weights into the memory of a matrix, in whatever form it is: after a step of training, for
/// instance. @param weight [outputs, inputs]; rounded or quantised to the matrix's dtype @throws InputError
/// for another shape
void assign(Matrix& matrix, const at::Tensor& weight);

}  // namespace tritonsmith::model
