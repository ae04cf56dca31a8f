#include "model/cpu/parallel.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace tritonsmith::model {
namespace {

/// Of expect_to_read(). The two may be of different calls for a moment, which only costs time.
struct alignas(64) Expected {
    std::atomic<const char*> from = nullptr;
    std::atomic<int64_t> bytes = 0;
} expected;

}  // namespace

void expect_to_read(const void* from, int64_t bytes) {
    expected.bytes.store(bytes, std::memory_order_relaxed);
    expected.from.store(static_cast<const char*>(from), std::memory_order_relaxed);
}

}  // namespace tritonsmith::model

namespace tritonsmith::model::detail {
namespace {

/// How long an idle thread stays awake: longer than the time between two loops of a forward pass, or between
/// two steps.
constexpr auto awake = std::chrono::microseconds(500);

inline void rest() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/// Spins until `over` returns true. @return false on timeout
template <class Condition>
bool spin(const Condition& over, std::chrono::microseconds most) {
    std::chrono::steady_clock::time_point end;
    for (bool first = true;; first = false) {
        for (int i = 0; i < 100; ++i) {
            if (over()) return true;
            if (i % 16 == 15) rest();
        }
        const auto now = std::chrono::steady_clock::now();
        if (first) end = now + most;
        if (now >= end) return false;
    }
}

thread_local bool inside = false;

/// A thread's share of what the next loop will read, as far as the second-level cache can hold it.
class ReadAhead {
  public:
    ReadAhead(size_t thread, size_t threads)
        : thread_(static_cast<int64_t>(thread)), threads_(static_cast<int64_t>(threads)) {}

    /// Prefetches a few more lines.
    void step() {
        const char* from = expected.from.load(std::memory_order_relaxed);
        if (from != whole_) {
            const int64_t bytes = expected.bytes.load(std::memory_order_relaxed),
                          first = bytes * thread_ / threads_, last = bytes * (thread_ + 1) / threads_;
            whole_ = from;
            next_ = from + first;
            left_ = std::min(last - first, most);
        }
        for (int64_t i = 0; i < 8 && left_ > 0; ++i, next_ += 64, left_ -= 64)
            __builtin_prefetch(next_, 0, 2);
    }

  private:
    static constexpr int64_t most = 512 << 10;
    const int64_t thread_, threads_;
    const char *whole_ = nullptr, *next_ = nullptr;
    int64_t left_ = 0;
};

/// The threads, and the loop in progress. Its parts are distributed in advance, contiguous ones to one
/// thread, so that what a thread or the hardware prefetches is its own. A thread that has finished its share
/// takes parts from the ends of others'. What a thread needs to begin is in one cache line of its own.
class Team {
  public:
    explicit Team(int helpers) : shares_(static_cast<size_t>(helpers) + 1), done_(shares_.size()) {
        try {
            for (size_t i = 1; i < shares_.size(); ++i) std::thread([this, i] { help(i); }).detach();
        } catch (const std::system_error&) {  // no more threads: the existing ones do the others' shares
        }
    }

    /// @return false if another thread's loop is in progress
    bool run(int64_t n, int64_t size, Part part, const void* function) {
        if (busy_.exchange(true, std::memory_order_acquire)) return false;
        const auto parts = static_cast<uint64_t>((n + size - 1) / size);
        const uint64_t loop = loop_.load(std::memory_order_relaxed) + 1;
        for (size_t i = shares_.size(); i-- > 0;) {
            Share& share = shares_[i];
            share.n.store(n, std::memory_order_relaxed);
            share.size.store(size, std::memory_order_relaxed);
            share.part.store(part, std::memory_order_relaxed);
            share.function.store(function, std::memory_order_relaxed);
            share.left.store(Left{loop, parts * i / shares_.size(), parts * (i + 1) / shares_.size()}.word(),
                             std::memory_order_release);
        }
        all_ += parts;
        loop_.store(loop);
        if (sleepers_.load() > 0) loop_.notify_all();
        work(0);
        // Longer than one part takes: its thread was descheduled and may need this processor.
        if (!spin([&] { return finished(); }, std::chrono::microseconds(100))) sleep_until_finished();
        const std::exception_ptr failure = failure_ ? std::exchange(failure_, nullptr) : nullptr;
        busy_.store(false, std::memory_order_release);
        if (failure) std::rethrow_exception(failure);
        return true;
    }

    /// The most parts that a loop may have.
    static constexpr int64_t most_parts = 1 << 16;

  private:
    /// The parts [first, last) of a thread's share that are not taken.
    struct Left {
        uint64_t loop, first, last;
        explicit Left(uint64_t word) : loop(word >> 34), first(word >> 17 & 0x1FFFF), last(word & 0x1FFFF) {}
        Left(uint64_t loop, uint64_t first, uint64_t last) : loop(loop), first(first), last(last) {}
        uint64_t word() const { return loop << 34 | first << 17 | last; }
    };
    struct alignas(64) Share {
        std::atomic<uint64_t> left = 0;
        std::atomic<int64_t> n = 0, size = 0;
        std::atomic<Part> part = nullptr;
        std::atomic<const void*> function = nullptr;
    };
    struct alignas(64) Count {
        std::atomic<uint64_t> parts = 0;  ///< done by this thread so far
    };

    /// Parts of the loop in progress, until none is left. @return whether there was one
    bool work(size_t thread) {
        uint64_t parts = 0;
        for (uint64_t taken = 0; (taken = take(thread)) > 0;) parts += taken;
        if (parts == 0) return false;
        std::atomic<uint64_t>& mine = done_[thread].parts;
        mine.store(mine.load(std::memory_order_relaxed) + parts);
        if (waiting_.load()) {
            signal_.fetch_add(1);
            signal_.notify_one();
        }
        return true;
    }

    /// Takes half of the rest of the thread's own share, or another's last part. @return the number of parts
    uint64_t take(size_t thread) {
        for (size_t i = 0; i < shares_.size(); ++i)
            if (const uint64_t taken = take_from(shares_[(thread + i) % shares_.size()], i == 0))
                return taken;
        return 0;
    }

    /// The loop's description only changes while none of its parts is left, so it is consistent if the share
    /// is still the same after it was read.
    uint64_t take_from(Share& share, bool own) {
        uint64_t word = share.left.load(std::memory_order_acquire);
        for (;;) {
            Left left(word);
            if (left.first == left.last) return 0;
            const uint64_t count = own ? (left.last - left.first + 1) / 2 : 1,
                           first = own ? left.first : left.last - 1;
            (own ? left.first : left.last) += own ? count : -count;
            const int64_t size = share.size.load(std::memory_order_relaxed),
                          n = share.n.load(std::memory_order_relaxed);
            const Part part = share.part.load(std::memory_order_relaxed);
            const void* function = share.function.load(std::memory_order_relaxed);
            if (!share.left.compare_exchange_weak(word, left.word(), std::memory_order_acq_rel,
                                                  std::memory_order_acquire))
                continue;
            const auto begin = static_cast<int64_t>(first) * size,
                       end = static_cast<int64_t>(first + count) * size;
            call(part, function, begin, std::min(end, n));
            return count;
        }
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
    }

    bool finished() const {
        uint64_t parts = 0;
        for (const Count& count : done_) parts += count.parts.load();
        return parts == all_;
    }

    void sleep_until_finished() {
        waiting_.store(true);
        for (;;) {
            const uint32_t seen = signal_.load();
            if (finished()) break;
            signal_.wait(seen);
        }
        waiting_.store(false);
    }

    void help(size_t thread) {
        const std::atomic<uint64_t>& mine = shares_[thread].left;
        ReadAhead ahead(thread, shares_.size());
        for (;;) {
            const uint64_t loop = loop_.load(), left = mine.load(std::memory_order_relaxed);
            const auto begun = [&] {
                ahead.step();
                return mine.load(std::memory_order_relaxed) != left;
            };
            if (work(thread) || spin(begun, awake)) continue;
            sleepers_.fetch_add(1);
            loop_.wait(loop);
            sleepers_.fetch_sub(1);
        }
    }

    std::atomic<bool> busy_ = false;
    std::mutex failing_;
    std::vector<Share> shares_;  ///< the first is that of the thread that calls
    std::vector<Count> done_;
    uint64_t all_ = 0;  ///< parts of all loops so far
    alignas(64) std::atomic<uint64_t> loop_ = 0;
    std::atomic<int> sleepers_ = 0;
    std::atomic<bool> waiting_ = false;  ///< for done_, asleep
    std::atomic<uint32_t> signal_ = 0;
    std::exception_ptr failure_;
};

}  // namespace

void parallel_for(int64_t n, int64_t grain, Part part, const void* function) {
    if (n <= 0) return;
    const int threads = at::get_num_threads();
    if (threads > 1 && n > grain && !inside) {
        // Never destroyed: its threads must not be joined while the program exits.
        static Team& team = *new Team(threads - 1);
        // Many parts, so that the last ones are short.
        const int64_t parts = std::min<int64_t>(16 * static_cast<int64_t>(threads), Team::most_parts);
        const int64_t size = std::max(grain, (n + parts - 1) / parts);
        if (team.run(n, size, part, function)) return;
    }
    part(function, 0, n);
}

}  // namespace tritonsmith::model::detail
