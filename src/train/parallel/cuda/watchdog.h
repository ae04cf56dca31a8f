#pragma once

#include <c10/core/Event.h>
#include <c10/core/Stream.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

namespace tritonsmith::train {

/// Ends the process, with a line that says what was waited for, when an operation on a stream is not complete
/// within a deadline. An operation among processes whose partner died would wait for ever, and whoever waits
/// for its result with it.
class Watchdog {
  public:
    /// @param who named in the line: "rank 3 of 8"
    Watchdog(std::string who, std::chrono::seconds deadline);
    ~Watchdog();
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    /// What has just been enqueued. @param what a literal
    void watch(const char* what, const c10::Stream& stream);

  private:
    struct Watched {
        const char* what;
        c10::Event done;
        std::chrono::steady_clock::time_point deadline;
    };
    void run();

    const std::string who_;
    const std::chrono::seconds deadline_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Watched> watched_;  ///< in the order of the stream
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace tritonsmith::train
