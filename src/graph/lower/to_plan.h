#pragma once

#include "graph/graph.h"
#include "plan/ir/plan.h"

namespace tritonsmith::graph {

/// The graph as ATen steps again, in place of the forward phase of the plan that it was lifted from: what
/// evaluates it (a worker executes the plan). Composites are expanded first, index maps become index
/// arithmetic on tensors, so that it shares no code path with the reference. Not fast.
/// @throws InputError where an operator has no step
plan::Plan to_plan(const Graph& graph, const plan::Plan& reference);

}  // namespace tritonsmith::graph
