#include "graph/define/maker.h"

#include <algorithm>

namespace tritonsmith::graph {

DType wide_of(DType dtype) {
    return dtype == DType::f16 || dtype == DType::bf16 ? DType::f32 : dtype;
}

std::vector<Operand> Maker::emit_all(NodeKind kind, std::vector<Operand> operands,
                                     std::vector<std::pair<DType, Shape>> results) {
    const size_t count = results.size();
    const int first =
        graph_.add({std::move(kind), std::move(operands), {}, origin_.step, origin_.line, origin_.op},
                   std::move(results));
    std::vector<Operand> out;
    for (size_t i = 0; i < count; ++i) out.push_back(graph_.whole(first + static_cast<int>(i)));
    return out;
}

Operand Maker::emit(NodeKind kind, std::vector<Operand> operands, DType dtype, Shape shape) {
    return emit_all(std::move(kind), std::move(operands), {{dtype, std::move(shape)}}).front();
}

Operand Maker::map(std::vector<Operand> operands, const Shape& shape, DType dtype, const Body& body) {
    Pointwise node;
    std::vector<int> steps;
    for (size_t i = 0; i < operands.size(); ++i) {
        operands[i] = broadcast(graph_, operands[i], shape);
        steps.push_back(node.body.operand(static_cast<int>(i), operands[i].dtype));
    }
    node.body.as(body(node.body, steps), dtype);
    return emit(std::move(node), std::move(operands), dtype, shape);
}

Operand Maker::map(ScalarOp op, std::vector<Operand> operands, const Shape& shape) {
    const DType dtype = operands.front().dtype;
    return map(std::move(operands), shape, dtype,
               [&](Expression& body, const std::vector<int>& in) { return body.apply(op, in, dtype); });
}

Operand Maker::number(Number number, DType dtype, const Shape& shape) {
    return map({}, shape, dtype,
               [&](Expression& body, const std::vector<int>&) { return body.constant(number, dtype); });
}

Operand Maker::reduced(ReduceKind kind, const Operand& operand, const std::vector<int>& axes,
                       double correction) {
    Shape shape, kept = operand.shape();
    for (size_t i = 0; i < kept.size(); ++i) {
        if (std::find(axes.begin(), axes.end(), static_cast<int>(i)) == axes.end())
            shape.push_back(kept[i]);
        else
            kept[i] = 1;
    }
    return reshaped(graph_, emit(Reduce{kind, axes, correction}, {operand}, operand.dtype, shape), kept);
}

Operand Maker::contracted(const Operand& lhs, const Operand& rhs, DType dtype) {
    Shape shape(lhs.shape().begin(), lhs.shape().end() - 1);
    shape.push_back(rhs.shape().back());
    return emit(Contract{}, {lhs, rhs}, dtype, shape);
}

}  // namespace tritonsmith::graph
