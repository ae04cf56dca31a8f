#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "forge/emit/numbers.h"
#include "graph/graph.h"

namespace tritonsmith::forge {

/// What an engineer would decide once per kernel, by the task's own size: the same at every other size at
/// which the program is written.
struct Choices {
    std::map<std::string, int64_t> made;
    /// The choice `name`; `otherwise` where it has not been made yet.
    int64_t get(const std::string& name, int64_t otherwise) {
        return made.try_emplace(name, otherwise).first->second;
    }
};

/// What writing one program needs to know.
struct Context {
    const graph::Graph& graph;
    Numbers& numbers;
    Choices& choices;
    bool relaxed = false;                      ///< PyTorch computes convolutions
    std::set<int> stored = {};                 ///< values that kernels write to memory
    std::vector<std::vector<int>> users = {};  ///< of each value: nodes that read it; -1: an output or update
    std::map<int, std::string> variables = {};  ///< what forward calls a value's tensor
    std::set<std::string> taken = {};           ///< names of forward and of the file
    std::vector<std::string> drawn = {};        ///< of them what `unique` gave, in order
    std::map<std::string, std::string> preferred_names =
        {};  ///< of tensors' names: what they would be called alone

    std::map<std::string, std::string> variables_in_passing = {};

    Context(const graph::Graph& graph, Numbers& numbers, Choices& choices, bool relaxed = false);
    const graph::Value& value(int id) const { return graph.values[static_cast<size_t>(id)]; }
    /// In memory before the kernel runs: leaves but constants of one element, and what other kernels write.
    bool in_memory(int id) const;
    /// A name that is not taken: `preferred`, preferred_2 …
    std::string unique(const std::string& preferred);
    const std::string& variable(int value);
    const std::string& name(int value, const std::string& preferred);
    /// A name for something that lives no longer than one launch: the same each time.
    std::string passing(const std::string& preferred);
    /// What a kernel calls it: "weight" where forward has self.fc1.weight, so that kernels of several layers
    /// can be one.
    std::string role(int value);
};

/// A Python identifier made of a text: "blocks.0.fc1.weight" → "fc1_weight".
std::string identifier(const std::string& text);

}  // namespace tritonsmith::forge
