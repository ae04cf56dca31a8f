#include "text/tokenizer/merge_table.h"

#include <bit>

namespace tritonsmith::text {

MergeTable::MergeTable(size_t merges)
    : slots_(std::bit_ceil(merges + merges / 2 + 2)), mask_(slots_.size() - 1) {
    shift_ = 64 - std::countr_zero(slots_.size());
}

void MergeTable::insert(Token left, Token right, Merge merge) {
    const uint64_t pair = key(left, right);
    size_t slot = first(pair);
    while (slots_[slot].pair != pair && slots_[slot].pair != empty) slot = (slot + 1) & mask_;
    slots_[slot] = {pair, merge};
}

}  // namespace tritonsmith::text
