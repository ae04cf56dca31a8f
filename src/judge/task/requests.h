#pragma once

#include <string>

#include "task/task.h"
#include "trace/tracer.h"

namespace tritonsmith::judge {

/// Asks for the plan of a task's reference. @param device "cuda" (the device that computes nothing) or "cpu"
trace::Request reference_request(const task::Task& task, const std::string& target,
                                 const std::string& device);

/// Asks for a candidate's plan on the inputs that `reference` describes. What the reference reads of its
/// inputs on the host, the candidate may read them (docs/tracer.md).
trace::Request candidate_request(const plan::Plan& reference, const std::string& candidate,
                                 const std::string& name, const std::string& target);

}  // namespace tritonsmith::judge
