#include "engine/kv_cache/block_allocator.h"

#include <numeric>

namespace tritonsmith::engine {

BlockAllocator::BlockAllocator(int blocks)
    : ref_counts_(static_cast<size_t>(blocks), 0), free_(static_cast<size_t>(blocks)) {
    std::iota(free_.rbegin(), free_.rend(), 0);  // block 0 is allocated first
}

bool BlockAllocator::allocate(int count, std::vector<int>& blocks) {
    if (count > free()) return false;
    for (int i = 0; i < count; ++i) {
        blocks.push_back(free_.back());
        free_.pop_back();
        ref_counts_[static_cast<size_t>(blocks.back())] = 1;
    }
    return true;
}

void BlockAllocator::retain(std::span<const int> blocks) {
    for (int block : blocks) ++ref_counts_[static_cast<size_t>(block)];
}

void BlockAllocator::release(std::vector<int>& blocks) {
    for (int block : blocks)
        if (--ref_counts_[static_cast<size_t>(block)] == 0) free_.push_back(block);
    blocks.clear();
}

}  // namespace tritonsmith::engine
