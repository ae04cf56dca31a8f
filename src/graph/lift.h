#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "graph/graph.h"

namespace tritonsmith::graph {

/// What the task's text calls things.
struct Names {
    std::vector<std::string> inputs;   ///< parameters of forward, in order, without self
    std::map<int, std::string> lines;  ///< line of an assignment's value → the variable assigned
};

/// Why a plan has no graph.
struct Refusal {
    std::string op, why;
    int line = 0;
    std::string text() const;  ///< "line 12: aten::fft_fft cannot be lifted: …"
};

/// The forward phase of a reference's plan as a graph. Buffers become SSA values: what is written in place
/// gets a new value, and inputs and state that are written become updates. @param plan has passed
/// plan::validate
std::variant<Graph, Refusal> lift(const plan::Plan& plan, const Names& names = {});

/// Operators that `lift` knows by name ("aten::relu"), sorted: overloads apart. Views are lifted by their
/// geometry.
std::vector<std::string> lifted_operators();

}  // namespace tritonsmith::graph
