#pragma once

#include <ATen/cuda/CUDAGraph.h>

#include <compare>
#include <functional>
#include <map>
#include <memory>

#include "engine/executor/cuda/draw.h"

namespace tritonsmith::engine {

/// CUDA graphs of recorded steps, one for each Key. They share memory, so they run one at a time.
class DecodeGraphs {
  public:
    /// What a recording depends on besides the arrays that it reads.
    struct Key {
        int rows = 0, max_length = 0, split_size = 0;
        bool shared = false;  ///< an array of shared prefixes is read
        auto operator<=>(const Key&) const = default;
    };
    /// The result of `compute`, which is called and recorded the first time and replayed from then on. It
    /// must read its inputs at the same addresses each time. Runs on the current stream, which must not be
    /// the default one.
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
