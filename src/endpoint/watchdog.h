#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <thread>

#include "base/process/process.h"

namespace tritonsmith::endpoint {

/// Ends blocking calls at their deadline or when the user cancels: checks twenty times a second, and calls
/// each call's `end` repeatedly until the call has returned (one that is still connecting cannot be ended at
/// once). One thread, which runs while there are calls. Thread-safe.
class Watchdog {
  public:
    /// @param cancel set from anywhere, a signal handler included; null: no cancellation. Outlives this.
    explicit Watchdog(const std::atomic<bool>* cancel) : cancel_(cancel) {}
    ~Watchdog();
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    bool cancelled() const { return cancelled_ || (cancel_ && cancel_->load()); }
    /// As if the user cancelled, for good.
    void cancel() { cancelled_ = true; }
    /// Sleeps, at most until the deadline. @return false if it was cancelled
    bool sleep(double seconds, Deadline deadline) const;

    /// Watches a call during its lifetime.
    class Call {
      public:
        Call(Watchdog& watchdog, Deadline deadline, std::function<void()> end);
        ~Call();
        Call(const Call&) = delete;
        Call& operator=(const Call&) = delete;
        /// Whether the call was ended by the watchdog.
        bool ended() const { return entry_->ended; }

      private:
        friend class Watchdog;
        struct Entry {
            Deadline deadline;
            std::function<void()> end;
            std::atomic<bool> ended = false;
        };
        Watchdog& watchdog_;
        std::list<Entry>::iterator entry_;
    };

  private:
    void watch();

    const std::atomic<bool>* cancel_;
    std::atomic<bool> cancelled_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::list<Call::Entry> calls_;
    bool stop_ = false;
    std::thread thread_;
};

}  // namespace tritonsmith::endpoint
