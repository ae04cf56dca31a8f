#include "model/matrix.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>

#include "base/error.h"
#include "model/cpu/kernels.h"

namespace tritonsmith::model {

bool is_quantised(at::ScalarType dtype) {
    return dtype == at::kChar || dtype == at::kFloat8_e4m3fn;
}

Matrix quantise(const at::Tensor& weight, at::ScalarType dtype) {
    const bool whole_numbers = dtype == at::kChar;
    Matrix matrix{at::empty(weight.sizes(), weight.options().dtype(dtype)),
                  at::empty({weight.size(0)}, weight.options().dtype(at::kFloat))};
    // In pieces: a whole float32 copy of an embedding takes gigabytes.
    constexpr int64_t piece = 4096;
    for (int64_t begin = 0; begin < weight.size(0); begin += piece) {
        const int64_t count = std::min(piece, weight.size(0) - begin);
        const at::Tensor rows = weight.narrow(0, begin, count).to(at::kFloat);
        const at::Tensor scales = rows.abs().amax(1) / (whole_numbers ? 127 : 448);
        const at::Tensor divisors = at::where(scales == 0, at::ones_like(scales), scales);
        const at::Tensor scaled = rows / divisors.unsqueeze(1);
        matrix.values.narrow(0, begin, count).copy_(whole_numbers ? scaled.round() : scaled);
        matrix.scales.narrow(0, begin, count).copy_(scales);
    }
    return matrix;
}

at::Tensor dequantise(const Matrix& matrix) {
    const at::Tensor values = row_major(matrix, 0, matrix.outputs()).to(at::kFloat);
    return matrix.scales.defined() ? values * matrix.scales.unsqueeze(1) : values;
}

const TileKernels* tile_kernels(at::ScalarType dtype) {
    return dtype == at::kBFloat16 ? cpu_kernels().tiles_bf16
           : dtype == at::kChar   ? cpu_kernels().tiles_i8
                                  : nullptr;
}

Matrix for_products(Matrix matrix) {
    const TileKernels* kernels = tile_kernels(matrix.dtype());
    if (kernels == nullptr || matrix.inputs() > kernels->most_inputs || matrix.tiles.defined()) return matrix;
    matrix.tiles = tiled(matrix.values);
    matrix.values = at::Tensor();
    return matrix;
}

at::Tensor row_major(const Matrix& matrix, int64_t first, int64_t count) {
    return matrix.tiles.defined() ? untiled(matrix.tiles, first, count)
                                  : matrix.values.narrow(0, first, count);
}

void assign(Matrix& matrix, const at::Tensor& weight) {
    if (weight.dim() != 2 || weight.size(0) != matrix.outputs() || weight.size(1) != matrix.inputs())
        throw InputError("new weights must have the same shape");
    at::Tensor values = weight;
    if (matrix.scales.defined()) {
        const Matrix quantised = quantise(weight, matrix.dtype());
        matrix.scales.copy_(quantised.scales);
        values = quantised.values;
    }
    if (matrix.tiles.defined())
        assign(matrix.tiles, values);
    else
        matrix.values.copy_(values);
}

}  // namespace tritonsmith::model
