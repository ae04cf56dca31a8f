#pragma once

#include <optional>
#include <string>
#include <variant>

#include "base/error.h"
#include "run/client/client.h"

namespace tritonsmith::judge {

/// What a worker said of a plan, as a finding about the candidate whose plan it is. Never one about the task:
/// no candidate can make itself unjudgeable. @throws MachineError where the machine or the GPU failed
Finding candidate_finding(const run::WorkerError& error, bool on_device = false);

/// The same of the reference's plan: task_error, task_random or unsupported_operation, never a fault of the
/// candidate's. @param what failed, for the message. @throws MachineError
Finding reference_finding(const run::WorkerError& error, const std::string& what);

/// A verdict's line is one of the candidate: a line of the task is named in words.
Finding of_the_task(Finding finding);

/// False for what the task or the machine brought about.
bool about_candidate(const Finding& finding);

/// Of an answer that may be a worker's error, and of a finding.
template <class... Alternatives>
bool worker_died(const std::variant<Alternatives...>& answer) {
    const auto* error = std::get_if<run::WorkerError>(&answer);
    return error && error->reason == "worker_died";
}
inline bool worker_died(const std::optional<Finding>& finding) {
    return finding && finding->reason == "worker_died";
}

/// The last word on a finding after all attempts: a plan takes memory until the system ends its worker.
/// @throws MachineError where somebody else kills it each time
Finding settled(Finding finding);

}  // namespace tritonsmith::judge
