#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "ttir/interp/memory/memory.h"

namespace tritonsmith::ttir {

/// Which programs of a launch touched which memory. Two words for each granule (the smallest element that the
/// kernel accesses): the last program that read it plainly, and the last that wrote it (plainly or
/// atomically). A word ≤ base: nobody in this launch. base+1: several. Else base + 2 + 2·ordinal, +1 for
/// atomic accesses.
struct RaceTable {
    uint32_t* readers = nullptr;
    uint32_t* writers = nullptr;
    uint32_t base = 0;
    uint32_t plain(uint32_t ordinal) const { return base + 2 + 2 * ordinal; }
};

/// Guards data and race words of the tracked buffers, one piece of 4 KiB at a time: so the check is exact,
/// and racing programs do not race in the interpreter itself. Also makes atomics atomic. Never held while
/// another is taken.
class PageLocks {
  public:
    std::atomic_flag& of(int buffer, int64_t offset) {
        const uint64_t key = (static_cast<uint64_t>(offset) >> 12) * 0x9E3779B97F4A7C15ull +
                             static_cast<uint64_t>(buffer) * 0x85EBCA6Bull;
        return locks_[key >> 54];
    }

  private:
    std::array<std::atomic_flag, 1024> locks_{};
};

/// Holds one page lock, or nothing where a launch has one thread.
class PageGuard {
  public:
    PageGuard(PageLocks* locks, int buffer, int64_t offset)
        : flag_(locks != nullptr ? &locks->of(buffer, offset) : nullptr) {
        while (flag_ != nullptr && flag_->test_and_set(std::memory_order_acquire))
            while (flag_->test(std::memory_order_relaxed)) __builtin_ia32_pause();
    }
    ~PageGuard() {
        if (flag_ != nullptr) flag_->clear(std::memory_order_release);
    }
    PageGuard(const PageGuard&) = delete;
    PageGuard& operator=(const PageGuard&) = delete;

  private:
    std::atomic_flag* flag_;
};

}  // namespace tritonsmith::ttir
