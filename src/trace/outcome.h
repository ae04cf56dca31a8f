#pragma once

#include "trace/supervise.h"
#include "trace/tracer.h"

namespace tritonsmith::trace {

/// What a traced child's end says: a validated plan that answers the request, or why there is none. The
/// child's bytes are not believed. @param lowered where the child was asked to tell what it lowered, set to
/// that
Outcome outcome_of(const Ending& ending, const Allowance& allowance, const Request& request,
                   std::shared_ptr<const Json>* lowered = nullptr);

}  // namespace tritonsmith::trace
