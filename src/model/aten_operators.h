#pragma once

#include "model/operators.h"

namespace tritonsmith::model {

/// See aten_operators().
class AtenOperators : public Operators {
  public:
    explicit AtenOperators(bool fixed_rows) : fixed_rows_(fixed_rows) {}

    at::ScalarType activations(at::ScalarType weights) const override { return weights; }
    at::Tensor embedding(const Matrix& table, const at::Tensor& tokens, at::ScalarType dtype) const override;
    at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon) const override;
    at::Tensor add_rms_norm(at::Tensor& residual, const at::Tensor& x, const at::Tensor& weight,
                            double epsilon) const override;
    void rotate(at::Tensor& qkv, const Heads& heads, const at::Tensor& q_norm, const at::Tensor& k_norm,
                double epsilon, const RopeAngles& angles, const PagedCache* cache) const override;
    at::Tensor silu_mul(const at::Tensor& gate_up) const override;
    at::Tensor linear(const at::Tensor& x, const Matrix& weight, const at::Tensor& bias,
                      at::ScalarType dtype) const override;

  protected:
    /// x · weightᵀ + bias, of all rows in one product.
    virtual at::Tensor product(const at::Tensor& x, const Matrix& weight, const at::Tensor& bias,
                               at::ScalarType dtype) const;

  private:
    bool fixed_rows_;
};

}  // namespace tritonsmith::model
