#pragma once

#include <stdexcept>
#include <string_view>

#include "ttir/ir.h"

namespace tritonsmith::ttir {

/// Thrown on text that is not TTIR as Triton 3.6 emits it; says line and column of the text.
class ParseError : public std::runtime_error {
  public:
    ParseError(int line, int column, const std::string& what);
    int line, column;
};

/// Reads TTIR in MLIR's pretty form, as Triton prints it, or in generic form. Hostile text is refused by
/// limits (size, nesting depth, number of values) and never by a crash. Types and operand counts are checked
/// (checker.h) before it returns.
/// @throws ParseError
Module parse(std::string_view text);

}  // namespace tritonsmith::ttir
