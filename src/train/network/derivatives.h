#pragma once

#include "model/operators.h"

namespace tritonsmith::train {

/// dL by the log-probabilities of some targets, and by the logarithms of their rows' normalisers.
struct TargetGradients {
    at::Tensor log_probabilities;  ///< [rows] float32
    at::Tensor log_normalisers;    ///< [rows] float32, or undefined: 0
};

/// The derivatives of model::Operators, on contiguous tensors of one device. `gradient` is dL/d(result). What
/// is returned is dL/d(argument) in the activations' dtype, computed in float32 and rounded once. Gradients
/// of weights are added to, in their own dtype. Stateless: any number of threads may use one.
class Derivatives {
  public:
    virtual ~Derivatives() = default;
    /// @param x [n, width] the norm's argument  @param added [n, width] added to the result, or undefined
    virtual at::Tensor rms_norm(const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& weight,
                                double epsilon, const at::Tensor& added,
                                at::Tensor& weight_gradient) const = 0;
    /// Of norms and rotation; values' gradients stay. @param gradient [n, row], which becomes the result
    /// @param qkv [n, row] before them  @param q_norm, k_norm and their gradients undefined: no norms
    virtual void rotate(at::Tensor& gradient, const at::Tensor& qkv, const model::Heads& heads,
                        const at::Tensor& q_norm, const at::Tensor& k_norm, double epsilon,
                        const model::RopeAngles& angles, at::Tensor& q_gradient,
                        at::Tensor& k_gradient) const = 0;
    /// @param gate_up [n, 2 width]
    virtual at::Tensor silu_mul(const at::Tensor& gradient, const at::Tensor& gate_up) const = 0;
    /// @param logits [n, vocabulary] float32, which may be overwritten  @param normalisers [n] float32: their
    /// logsumexp  @param targets [n] int64 @return dL/dlogits of `dtype`
    virtual at::Tensor log_softmax(at::Tensor& logits, const at::Tensor& normalisers,
                                   const at::Tensor& targets, const TargetGradients& gradients,
                                   at::ScalarType dtype) const = 0;
};

/// PyTorch's operators, on any device.
const Derivatives& aten_derivatives();
/// The fastest ones of a device: on CUDA this project's kernels, where they are built.
const Derivatives& derivatives_on(at::Device device);
/// The operators that they are the derivatives of, with activations in the weights' dtype.
/// @param exact those that the engine samples with, of which a row's result has the same bits whatever else
/// is in the batch; on the CPU only in float32
const model::Operators& operators_on(at::Device device, bool exact = false);

}  // namespace tritonsmith::train
