#pragma once

#include <string>
#include <vector>

#include "data/synth/style.h"

namespace tritonsmith::data {

/// What the documentation of a task may mention.
struct Documented {
    struct Entry {
        std::string name, type, text;
    };
    std::vector<Entry> arguments, inputs;  ///< of the constructor, of forward
    std::vector<std::string> operators;    ///< in words, in order
    bool several = false;                  ///< results
};

/// The docstring of the class, or of one of its methods; "" where the author writes none.
std::string class_docstring(const Documented& facts, const Style& style, Random& r);
std::string forward_docstring(const Documented& facts, const Style& style, Random& r);
std::string constructor_docstring(const Documented& facts, const Style& style, Random& r);

}  // namespace tritonsmith::data
