#pragma once

#include <string>

#include "base/random.h"

namespace tritonsmith::data {

/// Sentences as people write them around code: of any words, with numbers, commas, formulas and names. They
/// say nothing about the program; what reads a task must pass over them.
std::string prose(Random& r, int64_t sentences);

/// A remark behind a line or above it, without "# ".
std::string remark(Random& r);

}  // namespace tritonsmith::data
