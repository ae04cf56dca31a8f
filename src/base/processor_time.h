#pragma once

#include <ctime>

namespace tritonsmith {

/// Processor seconds of this thread. Budgets that decide what is said of a program count these: what else the
/// machine does must change nothing.
inline double processor_seconds() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace tritonsmith
