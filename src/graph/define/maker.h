#pragma once

#include <functional>
#include <vector>

#include "graph/graph.h"
#include "graph/views.h"

namespace tritonsmith::graph {

/// Writes the nodes of one composite's definition.
class Maker {
  public:
    Maker(Graph& graph, const Node& origin) : graph_(graph), origin_(origin) {}

    Graph& graph() { return graph_; }
    Operand emit(NodeKind kind, std::vector<Operand> operands, DType dtype, Shape shape);
    std::vector<Operand> emit_all(NodeKind kind, std::vector<Operand> operands,
                                  std::vector<std::pair<DType, Shape>> results);

    /// The steps that stand for the operands; returns its last step.
    using Body = std::function<int(Expression&, const std::vector<int>&)>;
    /// A pointwise node over operands that are broadcast to `shape`.
    Operand map(std::vector<Operand> operands, const Shape& shape, DType dtype, const Body& body);
    /// One operation; all operands of the dtype of the first one, which is the result's.
    Operand map(ScalarOp op, std::vector<Operand> operands, const Shape& shape);
    Operand number(Number number, DType dtype, const Shape& shape);
    /// With the reduced axes as 1.
    Operand reduced(ReduceKind kind, const Operand& operand, const std::vector<int>& axes,
                    double correction = 0);
    /// lhs [b…, m, k] · rhs [b…, k, n] (+ addend).
    Operand contracted(const Operand& lhs, const Operand& rhs, DType dtype);
    Operand as(const Operand& operand, DType dtype) { return converted(graph_, operand, dtype); }

  private:
    Graph& graph_;
    const Node& origin_;
};

/// float32 for a half: what composites compute in.
DType wide_of(DType dtype);

/// Definitions by simpler nodes: from the operands of the composite, its results in order.
using Operands = std::vector<Operand>;
Operands define(Maker& make, const Convolution& kind, const Operands& in, const Shape& result);
Operands define(Maker& make, const Pool& kind, const Operands& in, const Shape& result);
Operands define(Maker& make, const AdaptivePool& kind, const Operands& in, const Shape& result);
Operands define(Maker& make, const Normalize& kind, const Operands& in, const Shape& result);
Operands define(Maker& make, const Softmax& kind, const Operands& in, const Shape& result);
Operands define(Maker& make, const Attention& kind, const Operands& in, const Shape& result);
Operands define(Maker& make, const Upsample& kind, const Operands& in, const Shape& result);
Operands define(Maker& make, const Loss& kind, const Operands& in, const Shape& result);
Operands define(Maker& make, const Recurrent& kind, const Operands& in, const Shape& result);

}  // namespace tritonsmith::graph
