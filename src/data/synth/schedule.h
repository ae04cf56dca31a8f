#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/random.h"

namespace tritonsmith::data {

/// What the launches of a solution's text decide: for each kernel its blocks, warps and stages.
Json schedule_of(const std::string& code);

/// The same solution with other numbers in its launches, grids included: blocks of half, twice and four times
/// the size, more or fewer warps and stages. Nothing where no launch leaves a choice.
std::vector<std::string> other_schedules(const std::string& code, int most, Random& random);

}  // namespace tritonsmith::data
