#include "graph/define/expand.h"

#include "graph/define/maker.h"

namespace tritonsmith::graph {
namespace {

/// Nothing for nodes that have no definition.
struct Defined {
    Maker& make;
    const Operands& in;
    const Shape& result;

    Operands operator()(const auto& kind) const {
        if constexpr (requires { define(make, kind, in, result); })
            return define(make, kind, in, result);
        else
            return {};
    }
};

}  // namespace

bool is_composite(const NodeKind& kind) {
    return std::visit(
        [](const auto& of) {
            return requires(Maker & make, const Operands& in, const Shape& shape) {
                define(make, of, in, shape);
            };
        },
        kind);
}

Graph expand(const Graph& graph, const std::function<bool(const Node&)>& chosen) {
    Graph out;
    out.form = graph.form;
    Operands now(graph.values.size());  // by value of the old graph: what it is in the new one
    auto moved = [&](const Operand& operand) {
        return converted(out, through(out, now[static_cast<size_t>(operand.value)], operand.view),
                         operand.dtype);
    };
    for (const Node& node : graph.nodes) {
        Operands in;
        for (const Operand& operand : node.operands) in.push_back(moved(operand));
        Operands results;
        const Value& first = graph.values[static_cast<size_t>(node.results.front())];
        if (is_composite(node.kind) && (!chosen || chosen(node))) {
            Maker make(out, node);
            results = std::visit(Defined{make, in, first.shape}, node.kind);
            for (size_t i = 0; i < node.results.size(); ++i) {  // what makes the result has its name
                Value& made = out.values[static_cast<size_t>(results[i].value)];
                if (made.name.empty() && made.shape == results[i].shape())
                    made.name = graph.values[static_cast<size_t>(node.results[i])].name;
            }
        } else {
            Node same = node;
            same.operands = std::move(in);
            same.results.clear();
            std::vector<std::pair<DType, Shape>> types;
            for (int result : node.results) {
                const Value& value = graph.values[static_cast<size_t>(result)];
                types.emplace_back(value.dtype, value.shape);
            }
            const int made = out.add(std::move(same), std::move(types), first.name);
            for (size_t i = 0; i < node.results.size(); ++i)
                results.push_back(out.whole(made + static_cast<int>(i)));
        }
        for (size_t i = 0; i < node.results.size(); ++i) {
            const Value& value = graph.values[static_cast<size_t>(node.results[i])];
            now[static_cast<size_t>(node.results[i])] = converted(out, results[i], value.dtype);
        }
    }
    for (const Output& output : graph.outputs) out.outputs.push_back({moved(output.operand), output.stride});
    for (const Update& update : graph.updates)
        out.updates.push_back({now[static_cast<size_t>(update.leaf)].value, moved(update.now)});
    drop_unused(out);
    return out;
}

}  // namespace tritonsmith::graph
