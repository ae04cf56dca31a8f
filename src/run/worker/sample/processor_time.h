#pragma once

#include <ctime>

namespace tritonsmith::run::sample {

/// Processor seconds of this thread, which runs programs as its helpers do. Budgets of the sample count
/// these: what else the machine does must not make the evidence weaker.
inline double processor_seconds() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// A launch is cut off after so many times its budget, on the clock on the wall.
inline constexpr double kWallSeconds = 4;

}  // namespace tritonsmith::run::sample
