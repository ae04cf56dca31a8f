#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "ttir/interp/memory/memory.h"

namespace tritonsmith::run::sample {

/// Pages of one draw of a task's full-size inputs and weights that were made for one candidate and that
/// others will read: drawing them costs more than all else of a sampled run. Thread-safe; holds up to 32 MiB,
/// and nothing new beyond that.
class PageCache {
  public:
    /// A source with the contents of `source`, which belong to the reference's buffer `buffer`. Must not
    /// outlive this.
    ttir::PageSource cached(int buffer, ttir::PageSource source);
    int64_t bytes() const { return bytes_; }

  private:
    std::mutex mutex_;
    std::unordered_map<uint64_t, std::vector<std::byte>> pages_;  ///< by buffer and offset
    int64_t bytes_ = 0;
};

/// The caches of the draws that were asked for last; together up to 96 MiB.
class PageCaches {
  public:
    /// @param draw names contents: task, seed, law. Valid until the next call.
    PageCache& of(const std::string& draw);

  private:
    struct Entry {
        std::string draw;
        std::unique_ptr<PageCache> cache;
    };
    std::list<Entry> entries_;  ///< most recent first
};

}  // namespace tritonsmith::run::sample
