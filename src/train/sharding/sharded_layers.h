#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "model/model.h"
#include "train/network/layer_memory.h"
#include "train/network/parameters.h"
#include "train/parallel/communicator.h"
#include "train/sharding/releasable_memory.h"

namespace tritonsmith::train {

/// The layers of a model, divided among the processes of a run (ZeRO-3, arXiv 1910.02054; as PyTorch's FSDP,
/// arXiv 2304.11277): each keeps its share of every layer's weights and gradients, elements of a vector of
/// all of the layer's tensors. A layer is whole while a pass uses it: its weights are gathered, the next
/// one's meanwhile; its gradients are added up over the processes once the backward pass has left it.
/// Embedding, last norm and head are not its business: a pass needs them from its beginning to its end. All
/// processes make the same calls.
class ShardedLayers : public LayerMemory {
  public:
    /// Without layers. @param gradients dtype of gradients: float32 or bfloat16
    /// @param communicator must outlive it
    ShardedLayers(at::ScalarType gradients, Communicator& communicator)
        : communicator_(communicator), gradients_dtype_(gradients) {}
    /// Divides the next layer, 0 first: its tensors stay, and have values between fetch() and release()
    /// alone. For model::Model::Options::loaded, so that no process has the whole model at any time.
    void divide(const model::Config& config, const model::Weights& weights, int layer);

    void fetch(int64_t layer, int64_t next) override;
    void begin_gradients(int64_t layer) override;
    void end_gradients(int64_t layer) override;
    void release(int64_t layer) override;

    /// The gradient of a layer's weight, whole: between begin_gradients() and end_gradients() alone.
    /// @param weight a tensor of the model @return undefined where it is of no layer
    at::Tensor gradient_of(const at::Tensor& weight) const;
    /// What this process keeps and updates: parts of the layers' parameters, with the gradients of all
    /// processes and all passes since those were zero. Behind finish_gradients().
    const std::vector<Parameter>& shares() const { return shares_; }
    /// Behind the last backward pass of a step: its gradients have arrived.
    void finish_gradients();

  private:
    struct Layer {
        ReleasableMemory weights, gradients;  ///< [processes · n]
        at::Tensor share, gradient_share;     ///< [n]
        std::unique_ptr<Pending> being_fetched;
        bool is_there = false;
    };
    /// A layer whose gradients are being added up.
    struct Reduction {
        Layer* layer;
        at::Tensor part;  ///< [n]
        std::unique_ptr<Pending> pending;
    };
    void start_fetch(Layer& layer);
    Layer& of(int64_t layer) { return layers_.at(static_cast<size_t>(layer)); }

    Communicator& communicator_;
    at::ScalarType gradients_dtype_;
    std::vector<Layer> layers_;
    std::unordered_map<const at::TensorImpl*, at::Tensor> gradients_;  ///< by the weight
    std::vector<Parameter> shares_;
    std::optional<Reduction> reduction_;
};

}  // namespace tritonsmith::train
