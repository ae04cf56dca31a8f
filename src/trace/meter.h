#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "base/process/process.h"

namespace tritonsmith::trace {

/// Watches and ends a process that another process (the zygote) has forked and will reap. Bound to that very
/// process: its number may be given to another later, and nothing here will then touch the other.
class Meter {
  public:
    /// @param parent the process that must be its parent, else (it has ended already) the meter is empty.
    Meter(pid_t pid, pid_t parent);

    struct Reading {
        int64_t resident = 0;  ///< bytes of its own and shared memory, without mapped files
        int64_t written = 0;   ///< bytes that it gave to write calls of any kind
        int threads = 0;
        char state = 'Z';        ///< of its first thread, as in /proc/PID/stat; Z: it waits to be reaped
        double cpu_seconds = 0;  ///< its own, of all threads

        /// It has ended, or would if it had a processor: it is neither asleep nor has it had much of one
        /// since it had used `before` seconds.
        bool only_lacks_a_processor(double before) const;
    };
    /// Nothing where it has ended.
    std::optional<Reading> read() const;
    /// It and the processes that it started (the compiler starts ptxas): they are in its process group.
    void kill() const;

  private:
    pid_t pid_;
    Fd folder_, pidfd_;
};

}  // namespace tritonsmith::trace
