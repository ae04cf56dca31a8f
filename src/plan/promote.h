#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plan/plan.h"

/// Transforms of a reference plan for the error bound (docs/judge.md): the oracle and the magnitude S of what
/// is summed.
namespace tritonsmith::plan {

/// The same forward phase with every floating tensor in float64 (complex: c128): buffers, dtype arguments,
/// constants, and literal float32 promoted. A cast to f16, bf16 or fp8 from a wider dtype is deliberate,
/// unless the plan's inputs or weights come in that dtype: it stays as a rounding (cast down, then up again)
/// and is listed ("f16 at line 12"), as are casts to integers. Integer tensors stay. Buffer ids are the
/// reference's; scratch buffers come behind them. Only the forward steps are kept: whoever runs the plan
/// fills inputs, weights and what else lives before, widened. A forward phase that sees floating bits as
/// integers cannot be promoted: it is returned as it is, and `rounding` says so.
Plan promote(const Plan& reference, std::vector<std::string>& rounding);

/// For S: signed cancellation removed from a promoted plan (sub becomes add, neg abs, differences inside
/// losses and norms become sums), to be run on absolute inputs, weights and constants. Results are not
/// negative, except large negative masks (below -1e4), which keep their meaning for a softmax. An operator
/// without such a reading stays, and so do steps of which `given` says that their results come from elsewhere.
Plan absolute(const Plan& promoted, const std::function<bool(const AtenStep&)>& given = {});

/// Longest sum behind one element in the forward phase: K of a product, C·kh·kw/groups of a convolution,
/// elements of a reduced dimension …; at least 1.
int64_t longest_reduction(const Plan& reference);

}  // namespace tritonsmith::plan
