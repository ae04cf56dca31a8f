#include "endpoint/watchdog.h"

#include <algorithm>

namespace tritonsmith::endpoint {

constexpr std::chrono::milliseconds kStep{50};

Watchdog::~Watchdog() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

bool Watchdog::sleep(double seconds, Deadline deadline) const {
    Clock::time_point until =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    if (deadline) until = std::min(until, *deadline);
    while (!cancelled()) {
        const Clock::time_point now = Clock::now();
        if (now >= until) return true;
        std::this_thread::sleep_for(std::min<Clock::duration>(until - now, kStep));
    }
    return false;
}

Watchdog::Call::Call(Watchdog& watchdog, Deadline deadline, std::function<void()> end) : watchdog_(watchdog) {
    std::lock_guard lock(watchdog.mutex_);
    entry_ = watchdog.calls_.emplace(watchdog.calls_.end());
    entry_->deadline = deadline;
    entry_->end = std::move(end);
    if (!watchdog.thread_.joinable()) watchdog.thread_ = std::thread([&watchdog] { watchdog.watch(); });
    watchdog.changed_.notify_all();
}

Watchdog::Call::~Call() {
    std::lock_guard lock(watchdog_.mutex_);
    watchdog_.calls_.erase(entry_);
}

void Watchdog::watch() {
    std::unique_lock lock(mutex_);
    while (!stop_) {
        if (calls_.empty()) {
            changed_.wait(lock, [this] { return stop_ || !calls_.empty(); });
            continue;
        }
        const Clock::time_point now = Clock::now();
        for (Call::Entry& call : calls_) {
            if (!cancelled() && !(call.deadline && now >= *call.deadline)) continue;
            call.ended = true;
            call.end();
        }
        changed_.wait_for(lock, kStep, [this] { return stop_; });
    }
}

}  // namespace tritonsmith::endpoint
