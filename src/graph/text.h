#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"

/// The short notation of the task card and of `text(Graph)`.
namespace tritonsmith::graph {

/// Writes nodes; `labels` are what values are called, one for each.
class Notation {
  public:
    Notation(const Graph& graph, std::vector<std::string> labels);

    const std::string& label(int value) const { return labels_[static_cast<size_t>(value)]; }
    /// "x", "x.T", "x.permute(0,2,1)", "x.view(32,64)", "x[i0, i1 + 3]".
    /// @param broadcast shapes that PyTorch would broadcast by itself are not spelled out
    std::string operand(const Operand& operand, bool broadcast = false) const;
    /// What is to the right of the equals sign: "conv2d(x, conv.weight, conv.bias, padding=1)".
    std::string expression(const Node& node) const;
    /// "h, c = …", "f32[2,64]" for each result.
    std::string line(const Node& node) const;

  private:
    const Graph& graph_;
    std::vector<std::string> labels_;
};

/// Unique names: those of the task's text, counted where they repeat ("h", "h_2"), else "%5".
std::vector<std::string> labels_of(const Graph& graph);
/// "f32[2,64]"
std::string type_text(DType dtype, const std::vector<int64_t>& shape);

}  // namespace tritonsmith::graph
