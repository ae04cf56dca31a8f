#pragma once

#include <optional>

#include "plan/ir/plan.h"
#include "run/draw/leaves.h"
#include "ttir/interp/memory/memory.h"

namespace tritonsmith::run {

/// Contents of a buffer that steps before the forward phase compute from draws, element by element: casts,
/// arithmetic with numbers and of several draws, copies of views, triangles. Made at any offset; each element
/// is what the steps make of the draws, rounded to the type of every step's result.
struct ComputedLeaf {
    ttir::PageSource source;
    bool drawn = false;  ///< some draw flows into it; else it is the same for every seed
};
/// Nothing where some step is another, or the last one does not fill the buffer row by row.
/// @param tensor in the buffer; of its type
std::optional<ComputedLeaf> computed_leaf(const plan::Plan& reference, const plan::Tensor& tensor,
                                          const Leaves::Options& options, const Leaves::Roles& roles);

}  // namespace tritonsmith::run
