#pragma once

#include <array>
#include <cstdint>

namespace tritonsmith::run {

/// Philox4x32 with ten rounds: four random words for each 128-bit counter, without state.
/// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
inline std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
    for (int round = 0; round < 10; ++round) {
        uint64_t first = uint64_t{0xD2511F53} * counter[0];
        uint64_t second = uint64_t{0xCD9E8D57} * counter[2];
        counter = {static_cast<uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(second),
                   static_cast<uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(first)};
        key[0] += 0x9E3779B9;
        key[1] += 0xBB67AE85;
    }
    return counter;
}

}  // namespace tritonsmith::run
