#pragma once

#include <ATen/cuda/CUDAGraph.h>

#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "rollout/cuda/draw.h"

namespace tritonsmith::rollout {

/// Recorded steps, one for each size of batch and length of the longest sequence. They share memory, so they
/// run one at a time.
class DecodeGraphs {
  public:
    using Key = std::pair<int, int>;  ///< rows, greatest length
    /// What `compute` gives: computed the first time, and recorded; replayed from then on. `compute` must
    /// read its inputs at the same addresses each time. On the current stream, which must not be the default
    /// one.
    DrawnTokens run(const Key& key, const std::function<DrawnTokens()>& compute);
    size_t size() const { return graphs_.size(); }

  private:
    struct Recorded {
        std::unique_ptr<at::cuda::CUDAGraph> graph;
        DrawnTokens drawn;
    };
    std::map<Key, Recorded> graphs_;
};

}  // namespace tritonsmith::rollout
