#pragma once

#include <map>
#include <string>
#include <vector>

#include "data/synth/eager.h"

namespace tritonsmith::data {

/// A size that the task has a name for: a constant of its file, and of the constructor where that needs it.
struct NamedSize {
    std::string name;
    Size size;
};

/// `self.attribute = construction` in the constructor.
struct Member {
    std::string attribute, construction;
};
/// An argument of the constructor that is no size of a tensor alone: a kernel's width, eps, a flag, a shape.
struct Option {
    std::string usual, name;  ///< what people call it, and what it is called here
    std::string value, hint;  ///< Python: "3", "int"
    Arg number;
    Shape shape;        ///< of a tuple of sizes
    bool kept = false;  ///< as self.name, which forward reads
};

struct Variable {
    Tensor tensor;
    std::string preferred;  ///< what people would call it
    double bound = 4;       ///< about how large its elements get
    bool positive = false;  ///< none of them is negative
    bool negative = false;  ///< none of them is positive
    bool settled = false;   ///< its rows' mean and spread are known: what reduces it proves little
    bool averaged = false;  ///< an average of many elements, close to a constant: averages of it are one
    bool clipped = false;   ///< some elements are at a limit: the extreme of many is that limit
    bool extreme = false;   ///< of many elements, and as far from zero: a limit would be all that is left
    int uses = 0;
    bool permuted = false;  ///< eager mode may keep it in another order of axes than row-major
    bool input = false;
    bool number = false;  ///< a Python number of forward's, no tensor
};

/// A statement of forward: an expression, or several lines that assign "{r}".
struct Step {
    std::string family;              ///< for the data card
    std::vector<std::string> lines;  ///< with {0}, {1}, … for the operands
    bool block = false, infix = false;
    std::vector<int> operands;  ///< variables
    std::vector<int> results;   ///< several: a tuple is assigned
};

/// An argument of forward.
struct InputTensor {
    int variable = -1;
    std::string maker;          ///< "torch.randn", "torch.rand", "torch.randint"; "" of a Python number
    std::string high;           ///< of randint; of a Python number its text
    bool scaled = false;        ///< times 0.5
    bool signs = false;         ///< of two integers: -1 and 1
    std::string triangle = {};  ///< what leaves one of its triangles: "torch.tril"
};

/// What was sampled: the statements of the task with the plans that tracing them would record.
struct Sketch {
    Eager eager;
    std::vector<NamedSize> sizes;
    std::vector<Member> members;
    std::vector<Option> options;
    std::vector<std::string> classes;  ///< helper modules of the file
    std::vector<InputTensor> inputs;
    std::vector<Variable> variables;
    std::vector<Step> steps;
    std::vector<int> outputs;
    DType dtype = DType::f32;
    std::string theme;
    double strange = 0;   ///< how many of its names are nobody's habit
    double optional = 0;  ///< how many of its numbers are arguments of the constructor
};

/// The line that plan steps have while the text is not written yet: statement, and line within a block.
inline int pending_line(size_t step, size_t line) {
    return static_cast<int>(step * 64 + line);
}

}  // namespace tritonsmith::data
