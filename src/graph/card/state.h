#pragma once

#include <string>
#include <vector>

#include "plan/ir/plan.h"

namespace tritonsmith::graph {

/// The state dict in few lines: a module's tensors stand together ("bn.{weight,bias,running_mean*} f32[64]",
/// * marks buffers), and so do modules that differ in a number ("layers.{0..11}.fc.{weight f32[256,64], bias
/// f32[256]}"). Without counters where counters_beside_means.
std::vector<std::string> state_lines(const std::vector<plan::Weight>& weights);

/// Modules with a running_mean, and they alone, have a scalar num_batches_tracked.
bool counters_beside_means(const std::vector<plan::Weight>& weights);

/// Names that differ in a number stand together.
std::vector<std::string> grouped_names(const std::vector<std::string>& names);

}  // namespace tritonsmith::graph
