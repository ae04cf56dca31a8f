#pragma once

#include <string>
#include <vector>

#include "forge/emit/cost.h"
#include "forge/emit/kernel.h"
#include "forge/emit/numbers.h"
#include "forge/field/context.h"
#include "forge/module/sizes.h"
#include "forge/module/task_text.h"
#include "forge/module/windows.h"

namespace tritonsmith::forge {

/// A tensor that is there before the call, in forward.
struct Leaf {
    int value = -1;
    std::string variable, expression;    ///< "fc_weight", "self.fc.weight"
    bool input = false, copied = false;  ///< must be made contiguous
    graph::DType dtype = graph::DType::f32;
    std::vector<int64_t> shape;
    bool transposed = false;  ///< the weight of a transposed convolution: [in, out, …]
};

/// The program for one size, numbers left open.
struct Draft {
    std::vector<Leaf> leaves;
    std::vector<Launch> launches;
    std::string returned;              ///< expression
    std::vector<std::string> updates;  ///< statements behind the launches
    struct Result {
        std::string name;  ///< "" where the task gives it none
        std::vector<int64_t> shape;
        std::vector<Windows> windows;  ///< of its last axes
    };
    std::vector<Result> results;  ///< what the task's own operators make
    Numbers numbers;
    Cost cost;
    bool small = false, moved = false;           ///< as Sized
    std::map<int, int64_t> arguments;            ///< of the constructor
    std::map<std::string, graph::Number> given;  ///< Python numbers among forward's arguments
    std::map<std::string, std::string> fixed;    ///< those of them that the program is made for, as text
    /// Whether the programs are the same but for the numbers that are left open.
    bool like(const Draft& other) const;
    /// All of the text, for people: what is not alike differs in it.
    std::string text() const;
};

/// @throws Refused
/// @param given Python numbers among forward's arguments, by name
/// @param relaxed PyTorch computes convolutions
Draft write_draft(const graph::Graph& graph, const TaskText& task, const std::string& source,
                  Choices& choices, std::map<std::string, graph::Number> given, bool relaxed);

}  // namespace tritonsmith::forge
