#pragma once

#include <array>
#include <map>
#include <vector>

namespace tritonsmith::run {

/// Kernels whose loads the compiled form issues rounds earlier than the text, by index in the plan: number of
/// a memory operation, loop, rounds ahead, place (ttir/analysis/issue_order.h).
using IssuedKernels = std::map<int, std::vector<std::array<int, 4>>>;

}  // namespace tritonsmith::run
