#pragma once

#include <functional>

#include "plan/ir/plan.h"

/// The magnitude S of what is summed, for the error bound (docs/judge.md).
namespace tritonsmith::plan {

/// For S: signed cancellation removed from a promoted plan (sub becomes add, neg abs, differences inside
/// losses and norms become sums), to be run on absolute inputs, weights and constants. Results are not
/// negative, except large negative masks (below -1e4), which keep their meaning for a softmax. An operator
/// without such a reading stays, and so do steps of which `given` says that their results come from
/// elsewhere.
Plan absolute(const Plan& promoted, const std::function<bool(const AtenStep&)>& given = {});

}  // namespace tritonsmith::plan
