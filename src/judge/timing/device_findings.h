#pragma once

#include <optional>

#include "base/error.h"
#include "judge/timing/roofline.h"
#include "run/client/device_client.h"

namespace tritonsmith::judge {

/// wrong_when_timed, for the outputs of a timed call; nothing where all are as expected.
std::optional<Finding> wrong_when_timed(const run::ComparedAnswer& compared);

/// as_written_differs, for the outputs of the file's own run.
std::optional<Finding> differs_as_written(const run::ComparedAnswer& compared);

/// timing_implausible, where a call would have taken less than writing its outputs does.
std::optional<Finding> implausible(const Roofline& roofline, double ms);

}  // namespace tritonsmith::judge
