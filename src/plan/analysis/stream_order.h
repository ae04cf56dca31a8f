#pragma once

#include <functional>
#include <optional>

#include "base/error.h"
#include "plan/analysis/flow.h"
#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// Whether two launches, of which one writes the buffer, are known to touch different bytes of it.
using LaunchesApart = std::function<bool(const LaunchStep& one, const LaunchStep& other, int buffer)>;

/// Work on several streams (CUDA C++ Programming Guide, asynchronous concurrent execution): two steps of a
/// call that touch the same bytes, one of which writes them, need an order, by an event that is waited for or
/// by a synchronisation; so do a step and the caller's own work before and behind the call, on the stream
/// that is current then. A `race` where there is none. A launch touches no more of a tensor than the view
/// that it is given.
std::optional<Finding> unordered_access(const Plan& plan, const KernelEffects& effects,
                                        const LaunchesApart& apart = {});

}  // namespace tritonsmith::plan
