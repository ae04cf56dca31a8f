#include "graph/views.h"

#include <algorithm>

namespace tritonsmith::graph {

Operand materialised(Graph& graph, const Operand& operand) {
    Node node{Pointwise{}, {operand}, {}, -1, 0, ""};
    std::get<Pointwise>(node.kind).body.operand(0, operand.dtype);
    if (!graph.nodes.empty()) {
        node.step = graph.nodes.back().step;
        node.line = graph.nodes.back().line;
        node.op = graph.nodes.back().op;
    }
    return graph.whole(graph.add(std::move(node), {{operand.dtype, operand.shape()}}));
}

Operand through(Graph& graph, const Operand& operand, const IndexMap& map) {
    if (std::optional<IndexMap> both = compose(map, operand.view))
        return {operand.value, std::move(*both), operand.dtype};
    const Operand inner = materialised(graph, operand);
    return {inner.value, *compose(map, inner.view), inner.dtype};
}

Operand converted(Graph& graph, Operand operand, DType dtype) {
    if (operand.dtype == dtype) return operand;
    if (graph.values[static_cast<size_t>(operand.value)].dtype == operand.dtype)
        return {operand.value, std::move(operand.view), dtype};
    Operand inner = materialised(graph, operand);
    inner.dtype = dtype;
    return inner;
}

Operand broadcast(Graph& graph, const Operand& operand, const Shape& shape) {
    if (operand.shape() == shape) return operand;
    IndexMap map{shape, {}};
    const size_t lead = shape.size() - operand.shape().size();
    for (size_t i = 0; i < operand.shape().size(); ++i)
        map.index.push_back(operand.shape()[i] == 1 ? Index(0) : Index::axis(static_cast<int>(i + lead)));
    return through(graph, operand, map);
}

Operand reshaped(Graph& graph, const Operand& operand, const Shape& shape) {
    if (operand.shape() == shape) return operand;
    return through(graph, operand,
                   *map_of(shape, {row_major(shape), 0}, operand.shape(), row_major(operand.shape())));
}

Operand permuted(Graph& graph, const Operand& operand, const std::vector<int>& order) {
    IndexMap map{Shape(order.size()), std::vector<Index>(order.size())};
    for (size_t i = 0; i < order.size(); ++i) {
        const auto from = static_cast<size_t>(order[i]);
        map.shape[i] = operand.shape()[from];
        map.index[from] = map.shape[i] == 1 ? Index(0) : Index::axis(static_cast<int>(i));
    }
    return through(graph, operand, map);
}

Operand sliced(Graph& graph, const Operand& operand, int axis, int64_t start, int64_t length, int64_t step) {
    IndexMap map = IndexMap::identity(operand.shape());
    const auto at = static_cast<size_t>(axis);
    map.shape[at] = length;
    map.index[at] = (length == 1 ? Index(0) : Index::axis(axis) * step) + start;
    return through(graph, operand, map);
}

Operand selected(Graph& graph, const Operand& operand, int axis, int64_t at) {
    IndexMap map;
    for (int i = 0; i < static_cast<int>(operand.shape().size()); ++i) {
        const int64_t size = operand.shape()[static_cast<size_t>(i)];
        if (i == axis) {
            map.index.emplace_back(at);
            continue;
        }
        map.index.push_back(size == 1 ? Index(0) : Index::axis(static_cast<int>(map.shape.size())));
        map.shape.push_back(size);
    }
    return through(graph, operand, map);
}

Operand unsqueezed(Graph& graph, const Operand& operand, const std::vector<int>& axes) {
    Shape shape = operand.shape();
    for (int axis : axes) shape.insert(shape.begin() + axis, 1);
    return reshaped(graph, operand, shape);
}

}  // namespace tritonsmith::graph
