#pragma once

#include <optional>

#include "base/json.h"

namespace tritonsmith::reward {

/// A device's limits (roofline model: Williams, Waterman and Patterson 2009): a kernel takes as long as its
/// memory traffic or its arithmetic, whichever is longer. The defaults are those of one H200 (SXM, float32
/// without tensor cores). Only ratios of times at the same size are used.
struct CostModel {
    double bytes_per_second = 4.8e12;
    double flops_per_second = 67e12;
};

/// Eager PyTorch's time over the candidate's, both by the model at the judge's small size: from what the
/// interpreter counted of the candidate's launches, and from the shapes of the reference's operators.
/// Launches themselves cost nothing (CUDA graphs), caches are not modelled. Nothing where the verdict did not
/// get that far. @param evidence of a verdict
std::optional<double> estimated_speedup(const Json& evidence, const CostModel& model);

}  // namespace tritonsmith::reward
