#include <algorithm>

#include "graph/define/maker.h"

namespace tritonsmith::graph {
namespace {

/// Source positions of one axis: an index and, where it has one, a weight, both over the result.
struct Tap {
    Operand at;
    Operand weight;
};

class Axis {
  public:
    Axis(Maker& make, const Upsample& kind, size_t which, int axis, int64_t size, const Shape& result,
         DType compute)
        : make_(make),
          kind_(kind),
          scale_(kind.scale[which]),
          axis_(axis),
          last_(size - 1),
          result_(result),
          compute_(compute) {}

    std::vector<Tap> nearest() const {
        const double shift = kind_.kind == UpsampleKind::nearest_exact ? 0.5 : 0;
        return {
            {make_.map(
                 {}, result_, DType::i64,
                 [&](Expression& body, const std::vector<int>&) {
                     const int o = body.as(body.index(Index::axis(axis_)), compute_);
                     const int moved =
                         shift == 0 ? o : body.apply(ScalarOp::add, {o, number(body, shift)}, compute_);
                     const int scaled = body.apply(ScalarOp::mul, {moved, number(body, scale_)}, compute_);
                     return inside(body, body.apply(ScalarOp::floor, {scaled}, compute_), 0);
                 }),
             {}}};
    }

    std::vector<Tap> linear() const {
        std::vector<Tap> out;
        for (int64_t side : {0, 1})
            out.push_back(
                {at([&](Expression& body, int start, int) { return inside(body, start, side); }),
                 weighted([&](Expression& body, int part) {
                     return side ? part : body.apply(ScalarOp::sub, {number(body, 1), part}, compute_);
                 })});
        return out;
    }

    /// Keys' cubic convolution with A = -0.75 over four neighbours.
    std::vector<Tap> cubic() const {
        constexpr double A = -0.75;
        std::vector<Tap> out;
        for (int64_t side : {-1, 0, 1, 2})
            out.push_back({at([&](Expression& body, int start, int) { return inside(body, start, side); }),
                           weighted([&](Expression& body, int part) {
                               auto op = [&](ScalarOp kind, int a, int b) {
                                   return body.apply(kind, {a, b}, compute_);
                               };
                               int x = op(ScalarOp::sub, part, number(body, static_cast<double>(side)));
                               x = body.apply(ScalarOp::abs, {x}, compute_);
                               const bool near = side == 0 || side == 1;
                               const double c[4] = {near ? A + 2 : A, near ? -(A + 3) : -5 * A,
                                                    near ? 0 : 8 * A, near ? 1 : -4 * A};
                               int sum = number(body, c[0]);
                               for (int i = 1; i < 4; ++i)
                                   sum = op(ScalarOp::add, op(ScalarOp::mul, sum, x), number(body, c[i]));
                               return sum;
                           })});
        return out;
    }

  private:
    int number(Expression& body, double value) const { return body.constant(value, compute_); }
    /// floor as an integer plus `side`, kept inside of the axis.
    int inside(Expression& body, int start, int64_t side) const {
        const int whole = body.apply(ScalarOp::cast, {start}, DType::i64);
        const int moved =
            side == 0 ? whole
                      : body.apply(ScalarOp::add, {whole, body.constant(side, DType::i64)}, DType::i64);
        const int low = body.constant(int64_t{0}, DType::i64), high = body.index(Index(last_));
        return body.apply(ScalarOp::clamp, {moved, low, high}, DType::i64);
    }
    /// The real-valued source position.
    int source(Expression& body) const {
        const int o = body.as(body.index(Index::axis(axis_)), compute_);
        if (kind_.align_corners) return body.apply(ScalarOp::mul, {o, number(body, scale_)}, compute_);
        const int middle = body.apply(ScalarOp::add, {o, number(body, 0.5)}, compute_);
        const int scaled = body.apply(ScalarOp::mul, {middle, number(body, scale_)}, compute_);
        const int moved = body.apply(ScalarOp::sub, {scaled, number(body, 0.5)}, compute_);
        if (kind_.kind == UpsampleKind::cubic) return moved;
        return body.apply(ScalarOp::maximum, {moved, number(body, 0)}, compute_);
    }
    template <class Rule>
    Operand at(Rule rule) const {
        return make_.map({}, result_, DType::i64, [&](Expression& body, const std::vector<int>&) {
            const int from = source(body);
            return rule(body, body.apply(ScalarOp::floor, {from}, compute_), from);
        });
    }
    template <class Rule>
    Operand weighted(Rule rule) const {
        return make_.map({}, result_, compute_, [&](Expression& body, const std::vector<int>&) {
            const int from = source(body), start = body.apply(ScalarOp::floor, {from}, compute_);
            return rule(body, body.apply(ScalarOp::sub, {from, start}, compute_));
        });
    }

    Maker& make_;
    const Upsample& kind_;
    double scale_;
    int axis_;
    int64_t last_;
    const Shape& result_;
    DType compute_;
};

}  // namespace

Operands define(Maker& make, const Upsample& kind, const Operands& in, const Shape& result) {
    const Operand& x = in[0];
    const DType dtype = x.dtype, wide = wide_of(dtype);
    const size_t rank = kind.size.size(), lead = result.size() - rank;
    const bool nearest = kind.kind == UpsampleKind::nearest || kind.kind == UpsampleKind::nearest_exact;
    if (nearest && std::all_of(kind.size.begin(), kind.size.end(), [&](const int64_t& size) {
            const auto i = static_cast<size_t>(&size - kind.size.data());
            const int64_t from = x.shape()[lead + i];
            return size % from == 0 && kind.scale[i] == static_cast<double>(from) / static_cast<double>(size);
        })) {  // each element repeated: a view
        IndexMap map{result, {}};
        for (size_t i = 0; i < result.size(); ++i) {
            const Index at = result[i] == 1 ? Index(0) : Index::axis(static_cast<int>(i));
            map.index.push_back(i < lead ? at : quotient(at, result[i] / x.shape()[i], result));
        }
        return {through(make.graph(), x, map)};
    }
    // Every combination of the axes' taps: where it reads, and the product of the weights.
    std::vector<std::vector<Tap>> chosen{{}};
    for (size_t i = 0; i < rank; ++i) {
        const Axis axis(make, kind, i, static_cast<int>(lead + i), x.shape()[lead + i], result, wide);
        const std::vector<Tap> taps = kind.kind == UpsampleKind::linear  ? axis.linear()
                                      : kind.kind == UpsampleKind::cubic ? axis.cubic()
                                                                         : axis.nearest();
        std::vector<std::vector<Tap>> longer;
        for (const std::vector<Tap>& before : chosen)
            for (const Tap& tap : taps) {
                longer.push_back(before);
                longer.back().push_back(tap);
            }
        chosen = std::move(longer);
    }
    Gather gather;
    for (size_t i = 0; i < result.size(); ++i)
        gather.places.push_back(
            i >= lead ? Place{static_cast<int>(i - lead), {}}
                      : Place{-1, result[i] == 1 ? Index(0) : Index::axis(static_cast<int>(i))});
    const bool weighted = kind.kind == UpsampleKind::linear || kind.kind == UpsampleKind::cubic;
    Operands parts;
    for (const std::vector<Tap>& taps : chosen) {
        Operands read{weighted ? make.as(x, wide) : x};
        for (const Tap& tap : taps) read.push_back(tap.at);
        const DType seen = read.front().dtype;
        parts.push_back(make.emit(gather, std::move(read), seen, result));
        if (!weighted) return parts;
        for (const Tap& tap : taps)
            parts.back() = make.map(ScalarOp::mul, {parts.back(), tap.weight}, result);
    }
    return {make.map(parts, result, dtype, [&](Expression& body, const std::vector<int>& at) {
        int sum = at[0];
        for (size_t i = 1; i < at.size(); ++i) sum = body.apply(ScalarOp::add, {sum, at[i]}, wide);
        return sum;
    })};
}

}  // namespace tritonsmith::graph
