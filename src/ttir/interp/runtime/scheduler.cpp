#include "ttir/interp/runtime/scheduler.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <thread>

namespace tritonsmith::ttir {
namespace {

/// Programs that wait for others at the same time: at most this many, and this much memory.
constexpr int64_t kMaxWaiting = 65536, kMaxWaitingBytes = int64_t{4} << 30;

/// The calling thread works alone for this long before others are started.
constexpr std::chrono::microseconds kAlone{150};

uint64_t mix(uint64_t x) {
    x ^= x >> 31;
    x *= 0x9E3779B97F4A7C15ull;
    x ^= x >> 29;
    x *= 0xBF58476D1CE4E5B9ull;
    return x ^ (x >> 32);
}

/// A context with the memory it works in.
struct Worker {
    Context ctx;
    std::unique_ptr<std::byte, decltype(&std::free)> memory{nullptr, &std::free};
};

class Pool {
  public:
    Pool(Launch& launch, const Code& code,
         const std::vector<std::pair<int64_t, std::vector<std::byte>>>& initial, const ProgramOrder& order,
         uint32_t base)
        : launch_(launch),
          code_(code),
          initial_(initial),
          order_(order),
          base_(base),
          resident_(launch.options->resident) {}

    void run(int threads) {
        stuck_ = std::vector<std::atomic<int64_t>>(static_cast<size_t>(threads));
        gone_ = std::vector<std::atomic<bool>>(static_cast<size_t>(threads));
        for (auto& g : gone_) g.store(true);
        launch_.page_locks = threads > 1 ? &launch_.locks : nullptr;
        // Helpers start only when there is work for more than starting them costs.
        std::vector<std::thread> helpers;
        spawn_ = [&] {
            for (int t = 1; t < threads; ++t)
                helpers.emplace_back([this, t] { work(static_cast<size_t>(t)); });
        };
        begin_ = std::chrono::steady_clock::now();
        spawned_ = threads == 1;
        work(0);
        for (std::thread& t : helpers) t.join();
    }
    void sum(LaunchReport& report) const {
        report.programs = finished_;
        report.bytes_read = read_;
        report.bytes_written = written_;
        report.flops = flops_;
        report.waiting = most_waiting_.load();
        report.stuck = all_wait_.load();
    }

  private:
    std::unique_ptr<Worker> make() const {
        auto w = std::make_unique<Worker>();
        const int64_t arena = (code_.arena_bytes + 63) / 64 * 64,
                      scratch = (code_.scratch_bytes + 63) / 64 * 64;
        auto* p = static_cast<std::byte*>(std::aligned_alloc(64, static_cast<size_t>(arena + scratch + 64)));
        if (p == nullptr) return nullptr;
        w->memory.reset(p);
        for (const auto& [offset, bytes] : initial_) std::memcpy(p + offset, bytes.data(), bytes.size());
        w->ctx.arena = p;
        w->ctx.scratch = p + arena;
        w->ctx.code = &code_;
        w->ctx.module = launch_.module;
        w->ctx.launch = &launch_;
        return w;
    }

    void start(Context& ctx, int64_t turn) const {
        const int64_t ordinal = order_.at(turn);
        ctx.program = launch_.program_of(static_cast<uint32_t>(ordinal));
        const int64_t x = std::max<int64_t>(launch_.grid[0], 1), y = std::max<int64_t>(launch_.grid[1], 1);
        ctx.id[0] = ctx.program % x;
        ctx.id[1] = ctx.program / x % y;
        ctx.id[2] = ctx.program / x / y;
        ctx.plain = base_ + 2 + 2 * static_cast<uint32_t>(ordinal);
        ctx.atomic = ctx.plain + 1;
        ctx.pc = code_.entry;
        ctx.returns.clear();
        ctx.lanes = 1;
        ctx.acquired = ctx.finished = ctx.overflowed = false;
        ctx.synchronise();
        ctx.poison.clear();
        ctx.issues.reset();
        ctx.operations = ctx.flops = ctx.bytes_read = ctx.bytes_written = ctx.next_check = 0;
        ctx.spin = 0;
        ctx.spin_key = 0;
    }

    void work(size_t self) {
        gone_[self].store(false);
        loop(self);
        gone_[self].store(true);
    }

    void loop(size_t self) {
        std::unique_ptr<Worker> worker;
        while (!launch_.stop.load(std::memory_order_relaxed)) {
            // New programs first: a waiting one waits for something that has not happened yet.
            const bool room = waiting_count_.load(std::memory_order_relaxed) < limit();
            int64_t turn = order_.count();
            if (room && next_.load(std::memory_order_relaxed) < order_.count() && enter()) {
                turn = next_.fetch_add(1, std::memory_order_relaxed);
                if (turn >= order_.count()) inside_.fetch_sub(1);
            }
            if (turn < order_.count()) {
                if (self == 0 && !spawned_ && turn > 0 &&
                    std::chrono::steady_clock::now() - begin_ > kAlone) {
                    spawned_ = true;
                    spawn_();
                }
                if (worker == nullptr) worker = make();
                if (worker == nullptr) return fail("out of memory for a program's values");
                start(worker->ctx, turn);
            } else {
                std::unique_ptr<Worker> resumed = take();
                if (resumed == nullptr) return;  // who has set a program aside resumes it
                worker = std::move(resumed);
                waiting_count_.fetch_sub(1);
            }
            Context& ctx = worker->ctx;
            ctx.stop = ctx.suspended = false;
            ctx.progress = false;
            ctx.run();
            if (ctx.suspended && !launch_.stop.load(std::memory_order_relaxed)) {
                note_waiting(self, ctx.progress);
                const int64_t waiting = waiting_count_.fetch_add(1) + 1;
                std::lock_guard lock(mutex_);
                most_waiting_.store(std::max(most_waiting_.load(), waiting));
                waiting_.push_back(std::move(worker));
                continue;
            }
            finish(ctx);
        }
    }

    void finish(const Context& ctx) {
        for (auto& s : stuck_) s.store(0, std::memory_order_relaxed);
        if (launch_.options->finished != nullptr && ctx.finished)
            launch_.options->finished->fetch_add(1, std::memory_order_relaxed);
        std::lock_guard lock(mutex_);
        if (ctx.finished) ++finished_;
        read_ += ctx.bytes_read;
        written_ += ctx.bytes_written;
        flops_ += ctx.flops;
        inside_.fetch_sub(1);
        if (resident_ > 0 && finished_ >= resident_) launch_.stop.store(true);
    }

    /// Takes one of the places of a device, if one is free.
    bool enter() {
        int64_t inside = inside_.load();
        while (resident_ == 0 || inside < resident_)
            if (inside_.compare_exchange_weak(inside, inside + 1)) return true;
        return false;
    }

    /// Programs wait for each other for ever when every thread has looked at all of them many times and
    /// nothing moved.
    void note_waiting(size_t self, bool progress) {
        if (progress) {
            for (auto& s : stuck_) s.store(0, std::memory_order_relaxed);
            return;
        }
        stuck_[self].fetch_add(1);
        const int64_t rounds = (resident_ > 0 ? 2 : 8) * (waiting_count_.load() + 2);
        for (size_t t = 0; t < stuck_.size(); ++t)
            if (!gone_[t].load() && stuck_[t].load(std::memory_order_relaxed) < rounds) return;
        if (next_.load() < order_.count() && resident_ > 0 && inside_.load() >= resident_) {
            all_wait_.store(true);
            launch_.stop.store(true);
            return;
        }
        if (next_.load() < order_.count())
            return fail("programs wait for others: more than " + std::to_string(limit()) +
                        " would have to run at once");
        launch_.timed_out.store(true);
        launch_.stop.store(true);
    }

    void fail(const std::string& why) {
        std::lock_guard lock(launch_.mutex);
        if (launch_.unsupported.empty()) launch_.unsupported = why;
        launch_.stop.store(true);
    }

    int64_t limit() const {
        return std::clamp<int64_t>(kMaxWaitingBytes / (code_.arena_bytes + code_.scratch_bytes + 4096), 1,
                                   kMaxWaiting);
    }

    std::unique_ptr<Worker> take() {
        std::lock_guard lock(mutex_);
        if (waiting_.empty()) return nullptr;
        auto w = std::move(waiting_.front());
        waiting_.pop_front();
        return w;
    }

    Launch& launch_;
    const Code& code_;
    const std::vector<std::pair<int64_t, std::vector<std::byte>>>& initial_;
    const ProgramOrder& order_;
    uint32_t base_;
    int64_t resident_;  ///< 0: no limit
    std::atomic<int64_t> next_{0}, waiting_count_{0}, most_waiting_{0};
    std::atomic<int64_t> inside_{0};  ///< programs that have started and not ended
    std::atomic<bool> all_wait_{false};
    std::vector<std::atomic<int64_t>> stuck_;  ///< by thread: fruitless looks in a row
    std::vector<std::atomic<bool>> gone_;      ///< by thread: not running
    std::function<void()> spawn_;
    std::chrono::steady_clock::time_point begin_;
    bool spawned_ = false;
    std::mutex mutex_;
    std::deque<std::unique_ptr<Worker>> waiting_;
    int64_t finished_ = 0, read_ = 0, written_ = 0, flops_ = 0;
};

}  // namespace

ProgramOrder::ProgramOrder(const LaunchOptions& options, int64_t programs)
    : count_(options.sample ? static_cast<int64_t>(options.sample->size()) : programs),
      seed_(mix(options.seed + 1)),
      in_order_(options.resident > 0) {
    const int bits = std::bit_width(static_cast<uint64_t>(std::max<int64_t>(count_ - 1, 1)));
    half_bits_ = std::max(1, (bits + 1) / 2);
}

int64_t ProgramOrder::at(int64_t turn) const {
    if (in_order_) return turn;
    const uint64_t mask = (uint64_t{1} << half_bits_) - 1;
    auto x = static_cast<uint64_t>(turn);
    do {
        uint64_t left = x >> half_bits_, right = x & mask;
        for (uint64_t round = 0; round < 4; ++round) {
            const uint64_t next = left ^ (mix(right + seed_ + round * 0x632BE59BD9B4E019ull) & mask);
            left = right;
            right = next;
        }
        x = (left << half_bits_) | right;
    } while (x >= static_cast<uint64_t>(count_));
    return static_cast<int64_t>(x);
}

void run_programs(Launch& launch, const Code& code,
                  const std::vector<std::pair<int64_t, std::vector<std::byte>>>& initial,
                  const ProgramOrder& order, uint32_t base, LaunchReport& report) {
    Pool pool(launch, code, initial, order, base);
    const auto threads = static_cast<int>(
        std::clamp<int64_t>(launch.options->threads, 1, std::max<int64_t>(order.count(), 1)));
    pool.run(std::min(threads, 256));
    pool.sum(report);
}

}  // namespace tritonsmith::ttir
