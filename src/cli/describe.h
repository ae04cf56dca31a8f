#pragma once

#include <string>
#include <variant>

#include "base/error.h"
#include "graph/card/card.h"
#include "task/task.h"
#include "trace/tracer.h"

namespace tritonsmith::cli {

/// For a tracer that describes tasks. @throws MachineError
trace::TracerOptions describing_tracer(bool sandbox);

/// Traces a task and describes it. A finding where it cannot be traced. @throws MachineError
std::variant<graph::Card, Finding> describe_task(const task::Task& task, const std::string& target, trace::Tracer& tracer);

}  // namespace tritonsmith::cli
