#pragma once

#include <vector>

#include "train/loss/head.h"
#include "train/network/documents.h"

namespace tritonsmith::train {

/// Tokens that are predicted, and those that they are predicted from.
struct Targets {
    at::Tensor rows;    ///< [m] int64: of the hidden state that predicts
    at::Tensor tokens;  ///< [m] int64: the token behind each of them
};
/// The tokens of `documents` that are in `learned`, except the first of each document, which nothing
/// predicts. @param learned [n] 0 or 1
Targets targets_of(const Documents& documents, const std::vector<uint8_t>& learned);

/// Mean over the targets of -log p + z · lse², where lse is the logarithm of the softmax's normaliser
/// (z-loss: PaLM, arXiv 2204.02311, section 5).
struct CrossEntropy {
    double targets = 1;  ///< that the mean is taken over: of all micro-batches of a step, on all devices
    double z = 0;        ///< factor of lse²

    TargetGradients gradients(const at::Tensor& log_probabilities, const at::Tensor& log_normalisers) const;
    /// The sum of the targets' losses, divided by `targets`: a float64 scalar on their device, so that nobody
    /// waits for it yet.
    at::Tensor value(const HeadResult& result) const;
};

}  // namespace tritonsmith::train
