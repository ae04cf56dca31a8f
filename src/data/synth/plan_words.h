#pragma once

#include <string>

#include "base/random.h"

namespace tritonsmith::data {

/// The plan that leads to a solution, in words: what each kernel reads and writes, its grid and tiles and
/// why, how it loads, computes and stores, and what the host does. Read from the solution's text.
std::string plan_in_words(const std::string& code, Random& random);

}  // namespace tritonsmith::data
