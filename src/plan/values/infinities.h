#pragma once

#include <set>

#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// Buffers that may hold infinities because the program states them (a mask of -inf), and what becomes of
/// these by selection, by moves and by arithmetic that keeps them: an output that holds some is meant to.
/// Others (an overflow, a logarithm of zero) are not told.
std::set<int> stated_infinities(const Plan& plan);

}  // namespace tritonsmith::plan
