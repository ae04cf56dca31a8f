#pragma once

#include "train/data/batch_stream.h"
#include "train/loss/cross_entropy.h"
#include "train/network/network.h"

namespace tritonsmith::train {

/// A batch on a device.
struct DeviceBatch {
    Documents documents;
    Targets targets;
};
DeviceBatch on_device(const Batch& batch, at::Device device);

/// Forward and backward of one batch. @param gradients are added to, and those of the network's adapters
/// @return CrossEntropy::value(): the batch's part of the loss
at::Tensor train_batch(const Network& network, const DeviceBatch& batch, const CrossEntropy& loss,
                       model::Weights& gradients, Adapters* adapter_gradients = nullptr,
                       int64_t logits_bytes = 0);
/// The sum of the targets' losses, -log p.
double evaluate_batch(const Network& network, const DeviceBatch& batch, int64_t logits_bytes = 0);

}  // namespace tritonsmith::train
