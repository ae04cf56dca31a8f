#pragma once

#include <memory>
#include <vector>

#include "plan/ir/plan.h"
#include "ttir/ir/ir.h"

namespace tritonsmith::judge {

/// Numbers that inputs are to hold here and there, since the plan's kernels may do another thing for them:
/// those that they compare with what they load (ttir/footprint/data_constants.h), and some on either side of
/// each.
/// @param modules of the plan's kernels
std::vector<double> planted_values(const plan::Plan& plan,
                                   const std::vector<std::shared_ptr<const ttir::Module>>& modules);

}  // namespace tritonsmith::judge
