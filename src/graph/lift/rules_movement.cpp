#include <algorithm>

#include "graph/lift/rules.h"
#include "plan/ir/json.h"

/// Operators that move elements: nearly all become index maps of whoever reads the result.
namespace tritonsmith::graph {
namespace {

Results copied(Lifter& lifter, const Call& call) {
    return {converted(lifter.graph(), lifter.read(call.tensor(0, "self")), call.result().dtype)};
}

/// copy_(self, src): src, broadcast.
Results copied_into(Lifter& lifter, const Call& call) {
    const Operand source = broadcast(lifter.graph(), lifter.read(call.tensor(1, "src")), call.result().shape);
    return {converted(lifter.graph(), source, call.result().dtype)};
}

Results concatenated(Lifter& lifter, const Call& call, bool stack) {
    std::vector<Operand> parts;
    const DType dtype = call.result().dtype;
    const int axis = wrapped(call.integer(1, "dim", 0), call.result().shape.size());
    for (const plan::Tensor* tensor : call.tensors(0, "tensors")) {
        if (!tensor) throw Unliftable{"an entry of the list is None"};
        if (tensor->shape == Shape{0} && call.result().shape.size() > 1)
            continue;  // PyTorch's old empty tensor
        Operand part = converted(lifter.graph(), lifter.read(*tensor), dtype);
        parts.push_back(stack ? unsqueezed(lifter.graph(), part, {axis}) : part);
    }
    if (parts.size() == 1) return {parts.front()};
    return {lifter.emit(Concat{axis}, std::move(parts), dtype, call.result().shape)};
}

Results flipped(Lifter& lifter, const Call& call) {
    const Operand x = lifter.read(call.tensor(0, "self"));
    IndexMap map = IndexMap::identity(x.shape());
    for (int64_t dim : call.integers(1, "dims")) {
        const auto axis = static_cast<size_t>(wrapped(dim, x.shape().size()));
        map.index[axis] = Index(x.shape()[axis] - 1) - map.index[axis];
    }
    return {through(lifter.graph(), x, map)};
}

Results rolled(Lifter& lifter, const Call& call) {
    Operand x = lifter.read(call.tensor(0, "self"));
    const Shape shape = x.shape();
    const std::vector<int64_t> shifts = call.integers(1, "shifts"), dims = call.integers(2, "dims");
    if (dims.empty()) x = reshaped(lifter.graph(), x, {element_count(shape)});
    IndexMap map = IndexMap::identity(x.shape());
    for (size_t i = 0; i < shifts.size(); ++i) {
        const auto axis = static_cast<size_t>(dims.empty() ? 0 : wrapped(dims[i], shape.size()));
        if (x.shape()[axis] > 0)
            map.index[axis] = remainder(map.index[axis] - shifts[i], x.shape()[axis], x.shape());
    }
    return {reshaped(lifter.graph(), through(lifter.graph(), x, map), shape)};
}

Results repeated(Lifter& lifter, const Call& call) {
    const Operand x = lifter.read(call.tensor(0, "self"));
    const Shape& shape = call.result().shape;
    const size_t lead = shape.size() - x.shape().size();
    IndexMap map{shape, {}};
    for (size_t i = 0; i < x.shape().size(); ++i)
        map.index.push_back(x.shape()[i] <= 1
                                ? Index(0)
                                : remainder(Index::axis(static_cast<int>(i + lead)), x.shape()[i], shape));
    return {through(lifter.graph(), x, map)};
}

Results repeated_elements(Lifter& lifter, const Call& call) {
    Operand x = lifter.read(call.tensor(0, "self"));
    if (call.tensor_if(1, "repeats")) throw Unliftable{"the repeats are a tensor"};
    const int64_t repeats = call.integer(1, "repeats", 1);
    if (!call.value(2, "dim")) x = reshaped(lifter.graph(), x, {element_count(x.shape())});
    const auto axis = static_cast<size_t>(wrapped(call.integer(2, "dim", 0), x.shape().size()));
    IndexMap map = IndexMap::identity(x.shape());
    map.shape = call.result().shape;
    map.index[axis] = quotient(Index::axis(static_cast<int>(axis)), repeats, map.shape);
    return {through(lifter.graph(), x, map)};
}

Results padded(Lifter& lifter, const Call& call) {
    const Operand x = lifter.read(call.tensor(0, "self"));
    const std::vector<int64_t> pad = call.integers(1, "pad");
    IndexMap map{call.result().shape, {}, {}, call.number_if(2, "value").value_or(int64_t{0})};
    for (size_t i = 0; i < x.shape().size(); ++i) {
        const size_t pair = x.shape().size() - 1 - i;
        const int64_t low = 2 * pair < pad.size() ? pad[2 * pair] : 0;
        const Index at = (map.shape[i] == 1 ? Index(0) : Index::axis(static_cast<int>(i))) - low;
        map.index.push_back(at);
        const Index::Range bounds = at.range(map.shape);
        if (bounds.low < 0 || bounds.high >= x.shape()[i]) map.guards.push_back({at, x.shape()[i]});
    }
    return {through(lifter.graph(), x, map)};
}

/// Border elements again (replication) or mirrored (reflection): positions are computed, and gathered.
Results bordered(Lifter& lifter, const Call& call, bool mirrored) {
    const Operand x = lifter.read(call.tensor(0, "self"));
    const std::vector<int64_t> pad = call.integers(1, "padding");
    const Shape& shape = call.result().shape;
    Gather gather;
    std::vector<Operand> operands{x};
    for (size_t i = 0; i < shape.size(); ++i) {
        const size_t pair = shape.size() - 1 - i;
        const int64_t low = 2 * pair < pad.size() ? pad[2 * pair] : 0, last = x.shape()[i] - 1;
        if (2 * pair >= pad.size()) {
            gather.places.push_back({-1, shape[i] == 1 ? Index(0) : Index::axis(static_cast<int>(i))});
            continue;
        }
        Elementwise node(lifter, DType::i64, shape);
        int at = node.body().index(Index::axis(static_cast<int>(i)) - low);
        if (mirrored) {  // last - |last - |at||
            at = node.of(ScalarOp::abs, {at});
            at = node.of(ScalarOp::abs, {node.of(ScalarOp::sub, {node.number(last, DType::i64), at})});
            node.of(ScalarOp::sub, {node.number(last, DType::i64), at});
        } else {
            node.of(ScalarOp::clamp,
                    {at, node.number(int64_t{0}, DType::i64), node.number(last, DType::i64)});
        }
        operands.push_back(node.done());
        gather.places.push_back({static_cast<int>(operands.size()) - 2, {}});
    }
    return {lifter.emit(std::move(gather), std::move(operands), call.result().dtype, shape)};
}

/// [N, C·r², H, W] ↔ [N, C, H·r, W·r].
Results shuffled(Lifter& lifter, const Call& call, bool up) {
    const Operand x = lifter.read(call.tensor(0, "self"));
    const int64_t r = call.integer(1, "factor", 1);
    const Shape& shape = call.result().shape;
    const int rank = static_cast<int>(shape.size());
    const Index c = Index::axis(rank - 3), h = Index::axis(rank - 2), w = Index::axis(rank - 1);
    IndexMap map{shape, {}};
    for (int i = 0; i < rank - 3; ++i) map.index.push_back(Index::axis(i));
    if (up) {
        map.index.push_back(c * (r * r) + remainder(h, r, shape) * r + remainder(w, r, shape));
        map.index.push_back(quotient(h, r, shape));
        map.index.push_back(quotient(w, r, shape));
    } else {
        map.index.push_back(quotient(c, r * r, shape));
        map.index.push_back(h * r + remainder(quotient(c, r, shape), r, shape));
        map.index.push_back(w * r + remainder(c, r, shape));
    }
    return {through(lifter.graph(), x, map)};
}

Results shuffled_channels(Lifter& lifter, const Call& call) {
    const Operand x = lifter.read(call.tensor(0, "self"));
    const int64_t groups = call.integer(1, "groups", 1), each = x.shape()[1] / groups;
    IndexMap map = IndexMap::identity(x.shape());
    const Index c = Index::axis(1);
    map.index[1] = remainder(c, groups, x.shape()) * each + quotient(c, groups, x.shape());
    return {through(lifter.graph(), x, map)};
}

/// Windows as columns: [N, C, H, W] → [N, C·kh·kw, L].
Results windows(Lifter& lifter, const Call& call) {
    const Operand x = lifter.read(call.tensor(0, "self"));
    const std::vector<int64_t> kernel = call.integers(1, "kernel_size"),
                               dilation = call.integers(2, "dilation"), padding = call.integers(3, "padding"),
                               stride = call.integers(4, "stride");
    const size_t batch = x.shape().size() - 3;
    const Shape& shape = call.result().shape;
    const int64_t width =
        (x.shape()[batch + 2] + 2 * padding[1] - dilation[1] * (kernel[1] - 1) - 1) / stride[1] + 1;
    const Index row = Index::axis(static_cast<int>(batch)), column = Index::axis(static_cast<int>(batch) + 1);
    IndexMap map{shape, {}};
    if (batch > 0) map.index.push_back(Index::axis(0));
    map.index.push_back(quotient(row, kernel[0] * kernel[1], shape));
    const Index tap_h = remainder(quotient(row, kernel[1], shape), kernel[0], shape);
    const Index tap_w = remainder(row, kernel[1], shape);
    map.index.push_back(quotient(column, width, shape) * stride[0] + tap_h * dilation[0] - padding[0]);
    map.index.push_back(remainder(column, width, shape) * stride[1] + tap_w * dilation[1] - padding[1]);
    for (size_t i = batch + 1; i < batch + 3; ++i) {
        const Index::Range bounds = map.index[i].range(shape);
        if (bounds.low < 0 || bounds.high >= x.shape()[i]) map.guards.push_back({map.index[i], x.shape()[i]});
    }
    return {through(lifter.graph(), x, map)};
}

/// self with a part of it replaced: slice_scatter, select_scatter.
Results part_replaced(Lifter& lifter, const Call& call, bool select) {
    const Operand self = lifter.read(call.tensor(0, "self"));
    Operand part = lifter.read(call.tensor(1, "src"));
    const Shape& shape = self.shape();
    const int dim = wrapped(call.integer(2, "dim", 0), shape.size());
    const auto axis = static_cast<size_t>(dim);
    int64_t start = call.integer(3, select ? "index" : "start", 0);
    if (start < 0) start += shape[axis];
    const int64_t step = select ? 1 : call.integer(5, "step", 1);
    if (select) part = unsqueezed(lifter.graph(), part, {dim});
    const int64_t span = step * (part.shape()[axis] - 1) + 1;
    IndexMap map = IndexMap::identity(shape);
    const Index from = Index::axis(dim) - start;
    map.index[axis] = quotient(from, step, shape);
    map.guards.push_back({from, span});
    Elementwise node(lifter, call);
    const int at = node.body().index(from);
    const int low = node.of(ScalarOp::ge, {at, node.number(int64_t{0}, DType::i64)}, DType::b1);
    const int high = node.of(ScalarOp::lt, {at, node.number(span, DType::i64)}, DType::b1);
    int inside = node.of(ScalarOp::logical_and, {low, high}, DType::b1);
    if (step > 1) {
        const int phase = node.body().index(remainder(from, step, shape));
        const int hit = node.of(ScalarOp::eq, {phase, node.number(int64_t{0}, DType::i64)}, DType::b1);
        inside = node.of(ScalarOp::logical_and, {inside, hit}, DType::b1);
    }
    const int fresh = node.in(through(lifter.graph(), part, map), node.result_dtype());
    node.of(ScalarOp::where, {inside, fresh, node.in(self, node.result_dtype())});
    return node.results();
}

}  // namespace

void add_movement_rules(Rules& rules) {
    for (const char* name : {"clone", "contiguous", "_to_copy", "to", "lift_fresh_copy", "lift_fresh",
                             "alias_copy", "detach_copy"})
        rules[name] = copied;
    rules["copy"] = copied_into;
    rules["cat"] =
        rules["concat"] = [](Lifter& lifter, const Call& call) { return concatenated(lifter, call, false); };
    rules["stack"] = [](Lifter& lifter, const Call& call) { return concatenated(lifter, call, true); };
    rules["flip"] = flipped;
    rules["roll"] = rolled;
    rules["repeat"] = repeated;
    rules["repeat_interleave"] = repeated_elements;
    rules["constant_pad_nd"] = padded;
    for (const char* dims : {"1d", "2d", "3d"}) {
        rules[std::string("reflection_pad") + dims] = [](Lifter& lifter, const Call& call) {
            return bordered(lifter, call, true);
        };
        rules[std::string("replication_pad") + dims] = [](Lifter& lifter, const Call& call) {
            return bordered(lifter, call, false);
        };
    }
    rules["pixel_shuffle"] = [](Lifter& lifter, const Call& call) { return shuffled(lifter, call, true); };
    rules["pixel_unshuffle"] = [](Lifter& lifter, const Call& call) { return shuffled(lifter, call, false); };
    rules["channel_shuffle"] = rules["native_channel_shuffle"] = shuffled_channels;
    rules["im2col"] = windows;
    rules["slice_scatter"] = [](Lifter& lifter, const Call& call) {
        return part_replaced(lifter, call, false);
    };
    rules["select_scatter"] = [](Lifter& lifter, const Call& call) {
        return part_replaced(lifter, call, true);
    };
}

}  // namespace tritonsmith::graph
