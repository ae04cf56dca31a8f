#pragma once

#include <span>
#include <vector>

namespace tritonsmith::engine {

/// Allocates the blocks of a paged cache by number, each with a reference count. Not responsible for their
/// contents. Not thread-safe.
class BlockAllocator {
  public:
    explicit BlockAllocator(int blocks);

    int size() const { return static_cast<int>(ref_counts_.size()); }
    int free() const { return static_cast<int>(free_.size()); }
    int used() const { return size() - free(); }
    /// Appends `count` blocks, each with a reference count of 1; false, and none, if there are too few.
    bool allocate(int count, std::vector<int>& blocks);
    /// Increments the reference count of each.
    void retain(std::span<const int> blocks);
    /// Decrements the reference count of each and empties `blocks`. A block whose count becomes 0 is free.
    void release(std::vector<int>& blocks);

  private:
    std::vector<int> ref_counts_, free_;
};

}  // namespace tritonsmith::engine
