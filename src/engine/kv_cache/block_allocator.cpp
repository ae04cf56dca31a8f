#include "engine/kv_cache/block_allocator.h"

#include <numeric>

namespace tritonsmith::engine {

BlockPool::BlockPool(int blocks)
    : holders_(static_cast<size_t>(blocks), 0), free_(static_cast<size_t>(blocks)) {
    std::iota(free_.rbegin(), free_.rend(), 0);  // block 0 is taken first
}

bool BlockPool::take(int count, std::vector<int>& blocks) {
    if (count > free()) return false;
    for (int i = 0; i < count; ++i) {
        blocks.push_back(free_.back());
        free_.pop_back();
        holders_[static_cast<size_t>(blocks.back())] = 1;
    }
    return true;
}

void BlockPool::give_back(std::vector<int>& blocks) {
    for (int block : blocks)
        if (--holders_[static_cast<size_t>(block)] == 0) free_.push_back(block);
    blocks.clear();
}

}  // namespace tritonsmith::engine
