#pragma once

#include <optional>

#include "train/optimizer/optimizer.h"
#include "train/optimizer/parameter_exchange.h"
#include "train/parallel/communicator.h"

namespace tritonsmith::train {

/// An optimizer whose states are divided among the processes of a run (ZeRO-1, arXiv 1910.02054): each keeps
/// and updates its share of every parameter's elements, or, with Muon, some whole matrices. Weights and
/// gradients are whole everywhere, but for shares that others have divided already. Stochastic rounding does
/// not depend on the division, so several processes differ from one by the order of sums alone. All processes
/// make the same calls.
class ShardedOptimizer {
  public:
    /// @param parameters that are whole everywhere @param shares parts of others, which this process alone
    /// updates, with gradients of all processes (ShardedLayers): with AdamW @param communicator must outlive
    /// it
    ShardedOptimizer(const std::vector<Parameter>& parameters, const OptimizerSettings& settings,
                     Communicator& communicator, const std::vector<Parameter>& shares = {},
                     const ExchangeSettings& exchange = {});

    /// In the step's last backward pass: nothing more is added to the gradients of this layer and those above
    /// it. Starts to add them up over the processes. Need not be called.
    void send_gradients(int64_t layer);
    /// Adds up all processes' gradients, each its share. @param more [k] on the parameters' device: each
    /// becomes its sum over the processes, in float32; undefined: none @return the norm of the sum
    double reduce_gradients(at::Tensor more = {});
    /// Updates the own share, then collects all weights: they have arrived behind receive_values(). See
    /// Optimizer::step.
    void step(int64_t number, double learning_rate, double gradient_scale);
    /// Weights that a forward pass needs before it leaves this layer are there.
    void receive_values(int64_t layer);
    /// All weights are.
    void finish_values();
    /// Sets all gradients to zero.
    void clear_gradients();
    /// The states of the own share.
    const Optimizer& share() const { return *optimizer_; }

  private:
    const std::vector<Parameter> whole_, shares_;
    Communicator& communicator_;
    std::optional<ParameterExchange> exchange_;  ///< among several processes
    std::unique_ptr<Optimizer> optimizer_;
};

}  // namespace tritonsmith::train
