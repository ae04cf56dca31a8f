#pragma once

#include <string>

#include "lint/tree.h"

namespace tritonsmith::lint {

/// The program with everything dropped that renaming, formatting and other constants would change: two texts
/// with the same normal form are the same program for deduplication. Names that the program defines are
/// numbered per scope in order of appearance, imported names are replaced by full paths, numbers and strings
/// by one mark each; comments, docstrings, annotations other than constexpr, imports and layout are left out.
std::string normal_form(const Tree& tree);

}  // namespace tritonsmith::lint
