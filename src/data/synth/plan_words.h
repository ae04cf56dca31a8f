#pragma once

#include <string>

namespace tritonsmith::data {

/// The plan that leads to a solution, in short lines that are always built alike: the module's signatures,
/// then what each kernel computes, reads and writes, its grid, its numbers and how it works. Read from its
/// text.
std::string plan_in_words(const std::string& code);

}  // namespace tritonsmith::data
