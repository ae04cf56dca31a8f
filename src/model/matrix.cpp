#include "model/matrix.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>

namespace tritonsmith::model {

Matrix quantise(const at::Tensor& weight) {
    Matrix matrix{at::empty(weight.sizes(), weight.options().dtype(at::kChar)),
                  at::empty({weight.size(0)}, weight.options().dtype(at::kFloat))};
    // In pieces: a whole float32 copy of an embedding takes gigabytes.
    constexpr int64_t piece = 4096;
    for (int64_t begin = 0; begin < weight.size(0); begin += piece) {
        const int64_t count = std::min(piece, weight.size(0) - begin);
        const at::Tensor rows = weight.narrow(0, begin, count).to(at::kFloat);
        const at::Tensor scales = rows.abs().amax(1) / 127;
        const at::Tensor divisors = at::where(scales == 0, at::ones_like(scales), scales);
        matrix.values.narrow(0, begin, count).copy_((rows / divisors.unsqueeze(1)).round());
        matrix.scales.narrow(0, begin, count).copy_(scales);
    }
    return matrix;
}

at::Tensor dequantise(const Matrix& matrix) {
    const at::Tensor values = matrix.values.to(at::kFloat);
    return matrix.scales.defined() ? values * matrix.scales.unsqueeze(1) : values;
}

}  // namespace tritonsmith::model
