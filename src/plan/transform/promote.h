#pragma once

#include <string>
#include <vector>

#include "plan/ir/plan.h"

/// The oracle of the error bound (docs/judge.md).
namespace tritonsmith::plan {

/// The same forward phase with every floating tensor in float64 (complex: c128): buffers, dtype arguments,
/// constants, and literal float32 promoted. A cast to f16, bf16 or fp8 from a wider dtype is deliberate,
/// unless the plan's inputs or weights come in that dtype: it stays as a rounding (cast down, then up again)
/// and is listed ("f16 at line 12"), as are casts to integers. Integer tensors stay. Buffer ids are the
/// reference's; scratch buffers come behind them. Only the forward steps are kept: whoever runs the plan
/// fills inputs, weights and what else lives before, widened. A forward phase that sees floating bits as
/// integers cannot be promoted: it is returned as it is, and `rounding` says so.
Plan promote(const Plan& reference, std::vector<std::string>& rounding);

}  // namespace tritonsmith::plan
