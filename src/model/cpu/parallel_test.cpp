#include "model/cpu/parallel.h"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace tritonsmith::model {
namespace {

/// How often each index came.
std::vector<int> visits(int64_t n, int64_t grain) {
    std::vector<int> counts(static_cast<size_t>(n));
    parallel_for(n, grain, [&](int64_t first, int64_t last) {
        for (int64_t i = first; i < last; ++i) ++counts[static_cast<size_t>(i)];
    });
    return counts;
}

TEST(ParallelFor, TakesEveryIndexOnce) {
    for (int64_t n : {0, 1, 2, 7, 64, 1000})
        for (int64_t grain : {1, 3, 64, 5000})
            for (int times = 0; times < 200; ++times)
                ASSERT_EQ(visits(n, grain), std::vector<int>(static_cast<size_t>(n), 1)) << n << " " << grain;
}

TEST(ParallelFor, WakesThreadsThatSleep) {
    for (int times = 0; times < 20; ++times) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        ASSERT_EQ(visits(100, 1), std::vector<int>(100, 1));
    }
}

TEST(ParallelFor, PartsAreNoSmallerThanTheGrain) {
    std::vector<int64_t> sizes(100);
    parallel_for(100, 30,
                 [&](int64_t first, int64_t last) { sizes[static_cast<size_t>(first)] = last - first; });
    EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), int64_t{0}), 100);
    for (size_t first = 0; first < 90; ++first) EXPECT_TRUE(sizes[first] == 0 || sizes[first] >= 30) << first;
}

TEST(ParallelFor, SeveralThreadsAndLoopsInLoops) {
    std::vector<std::thread> threads;
    std::vector<int> right(4);
    for (size_t t = 0; t < right.size(); ++t)
        threads.emplace_back([&right, t] {
            for (int times = 0; times < 300; ++times) {
                std::vector<int> counts(60);
                parallel_for(6, 1, [&](int64_t first, int64_t last) {
                    for (int64_t i = first; i < last; ++i)
                        parallel_for(10, 1, [&](int64_t inner, int64_t end) {
                            for (; inner < end; ++inner) ++counts[static_cast<size_t>(10 * i + inner)];
                        });
                });
                right[t] += counts == std::vector<int>(60, 1) ? 1 : 0;
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(right, std::vector<int>(4, 300));
}

TEST(ParallelFor, WhatIsExpectedNeedNotBeThere) {
    for (int times = 0; times < 200; ++times) {
        // Freed before a thread may prefetch it, null, and an invalid address.
        expect_to_read(std::vector<char>(1 << 20).data(), 1 << 20);
        ASSERT_EQ(visits(100, 1), std::vector<int>(100, 1));
        expect_to_read(nullptr, 1 << 20);
        ASSERT_EQ(visits(100, 1), std::vector<int>(100, 1));
        expect_to_read(reinterpret_cast<const void*>(uintptr_t{1} << 60), int64_t{1} << 40);
        ASSERT_EQ(visits(100, 1), std::vector<int>(100, 1));
    }
}

TEST(ParallelFor, ExceptionsArrive) {
    for (int64_t where : {0, 17, 99})
        EXPECT_THROW(parallel_for(100, 1,
                                  [&](int64_t first, int64_t last) {
                                      if (first <= where && where < last) throw std::runtime_error("there");
                                  }),
                     std::runtime_error);
    EXPECT_EQ(visits(100, 1), std::vector<int>(100, 1)) << "and the next loop works";
}

}  // namespace
}  // namespace tritonsmith::model
