#include <fmt/format.h>

#include <algorithm>

#include "graph/graph.h"

namespace tritonsmith::graph {
namespace {

std::string check_operand(const Graph& graph, const Operand& operand, int before) {
    if (operand.value < 0 || operand.value >= static_cast<int>(graph.values.size())) return "reads no value";
    const Value& value = graph.values[static_cast<size_t>(operand.value)];
    if (value.node >= before) return "reads a later value";
    const IndexMap& map = operand.view;
    if (map.index.size() != value.shape.size()) return "its map has another rank than its value";
    if (element_count(map.shape) == 0) return "";
    for (size_t i = 0; i < map.index.size(); ++i) {
        const Index::Range bounds = map.index[i].range(map.shape);
        if (map.guards.empty() && (bounds.low < 0 || bounds.high >= value.shape[i]))
            return fmt::format("its map leaves axis {} of its value", i);
    }
    return "";
}

std::string check_node(const Graph& graph, const Node& node) {
    if (node.results.empty()) return "has no result";
    const Value& first = graph.values[static_cast<size_t>(node.results.front())];
    if (const auto* pointwise = std::get_if<Pointwise>(&node.kind)) {
        if (pointwise->body.steps.empty() || pointwise->body.dtype() != first.dtype)
            return "its body has another dtype";
        for (const Operand& operand : node.operands)
            if (operand.shape() != first.shape) return "an operand has another shape than the result";
        for (size_t i = 0; i < pointwise->body.steps.size(); ++i) {
            const Scalar& step = pointwise->body.steps[i];
            for (int arg : step.args)
                if (arg < 0 || arg >= static_cast<int>(i)) return "its body is out of order";
            if (static_cast<int>(step.args.size()) != arity(step.op))
                return "its body has a wrong number of arguments";
            if (step.op != ScalarOp::operand) continue;
            if (step.which < 0 || step.which >= static_cast<int>(node.operands.size()))
                return "its body reads no operand";
            if (node.operands[static_cast<size_t>(step.which)].dtype != step.dtype)
                return "its body reads another dtype";
        }
    }
    if (std::holds_alternative<Contract>(node.kind)) {
        const std::vector<int64_t>&l = node.operands[0].shape(), &r = node.operands[1].shape();
        if (l.size() < 2 || l.size() != r.size() || l.back() != r[r.size() - 2])
            return "its factors do not fit";
        if (!std::equal(l.begin(), l.end() - 2, r.begin())) return "its batches do not fit";
        if (node.operands.size() > 2 && node.operands[2].shape() != first.shape)
            return "its addend does not fit";
    }
    return "";
}

}  // namespace

std::string check(const Graph& graph) {
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& node = graph.nodes[i];
        std::string wrong = check_node(graph, node);
        for (const Operand& operand : node.operands)
            if (wrong.empty()) wrong = check_operand(graph, operand, static_cast<int>(i));
        for (int result : node.results)
            if (wrong.empty() && graph.values.at(static_cast<size_t>(result)).node != static_cast<int>(i))
                wrong = "a result is another node's";
        if (!wrong.empty())
            return fmt::format("node {} ({}, {}): {}", i, kind_name(node.kind), node.op, wrong);
    }
    const int end = static_cast<int>(graph.nodes.size());
    for (const Output& output : graph.outputs)
        if (std::string wrong = check_operand(graph, output.operand, end); !wrong.empty())
            return "an output " + wrong;
    for (const Update& update : graph.updates)
        if (std::string wrong = check_operand(graph, update.now, end); !wrong.empty())
            return "an update " + wrong;
    return "";
}

}  // namespace tritonsmith::graph
