#pragma once

#include <cstddef>
#include <vector>

#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// An input whose rows meet the rows of a weight in a reference that chooses among results (a codebook, the
/// prototypes of classes): each row of the weight may be the one that is chosen.
struct MetRows {
    size_t input = 0, weight = 0;
};
/// Weights of two dimensions [choices, length] and inputs whose last dimension, or whose second one, is as
/// long. Both are followed through copies, casts and views.
std::vector<MetRows> met_rows(const Plan& reference);

}  // namespace tritonsmith::plan
