#pragma once

#include <cstdint>
#include <string>

#include "train/trainer/trainer_settings.h"

namespace tritonsmith::train {

/// What a run keeps in its device's memory, in bytes.
struct MemoryPlan {
    int64_t weights = 0, gradients = 0, states = 0;
    int64_t exchange = 0;     ///< among several processes: what is sent at a time
    int64_t layers = 0;       ///< of divided layers: two whole ones, which are there during passes
    int64_t activations = 0;  ///< kept for the backward pass of one batch, and of one layer computed again
    int64_t logits = 0;       ///< of one chunk, with its derivative

    int64_t total() const { return weights + gradients + states + exchange + layers + activations + logits; }
    /// "weights 1.2 GB, gradients ..., together 7.4 GB"
    std::string text() const;
};
/// @param tokens of a batch  @param processes that states, or layers as well, are divided among
MemoryPlan plan_memory(const model::Config& config, const TrainerSettings& settings, int64_t tokens,
                       int processes);
/// Once weights, gradients and states are there: @throws InputError that says what to change if the rest is
/// more than a GPU has left. Nothing is checked on the CPU.
void check_memory(const MemoryPlan& plan, at::Device device);

}  // namespace tritonsmith::train
