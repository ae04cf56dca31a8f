#pragma once

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>

#include "model/cpu/huge_pages.h"
#include "model/cpu/parallel.h"

namespace tritonsmith::benches {

/// Reads all of `words` once with all threads, as fast as this machine can be made to read: cache lines are
/// fetched ahead.
/// @return something that depends on every word
inline int64_t read_all(std::span<const int64_t> words) {
    const auto lines = static_cast<int64_t>(words.size()) / 8;
    std::atomic<int64_t> all = 0;
    model::parallel_for(lines, 1024, [&](int64_t first, int64_t last) {
        int64_t sums[32] = {};
        for (int64_t line = first; line + 4 <= last; line += 4)
            for (int64_t i = 0; i < 4; ++i) {
                const int64_t* from = words.data() + (line + i) * 8;
                __builtin_prefetch(from + 1024, 0, 2);
                for (int64_t k = 0; k < 8; ++k) sums[8 * i + k] ^= from[k];
            }
        for (int64_t sum : sums) all ^= sum;
    });
    return all;
}

/// Bytes per second of reading a buffer of so many bytes again and again, in huge pages, as weights in
/// tiles are; the best of `rounds`.
inline double read_bandwidth(int64_t bytes, int rounds = 20) {
    const at::Tensor words = model::empty_in_huge_pages({bytes / 8}, at::kLong).fill_(1);
    double best = 0;
    for (int round = 0; round < rounds; ++round) {
        const auto start = std::chrono::steady_clock::now();
        volatile int64_t seen =
            read_all({words.const_data_ptr<int64_t>(), static_cast<size_t>(words.numel())});
        (void)seen;
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        best = std::max(best, static_cast<double>(bytes) / seconds.count());
    }
    return best;
}

}  // namespace tritonsmith::benches
