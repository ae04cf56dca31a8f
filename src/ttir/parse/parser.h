#pragma once

#include <string_view>

#include "ttir/ir/ir.h"
#include "ttir/ir/parse_error.h"

namespace tritonsmith::ttir {

/// Reads TTIR in MLIR's pretty form, as Triton prints it, or in generic form. Hostile text is refused by
/// limits (size, nesting depth, number of values) and never by a crash. Types and operand counts are checked
/// (checker.h) before it returns.
/// @throws ParseError
Module parse(std::string_view text);

}  // namespace tritonsmith::ttir
