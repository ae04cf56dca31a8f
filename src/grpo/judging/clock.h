#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>

namespace tritonsmith::grpo {

using Clock = std::chrono::steady_clock;

inline double seconds_between(Clock::time_point start, Clock::time_point end) {
    return std::chrono::duration<double>(end - start).count();
}
inline double seconds_since(Clock::time_point start) {
    return seconds_between(start, Clock::now());
}

/// Where the seconds of a step went.
struct StepTime {
    double decode = 0;  ///< the engine sampled, and the judge judged beside it
    double judge = 0;   ///< the judge alone
    double ahead = 0;   ///< both, beside the step before: not in total
    double train = 0;
    double total = 0;

    double wait() const { return total - decode - judge - train; }
};

/// Seconds of sampling and judging: those in which somebody did nothing but wait for it, and those before.
class SamplingTime {
  public:
    /// From nothing. @param awaited whether somebody waits already
    void begin(bool awaited) {
        seconds_ = {};
        awaited_ = awaited ? Clock::time_point::min() : Clock::time_point::max();
    }
    /// Somebody waits from now on. From any thread.
    void await() { awaited_ = Clock::now(); }
    /// @param decodes whether the engine sampled from `from` to `to`, else the judge judged alone
    void add(Clock::time_point from, Clock::time_point to, bool decodes) {
        const Clock::time_point awaited = std::clamp(awaited_.load(), from, to);
        seconds_.ahead += seconds_between(from, awaited);
        (decodes ? seconds_.decode : seconds_.judge) += seconds_between(awaited, to);
    }
    /// Sets what it knows.
    void put(StepTime& time) const {
        time.decode = seconds_.decode;
        time.judge = seconds_.judge;
        time.ahead = seconds_.ahead;
    }

  private:
    StepTime seconds_;
    std::atomic<Clock::time_point> awaited_ = Clock::time_point::min();
};

}  // namespace tritonsmith::grpo
