#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "plan/analysis/stream_order.h"
#include "ttir/ir/ir.h"

namespace tritonsmith::judge {

/// plan::unordered_access, where launches are distinguished by the bytes that their programs may touch.
/// @param modules of the plan's kernels
std::optional<Finding> unordered_streams(const plan::Plan& plan, const plan::KernelEffects& effects,
                                         const std::vector<std::shared_ptr<const ttir::Module>>& modules);

}  // namespace tritonsmith::judge
