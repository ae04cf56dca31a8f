#include "graph/lower/to_plan.h"

#include "graph/define/expand.h"
#include "graph/lower/steps.h"
#include "plan/ir/json.h"

namespace tritonsmith::graph {
namespace {

/// Where a leaf lies in the reference's memory; a constant gets a buffer.
struct LeafTensor {
    Steps& steps;
    const Value& value;

    plan::Tensor placed(int buffer, const std::vector<int64_t>& stride, int64_t offset) const {
        return {buffer, value.dtype, value.shape, stride, offset};
    }
    plan::Tensor operator()(const Input& leaf) const {
        plan::Tensor out = placed(leaf.buffer, leaf.stride, 0);
        for (const plan::Tensor& input : plan::tensors_in(steps.plan().inputs))
            if (input.buffer == leaf.buffer) return input;
        return out;
    }
    plan::Tensor operator()(const Weight& leaf) const {
        for (const plan::Weight& weight : steps.plan().weights)
            if (weight.tensor.buffer == leaf.buffer) return weight.tensor;
        return placed(leaf.buffer, leaf.stride, 0);
    }
    plan::Tensor operator()(const Attribute& leaf) const { return placed(leaf.buffer, leaf.stride, 0); }
    plan::Tensor operator()(const Constant& leaf) const {
        return steps.constant(leaf.bytes, value.dtype, value.shape);
    }
    plan::Tensor operator()(const auto&) const { return {}; }
};

/// The tree with its tensors replaced, depth first.
plan::Value replaced(const plan::Value& tree, const std::vector<plan::Tensor>& tensors, size_t& next) {
    if (std::holds_alternative<plan::Tensor>(tree.v)) return {tensors[next++]};
    plan::Value out = tree;
    if (auto* list = std::get_if<plan::Sequence>(&out.v))
        for (plan::Value& item : list->items) item = replaced(item, tensors, next);
    if (auto* dict = std::get_if<plan::Dict>(&out.v))
        for (auto& [key, item] : dict->items) item = replaced(item, tensors, next);
    return out;
}

}  // namespace

plan::Plan to_plan(const Graph& graph, const plan::Plan& reference) {
    const Graph simple = expand(graph);
    Steps steps(reference);
    std::vector<plan::Tensor> held(simple.values.size());
    auto read_operand = [&](const Operand& operand) {
        return read(steps, held[static_cast<size_t>(operand.value)], operand);
    };
    for (const Node& node : simple.nodes) {
        steps.at(node.line);
        if (is_leaf(node)) {
            const auto value = static_cast<size_t>(node.results.front());
            held[value] = std::visit(LeafTensor{steps, simple.values[value]}, node.kind);
            continue;
        }
        std::vector<plan::Tensor> operands;
        for (const Operand& operand : node.operands) operands.push_back(read_operand(operand));
        const std::vector<plan::Tensor> made = evaluated(steps, simple, node, operands);
        for (size_t i = 0; i < node.results.size() && i < made.size(); ++i)
            held[static_cast<size_t>(node.results[i])] = made[i];
    }
    std::vector<plan::Tensor> outputs, updates;
    for (const Output& output : simple.outputs) outputs.push_back(read_operand(output.operand));
    for (const Update& update : simple.updates) updates.push_back(read_operand(update.now));
    for (size_t i = 0; i < updates.size(); ++i)
        steps.overwrite(held[static_cast<size_t>(simple.updates[i].leaf)], updates[i]);
    plan::Plan out = steps.take();
    size_t next = 0;
    out.output = replaced(reference.output, outputs, next);
    return out;
}

}  // namespace tritonsmith::graph
