#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"

/// Transforms of a reference plan for the error bound (docs/judge.md): the oracle and the magnitude S of what
/// is summed.
namespace tritonsmith::plan {

/// The same computation with every floating tensor in float64 (complex: c128): buffers, dtype arguments,
/// constants and literal float32 promoted. A cast to a floating or fp8 dtype narrower than the dtype it came
/// from is deliberate: it stays as a rounding (cast down, then up again) and is listed ("f16 at line 12").
/// Integer tensors stay. Inputs and weights are f64 too: whoever runs the plan fills them with the native
/// values, widened.
Plan promote(const Plan& reference, std::vector<std::string>& rounding);

/// For S: cancellation removed from an already promoted plan (sub becomes add, neg identity …), to be run on
/// absolute inputs, weights and constants. An operator that has no monotone reading stays as it is.
Plan absolute(const Plan& promoted);

/// Longest sum behind one element in the forward phase: K of a product, C·kh·kw/groups of a convolution,
/// elements of a reduced dimension …; at least 1.
int64_t longest_reduction(const Plan& reference);

}  // namespace tritonsmith::plan
