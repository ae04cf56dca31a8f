#pragma once

#include <memory>
#include <vector>

#include "model/model.h"
#include "model/rope_table.h"
#include "train/network/documents.h"
#include "train/network/layer.h"
#include "train/network/layer_memory.h"

namespace tritonsmith::train {

/// What a forward pass leaves for its backward pass.
struct Tape {
    at::Tensor tokens;
    std::unique_ptr<DocumentAttention> attention;
    model::RopeAngles angles;
    std::vector<LayerTape> layers;
    at::Tensor last;  ///< [n, hidden] before the last norm
};

/// The transformer with its derivative: layer by layer, without an autograd graph. Activations have the
/// weights' dtype. Not responsible for the head (loss/head.h), nor for the weights' memory. One thread at a
/// time; the model must outlive it.
class Network {
  public:
    /// @param model with weights row by row: on the CPU one with Model::Options::plain. If it is `exact` too
    /// (CPU), a token's result has the bits that the engine samples from. @throws InputError for quantised
    /// weights
    /// @param adapters null: none; they must outlive it
    /// @param memory of the layers; null: always there. It must outlive the network
    explicit Network(const model::Model& model, Recompute recompute = Recompute::elementwise,
                     const Adapters* adapters = nullptr, LayerMemory* memory = nullptr);

    /// @return [n, hidden] after the last norm @throws InputError for documents that are not n tokens
    at::Tensor forward(const Documents& documents, Tape& tape) const;
    /// Keeps nothing: for evaluation and scoring. The same bits.
    at::Tensor forward(const Documents& documents) const;
    /// @param gradient [n, hidden] of forward()'s result @param tape is used up, layer by layer
    /// @param gradients are added to, those that are defined @param adapter_gradients likewise, of the
    /// adapters
    void backward(const at::Tensor& gradient, Tape& tape, model::Weights& gradients,
                  Adapters* adapter_gradients = nullptr) const;

    const model::Config& config() const { return config_; }
    const model::Weights& weights() const { return weights_; }
    bool exact() const { return exact_; }

  private:
    LayerMemory& memory() const;
    LayerContext context_of(const Tape& tape) const;
    const LayerAdapters* adapters_of(size_t layer) const {
        return adapters_ ? &adapters_->layers[layer] : nullptr;
    }
    model::RopeAngles angles_of(const std::vector<int64_t>& lengths, at::Device device) const;
    at::Tensor run(const Documents& documents, Tape& tape, bool keep) const;

    model::Config config_;
    model::Heads heads_;
    model::Weights weights_;  ///< handles of the model's
    bool exact_;
    Recompute recompute_;
    const Adapters* adapters_;
    LayerMemory* memory_;
    model::RopeTable rope_;
    mutable at::Tensor host_cosines_, cosines_, sines_;  ///< a table of rope_, and its copy on the device
};

}  // namespace tritonsmith::train
