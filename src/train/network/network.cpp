#include "train/network/network.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/DeviceGuard.h>

#include <numeric>

#include "base/error.h"
#include "train/network/products.h"
#include "train/network/upload.h"

namespace tritonsmith::train {
namespace {

at::Tensor positions_of(const std::vector<int64_t>& lengths) {
    at::Tensor positions =
        at::empty({std::accumulate(lengths.begin(), lengths.end(), int64_t{0})}, at::kLong);
    auto* next = positions.mutable_data_ptr<int64_t>();
    for (const int64_t length : lengths) {
        std::iota(next, next + length, int64_t{0});
        next += length;
    }
    return positions;
}

void check_documents(const Documents& documents) {
    const int64_t tokens = std::accumulate(documents.lengths.begin(), documents.lengths.end(), int64_t{0});
    if (documents.tokens.dim() != 1 || tokens != documents.tokens.size(0) || tokens == 0)
        throw InputError("the lengths of documents must add up to their tokens, at least one");
}

}  // namespace

Network::Network(const model::Model& model, Recompute recompute, const Adapters* adapters,
                 LayerMemory* memory)
    : config_(model.config()),
      heads_(model.heads()),
      weights_(model.weights()),
      exact_(model.options().exact),
      recompute_(recompute),
      adapters_(adapters),
      memory_(memory),
      rope_(model::rope_frequencies(config_), weights_.norm.scalar_type()) {
    const model::Matrix& matrix = weights_.layers.front().qkv;
    if (!matrix.values.defined() || matrix.scales.defined() ||
        matrix.values.scalar_type() != weights_.norm.scalar_type())
        throw InputError(
            "only weights in float32, bfloat16 or float16, row by row, can be trained: load the "
            "model with plain operators");
    if (exact_ && !(model.options().device.is_cpu() && matrix.values.scalar_type() == at::kFloat))
        throw InputError("the bits of sampling are those of training on the CPU in float32 alone");
}

LayerMemory& Network::memory() const {
    static LayerMemory all_there;
    return memory_ != nullptr ? *memory_ : all_there;
}

LayerContext Network::context_of(const Tape& tape) const {
    const at::Device device = tape.tokens.device();
    return {config_,         heads_,      operators_on(device, exact_),    derivatives_on(device),
            *tape.attention, tape.angles, adapters_ ? adapters_->scale : 0};
}

/// The table stays on the device: a copy for each pass would have the host wait for the pass before.
model::RopeAngles Network::angles_of(const std::vector<int64_t>& lengths, at::Device device) const {
    const model::RopeAngles angles = rope_.angles(positions_of(lengths));
    if (device.is_cpu()) return angles;
    if (!host_cosines_.is_same(angles.cos)) {
        host_cosines_ = angles.cos;
        cosines_ = angles.cos.to(device);
        sines_ = angles.sin.to(device);
    }
    return {cosines_, sines_, upload(angles.rows, device)};
}

at::Tensor Network::run(const Documents& documents, Tape& tape, bool keep) const {
    check_documents(documents);
    const at::NoGradGuard no_grad;
    const at::Device device = documents.tokens.device();
    const c10::OptionalDeviceGuard guard(device);
    tape.tokens = documents.tokens;
    tape.attention = std::make_unique<DocumentAttention>(heads_, documents.lengths, device, exact_);
    tape.angles = angles_of(documents.lengths, device);
    tape.layers.clear();
    const LayerContext context = context_of(tape);
    const at::ScalarType dtype = weights_.norm.scalar_type();
    at::Tensor x = context.operators.embedding(weights_.embedding, documents.tokens, dtype);
    const auto layers = static_cast<int64_t>(weights_.layers.size());
    for (int64_t number = 0; number < layers; ++number) {
        const auto i = static_cast<size_t>(number);
        const bool last = number + 1 == layers;
        LayerTape layer;
        memory().fetch(number, last ? -1 : number + 1);
        x = layer_forward(context, weights_.layers[i], adapters_of(i), x, layer);
        if (!keep || !last) memory().release(number);  // the backward pass begins with the last one
        if (!keep) continue;
        forget(layer, recompute_);
        tape.layers.push_back(std::move(layer));
    }
    tape.last = x;
    return context.operators.rms_norm(x, weights_.norm, config_.norm_epsilon);
}

at::Tensor Network::forward(const Documents& documents, Tape& tape) const {
    return run(documents, tape, true);
}

at::Tensor Network::forward(const Documents& documents) const {
    Tape tape;
    return run(documents, tape, false);
}

void Network::backward(const at::Tensor& gradient, Tape& tape, model::Weights& gradients,
                       Adapters* adapter_gradients) const {
    const at::NoGradGuard no_grad;
    const c10::OptionalDeviceGuard device(gradient.device());
    const LayerContext context = context_of(tape);
    at::Tensor x = context.derivatives.rms_norm(gradient, tape.last, weights_.norm, config_.norm_epsilon, {},
                                                gradients.norm);
    for (int64_t number = static_cast<int64_t>(weights_.layers.size()) - 1; number >= 0; --number) {
        const auto i = static_cast<size_t>(number);
        memory().fetch(number, number - 1);
        memory().begin_gradients(number);
        x = layer_backward(context, weights_.layers[i], adapters_of(i), tape.layers[i], x,
                           gradients.layers[i], adapter_gradients ? &adapter_gradients->layers[i] : nullptr);
        tape.layers[i] = {};
        memory().end_gradients(number);
        memory().release(number);
    }
    embedding_derivative(x, tape.tokens, gradients.embedding.values);
    tape = {};
}

}  // namespace tritonsmith::train
