#include "train/sft/supervised.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include "train/network/upload.h"

namespace tritonsmith::train {

DeviceBatch on_device(const Batch& batch, at::Device device) {
    DeviceBatch result;
    result.documents = {upload(at::tensor(batch.tokens, at::kLong), device), batch.lengths};
    result.targets = targets_of(result.documents, batch.learned);
    return result;
}

at::Tensor train_batch(const Network& network, const DeviceBatch& batch, const CrossEntropy& loss,
                       model::Weights& gradients, Adapters* adapter_gradients, int64_t logits_bytes) {
    Tape tape;
    const at::Tensor hidden = network.forward(batch.documents, tape);
    const HeadResult result = train_targets(
        hidden.index_select(0, batch.targets.rows), network.weights().head.values, batch.targets.tokens,
        [&](int64_t, const at::Tensor& log_probabilities, const at::Tensor& log_normalisers) {
            return loss.gradients(log_probabilities, log_normalisers);
        },
        gradients.head.values, logits_bytes);
    at::Tensor hidden_gradient = at::zeros_like(hidden);
    hidden_gradient.index_copy_(0, batch.targets.rows, result.hidden_gradient);
    network.backward(hidden_gradient, tape, gradients, adapter_gradients);
    return loss.value(result);
}

double evaluate_batch(const Network& network, const DeviceBatch& batch, int64_t logits_bytes) {
    const at::Tensor hidden = network.forward(batch.documents);
    const HeadResult result =
        score_targets(hidden.index_select(0, batch.targets.rows), network.weights().head.values,
                      batch.targets.tokens, logits_bytes);
    return -result.log_probabilities.sum(at::kDouble).item<double>();
}

}  // namespace tritonsmith::train
