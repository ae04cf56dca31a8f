#pragma once

#include <string>

#include "base/error.h"
#include "base/text.h"
#include "trace/supervise.h"

namespace tritonsmith::trace {

/// Judges how a traced child ended. Nothing: it ended as agreed, and `frame_body` of its result is to be
/// read.
std::optional<Finding> classify(const Ending& ending, const Allowance& allowance);

/// Killed by someone else than us, within its limits: the system for another's memory, or a person. No
/// program can do it to itself (base/sandbox/sandbox_seccomp.c).
bool killed_from_outside(const Ending& ending, const Allowance& allowance);

/// The JSON text of the child's frame (after the length).
std::string_view frame_body(const Ending& ending);

/// The child's own account of an error as a finding. Its text is cut to a reasonable length and stripped of
/// control characters; a reason that a traced program has no business to give becomes `trace_protocol`.
Finding finding_of(const Json& error, const std::string& kind);

}  // namespace tritonsmith::trace
