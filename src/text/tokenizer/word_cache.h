#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "text/tokenizer/tokenizer.h"

namespace tritonsmith::text {

/// Remembers what short words were encoded as: a fixed number of places of one cache line, each for the last
/// word that fell on it. For one thread at a time.
class WordCache {
  public:
    static constexpr size_t word_most = 26, tokens_most = 9;

    /// Appends the tokens of a word if it is known.
    bool find(std::string_view word, uint64_t hash, std::vector<Token>& out) const {
        const Place& place = places_[hash & (places - 1)];
        if (place.length != word.size() || std::memcmp(place.word, word.data(), word.size()) != 0)
            return false;
        out.insert(out.end(), place.tokens, place.tokens + place.count);
        return true;
    }
    void insert(std::string_view word, uint64_t hash, std::span<const Token> tokens) {
        if (word.size() > word_most || tokens.size() > tokens_most) return;
        Place& place = places_[hash & (places - 1)];
        place.length = static_cast<uint8_t>(word.size());
        place.count = static_cast<uint8_t>(tokens.size());
        std::memcpy(place.word, word.data(), word.size());
        if (!tokens.empty()) std::memcpy(place.tokens, tokens.data(), tokens.size_bytes());
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
    static constexpr size_t places = 1 << 14;
    struct alignas(64) Place {
        uint8_t length = 0, count = 0;  // length 0: nothing, for no word is empty
        char word[word_most];
        Token tokens[tokens_most];
    };
    static_assert(sizeof(Place) == 64);

    std::vector<Place> places_ = std::vector<Place>(places);
};

}  // namespace tritonsmith::text
