#pragma once

#include "base/processor_time.h"

namespace tritonsmith::run::sample {

/// A launch is cut off after so many times its budget, on the clock on the wall.
inline constexpr double kWallSeconds = 4;

}  // namespace tritonsmith::run::sample
