#pragma once

#include <string>
#include <variant>

#include "base/error.h"
#include "graph/card/card.h"
#include "task/task.h"

namespace tritonsmith::cli {

/// Traces a task and describes it. A finding where it cannot be traced. @throws MachineError
std::variant<graph::Card, Finding> describe_task(const task::Task& task, const std::string& target,
                                                 bool sandbox);

}  // namespace tritonsmith::cli
