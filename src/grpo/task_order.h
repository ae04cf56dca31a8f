#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/error.h"

namespace tritonsmith::grpo {

/// In which order the tasks of a run are asked: a source is drawn by its weight, of a source each task once
/// an epoch, in an order that each epoch shuffles. Of several processes each has its own tasks of every
/// source.
class TaskOrder {
  public:
    struct Place {
        size_t source = 0, task = 0;
        int64_t number = 0;  ///< of this draw, from 0: of one process
    };
    /// @param sizes, weights of the sources @throws InputError for a source with fewer tasks than processes
    TaskOrder(std::vector<size_t> sizes, std::vector<double> weights, uint64_t seed, int rank = 0,
              int count = 1);

    Place next();
    /// From the next draw on. @param weights of the sources, not all 0
    void set_weights(std::vector<double> weights) { weights_ = std::move(weights); }
    /// Numbers that seek() takes: tasks that were drawn, then of each source.
    std::vector<int64_t> position() const { return position_; }
    /// @throws InputError for a position of other sources
    void seek(const std::vector<int64_t>& position);

  private:
    size_t own_size(size_t source) const;

    std::vector<size_t> sizes_;
    std::vector<double> weights_;
    uint64_t seed_;
    size_t rank_, count_;
    std::vector<int64_t> position_;
    struct Epoch {
        int64_t number = -1;
        std::vector<size_t> order;
    };
    std::vector<Epoch> epochs_;  ///< of each source: the one that is drawn from
};

}  // namespace tritonsmith::grpo
