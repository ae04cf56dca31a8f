#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/lift.h"
#include "graph/lift/call.h"
#include "graph/views.h"

namespace tritonsmith::graph {

/// What buffers hold while the steps are read in order: for each an operand, and where its elements lie.
/// Knows no operator; rules (rules.h) do.
class Lifter {
  public:
    Lifter(const plan::Plan& plan, const Names& names);

    Graph& graph() { return graph_; }
    const plan::Plan& plan() const { return plan_; }

    /// What a tensor of the plan holds now. @throws Unliftable
    Operand read(const plan::Tensor& tensor);
    /// A tensor's contents are now `operand` (of its shape and dtype), wherever it lies: a buffer of its own,
    /// or all or part of one that holds something already. @throws Unliftable
    void write(const plan::Tensor& tensor, const Operand& operand);
    bool holds_something(int buffer) const { return contents_.contains(buffer); }

    /// Appends a node for the current step. @return all of its results
    std::vector<Operand> emit_all(NodeKind kind, std::vector<Operand> operands,
                                  std::vector<std::pair<DType, Shape>> results);
    Operand emit(NodeKind kind, std::vector<Operand> operands, DType dtype, Shape shape);
    /// A pointwise node of one operation.
    Operand constant(Number number, DType dtype, Shape shape);

    /// From here on nodes are of this step.
    void at(int step, int line, const std::string& op);
    /// Outputs, updates and names. @throws Unliftable
    Graph finish();

  private:
    /// Elements of `operand` (in order of its axes) lie at these strides in the buffer.
    struct Contents {
        Operand operand;
        std::vector<int64_t> stride;
        int64_t offset = 0;
    };
    const Contents& contents(const plan::Tensor& tensor);
    Contents leaf(const plan::Tensor& tensor);
    void write_part(const plan::Tensor& tensor, const Operand& operand, Contents& old);
    void name_values();

    const plan::Plan& plan_;
    const Names& names_;
    Graph graph_;
    std::map<int, Contents> contents_;  ///< by buffer
    std::map<int, int> leaves_;         ///< buffer → value
    std::set<int> setup_;               ///< buffers that construction made
    int step_ = -1, line_ = 0;
    std::string op_;
};

}  // namespace tritonsmith::graph
