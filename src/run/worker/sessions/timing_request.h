#pragma once

#include <vector>

#include "base/error.h"
#include "base/process/process.h"
#include "run/worker/sessions/timed_plan.h"

namespace tritonsmith::run {

/// "deadline_s" of a request, from now.
Deadline deadline_of(const Json& request);

/// Answers {"do":"time"}: docs/protocols.md (sessions). @throws InputError where nothing was prepared
Json time_request(const Json& request, TimedPlan* timed, std::vector<Fd>& files);

}  // namespace tritonsmith::run
