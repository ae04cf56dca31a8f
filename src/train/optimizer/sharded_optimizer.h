#pragma once

#include "train/optimizer/optimizer.h"
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
                     Communicator& communicator, const std::vector<Parameter>& shares = {});

    /// Adds up all processes' gradients, each its share. @return the norm of the sum
    double reduce_gradients();
    /// Updates the own share, then collects all weights. See Optimizer::step.
    void step(int64_t number, double learning_rate, double gradient_scale);
    /// Sets all gradients to zero.
    void clear_gradients();
    /// The states of the own share.
    const Optimizer& share() const { return *optimizer_; }

  private:
    /// How one tensor is divided.
    struct Division {
        Parameter whole;
        bool flat = true;           ///< equal ranges of elements; else whole parts
        int64_t size = 0;           ///< elements of a range, the last ones of which may be beyond the end
        at::Tensor gradient_share;  ///< [size], where flat and there are several processes
        std::vector<int> owners;    ///< of the parts, where not flat
    };
    void divide(const std::vector<Parameter>& parameters, const OptimizerSettings& settings);
    Parameter range_of(Division& division) const;
    void reduce(Division& division);
    void collect(const Division& division);

    Communicator& communicator_;
    std::vector<Division> divisions_;
    std::vector<Parameter> shares_;
    std::unique_ptr<Optimizer> optimizer_;
};

}  // namespace tritonsmith::train
