#pragma once

#include "train/network/layer_memory.h"
#include "train/optimizer/sharded_optimizer.h"
#include "train/sharding/sharded_layers.h"

namespace tritonsmith::train {

/// What several processes exchange while a pass goes from layer to layer: divided layers' weights and
/// gradients, the weights of the last update, which arrive meanwhile, and in a step's last pass the gradients
/// that are whole everywhere.
class PassMemory : public LayerMemory {
  public:
    /// @param layers null where they are not divided. Both must outlive it.
    PassMemory(ShardedLayers* layers, ShardedOptimizer& optimizer) : layers_(layers), optimizer_(optimizer) {}

    void set_last_pass(bool last) { last_pass_ = last; }

    void fetch(int64_t layer, int64_t next) override {
        optimizer_.receive_values(layer);
        if (layers_ != nullptr) layers_->fetch(layer, next);
    }
    void begin_gradients(int64_t layer) override {
        if (layers_ != nullptr) layers_->begin_gradients(layer);
    }
    void end_gradients(int64_t layer) override {
        if (layers_ != nullptr) layers_->end_gradients(layer);
        if (last_pass_) optimizer_.send_gradients(layer);
    }
    void release(int64_t layer) override {
        if (layers_ != nullptr) layers_->release(layer);
    }

  private:
    ShardedLayers* layers_;
    ShardedOptimizer& optimizer_;
    bool last_pass_ = false;
};

}  // namespace tritonsmith::train
