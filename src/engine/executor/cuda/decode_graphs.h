#pragma once

#include <ATen/cuda/CUDAGraph.h>

#include <compare>
#include <functional>
#include <map>
#include <memory>

#include "engine/executor/cuda/draw.h"

namespace tritonsmith::engine {

/// Recorded steps, one for each Key. They share memory, so they run one at a time.
class DecodeGraphs {
  public:
    /// All that a recording holds besides the arrays that it reads.
    struct Key {
        int rows = 0, max_length = 0, split_size = 0;
        bool shared = false;  ///< an array of shared prefixes is read
        auto operator<=>(const Key&) const = default;
    };
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

}  // namespace tritonsmith::engine
