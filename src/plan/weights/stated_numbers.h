#pragma once

#include <cstdint>
#include <vector>

#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// What a weight holds once the module is built, as far as its construction states it: numbers of the text,
/// and what operators that work on single elements make of them, in whatever way.
enum class Stated : uint8_t {
    one,     ///< one number everywhere: full(…), ones(…) * 0.5, tensor([8] * n), anything of one element
    some,    ///< several numbers of a list, or of fills
    unknown  ///< a table that is computed (arange, a triangle), or draws
};
/// One for each of plan.weights.
std::vector<Stated> stated_numbers(const Plan& plan);

}  // namespace tritonsmith::plan
