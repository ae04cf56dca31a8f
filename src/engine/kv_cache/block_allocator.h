#pragma once

#include <cstddef>
#include <vector>

namespace tritonsmith::engine {

/// The blocks of a paged cache: which are free, and how many hold on to each of the others. Knows nothing of
/// what lies in them. Not thread-safe.
class BlockPool {
  public:
    explicit BlockPool(int blocks);

    int size() const { return static_cast<int>(holders_.size()); }
    int free() const { return static_cast<int>(free_.size()); }
    int used() const { return size() - free(); }
    /// Appends `count` blocks with one holder each, or none at all and false.
    bool take(int count, std::vector<int>& blocks);
    /// One more holder.
    void share(int block) { ++holders_[static_cast<size_t>(block)]; }
    /// One holder less of each, and none of them is left in `blocks`.
    void give_back(std::vector<int>& blocks);

  private:
    std::vector<int> holders_, free_;
};

}  // namespace tritonsmith::engine
