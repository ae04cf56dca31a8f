#pragma once

#include <ATen/core/Tensor.h>

namespace tritonsmith::train {

/// The orthogonal matrices nearest to those of x, roughly: singular values come to 0.5 to 1.5 by `iterations`
/// of Newton and Schulz's, a polynomial of degree 5 (https://kellerjordan.github.io/posts/muon), in bfloat16.
/// Matrices of one shape at a time, since one alone does not fill a GPU.
/// @param x [matrices, rows, columns] @return the same shape, bfloat16
at::Tensor orthogonal(const at::Tensor& x, int iterations);

/// What a matrix's learning rate is multiplied with, so that its update has the root mean square that AdamW's
/// has: 0.2 sqrt(max(rows, columns)) (arXiv 2502.16982, section 2.2).
double muon_rate(int64_t rows, int64_t columns);

}  // namespace tritonsmith::train
