#pragma once

#include <stdexcept>
#include <string>

namespace tritonsmith::ttir {

/// Thrown on text that is not TTIR as Triton 3.6 emits it; says line and column of the text.
class ParseError : public std::runtime_error {
  public:
    ParseError(int line, int column, const std::string& what)
        : std::runtime_error("line " + std::to_string(line) + ", column " + std::to_string(column) + ": " +
                             what),
          line(line),
          column(column) {}
    int line, column;
};

}  // namespace tritonsmith::ttir
