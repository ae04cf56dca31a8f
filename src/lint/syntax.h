#pragma once

#include "lint/facts.h"
#include "lint/lint.h"

namespace tritonsmith::lint {

/// Appends a `syntax_error` for what tree-sitter could not parse (first five) and for what it tolerates and
/// Python does not: statements of Python 2, uneven indentation, two statements on a line, keywords as names,
/// return outside a function, NUL bytes. Sets `parses`.
void check_syntax(const Tree& tree, const Facts& facts, Report& report);

}  // namespace tritonsmith::lint
