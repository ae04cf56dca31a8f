#pragma once

#include <ATen/core/Tensor.h>

#include "model/attention.h"
#include "model/matrix.h"

namespace tritonsmith::model {

struct Heads {
    int64_t queries = 0, keys = 0,
            width = 0;  ///< heads of queries, of keys (and as many of values), elements of each
    int64_t row() const { return (queries + 2 * keys) * width; }
};

/// Cosines and sines for the tokens of one forward pass.
struct RopeAngles {
    at::Tensor cos, sin;  ///< [rows, head_dim / 2] float32, holding values of the activations' dtype
    at::Tensor rows;      ///< [n] int64: token i takes row rows[i]; undefined: row i
};

/// The operations of a decoder, on contiguous activations [n, width]. Sums are in float32 and rounded where
/// transformers rounds. Stateless: any number of threads may use one.
class Operators {
  public:
    virtual ~Operators() = default;
    /// The dtype of activations for weights of this dtype.
    virtual at::ScalarType activations(at::ScalarType weights) const = 0;
    /// Rows of a table. @param tokens [n] int64 @return [n, width] of `dtype`
    virtual at::Tensor embedding(const Matrix& table, const at::Tensor& tokens,
                                 at::ScalarType dtype) const = 0;
    /// x / sqrt(mean(x^2) + epsilon) * weight (arXiv 1910.07467).
    virtual at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon) const = 0;
    /// residual += x; then the norm of residual. @param residual is changed
    virtual at::Tensor add_rms_norm(at::Tensor& residual, const at::Tensor& x, const at::Tensor& weight,
                                    double epsilon) const = 0;
    /// In place: the norm of each head of queries and keys if norms are given (Qwen3), then RoPE; then keys
    /// and values are copied into the cache, if there is one.
    /// @param qkv [n, (queries + 2 keys) * width]  @param q_norm, k_norm [width], or undefined
    virtual void rotate(at::Tensor& qkv, const Heads& heads, const at::Tensor& q_norm,
                        const at::Tensor& k_norm, double epsilon, const RopeAngles& angles,
                        const PagedCache* cache) const = 0;
    /// silu(gates) * ups. @param gate_up [n, 2 * width]: gates, then ups @return [n, width]
    virtual at::Tensor silu_mul(const at::Tensor& gate_up) const = 0;
    /// x · weightᵀ + bias. @param bias [outputs] or undefined @return [n, outputs] of `dtype` (x's own, or
    /// float32)
    virtual at::Tensor linear(const at::Tensor& x, const Matrix& weight, const at::Tensor& bias,
                              at::ScalarType dtype) const = 0;
};

/// For the CPU: float32 activations, weights in float32, bfloat16 or int8. A row's result does not depend on
/// the other rows, bit for bit. Vectorised for the machine's instruction set
/// (TRITONSMITH_ISA=base|avx2|avx512|amx selects a lower one).
const Operators& cpu_operators();
/// PyTorch's own, on any device; activations have the weights' dtype. Slow: a fallback, and for comparisons.
/// @param fixed_rows products have 256 rows at a time, the last ones padded, so that the same kernel computes
/// each row whatever else is in the batch
const Operators& aten_operators(bool fixed_rows = false);
/// For CUDA.
const Operators& cuda_operators(bool fixed_rows = false);

}  // namespace tritonsmith::model
