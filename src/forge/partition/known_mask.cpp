#include "forge/partition/known_mask.h"

#include <cmath>

#include "plan/ir/json.h"

namespace tritonsmith::forge {
namespace {

using graph::ScalarOp;

std::optional<double> computed(ScalarOp op, graph::DType dtype, const std::vector<double>& a) {
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

std::optional<double> known_element(const graph::Graph& graph, const graph::Operand& operand,
                                    const std::vector<int64_t>& at) {
    for (const graph::Guard& guard : operand.view.guards)
        if (const int64_t place = guard.at.at(at); place < 0 || place >= guard.extent)
            return graph::as_double(operand.view.fill);
    const graph::Node& node = graph.maker(operand.value);
    const auto* kind = std::get_if<graph::Pointwise>(&node.kind);
    if (!kind) return std::nullopt;
    std::vector<int64_t> inner;
    for (const graph::Index& index : operand.view.index) inner.push_back(index.at(at));
    std::vector<double> made;
    for (const graph::Scalar& step : kind->body.steps) {
        std::optional<double> value;
        if (step.op == ScalarOp::operand) {
            value = known_element(graph, node.operands[static_cast<size_t>(step.which)], inner);
        } else if (step.op == ScalarOp::constant) {
            value = graph::as_double(step.number);
        } else if (step.op == ScalarOp::index) {
            value = static_cast<double>(step.position.at(inner));
        } else {
            std::vector<double> args;
            for (const int arg : step.args) args.push_back(made[static_cast<size_t>(arg)]);
            value = computed(step.op, step.dtype, args);
        }
        if (!value) return std::nullopt;
        made.push_back(*value);
    }
    return made.back();
}

bool is_causal(const graph::Graph& graph, const graph::Operand& mask, bool hides) {
    const std::vector<int64_t>& shape = mask.shape();
    if (shape.size() < 2 || mask.dtype != graph::DType::b1) return false;
    const int64_t queries = shape[shape.size() - 2], keys = shape.back();
    std::vector<int64_t> at(shape.size(), 0);
    auto agrees = [&](int64_t query, int64_t key) {
        at[at.size() - 2] = query;
        at.back() = key;
        const std::optional<double> value = known_element(graph, mask, at);
        return value && ((*value != 0) != hides) == (key <= query);
    };
    // Both sides of the diagonal in every row, its ends, and the same at the last place of each batch axis.
    for (const bool last : {false, true}) {
        for (size_t d = 0; d + 2 < shape.size(); ++d) at[d] = last ? shape[d] - 1 : 0;
        for (int64_t query = 0; query < queries; ++query)
            for (const int64_t key : {int64_t{0}, query / 2, query, query + 1, query + 2, keys - 1})
                if (key < keys && !agrees(query, key)) return false;
    }
    return true;
}

}  // namespace tritonsmith::forge
