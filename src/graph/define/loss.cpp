#include "graph/define/maker.h"

namespace tritonsmith::graph {
namespace {

/// One element's loss, in `wide`.
int element_loss(const Loss& kind, Expression& body, const std::vector<int>& at, DType wide) {
    auto number = [&](double value) { return body.constant(value, wide); };
    auto op = [&](ScalarOp which, std::vector<int> args) { return body.apply(which, std::move(args), wide); };
    const int x = at[0], t = at[1];
    const int apart = op(ScalarOp::sub, {x, t}), size = op(ScalarOp::abs, {apart});
    const int half_square = op(ScalarOp::mul, {number(0.5), op(ScalarOp::mul, {apart, apart})});
    int out = size;
    switch (kind.kind) {
        case LossKind::l1:
            return size;
        case LossKind::mse:
            return op(ScalarOp::mul, {apart, apart});
        case LossKind::smooth_l1: {
            const int near = body.apply(ScalarOp::lt, {size, number(kind.parameter)}, DType::b1);
            const int inner = op(ScalarOp::div, {half_square, number(kind.parameter)});
            return op(ScalarOp::where,
                      {near, inner, op(ScalarOp::sub, {size, number(0.5 * kind.parameter)})});
        }
        case LossKind::huber: {
            const int near = body.apply(ScalarOp::le, {size, number(kind.parameter)}, DType::b1);
            const int outer = op(ScalarOp::sub, {size, number(0.5 * kind.parameter)});
            return op(ScalarOp::where,
                      {near, half_square, op(ScalarOp::mul, {number(kind.parameter), outer})});
        }
        case LossKind::soft_margin:
            return op(ScalarOp::log1p, {op(ScalarOp::exp, {op(ScalarOp::neg, {op(ScalarOp::mul, {t, x})})})});
        case LossKind::bce: {
            auto limited = [&](int log) { return op(ScalarOp::maximum, {log, number(-100)}); };
            const int no = limited(op(ScalarOp::log1p, {op(ScalarOp::neg, {x})}));
            const int yes = limited(op(ScalarOp::log, {x}));
            const int absent = op(ScalarOp::mul, {op(ScalarOp::sub, {t, number(1)}), no});
            out = op(ScalarOp::sub, {absent, op(ScalarOp::mul, {t, yes})});
            break;
        }
        case LossKind::bce_logits: {
            const int absent = op(ScalarOp::mul, {op(ScalarOp::sub, {number(1), t}), x});
            out = op(ScalarOp::sub, {absent, op(ScalarOp::log_sigmoid, {x})});
            break;
        }
        case LossKind::kl:
            if (kind.log_target)
                return op(ScalarOp::mul, {op(ScalarOp::exp, {t}), op(ScalarOp::sub, {t, x})});
            return op(ScalarOp::sub, {op(ScalarOp::xlogy, {t, t}), op(ScalarOp::mul, {t, x})});
        case LossKind::nll:
            break;
    }
    return at.size() > 2 ? op(ScalarOp::mul, {out, at[2]}) : out;
}

Operand rounded_to(Maker& make, const Operand& x, DType dtype) {
    if (x.dtype == dtype) return x;
    return make.map({x}, x.shape(), dtype, [](Expression&, const std::vector<int>& at) { return at[0]; });
}

Operand all_of(Maker& make, ReduceKind kind, const Operand& x) {
    std::vector<int> axes;
    for (size_t i = 0; i < x.shape().size(); ++i) axes.push_back(static_cast<int>(i));
    return reshaped(make.graph(), make.reduced(kind, x, axes), {});
}

/// -weight[target] · x[n, target, …], nothing for ignored targets.
Operands negative_log_likelihood(Maker& make, const Loss& kind, const Operands& in) {
    const DType dtype = in[0].dtype, wide = wide_of(dtype);
    const Operand& target = in[1];
    const Shape& shape = target.shape();
    const Operand safe =
        make.map({target}, shape, DType::i64, [&](Expression& body, const std::vector<int>& at) {
            const int class_of = body.as(at[0], DType::i64);
            const int skipped =
                body.apply(ScalarOp::eq, {class_of, body.constant(kind.ignore, DType::i64)}, DType::b1);
            return body.apply(ScalarOp::where, {skipped, body.constant(int64_t{0}, DType::i64), class_of},
                              DType::i64);
        });
    Gather picked;
    for (size_t i = 0; i < shape.size(); ++i) {
        picked.places.push_back({-1, shape[i] == 1 ? Index(0) : Index::axis(static_cast<int>(i))});
        if (i == 0) picked.places.push_back({0, {}});
    }
    const Operand logs = make.emit(std::move(picked), {make.as(in[0], wide), safe}, wide, shape);
    Operand weight = make.number(1.0, wide, shape);
    if (in.size() > 2) weight = make.emit(Gather{{{0, {}}}}, {make.as(in[2], wide), safe}, wide, shape);
    const Operand counted =
        make.map({weight, target}, shape, wide, [&](Expression& body, const std::vector<int>& at) {
            const int class_of = body.as(at[1], DType::i64);
            const int skipped =
                body.apply(ScalarOp::eq, {class_of, body.constant(kind.ignore, DType::i64)}, DType::b1);
            return body.apply(ScalarOp::where, {skipped, body.constant(0.0, wide), at[0]}, wide);
        });
    const Operand losses =
        make.map({logs, counted}, shape, wide, [&](Expression& body, const std::vector<int>& at) {
            const int out = body.apply(ScalarOp::neg, {body.apply(ScalarOp::mul, at, wide)}, wide);
            const int none = body.apply(ScalarOp::eq, {at[1], body.constant(0.0, wide)}, DType::b1);
            return body.apply(ScalarOp::where, {none, body.constant(0.0, wide), out}, wide);
        });
    const Operand weights = all_of(make, ReduceKind::sum, counted);
    if (kind.reduction == Reduction::none)
        return {rounded_to(make, losses, dtype), make.number(0.0, dtype, {})};
    Operand sum = all_of(make, ReduceKind::sum, losses);
    if (kind.reduction == Reduction::mean) sum = make.map(ScalarOp::div, {sum, weights}, {});
    return {rounded_to(make, sum, dtype), rounded_to(make, weights, dtype)};
}

}  // namespace

Operands define(Maker& make, const Loss& kind, const Operands& in, const Shape&) {
    if (kind.kind == LossKind::nll) return negative_log_likelihood(make, kind, in);
    const DType dtype = in[0].dtype, wide = wide_of(dtype);
    Operands parts;
    for (const Operand& part : in) parts.push_back(make.as(part, wide));
    const Operand each = make.map(
        parts, in[0].shape(), wide,
        [&](Expression& body, const std::vector<int>& at) { return element_loss(kind, body, at, wide); });
    if (kind.reduction == Reduction::none) return {rounded_to(make, each, dtype)};
    const ReduceKind how = kind.reduction == Reduction::mean ? ReduceKind::mean : ReduceKind::sum;
    return {rounded_to(make, all_of(make, how, each), dtype)};
}

}  // namespace tritonsmith::graph
