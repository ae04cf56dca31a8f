#pragma once

#include <atomic>
#include <mutex>

namespace tritonsmith::trace {

/// What the compiles of one candidate may take together, however many kernels it has. Thread-safe.
class CompileBudget {
  public:
    /// @param seconds of processor time; three times as much may pass on the clock
    explicit CompileBudget(double seconds) : seconds_(seconds), left_(seconds) {}

    double seconds() const { return seconds_; }
    double left() const {
        std::lock_guard lock(mutex_);
        return left_;
    }
    void take(double processor, double clock) {
        std::lock_guard lock(mutex_);
        left_ -= processor > clock / 3 ? processor : clock / 3;
    }
    /// Compiles that are under way are ended, and no other begins.
    void cancel() { cancelled_ = true; }
    const std::atomic<bool>& cancelled() const { return cancelled_; }

  private:
    const double seconds_;
    mutable std::mutex mutex_;
    double left_;
    std::atomic<bool> cancelled_ = false;
};

}  // namespace tritonsmith::trace
