#include <algorithm>

#include "graph/lift/rules.h"
#include "plan/ir/json.h"

/// Reading and writing at positions that tensors hold.
namespace tritonsmith::graph {
namespace {

Index axis_of(const Shape& shape, size_t axis) {
    return shape[axis] == 1 ? Index(0) : Index::axis(static_cast<int>(axis));
}

/// Places of a tensor of rank shape.size(): along `axis` the first index operand, elsewhere the node's own
/// index.
std::vector<Place> along(const Shape& shape, int axis) {
    std::vector<Place> out;
    for (size_t i = 0; i < shape.size(); ++i)
        out.push_back(static_cast<int>(i) == axis ? Place{0, {}} : Place{-1, axis_of(shape, i)});
    return out;
}

/// An index vector [n], seen in `shape`, where it varies along `axis`.
Operand spread(Lifter& lifter, Operand index, const Shape& shape, int axis) {
    Shape seen(shape.size(), 1);
    seen[static_cast<size_t>(axis)] = element_count(index.shape());
    return broadcast(lifter.graph(), reshaped(lifter.graph(), index, seen), shape);
}

Results embedding(Lifter& lifter, const Call& call) {
    const Operand weight = lifter.read(call.tensor(0, "weight")),
                  indices = lifter.read(call.tensor(1, "indices"));
    const Shape& shape = call.result().shape;
    const size_t rank = shape.size();
    const Operand rows =
        broadcast(lifter.graph(), unsqueezed(lifter.graph(), indices, {static_cast<int>(rank) - 1}), shape);
    return {lifter.emit(Gather{{{0, {}}, {-1, axis_of(shape, rank - 1)}}}, {weight, rows},
                        call.result().dtype, shape)};
}

Results index_select(Lifter& lifter, const Call& call) {
    const Operand self = lifter.read(call.tensor(0, "self")), index = lifter.read(call.tensor(2, "index"));
    const Shape& shape = call.result().shape;
    if (shape.empty()) throw Unliftable{"of a single number"};
    const int axis = wrapped(call.integer(1, "dim", 0), shape.size());
    return {lifter.emit(Gather{along(shape, axis)}, {self, spread(lifter, index, shape, axis)}, self.dtype,
                        shape)};
}

Results gather(Lifter& lifter, const Call& call) {
    const Operand self = lifter.read(call.tensor(0, "self")), index = lifter.read(call.tensor(2, "index"));
    const Shape& shape = call.result().shape;
    if (shape.empty()) throw Unliftable{"of a single number"};
    const int axis = wrapped(call.integer(1, "dim", 0), shape.size());
    return {lifter.emit(Gather{along(shape, axis)}, {self, index}, self.dtype, shape)};
}

Results take(Lifter& lifter, const Call& call) {
    const Operand self = lifter.read(call.tensor(0, "self")), index = lifter.read(call.tensor(1, "index"));
    const Operand flat = reshaped(lifter.graph(), self, {element_count(self.shape())});
    return {lifter.emit(Gather{{{0, {}}}, true}, {flat, index}, self.dtype, call.result().shape)};
}

/// Advanced indexing: the index tensors are broadcast together; their axes stand where the first one stands
/// if they are adjacent, else in front.
struct Advanced {
    std::vector<Place> places;
    std::vector<Operand> indices;  ///< of the shape of what is read or written
    Shape shape;
};
Advanced advanced(Lifter& lifter, const Shape& source, const std::vector<const plan::Tensor*>& given) {
    Advanced out;
    Shape together;
    std::vector<size_t> indexed;
    for (size_t i = 0; i < given.size(); ++i) {
        if (!given[i]) continue;
        if (given[i]->dtype == DType::b1 || given[i]->dtype == DType::u8)
            throw Unliftable{"an index that is a mask"};
        indexed.push_back(i);
        const Shape& shape = given[i]->shape;
        if (shape.size() > together.size())
            together.insert(together.begin(), shape.size() - together.size(), 1);
        for (size_t d = 0; d < shape.size(); ++d) {
            int64_t& size = together[together.size() - shape.size() + d];
            if (shape[d] != 1) size = shape[d];
        }
    }
    if (indexed.empty()) throw Unliftable{"no index is a tensor"};
    const bool adjacent = indexed.back() - indexed.front() + 1 == indexed.size();
    const size_t start = adjacent ? indexed.front() : 0;
    for (size_t i = 0; i < source.size(); ++i)
        if (i >= given.size() || !given[i]) out.shape.push_back(source[i]);
    out.shape.insert(out.shape.begin() + static_cast<std::ptrdiff_t>(start), together.begin(),
                     together.end());
    size_t next = 0;  // axis of the result that the next plain axis of the source is
    for (size_t i = 0; i < source.size(); ++i) {
        if (next == start) next += together.size();
        if (i < given.size() && given[i]) {
            Operand index = broadcast(lifter.graph(), lifter.read(*given[i]), together);
            Shape seen = together;
            seen.resize(seen.size() + out.shape.size() - start - together.size(), 1);
            out.indices.push_back(
                broadcast(lifter.graph(), reshaped(lifter.graph(), index, seen), out.shape));
            out.places.push_back({static_cast<int>(out.indices.size()) - 1, {}});
        } else {
            out.places.push_back({-1, axis_of(out.shape, next++)});
        }
    }
    return out;
}

Results indexed(Lifter& lifter, const Call& call) {
    const Operand self = lifter.read(call.tensor(0, "self"));
    Advanced by = advanced(lifter, self.shape(), call.tensors(1, "indices"));
    by.indices.insert(by.indices.begin(), self);
    if (by.shape != call.result().shape) throw Unliftable{"its result has an unexpected shape"};
    return {lifter.emit(Gather{by.places, true}, std::move(by.indices), self.dtype, by.shape)};
}

Results index_put(Lifter& lifter, const Call& call) {
    const Operand self = lifter.read(call.tensor(0, "self"));
    Advanced by = advanced(lifter, self.shape(), call.tensors(1, "indices"));
    const Operand values = broadcast(lifter.graph(), lifter.read(call.tensor(2, "values")), by.shape);
    const bool add = call.flag(3, "accumulate", false);
    by.indices.insert(by.indices.begin(), {self, converted(lifter.graph(), values, self.dtype)});
    return {lifter.emit(Scatter{add ? ScatterKind::add : ScatterKind::assign, by.places, true},
                        std::move(by.indices), self.dtype, self.shape())};
}

ScatterKind kind_of(const std::string& reduce) {
    if (reduce == "add" || reduce == "sum") return ScatterKind::add;
    if (reduce == "multiply" || reduce == "prod") return ScatterKind::prod;
    if (reduce == "amax") return ScatterKind::max;
    if (reduce == "amin") return ScatterKind::min;
    if (reduce == "mean") return ScatterKind::mean;
    throw Unliftable{"reduce '" + reduce + "'"};
}

/// scatter, scatter_add, scatter_reduce: (self, dim, index, src or value, …).
Results scatter(Lifter& lifter, const Call& call) {
    const Operand self = lifter.read(call.tensor(0, "self")), index = lifter.read(call.tensor(2, "index"));
    if (self.shape().empty()) throw Unliftable{"of a single number"};
    const int axis = wrapped(call.integer(1, "dim", 0), self.shape().size());
    Scatter node;
    node.places = along(index.shape(), axis);
    if (call.name().base.starts_with("scatter_add")) node.kind = ScatterKind::add;
    if (const std::string reduce = call.word(4, "reduce", ""); !reduce.empty()) node.kind = kind_of(reduce);
    node.include_self = call.flag(99, "include_self", true);
    Operand updates;
    if (const plan::Tensor* source = call.tensor_if(3, "src")) {
        updates = lifter.read(*source);
        if (updates.shape() != index.shape())
            for (size_t i = 0; i < index.shape().size(); ++i)
                updates = sliced(lifter.graph(), updates, static_cast<int>(i), 0, index.shape()[i]);
    } else {
        const plan::Value& value = given(call, 3, "value");
        updates = lifter.constant(number_of(value).value(), self.dtype, index.shape());
    }
    return {lifter.emit(std::move(node), {self, converted(lifter.graph(), updates, self.dtype), index},
                        self.dtype, self.shape())};
}

/// index_add(self, dim, index, source), index_copy, index_fill(self, dim, index, value): rows at once.
Results rows_put(Lifter& lifter, const Call& call, ScatterKind kind) {
    const Operand self = lifter.read(call.tensor(0, "self"));
    const Operand index = lifter.read(call.tensor(2, "index"));
    if (self.shape().empty()) throw Unliftable{"of a single number"};
    const int axis = wrapped(call.integer(1, "dim", 0), self.shape().size());
    Shape shape = self.shape();
    shape[static_cast<size_t>(axis)] = element_count(index.shape());
    Operand updates;
    const plan::Tensor* source = call.tensor_if(3, "source");
    if (source && !source->shape.empty())
        updates = lifter.read(*source);
    else if (source)
        updates = broadcast(lifter.graph(), lifter.read(*source), shape);
    else
        updates = lifter.constant(number_of(given(call, 3, "value")).value(), self.dtype, shape);
    if (call.real(99, "alpha", 1) != 1) throw Unliftable{"a factor other than 1"};
    return {lifter.emit(
        Scatter{kind, along(shape, axis)},
        {self, converted(lifter.graph(), updates, self.dtype), spread(lifter, index, shape, axis)},
        self.dtype, self.shape())};
}

}  // namespace

void add_index_rules(Rules& rules) {
    rules["embedding"] = embedding;
    rules["index_select"] = index_select;
    rules["gather"] = gather;
    rules["take"] = take;
    rules["index"] = indexed;
    rules["index_put"] = rules["_index_put_impl"] = index_put;
    rules["scatter"] = rules["scatter_add"] = rules["scatter_reduce"] = scatter;
    rules["index_add"] = [](Lifter& lifter, const Call& call) {
        return rows_put(lifter, call, ScatterKind::add);
    };
    rules["index_copy"] = rules["index_fill"] = [](Lifter& lifter, const Call& call) {
        return rows_put(lifter, call, ScatterKind::assign);
    };
}

}  // namespace tritonsmith::graph
