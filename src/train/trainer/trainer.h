#pragma once

#include <filesystem>
#include <optional>

#include "train/checkpoint/checkpoint.h"
#include "train/network/adapters.h"
#include "train/network/network.h"
#include "train/optimizer/sharded_optimizer.h"
#include "train/sharding/sharded_layers.h"
#include "train/trainer/pass_memory.h"
#include "train/trainer/trainer_settings.h"

namespace tritonsmith::train {

/// The model that is trained, with gradients and optimizer. Of several processes all make the same calls.
class Trainer {
  public:
    /// @param checkpoint to go on from, or nothing @param communicator must outlive it
    /// @throws InputError
    Trainer(const TrainerSettings& settings, const std::optional<std::filesystem::path>& checkpoint,
            Communicator& communicator);
    Trainer(const Trainer&) = delete;
    Trainer& operator=(const Trainer&) = delete;

    const model::Model& model() const { return model_; }
    const Network& network() const { return network_; }
    bool has_adapters() const { return adapters_.has_value(); }
    model::Weights& gradients() { return gradients_; }
    /// Null where all weights are trained.
    Adapters* adapter_gradients() { return adapter_gradients_ ? &*adapter_gradients_ : nullptr; }

    void clear_gradients() { optimizer_.clear_gradients(); }
    /// The next backward pass is the last one before reduce_gradients(): gradients are exchanged while it
    /// runs. Only where all processes make that pass, and exchange nothing else before reduce_gradients().
    void begin_last_pass() { pass_memory_.set_last_pass(settings_.overlap); }
    /// @param more as ShardedOptimizer's @return the norm of the sum of all processes' gradients
    double reduce_gradients(const at::Tensor& more = {});
    /// Behind reduce_gradients(). A gradient that is not finite changes nothing: one bad batch must not end a
    /// run, but ten in a row do. Of several processes' weights some arrive during the next pass of the
    /// network, others read them behind finish_update(). @param number of the update, from 1 @throws
    /// InputError then
    void update(int64_t number, double norm, double rate);
    void finish_update() { optimizer_.finish_values(); }

    TrainerState restored() const;
    /// @param sampler as TrainedModel's
    void save(const Checkpoints& checkpoints, const TrainerState& state, bool best,
              const model::Model* sampler = nullptr);

    double sum_of_all(double value) const;
    /// Of a signal that any of the processes got.
    int agreed_signal(int own) const;

  private:
    const TrainerSettings& settings_;
    const std::optional<std::filesystem::path> checkpoint_;
    Communicator& communicator_;
    std::optional<ShardedLayers> layers_;  ///< where they are divided
    model::Model model_;
    std::optional<Adapters> adapters_;
    model::Weights gradients_;
    std::optional<Adapters> adapter_gradients_;
    ShardedOptimizer optimizer_;
    PassMemory pass_memory_;
    Network network_;
    int skipped_ = 0;
};

}  // namespace tritonsmith::train
