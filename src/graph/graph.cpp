#include "graph/graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "plan/ir/json.h"

namespace tritonsmith::graph {

int Graph::add(Node node, std::vector<std::pair<DType, std::vector<int64_t>>> results,
               const std::string& name) {
    const int first = static_cast<int>(values.size());
    for (size_t i = 0; i < results.size(); ++i) {
        node.results.push_back(first + static_cast<int>(i));
        values.push_back({results[i].first, std::move(results[i].second), static_cast<int>(nodes.size()),
                          static_cast<int>(i), i == 0 ? name : ""});
    }
    nodes.push_back(std::move(node));
    return first;
}

Operand Graph::whole(int value) const {
    const Value& of = values[static_cast<size_t>(value)];
    return {value, IndexMap::identity(of.shape), of.dtype};
}

bool is_leaf(const Node& node) {
    return std::holds_alternative<Input>(node.kind) || std::holds_alternative<Weight>(node.kind) ||
           std::holds_alternative<Attribute>(node.kind) || std::holds_alternative<Constant>(node.kind);
}

const char* kind_name(const NodeKind& kind) {
    constexpr const char* names[] = {"input",    "weight",      "attribute", "constant",      "pointwise",
                                     "concat",   "reduce",      "scan",      "sort",          "topk",
                                     "contract", "convolution", "pool",      "adaptive_pool", "normalize",
                                     "softmax",  "attention",   "gather",    "scatter",       "upsample",
                                     "loss",     "recurrent"};
    static_assert(std::size(names) == std::variant_size_v<NodeKind>);
    return names[kind.index()];
}

void drop_unused(Graph& graph) {
    std::vector<bool> needed(graph.nodes.size(), false);
    auto need = [&](const Operand& operand) {
        needed[static_cast<size_t>(graph.values[static_cast<size_t>(operand.value)].node)] = true;
    };
    for (const Output& output : graph.outputs) need(output.operand);
    for (const Update& update : graph.updates) {
        need(update.now);
        needed[static_cast<size_t>(graph.values[static_cast<size_t>(update.leaf)].node)] = true;
    }
    for (size_t i = graph.nodes.size(); i-- > 0;)
        if (needed[i])
            for (const Operand& operand : graph.nodes[i].operands) need(operand);
    std::vector<int> moved(graph.values.size(), -1);
    std::vector<Value> values;
    std::vector<Node> nodes;
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
        if (!needed[i]) continue;
        Node& node = graph.nodes[i];
        for (int& result : node.results) {
            Value value = std::move(graph.values[static_cast<size_t>(result)]);
            value.node = static_cast<int>(nodes.size());
            moved[static_cast<size_t>(result)] = static_cast<int>(values.size());
            result = static_cast<int>(values.size());
            values.push_back(std::move(value));
        }
        for (Operand& operand : node.operands) operand.value = moved[static_cast<size_t>(operand.value)];
        nodes.push_back(std::move(node));
    }
    for (Output& output : graph.outputs)
        output.operand.value = moved[static_cast<size_t>(output.operand.value)];
    for (Update& update : graph.updates) {
        update.now.value = moved[static_cast<size_t>(update.now.value)];
        update.leaf = moved[static_cast<size_t>(update.leaf)];
    }
    graph.values = std::move(values);
    graph.nodes = std::move(nodes);
}

}  // namespace tritonsmith::graph
