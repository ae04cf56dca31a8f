#include "train/optimizer/muon.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>
#include <cmath>

namespace tritonsmith::train {

at::Tensor orthogonal(const at::Tensor& x, int iterations) {
    constexpr double a = 3.4445, b = -4.7750, c = 2.0315;
    const bool tall = x.size(0) > x.size(1);
    at::Tensor matrix = x.to(at::kBFloat16);
    if (tall) matrix = matrix.t();
    matrix = matrix / matrix.norm().clamp(1e-7);  // the greatest singular value is at most 1
    for (int i = 0; i < iterations; ++i) {
        const at::Tensor gram = at::mm(matrix, matrix.t());
        matrix = at::addmm(matrix, at::addmm(gram, gram, gram, b, c), matrix, a, 1);
    }
    return tall ? matrix.t() : matrix;
}

double muon_rate(int64_t rows, int64_t columns) {
    return 0.2 * std::sqrt(static_cast<double>(std::max(rows, columns)));
}

}  // namespace tritonsmith::train
