#pragma once

#include <cstddef>
#include <vector>

#include "plan/ir/plan.h"

namespace tritonsmith::run {

/// An input that says, element by element, what another one or it itself says elsewhere: `[x, x]`, `[x, x >
/// 0]`, `row.repeat(64, 1)`. A kernel that reads one in the place of the other is right on these only.
struct RepeatedDraw {
    size_t input = 0;  ///< ordinal among the tensors of plan.inputs
    /// So many parts of it hold the same draw: 1 where it is another input's.
    int parts = 1;
};

/// Of draws of reals alone, taken over by copies and by what works on single elements: what is computed of
/// many (a mean, an order, offsets) has to go with what it was computed from.
std::vector<RepeatedDraw> repeated_draws(const plan::Plan& plan);

}  // namespace tritonsmith::run
