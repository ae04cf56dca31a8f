#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

#include "base/error.h"

/// What happens when a helper process (worker, tracer, compiler, as-written run) dies or does not answer: how
/// long it is waited for, how often the request is made again, and whose fault it is. docs/failures.md has
/// the table.
namespace tritonsmith {

/// For a Python helper to get ready: importing torch from a cold disk.
constexpr std::chrono::seconds kStartTime{180};
/// For a worker to report that its own deadline has passed, before it is killed.
constexpr std::chrono::seconds kReportGrace{10};
/// For a block of timed samples that has begun.
constexpr std::chrono::seconds kSamplesGrace{60};
/// For a killed process to be gone.
constexpr std::chrono::seconds kReaping{10};
/// Time on the clock for each second of processor time: other processes have the cores too.
constexpr int kClockPerProcessor = 3;

/// How often a request is made whose helper dies by itself: chance must not decide a verdict.
constexpr int kAttempts = 4;
/// The same where others kill it. Whoever kills helpers at random, every second one of them while it works,
/// ends so many in a row once in 10^9 times.
constexpr int kAttemptsWhereKilled = 32;

/// How often a reference's timed calls may fail; then a candidate is timed without it.
constexpr int kBaselineAttempts = 3;
/// So many failures of the machine in a row are no accident: the rest of a batch would fail as well.
constexpr int kMostMachineFailures = 20;

/// Who ended a helper process.
enum class Blame : uint8_t {
    itself,     ///< a crash, a signal of its own making: what it ran is to blame
    memory,     ///< the system, most likely for its memory: what it ran is to blame
    processor,  ///< the limit of its processor time
    others      ///< somebody killed it: nothing is said about what it ran
};
struct Death {
    int signal = 0;          ///< 0: it ended with an exit status
    int64_t peak_bytes = 0;  ///< the most memory that it had
    double cpu_seconds = 0;
};
/// @param much bytes beyond which the system is taken to have ended it for them. @param cpu_limit seconds
Blame blame(const Death& death, int64_t much, double cpu_limit = std::numeric_limits<double>::infinity());

/// Bytes of one worker for which the system may kill it: a quarter of the machine's.
int64_t much_memory();

/// @param attempts that were made
constexpr bool ask_again(int attempts, Blame blame) {
    return attempts < (blame == Blame::others ? kAttemptsWhereKilled : kAttempts);
}

/// The helper process ended, or somebody killed it or its child, while an answer was awaited; asking again
/// starts another.
class HelperEnded : public MachineError {
  public:
    using MachineError::MachineError;
};

/// Asks until the helper lives long enough to answer: others may kill it, the system for memory or a person.
/// @param ask called with whether this is the last time. @throws HelperEnded of the last time.
template <class Ask>
auto ask_until_answered(Ask ask) {
    for (int attempts = 1; ask_again(attempts, Blame::others); ++attempts) try {
            return ask(false);
        } catch (const HelperEnded&) {
        }
    return ask(true);
}

/// Asks until the helper does not die of it, kAttempts times whoever ends it: for what is dear to begin
/// again, as a session on a device. @param ask called without arguments @param died of its answer
template <class Ask, class Died>
auto ask_while_it_dies(Ask ask, Died died) {
    for (int attempts = 1;; ++attempts)
        if (auto answer = ask(); attempts == kAttempts || !died(answer)) return answer;
}

}  // namespace tritonsmith
