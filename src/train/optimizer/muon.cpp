#include "train/optimizer/muon.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>
#include <cmath>

namespace tritonsmith::train {

at::Tensor orthogonal(const at::Tensor& x, int iterations) {
    constexpr double a = 3.4445, b = -4.7750, c = 2.0315;
    const bool tall = x.size(1) > x.size(2);
    at::Tensor all = x.to(at::kBFloat16);
    if (tall) all = all.transpose(1, 2);
    // The greatest singular value is at most 1.
    all = all / at::linalg_vector_norm(all, 2, at::IntArrayRef{1, 2}, true).clamp(1e-7);
    for (int i = 0; i < iterations; ++i) {
        const at::Tensor gram = at::bmm(all, all.transpose(1, 2));
        all = at::baddbmm(all, at::baddbmm(gram, gram, gram, b, c), all, a, 1);
    }
    return tall ? all.transpose(1, 2) : all;
}

double muon_rate(int64_t rows, int64_t columns) {
    return 0.2 * std::sqrt(static_cast<double>(std::max(rows, columns)));
}

}  // namespace tritonsmith::train
