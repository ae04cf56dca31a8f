#pragma once

#include <cstdint>
#include <vector>

#include "plan/ir/plan.h"
#include "plan/weights/link.h"

namespace tritonsmith::plan {

/// Plan rule 19: how whoever runs a reference replaces a weight's values. Parameters that are no draws are
/// redrawn: ones and zeros by laws of their own, other constants and patterns around what they are; so are
/// buffers of the state dict that hold one number or a short list. Other buffers (tables, masks) have their values.
enum class Redrawn : uint8_t { no, ones, zeros, around };
/// One for each of plan.weights. @param origins of plan
std::vector<Redrawn> redrawn_weights(const Plan& plan, const std::vector<WeightOrigin>& origins);

}  // namespace tritonsmith::plan
