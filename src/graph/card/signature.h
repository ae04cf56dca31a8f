#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/lift.h"

namespace tritonsmith::graph {

struct Parameter {
    std::string name;      ///< "*args", "**kwargs" with their stars
    std::string fallback;  ///< the default's text; "" where there is none
};
/// A method of the task's class as its text has it, without self.
struct Signature {
    std::vector<Parameter> parameters;
    /// "dim, heads=8"
    std::string text() const;
};

/// What the text of a task says about its class. Missing parts are empty: nothing is guessed.
struct Signatures {
    Signature constructor, forward;
    Names names;  ///< for `lift`
};
Signatures signatures_of(std::string_view source, const std::string& entry);

}  // namespace tritonsmith::graph
