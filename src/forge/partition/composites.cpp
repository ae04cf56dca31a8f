#include "forge/partition/composites.h"

#include <fmt/format.h>

#include <algorithm>

#include "forge/partition/attention.h"
#include "graph/define/expand.h"
#include "graph/views.h"

namespace tritonsmith::forge {
namespace {

using graph::Operand;

bool whole(const graph::Graph& graph, const Operand& operand) {
    return operand.view.is_identity(graph.values[static_cast<size_t>(operand.value)].shape) &&
           graph::is_leaf(graph.maker(operand.value));
}

/// The weights behind x and the states are tensors as they are; products of float32.
bool is_plain_recurrent(const graph::Graph& graph, const graph::Node& node, const graph::Recurrent& kind) {
    const size_t states = kind.kind == graph::CellKind::lstm ? 2 : 1;
    return std::all_of(node.operands.begin(), node.operands.end(),
                       [](const Operand& operand) { return operand.dtype == graph::DType::f32; }) &&
           std::all_of(node.operands.begin() + 1 + static_cast<std::ptrdiff_t>(states), node.operands.end(),
                       [&](const Operand& operand) { return whole(graph, operand); });
}

bool is_plain_attention(const graph::Graph& graph, const graph::Node& node) {
    const graph::Shape& shape = graph.values[static_cast<size_t>(node.results[0])].shape;
    const graph::DType dtype = node.operands[0].dtype;
    return dtype != graph::DType::f64 &&
           std::all_of(node.operands.begin(), node.operands.begin() + 3,
                       [&](const Operand& operand) { return operand.dtype == dtype; }) &&
           is_attention_size(shape, node.operands[0].shape().back());
}

/// One place of the first axis of a tensor that is there before the call: `h0[2]`.
bool is_slice_of_leaf(const graph::Graph& graph, const Operand& operand) {
    const graph::Value& value = graph.values[static_cast<size_t>(operand.value)];
    const graph::IndexMap& view = operand.view;
    if (!graph::is_leaf(graph.maker(operand.value)) || !view.guards.empty() ||
        view.index.size() != view.shape.size() + 1 || !view.index[0].is_constant())
        return false;
    for (size_t d = 0; d < view.shape.size(); ++d)
        if (view.shape[d] != value.shape[d + 1] ||
            (view.shape[d] > 1 && view.index[d + 1].plain_axis() != static_cast<int>(d)))
            return false;
    return true;
}

/// A product of one row, column or inner element, or with a few columns and a short sum, is no work for
/// tiles: products of elements and their sum.
bool is_narrow_product(const graph::Node& node, const graph::Shape& result) {
    if (!std::holds_alternative<graph::Contract>(node.kind)) return false;
    const int64_t rows = result[result.size() - 2], cols = result.back(),
                  depth = node.operands[0].shape().back();
    return depth == 1 || rows == 1 || cols == 1 || (cols <= 4 && depth <= 64);
}

/// A running sum of one element is that element.
bool is_scan_of_one(const graph::Node& node, const graph::Shape& shape) {
    const auto* scan = std::get_if<graph::Scan>(&node.kind);
    return scan && node.results.size() == 1 && shape[static_cast<size_t>(scan->axis)] == 1;
}

Operand summed_product(graph::Graph& out, const graph::Node& node, graph::DType dtype,
                       const graph::Shape& result) {
    const auto& kind = std::get<graph::Contract>(node.kind);
    const graph::DType wide = dtype == graph::DType::f64 ? dtype : graph::DType::f32;
    graph::Shape shape = result;
    shape.push_back(node.operands[0].shape().back());
    const int rank = static_cast<int>(result.size());
    auto spread = [&](size_t which, int last, int before) {  // operand [b…, i, j] over [b…, m, n, k]
        graph::IndexMap map{shape, {}};
        for (int d = 0; d < rank - 2; ++d)
            map.index.push_back(shape[static_cast<size_t>(d)] == 1 ? graph::Index(0) : graph::Index::axis(d));
        for (const int axis : {before, last})
            map.index.push_back(shape[static_cast<size_t>(axis)] == 1 ? graph::Index(0)
                                                                      : graph::Index::axis(axis));
        return graph::converted(out, graph::through(out, node.operands[which], map), wide);
    };
    auto emit = [&](graph::NodeKind of, std::vector<Operand> operands, graph::DType as,
                    const graph::Shape& to) {
        return out.whole(
            out.add({std::move(of), std::move(operands), {}, node.step, node.line, node.op}, {{as, to}}));
    };
    graph::Pointwise times;
    times.body.apply(graph::ScalarOp::mul, {times.body.operand(0, wide), times.body.operand(1, wide)}, wide);
    const Operand products = emit(times, {spread(0, rank, rank - 2), spread(1, rank - 1, rank)}, wide, shape);
    const Operand sum = shape.back() == 1
                            ? graph::reshaped(out, products, result)
                            : emit(graph::Reduce{graph::ReduceKind::sum, {rank}}, {products}, wide, result);
    const bool addend = node.operands.size() > 2 && kind.beta != 0;
    if (kind.alpha == 1 && !addend) return graph::converted(out, sum, dtype);
    graph::Pointwise finish;
    int value = finish.body.operand(0, wide);
    auto scaled = [&](int term, double by) {
        return by == 1
                   ? term
                   : finish.body.apply(graph::ScalarOp::mul, {term, finish.body.constant(by, wide)}, wide);
    };
    value = scaled(value, kind.alpha);
    std::vector<Operand> operands{sum};
    if (addend) {
        operands.push_back(graph::converted(out, node.operands[2], wide));
        value = finish.body.apply(graph::ScalarOp::add,
                                  {value, scaled(finish.body.operand(1, wide), kind.beta)}, wide);
    }
    return emit(finish, std::move(operands), dtype, result);
}

/// What the input gives to the gates waits for no state: one product for all time steps.
void project_input(graph::Graph& out, graph::Node& node) {
    auto& kind = std::get<graph::Recurrent>(node.kind);
    const auto first_weight = node.operands.begin() + (kind.kind == graph::CellKind::lstm ? 3 : 2);
    const graph::Shape x = node.operands[0].shape();
    const graph::Shape flat{x[0] * x[1], first_weight->shape()[0]};
    graph::Node product{graph::Contract{}, {}, {}, node.step, node.line, "aten::linear"};
    product.operands = {graph::reshaped(out, node.operands[0], {flat[0], x[2]}),
                        graph::permuted(out, *first_weight, {1, 0})};
    if (kind.bias) product.operands.push_back(graph::broadcast(out, first_weight[2], flat));
    const graph::DType dtype = node.operands[0].dtype;
    const Operand gates = is_narrow_product(product, flat) ? summed_product(out, product, dtype, flat)
                                                           : out.whole(out.add(product, {{dtype, flat}}));
    out.values[static_cast<size_t>(gates.value)].name = "gates";
    node.operands[0] = graph::reshaped(out, gates, {x[0], x[1], flat[1]});
    if (kind.bias) node.operands.erase(first_weight + 2);
    node.operands.erase(first_weight);
    kind.projected = true;
}

void prepare_recurrent(graph::Graph& out, graph::Node& node) {
    project_input(out, node);
    const size_t states = std::get<graph::Recurrent>(node.kind).kind == graph::CellKind::lstm ? 2 : 1;
    for (size_t i = 1; i <= states; ++i) {
        Operand& state = node.operands[i];
        const graph::Value& value = out.values[static_cast<size_t>(state.value)];
        if (is_slice_of_leaf(out, state)) continue;
        if (state.view.is_identity(value.shape) &&
            !std::holds_alternative<graph::Constant>(out.maker(state.value).kind))
            continue;
        state = graph::materialised(out, state);
        out.nodes.back().op = "aten::copy";
    }
}

/// PyTorch's convolutions of halves are rounded once, what is added to them included: those stay together.
bool is_for_library(const graph::Node& node) {
    return std::all_of(node.operands.begin(), node.operands.end(),
                       [](const Operand& operand) { return operand.dtype == graph::DType::f32; });
}

/// What PyTorch is given is a tensor as it lies.
Operand as_it_lies(graph::Graph& out, const Operand& operand) {
    const graph::Value& value = out.values[static_cast<size_t>(operand.value)];
    if (value.dtype == operand.dtype && operand.view.is_identity(value.shape)) return operand;
    const Operand copy = graph::materialised(out, operand);
    out.nodes.back().op = "aten::copy";
    return copy;
}

Operand emitted(graph::Graph& out, const graph::Node& node, graph::NodeKind kind,
                std::vector<Operand> operands, const graph::Shape& shape) {
    return out.whole(out.add({std::move(kind), std::move(operands), {}, node.step, node.line, node.op},
                             {{graph::DType::f32, shape}}));
}

/// alpha · x + beta · y
Operand weighted(graph::Graph& out, const graph::Node& node, const Operand& x, double alpha, const Operand* y,
                 double beta) {
    if (alpha == 1 && !y) return x;
    graph::Pointwise kind;
    auto scaled = [&](int term, double by) {
        return by == 1
                   ? term
                   : kind.body.apply(graph::ScalarOp::mul, {term, kind.body.constant(by, graph::DType::f32)},
                                     graph::DType::f32);
    };
    int value = scaled(kind.body.operand(0, graph::DType::f32), alpha);
    if (y)
        value = kind.body.apply(graph::ScalarOp::add,
                                {value, scaled(kind.body.operand(1, graph::DType::f32), beta)},
                                graph::DType::f32);
    std::vector<Operand> operands{x};
    if (y) operands.push_back(*y);
    graph::Node origin = node;
    origin.op = "aten::add";
    return emitted(out, origin, kind, std::move(operands), x.shape());
}

Operand convolution_for_library(graph::Graph& out, const graph::Node& node, const graph::Shape& shape) {
    std::vector<Operand> tensors;
    for (size_t i = 0; i < 2; ++i) tensors.push_back(as_it_lies(out, node.operands[i]));
    const Operand convolved = emitted(out, node, node.kind, std::move(tensors), shape);
    if (node.operands.size() < 3) return convolved;
    const Operand bias = graph::through(out, node.operands[2], {shape, {graph::Index::axis(1)}});
    return weighted(out, node, convolved, 1, &bias, 1);
}

/// Convolutions with enough channels for a step of a product's loop may see them as neighbours in memory.
std::optional<graph::Graph> with_channels_last(const graph::Graph& original, Choices& choices, bool relaxed) {
    std::optional<graph::Graph> out;
    int number = 0;
    for (size_t i = 0; i < original.nodes.size(); ++i) {
        const graph::Node& node = original.nodes[i];
        const auto* kind = std::get_if<graph::Convolution>(&node.kind);
        if (!kind || is_kept_whole(original, node, relaxed)) continue;
        const int64_t channels = node.operands[0].shape()[1] / kind->groups;
        if (choices.get(fmt::format("convolution_{}.channels_last", number++), channels >= 16 ? 0 : -1) != 1)
            continue;
        if (!out) out = original;
        std::get<graph::Convolution>(out->nodes[i].kind).channels_last = true;
    }
    return out;
}

}  // namespace

bool is_kept_whole(const graph::Graph& graph, const graph::Node& node, bool relaxed) {
    if (std::holds_alternative<graph::Convolution>(node.kind)) return relaxed && is_for_library(node);
    const auto* recurrent = std::get_if<graph::Recurrent>(&node.kind);
    if (std::holds_alternative<graph::Attention>(node.kind)) return is_plain_attention(graph, node);
    return recurrent && is_plain_recurrent(graph, node, *recurrent);
}

graph::Graph simplified(const graph::Graph& original, Choices& choices, bool relaxed) {
    std::optional<graph::Graph> found = with_attention(original, choices);
    std::optional<graph::Graph> laid = with_channels_last(found ? *found : original, choices, relaxed);
    const graph::Graph& attentive = laid ? *laid : found ? *found : original;
    std::optional<graph::Graph> expanded;
    int number = 0;
    if (std::any_of(attentive.nodes.begin(), attentive.nodes.end(),
                    [](const graph::Node& node) { return graph::is_composite(node.kind); }))
        expanded = graph::expand(attentive, [&](const graph::Node& node) {
            const bool whole = is_kept_whole(attentive, node, relaxed);
            if (!std::holds_alternative<graph::Attention>(node.kind)) return !whole;
            return choices.get("attention node " + std::to_string(number++) + ".fused", whole) == 0;
        });
    const graph::Graph& simple = expanded ? *expanded : attentive;
    if (!relaxed && std::none_of(simple.nodes.begin(), simple.nodes.end(), [&](const graph::Node& node) {
            const graph::Shape& shape = simple.values[static_cast<size_t>(node.results[0])].shape;
            return graph::is_composite(node.kind) || is_narrow_product(node, shape) ||
                   is_scan_of_one(node, shape);
        })) {
        if (expanded) return *std::move(expanded);
        if (laid) return *std::move(laid);
        if (found) return *std::move(found);
        return original;
    }
    graph::Graph out;
    out.form = simple.form;
    std::vector<Operand> now(simple.values.size());
    auto moved = [&](const Operand& operand) {
        return graph::converted(
            out, graph::through(out, now[static_cast<size_t>(operand.value)], operand.view), operand.dtype);
    };
    for (const graph::Node& node : simple.nodes) {
        graph::Node same = node;
        for (Operand& operand : same.operands) operand = moved(operand);
        const graph::Value& first = simple.values[static_cast<size_t>(node.results[0])];
        if (is_narrow_product(node, first.shape)) {
            now[static_cast<size_t>(node.results[0])] = summed_product(out, same, first.dtype, first.shape);
            out.values[static_cast<size_t>(now[static_cast<size_t>(node.results[0])].value)].name =
                first.name;
            continue;
        }
        if (is_scan_of_one(node, first.shape)) {
            now[static_cast<size_t>(node.results[0])] = graph::converted(out, same.operands[0], first.dtype);
            continue;
        }
        if (std::holds_alternative<graph::Convolution>(node.kind)) {
            Operand& made = now[static_cast<size_t>(node.results[0])];
            made = convolution_for_library(out, same, first.shape);
            out.values[static_cast<size_t>(made.value)].name = first.name;
            continue;
        }
        const auto* recurrent = std::get_if<graph::Recurrent>(&node.kind);
        if (recurrent) prepare_recurrent(out, same);
        std::vector<std::pair<graph::DType, graph::Shape>> types;
        for (const int result : node.results)
            types.emplace_back(simple.values[static_cast<size_t>(result)].dtype,
                               simple.values[static_cast<size_t>(result)].shape);
        const std::vector<int> results = same.results;
        same.results.clear();
        const int made = out.add(std::move(same), types, simple.values[static_cast<size_t>(results[0])].name);
        for (size_t i = 0; i < results.size(); ++i)
            now[static_cast<size_t>(results[i])] = out.whole(made + static_cast<int>(i));
        if (recurrent)
            now[static_cast<size_t>(results[1])] =
                graph::selected(out, out.whole(made), 0, recurrent->reverse ? 0 : types[0].second[0] - 1);
    }
    for (const graph::Output& output : simple.outputs)
        out.outputs.push_back({moved(output.operand), output.stride});
    for (const graph::Update& update : simple.updates)
        out.updates.push_back({now[static_cast<size_t>(update.leaf)].value, moved(update.now)});
    graph::drop_unused(out);
    return out;
}

}  // namespace tritonsmith::forge
