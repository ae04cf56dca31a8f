#include "model/parallel.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace tritonsmith::model::detail {
namespace {

/// How long a thread without work stays awake: longer than what lies between two loops of a forward pass, or
/// between two steps.
constexpr auto awake = std::chrono::microseconds(500);

inline void rest() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/// Waits until `over` says so, without giving the processor away. @return whether it did so in time
template <class Condition>
bool spin(const Condition& over, std::chrono::microseconds most) {
    const auto end = std::chrono::steady_clock::now() + most;
    do
        for (int i = 0; i < 100; ++i) {
            if (over()) return true;
            rest();
        }
    while (std::chrono::steady_clock::now() < end);
    return false;
}

thread_local bool inside = false;

class Team {
  public:
    explicit Team(int helpers) {
        for (int i = 0; i < helpers; ++i) std::thread([this] { help(); }).detach();
    }

    /// @return false where another thread's loop is in progress
    bool run(int64_t n, int64_t size, Part part, const void* function) {
        const std::unique_lock lock(busy_, std::try_to_lock);
        if (!lock) return false;
        const int64_t parts = (n + size - 1) / size;
        n_.store(n, std::memory_order_relaxed);
        size_.store(size, std::memory_order_relaxed);
        parts_.store(parts, std::memory_order_relaxed);
        part_.store(part, std::memory_order_relaxed);
        function_.store(function, std::memory_order_relaxed);
        done_.store(0, std::memory_order_relaxed);
        const uint64_t loop = (state_.load(std::memory_order_relaxed) >> 32) + 1;
        state_.store(loop << 32 | static_cast<uint64_t>(parts));
        if (sleepers_.load() > 0) state_.notify_all();
        while (take()) {
        }
        const auto finished = [&] { return done_.load(std::memory_order_acquire) == parts; };
        // Longer than a part takes: its thread was held up, and may need this processor.
        if (!spin(finished, std::chrono::microseconds(100)))
            for (int64_t done = done_.load(); done != parts; done = done_.load()) done_.wait(done);
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
        return true;
    }

  private:
    /// One part of the loop in progress, if any is left. What describes the loop is only changed while none
    /// is left, so that it is of this loop if the state is still the same after it was read.
    bool take() {
        uint64_t state = state_.load();
        while ((state & 0xFFFFFFFF) != 0) {
            const int64_t left = static_cast<int64_t>(state & 0xFFFFFFFF);
            const int64_t first =
                (parts_.load(std::memory_order_relaxed) - left) * size_.load(std::memory_order_relaxed);
            const int64_t last =
                std::min(first + size_.load(std::memory_order_relaxed), n_.load(std::memory_order_relaxed));
            const Part part = part_.load(std::memory_order_relaxed);
            const void* function = function_.load(std::memory_order_relaxed);
            if (!state_.compare_exchange_weak(state, state - 1)) continue;
            call(part, function, first, last);
            return true;
        }
        return false;
    }

    void call(Part part, const void* function, int64_t first, int64_t last) {
        inside = true;
        try {
            part(function, first, last);
        } catch (...) {
            const std::lock_guard lock(failing_);
            if (!failure_) failure_ = std::current_exception();
        }
        inside = false;
        done_.fetch_add(1);
        done_.notify_one();
    }

    void help() {
        for (;;) {
            const uint64_t seen = state_.load();
            if (take() || spin([&] { return state_.load(std::memory_order_relaxed) != seen; }, awake))
                continue;
            sleepers_.fetch_add(1);
            state_.wait(seen);
            sleepers_.fetch_sub(1);
        }
    }

    std::mutex busy_, failing_;
    alignas(64) std::atomic<uint64_t> state_ = 0;  ///< which loop << 32 | parts that nobody took
    alignas(64) std::atomic<int64_t> done_ = 0;
    alignas(64) std::atomic<int64_t> n_ = 0;
    std::atomic<int64_t> size_ = 0, parts_ = 0;
    std::atomic<Part> part_ = nullptr;
    std::atomic<const void*> function_ = nullptr;
    std::atomic<int> sleepers_ = 0;
    std::exception_ptr failure_;
};

}  // namespace

void parallel_for(int64_t n, int64_t grain, Part part, const void* function) {
    if (n <= 0) return;
    const int threads = at::get_num_threads();
    if (threads > 1 && n > grain && !inside) {
        // Never ended: its threads may not be joined while the program ends.
        static Team& team = *new Team(threads - 1);
        const int64_t size = std::max(grain, (n + 4 * threads - 1) / (4 * threads));
        if (team.run(n, size, part, function)) return;
    }
    part(function, 0, n);
}

}  // namespace tritonsmith::model::detail
