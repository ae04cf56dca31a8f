#pragma once

#include <cstdint>
#include <vector>

#include "text/tokenizer/tokenizer.h"

namespace tritonsmith::text {

/// The merge of two adjacent tokens. Lower ranks are merged first.
struct Merge {
    uint32_t rank;
    Token token;
};

/// Maps pairs of tokens to merges: a hash table with open addressing, optimised for look-ups that mostly
/// miss.
class MergeTable {
  public:
    static constexpr uint32_t no_rank = UINT32_MAX;

    explicit MergeTable(size_t merges = 0);
    /// An existing pair gets the new merge. @param left,right at least 0
    void insert(Token left, Token right, Merge merge);
    /// `rank` is no_rank if the pair does not merge.
    Merge find(Token left, Token right) const {
        const uint64_t pair = key(left, right);
        for (size_t slot = first(pair);; slot = (slot + 1) & mask_) {
            if (slots_[slot].pair == pair) return slots_[slot].merge;
            if (slots_[slot].pair == empty) return {no_rank, -1};
        }
    }

  private:
    static constexpr uint64_t empty = UINT64_MAX;
    struct Slot {
        uint64_t pair = empty;
        Merge merge{};
    };
    static uint64_t key(Token left, Token right) {
        return static_cast<uint64_t>(static_cast<uint32_t>(left)) << 32 | static_cast<uint32_t>(right);
    }
    size_t first(uint64_t pair) const { return (pair * 0x9E3779B97F4A7C15u) >> shift_; }

    std::vector<Slot> slots_;
    size_t mask_ = 0;
    int shift_ = 0;
};

}  // namespace tritonsmith::text
