#include <algorithm>
#include <limits>

#include "graph/define/maker.h"
#include "plan/ir/json.h"

namespace tritonsmith::graph {
namespace {

int64_t size_between(const std::vector<int64_t>& items, size_t from, size_t to) {
    int64_t out = 1;
    for (size_t i = from; i < to; ++i) out *= items[i];
    return out;
}

/// Coordinates of a row-major position in `shape`.
std::vector<Index> unravelled(const Index& flat, const std::vector<int64_t>& shape, const Extents& extents) {
    std::vector<Index> out;
    for (size_t i = 0; i < shape.size(); ++i) {
        const Index whole = quotient(flat, size_between(shape, i + 1, shape.size()), extents);
        out.push_back(i == 0 ? whole : remainder(whole, shape[i], extents));
    }
    return out;
}

/// 0 ≤ at < extent, where it is not sure anyway. @param end a window may reach over it, which a stride hides
/// at some sizes
void guard(IndexMap& map, const Index& at, int64_t extent, bool end = false) {
    const Index::Range bounds = at.range(map.shape);
    if (bounds.low < 0 || bounds.high >= extent || end) map.guards.push_back({at, extent, end});
}

Number least(DType dtype) {
    if (plan::is_floating(dtype)) return -std::numeric_limits<double>::infinity();
    return dtype == DType::u8 ? int64_t{0} : -(int64_t{1} << (8 * plan::element_size(dtype) - 2)) * 2;
}

/// A pooling window's taps along the last axis of [batch…, out…, taps].
struct Windows {
    IndexMap map;
    std::vector<Index> begin, tap;  ///< of the window in the input, along each spatial axis
    std::vector<int64_t> apart;     ///< neighbouring taps
};

/// The spatial axes are the last ones; out of `result`.
Windows windows_of(const Shape& input, const Shape& result, const std::vector<int64_t>& kernel) {
    Windows out;
    const size_t lead = input.size() - kernel.size();
    out.map.shape = result;
    out.map.shape.push_back(size_between(kernel, 0, kernel.size()));
    out.tap = unravelled(Index::axis(static_cast<int>(result.size())), kernel, out.map.shape);
    for (size_t i = 0; i < lead; ++i)
        out.map.index.push_back(result[i] == 1 ? Index(0) : Index::axis(static_cast<int>(i)));
    return out;
}

/// Max over windows, with the position in the input's plane: that of the window's beginning, and along each
/// axis what its tap adds.
Operands largest(Maker& make, const Operand& x, Windows windows, const std::vector<int64_t>& kernel,
                 const Shape& result) {
    windows.map.fill = least(x.dtype);
    const Operand seen = through(make.graph(), x, windows.map);
    const int taps = static_cast<int>(result.size());
    const Operands out = make.emit_all(Reduce{ReduceKind::max_index, {taps}}, {seen},
                                       {{x.dtype, result}, {DType::i64, result}});
    const size_t rank = kernel.size();
    Index flat;
    for (size_t i = 0; i < rank; ++i) flat = flat * x.shape()[x.shape().size() - rank + i] + windows.begin[i];
    const Operand place =
        make.map({out[1]}, result, DType::i64, [&](Expression& body, const std::vector<int>& at) {
            auto apply = [&](ScalarOp op, int left, int64_t right) {
                return body.apply(op, {left, body.index(Index(right))}, DType::i64);
            };
            int sum = body.index(flat), before = -1;  // `before`: the taps of the axes so far, as a number
            for (size_t i = 0; i < rank; ++i) {
                if (kernel[i] == 1) continue;
                const int64_t later = size_between(kernel, i + 1, rank);
                const int whole = later == 1 ? at[0] : apply(ScalarOp::trunc_div, at[0], later);
                int tap = whole;
                if (before >= 0)
                    tap = body.apply(ScalarOp::sub, {whole, apply(ScalarOp::mul, before, kernel[i])},
                                     DType::i64);
                before = whole;
                int64_t apart = windows.apart[i];
                for (size_t k = i + 1; k < rank; ++k) apart *= x.shape()[x.shape().size() - rank + k];
                if (apart != 1) tap = apply(ScalarOp::mul, tap, apart);
                sum = body.apply(ScalarOp::add, {sum, tap}, DType::i64);
            }
            return sum;
        });
    return {out[0], place};
}

/// Sum over windows divided by a count that is itself a sum over `counted` (ones, guarded).
Operand averaged(Maker& make, const Operand& x, const IndexMap& windows, const IndexMap& counted,
                 int64_t divisor, const Shape& result) {
    const DType dtype = x.dtype, wide = wide_of(dtype);
    const int taps = static_cast<int>(result.size());
    const Operand seen = through(make.graph(), make.as(x, wide), windows);
    const Operand sum = reshaped(make.graph(), make.reduced(ReduceKind::sum, seen, {taps}), result);
    Operand count = make.number(static_cast<double>(divisor), wide, result);
    if (divisor == 0) {
        const Operand ones = through(make.graph(), make.number(1.0, wide, {}), counted);
        count = reshaped(make.graph(), make.reduced(ReduceKind::sum, ones, {taps}), result);
    }
    return make.map({sum, count}, result, dtype, [&](Expression& body, const std::vector<int>& at) {
        return body.apply(ScalarOp::div, at, wide);
    });
}

}  // namespace

/// A copy with `axis` as the last one.
Operand copied_with_last(Maker& make, const Operand& operand, int axis) {
    std::vector<int> order;
    for (int d = 0; d < static_cast<int>(operand.shape().size()); ++d)
        if (d != axis) order.push_back(d);
    order.push_back(axis);
    const Operand copy = materialised(make.graph(), permuted(make.graph(), operand, order));
    make.graph().nodes.back().op = "aten::copy";
    return copy;
}

Operands define(Maker& make, const Convolution& kind, const Operands& in, const Shape& result) {
    const Operand &x = in[0], &weight = in[1];
    const size_t rank = kind.stride.size();
    const bool last = kind.channels_last;
    const DType dtype = x.dtype;
    const int64_t groups = kind.groups, batch = x.shape()[0], channels = x.shape()[1] / groups;
    const int64_t out_channels = result[1] / groups;
    const std::vector<int64_t> kernel(weight.shape().begin() + 2, weight.shape().end());
    const std::vector<int64_t> out(result.begin() + 2, result.end());
    const int64_t taps = size_between(kernel, 0, rank), places = size_between(out, 0, rank);
    // lhs [groups, batch · places, channels · taps]; with channels last taps · channels
    IndexMap rows{{groups, batch * places, channels * taps}, {}};
    const Index group = Index::axis(0), row = Index::axis(1), column = Index::axis(2);
    const auto channel_of = [&](const Index& inner, const Extents& extents) {
        return last ? remainder(inner, channels, extents) : quotient(inner, taps, extents);
    };
    const auto tap_of = [&](const Index& inner, const Extents& extents) {
        return last ? quotient(inner, channels, extents) : remainder(inner, taps, extents);
    };
    const Index channel = group * channels + channel_of(column, rows.shape);
    rows.index = {quotient(row, places, rows.shape)};
    if (!last) rows.index.push_back(channel);
    const std::vector<Index> place = unravelled(remainder(row, places, rows.shape), out, rows.shape);
    const std::vector<Index> tap = unravelled(tap_of(column, rows.shape), kernel, rows.shape);
    for (size_t i = 0; i < rank; ++i) {
        const int64_t size = x.shape()[2 + i];
        if (!kind.transposed) {
            rows.index.push_back(place[i] * kind.stride[i] + tap[i] * kind.dilation[i] - kind.padding[i]);
            guard(rows, rows.index.back(), size, kind.padding[i] > 0);
            continue;
        }
        const Index spread =
            place[i] + kind.padding[i] - tap[i] * kind.dilation[i];  // of the input, `stride` apart
        rows.index.push_back(quotient(spread, kind.stride[i], rows.shape));
        guard(rows, remainder(spread, kind.stride[i], rows.shape), 1);
        guard(rows, rows.index.back(), size);
    }
    if (last) rows.index.push_back(channel);
    // rhs [groups, channels · taps, out_channels]
    IndexMap columns{{groups, channels * taps, out_channels}, {}};
    const Index from = channel_of(row, columns.shape), to = column;
    const std::vector<Index> taps_at = unravelled(tap_of(row, columns.shape), kernel, columns.shape);
    const Index input = kind.transposed ? group * channels + from : from,
                output = kind.transposed ? to : group * out_channels + to;
    columns.index = {last || !kind.transposed ? output : input};
    if (!last) columns.index.push_back(kind.transposed ? output : input);
    columns.index.insert(columns.index.end(), taps_at.begin(), taps_at.end());
    if (last) columns.index.push_back(input);
    const Operand x_now = last ? copied_with_last(make, x, 1) : x;
    const Operand weight_now = last ? copied_with_last(make, weight, kind.transposed ? 0 : 1) : weight;
    Operands operands{through(make.graph(), x_now, rows), through(make.graph(), weight_now, columns)};
    const Shape shape{groups, batch * places, out_channels};
    if (in.size() > 2)
        operands.push_back(
            through(make.graph(), make.as(in[2], dtype), {shape, {group * out_channels + column}}));
    const Operand y = make.emit(Contract{}, std::move(operands), dtype, shape);
    // y [groups, batch · places, out_channels] → [batch, groups · out_channels, out…]
    IndexMap back{result, {}};
    Index flat = Index::axis(0);
    for (size_t i = 0; i < rank; ++i) flat = flat * out[i] + Index::axis(static_cast<int>(i) + 2);
    back.index = {quotient(Index::axis(1), out_channels, result), flat,
                  remainder(Index::axis(1), out_channels, result)};
    return {through(make.graph(), y, back)};
}

Operands define(Maker& make, const Pool& kind, const Operands& in, const Shape& result) {
    const Operand& x = in[0];
    const size_t rank = kind.kernel.size(), lead = x.shape().size() - rank;
    Windows windows = windows_of(x.shape(), result, kind.kernel);
    IndexMap counted{windows.map.shape, {}};
    for (size_t i = 0; i < rank; ++i) {
        const Index place = Index::axis(static_cast<int>(lead + i));
        const Index at = place * kind.stride[i] + windows.tap[i] * kind.dilation[i] - kind.padding[i];
        windows.begin.push_back((result[lead + i] == 1 ? Index(0) : place) * kind.stride[i] -
                                kind.padding[i]);
        windows.apart.push_back(kind.dilation[i]);
        windows.map.index.push_back(at);
        const int64_t size = x.shape()[lead + i];
        const bool over = kind.ceil_mode && kind.stride[i] > 1;
        guard(windows.map, at, size, over || kind.padding[i] > 0);
        if (kind.count_include_pad)
            guard(counted, at + kind.padding[i], size + 2 * kind.padding[i], over);
        else
            guard(counted, at, size, over || kind.padding[i] > 0);
    }
    if (kind.kind == PoolKind::max) return largest(make, x, std::move(windows), kind.kernel, result);
    // Windows that are whole everywhere have one count.
    const int64_t divisor = kind.divisor != 0        ? kind.divisor
                            : counted.guards.empty() ? size_between(kind.kernel, 0, rank)
                                                     : 0;
    return {averaged(make, x, windows.map, counted, divisor, result)};
}

Operands define(Maker& make, const AdaptivePool& kind, const Operands& in, const Shape& result) {
    const Operand& x = in[0];
    const size_t rank = kind.size.size(), lead = x.shape().size() - rank;
    std::vector<int64_t> widest;
    for (size_t i = 0; i < rank; ++i) {
        const int64_t size = x.shape()[lead + i], count = kind.size[i];
        int64_t most = 1;
        for (int64_t o = 0; o < count; ++o)
            most = std::max(most, ((o + 1) * size + count - 1) / count - o * size / count);
        widest.push_back(most);
    }
    Windows windows = windows_of(x.shape(), result, widest);
    IndexMap counted{windows.map.shape, {}};
    for (size_t i = 0; i < rank; ++i) {
        const int64_t size = x.shape()[lead + i], count = kind.size[i];
        const Index place = result[lead + i] == 1 ? Index(0) : Index::axis(static_cast<int>(lead + i));
        const Index start = quotient(place * size, count, windows.map.shape);
        const Index end = quotient(place * size + (size + count - 1), count, windows.map.shape);
        windows.begin.push_back(start);
        windows.apart.push_back(1);
        windows.map.index.push_back(start + windows.tap[i]);
        const Index left = end - start - 1 - windows.tap[i];
        guard(windows.map, left, size + 1);
        guard(windows.map, windows.map.index.back(), size);
        guard(counted, left, size + 1);
    }
    if (kind.kind == PoolKind::max) return largest(make, x, std::move(windows), widest, result);
    return {averaged(make, x, windows.map, counted, 0, result)};
}

}  // namespace tritonsmith::graph
