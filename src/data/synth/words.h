#pragma once

#include <string>

#include "base/random.h"

namespace tritonsmith::data {

/// A name that nobody can guess: words, combinations of them, abbreviations, letters, digits. What copies a
/// task's names must read them.
std::string drawn_name(Random& r);

/// What a task cannot call its own: keywords, what its file imports, what its helpers and modules have.
bool reserved_name(const std::string& name);

/// "max_pool" → "MaxPool"
std::string class_name(const std::string& name);

}  // namespace tritonsmith::data
