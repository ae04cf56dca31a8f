#include "base/process/mapped_memory.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tritonsmith {
namespace {

bool all_zero(const std::byte* memory, int64_t bytes) {
    return std::all_of(memory, memory + bytes, [](std::byte b) { return b == std::byte{0}; });
}

TEST(MappedMemory, WhatIsGivenOutAgainIsZero) {
    constexpr int64_t bytes = 3 * 4096 + 17;
    for (int round = 0; round < 3; ++round) {
        std::byte* memory = map_zeroed(bytes);
        ASSERT_NE(memory, nullptr);
        EXPECT_TRUE(all_zero(memory, bytes)) << "round " << round;
        std::fill(memory, memory + bytes, std::byte{0xa5});
        unmap(memory, bytes);
    }
}

TEST(MappedMemory, BuffersThatLiveTogetherAreApart) {
    std::byte* a = map_zeroed(4096);
    std::byte* b = map_zeroed(4096);
    ASSERT_NE(a, b);
    *a = std::byte{1};
    EXPECT_EQ(*b, std::byte{0});
    unmap(a, 4096);
    unmap(b, 4096);
    unmap(nullptr, 4096);
}

TEST(MappedMemory, ReservesMoreThanTheMachineHas) {
    constexpr int64_t bytes = int64_t{1} << 42;
    std::byte* memory = map_zeroed(bytes, Touch::sparse);
    ASSERT_NE(memory, nullptr);
    memory[bytes - 1] = std::byte{7};
    EXPECT_EQ(memory[0], std::byte{0});
    unmap(memory, bytes, Touch::sparse);
}

}  // namespace
}  // namespace tritonsmith
