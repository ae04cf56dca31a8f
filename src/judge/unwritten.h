#pragma once

#include <optional>
#include <random>
#include <vector>

#include "base/error.h"
#include "judge/sampled_comparison.h"
#include "ttir/footprint/footprint.h"
#include "ttir/interp/memory/memory.h"

namespace tritonsmith::judge {

/// A launch that may write an output, and which of its programs have run (in rising order).
struct WritingLaunch {
    ttir::Footprint* footprint = nullptr;
    std::vector<int64_t> ran;
};

/// An element of an output that lies in memory as it was allocated, whatever a run does: no program that may
/// write it (of any of the launches, which are all that may) is other than those that have run, and they have
/// not. `uninitialised_output`. Looks at these elements, and at some others.
/// @param buffer the output's; its shadow says what has been written
std::optional<Finding> find_unwritten(const SampledOutput& output, ttir::Buffer& buffer,
                                      std::vector<int64_t> elements,
                                      const std::vector<WritingLaunch>& launches, std::mt19937_64& random);

}  // namespace tritonsmith::judge
