#pragma once

#include <mutex>
#include <unordered_map>
#include <vector>

#include "ttir/interp/memory/memory.h"

namespace tritonsmith::judge {

/// Pages of a task's full-size inputs and weights that were made for one candidate and that others will read:
/// drawing them costs more than all else of a sampled run. Thread-safe; holds up to 64 MiB, and nothing new
/// beyond that.
class PageCache {
  public:
    /// A source with the contents of `source`, which belong to the reference's buffer `buffer`.
    ttir::PageSource cached(int buffer, ttir::PageSource source);

  private:
    std::mutex mutex_;
    std::unordered_map<uint64_t, std::vector<std::byte>> pages_;  ///< by buffer and offset
    int64_t bytes_ = 0;
};

}  // namespace tritonsmith::judge
