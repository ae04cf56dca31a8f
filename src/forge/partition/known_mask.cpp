#include "forge/partition/known_mask.h"

#include <array>
#include <cmath>
#include <deque>

#include "plan/ir/json.h"

namespace tritonsmith::forge {
namespace {

using graph::ScalarOp;

std::optional<double> computed(ScalarOp op, graph::DType dtype, const std::array<double, 3>& a) {
    const bool logical =
        op == ScalarOp::logical_and || op == ScalarOp::logical_or || op == ScalarOp::logical_not;
    if (logical && dtype != graph::DType::b1) return std::nullopt;  // of bits
    switch (op) {
        case ScalarOp::cast:
            return dtype == graph::DType::b1 ? a[0] != 0 : plan::is_floating(dtype) ? a[0] : std::trunc(a[0]);
        case ScalarOp::add:
            return a[0] + a[1];
        case ScalarOp::sub:
            return a[0] - a[1];
        case ScalarOp::mul:
            return a[0] * a[1];
        case ScalarOp::lt:
            return a[0] < a[1];
        case ScalarOp::le:
            return a[0] <= a[1];
        case ScalarOp::gt:
            return a[0] > a[1];
        case ScalarOp::ge:
            return a[0] >= a[1];
        case ScalarOp::eq:
            return a[0] == a[1];
        case ScalarOp::ne:
            return a[0] != a[1];
        case ScalarOp::logical_and:
            return a[0] != 0 && a[1] != 0;
        case ScalarOp::logical_or:
            return a[0] != 0 || a[1] != 0;
        case ScalarOp::logical_not:
            return a[0] == 0;
        case ScalarOp::where:
            return a[0] != 0 ? a[1] : a[2];
        default:
            return std::nullopt;
    }
}

}  // namespace

namespace {

/// Elements of masks, one after the other, without new memory for each.
class Elements {
  public:
    explicit Elements(const graph::Graph& graph) : graph_(graph) {}

    std::optional<double> at(const graph::Operand& operand, const std::vector<int64_t>& place,
                             size_t depth = 0) {
        for (const graph::Guard& guard : operand.view.guards)
            if (const int64_t at = guard.at.at(place); at < 0 || at >= guard.extent)
                return graph::as_double(operand.view.fill);
        const graph::Node& node = graph_.maker(operand.value);
        const auto* kind = std::get_if<graph::Pointwise>(&node.kind);
        if (!kind) return std::nullopt;
        if (places_.size() <= depth) places_.emplace_back();
        places_[depth].clear();
        for (const graph::Index& index : operand.view.index) places_[depth].push_back(index.at(place));
        const size_t first = made_.size();
        std::optional<double> value;
        for (const graph::Scalar& step : kind->body.steps) {
            value = of_step(step, node, first, depth);
            if (!value) break;
            made_.push_back(*value);
        }
        made_.resize(first);
        return value;
    }

  private:
    std::optional<double> of_step(const graph::Scalar& step, const graph::Node& node, size_t first,
                                  size_t depth) {
        if (step.op == ScalarOp::constant) return graph::as_double(step.number);
        if (step.op == ScalarOp::index) return static_cast<double>(step.position.at(places_[depth]));
        if (step.op == ScalarOp::operand) {
            return at(node.operands[static_cast<size_t>(step.which)], places_[depth], depth + 1);
        }
        std::array<double, 3> args{};
        if (step.args.size() > args.size()) return std::nullopt;
        for (size_t i = 0; i < step.args.size(); ++i)
            args[i] = made_[first + static_cast<size_t>(step.args[i])];
        return computed(step.op, step.dtype, args);
    }

    const graph::Graph& graph_;
    std::vector<double> made_;                 ///< of the bodies that are open
    std::deque<std::vector<int64_t>> places_;  ///< by depth; those of outer bodies stay where they are
};

}  // namespace

std::optional<double> known_element(const graph::Graph& graph, const graph::Operand& operand,
                                    const std::vector<int64_t>& at) {
    return Elements(graph).at(operand, at);
}

bool is_causal(const graph::Graph& graph, const graph::Operand& mask, bool hides) {
    const std::vector<int64_t>& shape = mask.shape();
    if (shape.size() < 2 || mask.dtype != graph::DType::b1) return false;
    const int64_t queries = shape[shape.size() - 2], keys = shape.back();
    std::vector<int64_t> at(shape.size(), 0);
    Elements elements(graph);
    auto agrees = [&](int64_t query, int64_t key) {
        at[at.size() - 2] = query;
        at.back() = key;
        const std::optional<double> value = elements.at(mask, at);
        return value && ((*value != 0) != hides) == (key <= query);
    };
    // Both sides of the diagonal in every row, its ends, and the same at the last place of each batch axis.
    const int64_t batches = graph::element_count({shape.begin(), shape.end() - 2});
    for (const bool last : {false, true}) {
        if (last && batches == 1) break;
        for (size_t d = 0; d + 2 < shape.size(); ++d) at[d] = last ? shape[d] - 1 : 0;
        for (int64_t query = 0; query < queries; ++query)
            for (const int64_t key : {int64_t{0}, query / 2, query, query + 1, query + 2, keys - 1})
                if (key < keys && !agrees(query, key)) return false;
    }
    return true;
}

}  // namespace tritonsmith::forge
