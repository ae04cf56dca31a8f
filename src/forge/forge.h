#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "forge/emit/cost.h"
#include "forge/module/task_text.h"
#include "graph/graph.h"
#include "graph/lift.h"

/// A compiler from tensor programs to Triton source that a person would keep (docs/forge.md).
namespace tritonsmith::forge {

/// The task at one size: its program, and the integers among its constructor's arguments, by position.
struct Sized {
    graph::Graph graph;
    std::map<int, int64_t> arguments;
    /// A size at which something small differs (heads, groups): left out where numbers have no expression
    /// then, as of a stride.
    bool small = false;
    std::map<int, graph::Number> given = {};  ///< Python numbers among the call's arguments, by position
    bool moved = false;                       ///< of the task's own size, with other such numbers
};

struct Request {
    std::string source, entry = "Model";  ///< the task's text
    /// The task as it is, then at other sizes: where the programs written for all of them are alike, their
    /// numbers tell which sizes of tensors they are.
    std::vector<Sized> sizes;
    std::optional<TaskText> text = {};            ///< what `source` says, where that is known
    std::map<std::string, int64_t> choices = {};  ///< schedules: decisions made in advance (Program::choices)
    bool relaxed = false;                         ///< PyTorch may compute convolutions
};

struct Program {
    std::string code;                        ///< Python: kernels and ModelNew
    std::string explanation;                 ///< for people: the kernels, what they fuse and read
    bool own = true;                         ///< some kernel is its own, and not PyTorch's
    bool specialised = false;                ///< some numbers are those of the task's own size
    std::map<std::string, int64_t> choices;  ///< what was decided: KERNEL.what
    Cost cost;                               ///< at the task's own size
};

/// @return the program, or what cannot be written and where it stands in the task
std::variant<Program, graph::Refusal> write_program(const Request& request);

/// The names that lifting wants to know, from the task's text.
graph::Names names_of(const std::string& source, const std::string& entry);

}  // namespace tritonsmith::forge
