#pragma once

#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "plan/ir/plan.h"

namespace tritonsmith::graph {

using Shape = std::vector<int64_t>;

/// Appends ATen steps to a plan's forward phase. Results are row-major tensors in buffers of their own.
class Steps {
  public:
    /// Takes away the plan's forward steps; setup stays.
    explicit Steps(plan::Plan plan);

    void at(int line) { line_ = line; }
    plan::Tensor make(const std::string& op, plan::List args, DType dtype, Shape shape,
                      std::vector<std::pair<std::string, plan::Value>> kwargs = {});
    std::vector<plan::Tensor> make_all(const std::string& op, plan::List args,
                                       const std::vector<std::pair<DType, Shape>>& results,
                                       std::vector<std::pair<std::string, plan::Value>> kwargs = {});
    /// The same elements, row-major, in another shape; `of` must be row-major.
    plan::Tensor seen(const plan::Tensor& of, const Shape& shape);
    plan::Tensor filled(const Number& number, DType dtype, const Shape& shape);
    plan::Tensor cast(const plan::Tensor& of, DType dtype);
    /// into.copy_(from)
    void overwrite(const plan::Tensor& into, const plan::Tensor& from);
    plan::Tensor constant(const std::vector<uint8_t>& bytes, DType dtype, const Shape& shape);
    plan::Plan take() { return std::move(plan_); }
    plan::Plan& plan() { return plan_; }

    static plan::Value dtype(DType type);
    static plan::Value number(const Number& number);
    static plan::Value list(const std::vector<int64_t>& items);
    static plan::Value tensors(const std::vector<plan::Tensor>& items);

  private:
    plan::Tensor fresh(DType dtype, Shape shape);
    int line_ = 0;
    plan::Plan plan_;
    uint64_t address_ = 0;
};

/// index(position) for each position of `extents`, i64. Of the shape that is broadcast to `extents`.
plan::Tensor evaluated(Steps& steps, const Index& index, const Extents& extents);
/// What an operand reads of the tensor that holds its value.
plan::Tensor read(Steps& steps, const plan::Tensor& value, const Operand& operand);
/// Elements in row-major order of `shape`; a broadcast tensor spelled out.
plan::Tensor spelled(Steps& steps, const plan::Tensor& tensor, const Shape& shape);
plan::Tensor evaluated(Steps& steps, const Expression& expression, const std::vector<plan::Tensor>& operands,
                       const Shape& shape);
/// The results of a node that has no definition. @throws InputError
std::vector<plan::Tensor> evaluated(Steps& steps, const Graph& graph, const Node& node,
                                    const std::vector<plan::Tensor>& operands);

}  // namespace tritonsmith::graph
