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
std::variant<graph::Card, Finding> describe_task(const task::Task& task, const std::string& target,
                                                 trace::Tracer& tracer);

/// The card that a model is shown beside the task's text: a task that cannot be traced, and so not judged
/// either, has none. @throws InputError there if it is `needed`
std::string card_text(const task::Task& task, const std::string& target, trace::Tracer& tracer, bool needed);

}  // namespace tritonsmith::cli
