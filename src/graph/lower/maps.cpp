#include "graph/lower/steps.h"

namespace tritonsmith::graph {
namespace {

/// A shape with 1 where neither has more.
Shape broadcast_shape(const Shape& a, const Shape& b) {
    Shape out = a;
    for (size_t i = 0; i < out.size(); ++i)
        if (out[i] == 1) out[i] = b[i];
    return out;
}

plan::Tensor integers(Steps& steps, int64_t number, const Shape& shape) {
    return steps.filled(number, DType::i64, shape);
}

}  // namespace

plan::Tensor evaluated(Steps& steps, const Index& index, const Extents& extents) {
    const Shape ones(extents.size(), 1);
    plan::Tensor sum = integers(steps, index.constant(), ones);
    for (const Index::Term& term : index.terms()) {
        plan::Tensor factor;
        if (term.factor == Index::Factor::axis) {
            const auto axis = static_cast<size_t>(term.axis);
            factor =
                steps.make("aten::arange", {{extents[axis]}}, DType::i64, {extents[axis]},
                           {{"dtype", Steps::dtype(DType::i64)},
                            {"device", {plan::Symbol{plan::Symbol::Kind::device, steps.plan().device}}}});
            Shape shape = ones;
            shape[axis] = extents[axis];
            factor = steps.seen(factor, shape);
        } else {
            const plan::Tensor inner = evaluated(steps, *term.argument, extents);
            const plan::Tensor divisor = integers(steps, term.divisor, ones);
            const bool whole = term.factor == Index::Factor::quotient;
            factor = steps.make(whole ? "aten::floor_divide" : "aten::remainder.Tensor", {{inner}, {divisor}},
                                DType::i64, inner.shape);
        }
        const plan::Tensor scaled =
            steps.make("aten::mul.Tensor", {{factor}, {integers(steps, term.coefficient, ones)}}, DType::i64,
                       factor.shape);
        sum = steps.make("aten::add.Tensor", {{sum}, {scaled}}, DType::i64,
                         broadcast_shape(sum.shape, scaled.shape));
    }
    return sum;
}

plan::Tensor spelled(Steps& steps, const plan::Tensor& tensor, const Shape& shape) {
    if (tensor.shape == shape && tensor.stride == row_major(shape)) return tensor;
    plan::Tensor wide{tensor.buffer, tensor.dtype, shape, std::vector<int64_t>(shape.size()), tensor.offset};
    for (size_t i = 0; i < shape.size(); ++i)
        wide.stride[i] = tensor.shape[i] == 1 && shape[i] != 1 ? 0 : tensor.stride[i];
    steps.plan().steps.push_back({plan::AtenStep{"aten::expand", {{tensor}, Steps::list(shape)}, {}, {wide}},
                                  plan::Phase::forward, 0});
    return steps.make(
        "aten::clone", {{wide}}, tensor.dtype, shape,
        {{"memory_format", {plan::Symbol{plan::Symbol::Kind::memory_format, "contiguous_format"}}}});
}

plan::Tensor read(Steps& steps, const plan::Tensor& value, const Operand& operand) {
    const IndexMap& map = operand.view;
    if (map.is_identity(value.shape)) return steps.cast(spelled(steps, value, map.shape), operand.dtype);
    if (element_count(map.shape) == 0) return steps.filled(int64_t{0}, operand.dtype, map.shape);
    plan::Tensor at =
        spelled(steps, evaluated(steps, address(map, row_major(value.shape)), map.shape), map.shape);
    plan::Tensor held;
    for (const Guard& guard : map.guards) {
        const plan::Tensor where = spelled(steps, evaluated(steps, guard.at, map.shape), map.shape);
        const plan::Tensor low = steps.make("aten::ge.Scalar", {{where}, {int64_t{0}}}, DType::b1, map.shape);
        const plan::Tensor high =
            steps.make("aten::lt.Scalar", {{where}, {guard.extent}}, DType::b1, map.shape);
        const plan::Tensor both = steps.make("aten::logical_and", {{low}, {high}}, DType::b1, map.shape);
        held =
            held.buffer < 0 ? both : steps.make("aten::logical_and", {{held}, {both}}, DType::b1, map.shape);
    }
    if (held.buffer >= 0)
        at = steps.make("aten::where.self", {{held}, {at}, {integers(steps, 0, map.shape)}}, DType::i64,
                        map.shape);
    plan::Tensor out = steps.make("aten::take", {{value}, {at}}, value.dtype, map.shape);
    if (held.buffer >= 0)
        out =
            steps.make("aten::where.self", {{held}, {out}, {steps.filled(map.fill, value.dtype, map.shape)}},
                       value.dtype, map.shape);
    return steps.cast(out, operand.dtype);
}

}  // namespace tritonsmith::graph
