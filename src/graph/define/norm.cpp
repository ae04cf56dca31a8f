#include <limits>
#include <numeric>
#include <optional>

#include "graph/define/maker.h"

namespace tritonsmith::graph {
namespace {

/// (x - mean) / sqrt(variance + eps) · weight + bias; what is not there is left out.
Operand normalised(Maker& make, const Operand& x, const Operand* mean, const Operand& variance, double eps,
                   const Operand* weight, const Operand* bias, DType dtype) {
    Operands in{x, variance};
    for (const Operand* part : {mean, weight, bias})
        if (part) in.push_back(make.as(*part, x.dtype));
    return make.map(in, x.shape(), dtype, [&](Expression& body, const std::vector<int>& at) {
        const DType wide = x.dtype;
        size_t next = 2;
        int out = at[0];
        if (mean) out = body.apply(ScalarOp::sub, {out, at[next++]}, wide);
        const int safe = body.apply(ScalarOp::add, {at[1], body.constant(eps, wide)}, wide);
        out = body.apply(ScalarOp::mul, {out, body.apply(ScalarOp::rsqrt, {safe}, wide)}, wide);
        if (weight) out = body.apply(ScalarOp::mul, {out, at[next++]}, wide);
        if (bias) out = body.apply(ScalarOp::add, {out, at[next]}, wide);
        return out;
    });
}

/// [C] beside the channels of x [N, C, …].
Operand by_channel(Maker& make, const Operand& of, size_t rank) {
    Shape shape(rank, 1);
    shape[1] = of.shape()[0];
    return reshaped(make.graph(), of, shape);
}

/// momentum · fresh + (1 - momentum) · old. @param count of elements where `fresh` is a variance, which is
/// kept unbiased; a size, so that a compiler can read it from a tensor
Operand running(Maker& make, const Operand& old, const Operand& fresh, double momentum,
                std::optional<int64_t> count = {}) {
    const DType dtype = old.dtype, wide = wide_of(dtype);
    const Operands in{make.as(old, wide), make.as(reshaped(make.graph(), fresh, old.shape()), wide)};
    return make.map(in, old.shape(), dtype, [&](Expression& body, const std::vector<int>& at) {
        const int kept = body.apply(ScalarOp::mul, {at[0], body.constant(1 - momentum, wide)}, wide);
        int added = body.apply(ScalarOp::mul, {at[1], body.constant(momentum, wide)}, wide);
        if (count) {
            const int all = body.as(body.index(Index(*count)), wide);
            const int others =
                body.apply(ScalarOp::sub, {all, body.constant(1, wide)}, wide);  // no size by itself
            added = body.apply(ScalarOp::mul, {added, body.apply(ScalarOp::div, {all, others}, wide)}, wide);
        }
        return body.apply(ScalarOp::add, {kept, added}, wide);
    });
}

Operands batch(Maker& make, const Normalize& kind, const Operands& in, const Operand& x,
               const Operand* weight, const Operand* bias, DType dtype) {
    const size_t rank = x.shape().size();
    const Operand* stats = kind.has.running ? &in[in.size() - 2] : nullptr;
    if (!kind.training) {
        const Operand mean = by_channel(make, stats[0], rank);
        const Operand variance = make.as(by_channel(make, stats[1], rank), x.dtype);
        return {normalised(make, x, &mean, variance, kind.eps, weight, bias, dtype)};
    }
    std::vector<int> axes;
    int64_t count = 1;
    for (size_t i = 0; i < rank; ++i) {
        if (i == 1) continue;
        axes.push_back(static_cast<int>(i));
        count *= x.shape()[i];
    }
    const Operand mean = make.reduced(ReduceKind::mean, x, axes),
                  variance = make.reduced(ReduceKind::var, x, axes);
    Operands out{normalised(make, x, &mean, variance, kind.eps, weight, bias, dtype)};
    if (stats) {
        out.push_back(running(make, stats[0], mean, kind.momentum));
        out.push_back(running(make, stats[1], variance, kind.momentum, count));
    }
    return out;
}

}  // namespace

Operands define(Maker& make, const Normalize& kind, const Operands& in, const Shape& result) {
    const DType dtype = in[0].dtype;
    const Operand x = make.as(in[0], wide_of(dtype));
    const size_t rank = x.shape().size();
    const bool channels = kind.kind == NormKind::group || kind.kind == NormKind::batch;
    Operand weight, bias;
    if (kind.has.weight) weight = channels ? by_channel(make, in[1], rank) : in[1];
    if (kind.has.bias)
        bias = channels ? by_channel(make, in[kind.has.weight ? 2 : 1], rank) : in[kind.has.weight ? 2 : 1];
    const Operand* scale = kind.has.weight ? &weight : nullptr;
    const Operand* shift = kind.has.bias ? &bias : nullptr;
    if (kind.kind == NormKind::batch) return batch(make, kind, in, x, scale, shift, dtype);
    if (kind.kind == NormKind::group) {
        const int64_t n = result[0];
        const Operand rows =
            reshaped(make.graph(), x, {n, kind.groups, element_count(result) / (n * kind.groups)});
        const Operand mean = make.reduced(ReduceKind::mean, rows, {2}),
                      variance = make.reduced(ReduceKind::var, rows, {2});
        const Operand flat = normalised(make, rows, &mean, variance, kind.eps, nullptr, nullptr, rows.dtype);
        const Operand shaped = reshaped(make.graph(), flat, result);
        Operands parts{shaped};
        if (scale) parts.push_back(make.as(*scale, x.dtype));
        if (shift) parts.push_back(make.as(*shift, x.dtype));
        return {make.map(parts, result, dtype, [&](Expression& body, const std::vector<int>& at) {
            int out = at[0];
            if (scale) out = body.apply(ScalarOp::mul, {out, at[1]}, x.dtype);
            if (shift) out = body.apply(ScalarOp::add, {out, at.back()}, x.dtype);
            return out;
        })};
    }
    std::vector<int> axes(static_cast<size_t>(kind.axes));
    std::iota(axes.begin(), axes.end(), static_cast<int>(rank) - kind.axes);
    if (kind.kind == NormKind::layer) {
        const Operand mean = make.reduced(ReduceKind::mean, x, axes),
                      variance = make.reduced(ReduceKind::var, x, axes);
        return {normalised(make, x, &mean, variance, kind.eps, scale, shift, dtype)};
    }
    const Operand squares = make.map(ScalarOp::square, {x}, result);
    return {normalised(make, x, nullptr, make.reduced(ReduceKind::mean, squares, axes), kind.eps, scale,
                       nullptr, dtype)};
}

Operands define(Maker& make, const Softmax& kind, const Operands& in, const Shape& result) {
    const DType dtype = in[0].dtype;
    const Operand x = make.as(in[0], wide_of(dtype));
    const Operand shifted =
        make.map(ScalarOp::sub, {x, make.reduced(ReduceKind::max, x, {kind.axis})}, result);
    const Operand power = make.map(ScalarOp::exp, {shifted}, result);
    const Operand sum = make.reduced(ReduceKind::sum, power, {kind.axis});
    const Operand out =
        kind.log ? make.map(ScalarOp::sub, {shifted, make.map(ScalarOp::log, {sum}, sum.shape())}, result)
                 : make.map(ScalarOp::div, {power, sum}, result);
    return {dtype == x.dtype ? out
                             : make.map({out}, result, dtype,
                                        [](Expression&, const std::vector<int>& at) { return at[0]; })};
}

Operands define(Maker& make, const Attention& kind, const Operands& in, const Shape& result) {
    const DType dtype = in[0].dtype, wide = wide_of(dtype);
    const int rank = static_cast<int>(in[0].shape().size());
    std::vector<int> swapped(static_cast<size_t>(rank));
    std::iota(swapped.begin(), swapped.end(), 0);
    std::swap(swapped[static_cast<size_t>(rank - 1)], swapped[static_cast<size_t>(rank - 2)]);
    const Operand keys = permuted(make.graph(), make.as(in[1], wide), swapped);
    const Operand products = make.contracted(make.as(in[0], wide), keys, wide);
    Operands parts{products};
    if (in.size() > 3) parts.push_back(in[3]);
    const Operand scores =
        make.map(parts, products.shape(), wide, [&](Expression& body, const std::vector<int>& at) {
            int out = body.apply(ScalarOp::mul, {at[0], body.constant(kind.scale, wide)}, wide);
            auto only_where = [&](int condition) {
                const int never = body.constant(-std::numeric_limits<double>::infinity(), wide);
                out = body.apply(ScalarOp::where, {condition, out, never}, wide);
            };
            if (at.size() > 1 && parts[1].dtype == DType::b1)
                only_where(at[1]);
            else if (at.size() > 1)
                out = body.apply(ScalarOp::add, {out, body.as(at[1], wide)}, wide);
            if (kind.causal) {
                const int ahead = body.index(Index::axis(rank - 1) - Index::axis(rank - 2));
                only_where(
                    body.apply(ScalarOp::le, {ahead, body.constant(int64_t{0}, DType::i64)}, DType::b1));
            }
            return out;
        });
    const Operand weights = define(make, Softmax{rank - 1}, {scores}, scores.shape()).front();
    const Operand out = make.contracted(weights, make.as(in[2], wide), wide);
    return {dtype == wide ? out : make.map({out}, result, dtype, [](Expression&, const std::vector<int>& at) {
        return at[0];
    })};
}

}  // namespace tritonsmith::graph
