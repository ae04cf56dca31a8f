#pragma once

#include <stdexcept>
#include <string>

#include "graph/graph.h"

namespace tritonsmith::forge {

/// What no family can write, in words for a person. Caught at the module's border (forge.h).
class Refused : public std::runtime_error {
  public:
    explicit Refused(const std::string& what, std::string op = "", int line = 0)
        : std::runtime_error(what), op(std::move(op)), line(line) {}
    std::string op;
    int line;
};

/// The number of a constant of one element.
graph::Number constant_number(const graph::Constant& constant, graph::DType dtype);

}  // namespace tritonsmith::forge
