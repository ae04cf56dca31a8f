#include "forge/partition/attention.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "forge/partition/known_mask.h"
#include "graph/views.h"

namespace tritonsmith::forge {
namespace {

using graph::Operand;
using graph::ScalarOp;

/// What stands between the product of queries and keys and the softmax.
struct Scores {
    const graph::Node* product = nullptr;
    double scale = 1;
    std::optional<Operand> mask;
    bool hides = false;  ///< where the mask is true, nothing takes part
    bool causal = false;
};

class Finder {
  public:
    explicit Finder(const graph::Graph& graph) : graph_(graph), users_(graph.values.size(), 0) {
        for (const graph::Node& node : graph.nodes)
            for (const Operand& operand : node.operands) ++users_[static_cast<size_t>(operand.value)];
        for (const graph::Output& output : graph.outputs) ++users_[static_cast<size_t>(output.operand.value)];
        for (const graph::Update& update : graph.updates) ++users_[static_cast<size_t>(update.now.value)];
    }
    /// The scores behind a product's left factor, where they are attention's.
    std::optional<Scores> scores(const graph::Node& node) const;

  private:
    const graph::Shape& shape(int value) const { return graph_.values[static_cast<size_t>(value)].shape; }
    /// All elements in their order, perhaps in another shape, and by this operand alone.
    bool alone(const Operand& operand) const {
        const graph::Shape& base = shape(operand.value);
        if (users_[static_cast<size_t>(operand.value)] != 1 || !operand.view.guards.empty() ||
            graph::element_count(base) != graph::element_count(operand.shape()))
            return false;
        const std::optional<graph::Strided> strided = graph::strided(operand.view, graph::row_major(base));
        const std::vector<int64_t> wanted = graph::row_major(operand.shape());
        if (!strided || strided->offset != 0) return false;
        for (size_t d = 0; d < wanted.size(); ++d)
            if (operand.shape()[d] > 1 && strided->stride[d] != wanted[d]) return false;
        return true;
    }
    static bool plain_product(const graph::Node& node) {
        const auto* kind = std::get_if<graph::Contract>(&node.kind);
        return kind && (node.operands.size() == 2 || kind->beta == 0);
    }
    bool follow(const Operand& from, const graph::Shape& wanted, Scores& out) const;
    bool through(const graph::Node& node, const graph::Pointwise& kind, const graph::Shape& wanted,
                 Scores& out) const;

    const graph::Graph& graph_;
    std::vector<int> users_;
};

/// From `from` back to a product of shape `wanted`.
bool Finder::follow(const Operand& from, const graph::Shape& wanted, Scores& out) const {
    if (!alone(from)) return false;
    const graph::Node& node = graph_.maker(from.value);
    if (plain_product(node)) {
        if (shape(from.value) != wanted) return false;
        out.product = &node;
        out.scale *= std::get<graph::Contract>(node.kind).alpha;
        return true;
    }
    const auto* kind = std::get_if<graph::Pointwise>(&node.kind);
    return kind && through(node, *kind, wanted, out);
}

/// One of x · c, x / c, x + mask, where(mask, -inf, x), where(mask, x, -inf).
bool Finder::through(const graph::Node& node, const graph::Pointwise& kind, const graph::Shape& wanted,
                     Scores& out) const {
    const std::vector<graph::Scalar>& steps = kind.body.steps;
    auto bare = [&](int step) {
        while (steps[static_cast<size_t>(step)].op == ScalarOp::cast)
            step = steps[static_cast<size_t>(step)].args[0];
        return steps[static_cast<size_t>(step)];
    };
    const graph::Scalar& last = steps.back();
    std::vector<graph::Scalar> args;
    for (const int arg : last.args) args.push_back(bare(arg));
    auto operand = [&](const graph::Scalar& step) { return node.operands[static_cast<size_t>(step.which)]; };
    const bool first = args.size() > 1 && args[0].op == ScalarOp::operand,
               second = args.size() > 1 && args[1].op == ScalarOp::operand;
    if (last.op == ScalarOp::mul || last.op == ScalarOp::div) {
        const bool right = first && args[1].op == ScalarOp::constant,
                   left = last.op == ScalarOp::mul && second && args[0].op == ScalarOp::constant;
        if (!right && !left) return false;
        const double by = graph::as_double(args[right ? 1 : 0].number);
        if (!(by > 0)) return false;
        out.scale *= last.op == ScalarOp::mul ? by : 1 / by;
        return follow(operand(args[right ? 0 : 1]), wanted, out);
    }
    if (out.mask) return false;
    if (last.op == ScalarOp::add && first && second && out.scale == 1) {
        for (const size_t chain : {size_t{0}, size_t{1}}) {
            Scores tried = out;
            tried.mask = operand(args[1 - chain]);
            if (!follow(operand(args[chain]), wanted, tried)) continue;
            out = tried;
            return true;
        }
        return false;
    }
    if (last.op != ScalarOp::where || !first || operand(args[0]).dtype != graph::DType::b1) return false;
    for (const size_t chain : {size_t{1}, size_t{2}}) {
        const graph::Scalar& fill = args[3 - chain];
        if (args[chain].op != ScalarOp::operand || fill.op != ScalarOp::constant ||
            graph::as_double(fill.number) != -HUGE_VAL)
            continue;
        out.mask = operand(args[0]);
        out.hides = chain == 2;
        return follow(operand(args[chain]), wanted, out);
    }
    return false;
}

std::optional<Scores> Finder::scores(const graph::Node& node) const {
    if (!plain_product(node) || std::get<graph::Contract>(node.kind).alpha != 1) return std::nullopt;
    const Operand& weights = node.operands[0];
    const graph::Node& maker = graph_.maker(weights.value);
    const auto* softmax = std::get_if<graph::Softmax>(&maker.kind);
    const graph::Shape& base = shape(weights.value);
    if (!softmax || softmax->log || base.empty() || softmax->axis != static_cast<int>(base.size()) - 1 ||
        base.back() != weights.shape().back() || !alone(weights))
        return std::nullopt;
    Scores out;
    if (!follow(maker.operands[0], weights.shape(), out)) return std::nullopt;
    const graph::DType dtype = node.operands[1].dtype;
    for (const Operand& factor : out.product->operands)
        if (factor.dtype != dtype) return std::nullopt;
    if (out.mask && is_causal(graph_, *out.mask, out.hides)) {
        out.mask.reset();
        out.causal = true;
    }
    return dtype == graph::DType::f64 ? std::nullopt : std::optional(out);
}

/// true where a score takes part; or what is added to it.
Operand mask_of(graph::Graph& out, const Scores& scores, Operand mask, const graph::Shape& shape,
                const graph::Node& at) {
    if (scores.hides) {
        graph::Pointwise other;
        other.body.apply(ScalarOp::logical_not, {other.body.operand(0, graph::DType::b1)}, graph::DType::b1);
        const graph::Shape own = mask.shape();
        mask = out.whole(out.add({other, {std::move(mask)}, {}, at.step, at.line, "aten::logical_not"},
                                 {{graph::DType::b1, own}}));
    }
    return graph::reshaped(out, mask, shape);
}

}  // namespace

bool is_attention_size(const std::vector<int64_t>& shape, int64_t depth) {
    constexpr int64_t widest = 256, most = 65535;  // of CUDA's grids along the second axis
    return shape.size() >= 2 && shape.back() <= widest && depth <= widest &&
           graph::element_count(graph::Shape(shape.begin(), shape.end() - 2)) <= most;
}

std::optional<graph::Graph> with_attention(const graph::Graph& graph, Choices& choices) {
    const Finder finder(graph);
    std::map<const graph::Node*, Scores> found;
    int number = 0;
    for (const graph::Node& node : graph.nodes) {
        std::optional<Scores> scores = finder.scores(node);
        if (!scores) continue;
        const bool fits = is_attention_size(graph.values[static_cast<size_t>(node.results[0])].shape,
                                            scores->product->operands[0].shape().back());
        if (choices.get("attention " + std::to_string(number++) + ".fused", fits) != 0)
            found.emplace(&node, std::move(*scores));
    }
    if (found.empty()) return std::nullopt;
    graph::Graph out;
    out.form = graph.form;
    std::vector<int> now(graph.values.size());
    auto moved = [&](Operand operand) {
        operand.value = now[static_cast<size_t>(operand.value)];
        return operand;
    };
    for (const graph::Node& node : graph.nodes) {
        graph::Node same = node;
        same.results.clear();
        if (const auto attention = found.find(&node); attention != found.end()) {
            const Scores& scores = attention->second;
            const Operand keys = moved(scores.product->operands[1]);
            std::vector<int> turned(keys.shape().size());
            for (size_t d = 0; d < turned.size(); ++d) turned[d] = static_cast<int>(d);
            std::swap(turned.back(), turned[turned.size() - 2]);
            same.kind = graph::Attention{scores.scale, scores.causal};
            same.op = "aten::scaled_dot_product_attention";
            same.operands = {moved(scores.product->operands[0]), graph::permuted(out, keys, turned),
                             moved(node.operands[1])};
            if (scores.mask)
                same.operands.push_back(
                    mask_of(out, scores, moved(*scores.mask), node.operands[0].shape(), node));
        } else {
            for (Operand& operand : same.operands) operand = moved(operand);
        }
        std::vector<std::pair<graph::DType, graph::Shape>> types;
        for (const int result : node.results)
            types.emplace_back(graph.values[static_cast<size_t>(result)].dtype,
                               graph.values[static_cast<size_t>(result)].shape);
        const int made = out.add(std::move(same), std::move(types));
        for (size_t i = 0; i < node.results.size(); ++i) {
            out.values[static_cast<size_t>(made) + i].name =
                graph.values[static_cast<size_t>(node.results[i])].name;
            now[static_cast<size_t>(node.results[i])] = made + static_cast<int>(i);
        }
    }
    for (const graph::Output& output : graph.outputs)
        out.outputs.push_back({moved(output.operand), output.stride});
    for (const graph::Update& update : graph.updates)
        out.updates.push_back({now[static_cast<size_t>(update.leaf)], moved(update.now)});
    graph::drop_unused(out);
    return out;
}

}  // namespace tritonsmith::forge
