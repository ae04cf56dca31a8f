#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

#include "train/network/derivatives.h"

namespace tritonsmith::train {

/// The head's product, its log-softmax and the derivative of both, some rows at a time: logits of all tokens
/// are never in memory. For cross-entropy, for policies' losses, and for scoring.

/// What a loss says of the tokens [first, first + rows).
/// @param log_probabilities [rows] float32 of the targets  @param log_normalisers [rows] float32: logsumexp
/// of the logits
using TargetLoss = std::function<TargetGradients(int64_t first, const at::Tensor& log_probabilities,
                                                 const at::Tensor& log_normalisers)>;

struct HeadResult {
    at::Tensor log_probabilities;  ///< [n] float32: model::log_probabilities() of the targets
    at::Tensor log_normalisers;    ///< [n] float32
    at::Tensor hidden_gradient;    ///< [n, hidden], of hidden's dtype; undefined without a loss
};

/// Bytes of float32 logits that exist at a time, unless one says otherwise. For each such piece the gradient
/// of the head is read and written once, so that GPUs take larger ones.
int64_t usual_logits_bytes(at::Device device);

/// @param hidden [n, hidden] rows of Network::forward()  @param head [vocabulary, hidden], of the same dtype
/// @param targets [n] int64  @param logits_bytes 0: usual_logits_bytes()  @param exact the product is that of
/// operators_on(device, exact)
HeadResult score_targets(const at::Tensor& hidden, const at::Tensor& head, const at::Tensor& targets,
                         int64_t logits_bytes = 0, bool exact = false);
/// The same, and the derivative of a loss. @param head_gradient [vocabulary, hidden] is added to, unless it
/// is undefined
HeadResult train_targets(const at::Tensor& hidden, const at::Tensor& head, const at::Tensor& targets,
                         const TargetLoss& loss, at::Tensor& head_gradient, int64_t logits_bytes = 0,
                         bool exact = false);

}  // namespace tritonsmith::train
