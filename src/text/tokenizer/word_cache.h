#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "text/tokenizer/tokenizer.h"

namespace tritonsmith::text {

/// A direct-mapped cache of the tokens of short words: a fixed number of slots of one cache line. For one
/// thread at a time.
class WordCache {
  public:
    static constexpr size_t word_most = 26, tokens_most = 9;

    /// Appends the tokens of a word if it is known.
    bool find(std::string_view word, uint64_t hash, std::vector<Token>& out) const {
        const Slot& slot = slots_[hash & (slots - 1)];
        if (slot.length != word.size() || std::memcmp(slot.word, word.data(), word.size()) != 0) return false;
        out.insert(out.end(), slot.tokens, slot.tokens + slot.count);
        return true;
    }
    void insert(std::string_view word, uint64_t hash, std::span<const Token> tokens) {
        if (word.size() > word_most || tokens.size() > tokens_most) return;
        Slot& slot = slots_[hash & (slots - 1)];
        slot.length = static_cast<uint8_t>(word.size());
        slot.count = static_cast<uint8_t>(tokens.size());
        std::memcpy(slot.word, word.data(), word.size());
        if (!tokens.empty()) std::memcpy(slot.tokens, tokens.data(), tokens.size_bytes());
    }
    /// @param word at most word_most bytes
    static uint64_t hash(std::string_view word) {
        uint64_t value = word.size() * 0x9E3779B97F4A7C15u;
        const char* at = word.data();
        size_t left = word.size();
        for (uint64_t part; left > 0; at += 8) {
            part = 0;
            const size_t bytes = left < 8 ? left : 8;
            std::memcpy(&part, at, bytes);
            left -= bytes;
            value = (value ^ part) * 0xFF51AFD7ED558CCDu;
            value ^= value >> 32;
        }
        return value;
    }

  private:
    static constexpr size_t slots = 1 << 14;
    struct alignas(64) Slot {
        uint8_t length = 0, count = 0;  // length 0: an empty slot, since no word is empty
        char word[word_most];
        Token tokens[tokens_most];
    };
    static_assert(sizeof(Slot) == 64);

    std::vector<Slot> slots_ = std::vector<Slot>(slots);
};

}  // namespace tritonsmith::text
