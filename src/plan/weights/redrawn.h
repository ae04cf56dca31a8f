#pragma once

#include <cstdint>
#include <vector>

#include "plan/ir/plan.h"
#include "plan/weights/link.h"

namespace tritonsmith::plan {

/// How whoever runs a reference replaces a weight's values. Of the state dict, parameters and
/// buffers that are no draws are redrawn: ones and zeros by laws of their own, other constants around what
/// they are, integers and booleans within their range (`other`); and parameters computed from others (a copy,
/// a norm) around what they are. A buffer (of integers also a parameter) is a constant here where it holds
/// one number, or a short list (stated_numbers.h); tables that the constructor computes (angles, a causal
/// mask, caches of weights) and what host code reads have their values.
enum class Redrawn : uint8_t { no, ones, zeros, around, other };
/// One for each of plan.weights. @param origins of plan
/// @param state false: only parameters that are constants, and running statistics
std::vector<Redrawn> redrawn_weights(const Plan& plan, const std::vector<WeightOrigin>& origins,
                                     bool state = true);

/// Parameters that are random draws and may be scaled, as indices of plan.weights; of tied ones the first.
/// Those of recurrent layers are none: layers that amplify their own state make noise of everything.
std::vector<size_t> scalable_weights(const Plan& plan, const std::vector<WeightOrigin>& origins);

}  // namespace tritonsmith::plan
