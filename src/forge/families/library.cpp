#include "forge/families/library.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "forge/families/common.h"

namespace tritonsmith::forge {
namespace {

/// "2", "(2, 1)"
std::string per_axis(const std::vector<int64_t>& sizes) {
    const bool same = std::all_of(sizes.begin(), sizes.end(), [&](int64_t size) { return size == sizes[0]; });
    return same ? std::to_string(sizes[0]) : fmt::format("({})", fmt::join(sizes, ", "));
}

bool row_major_view(const graph::IndexMap& view, const std::vector<int64_t>& base) {
    const auto strided = graph::strided(view, graph::row_major(base));
    if (!strided || strided->offset != 0 || graph::element_count(view.shape) != graph::element_count(base))
        return false;
    const std::vector<int64_t> dense = graph::row_major(view.shape);
    for (size_t d = 0; d < dense.size(); ++d)
        if (view.shape[d] > 1 && strided->stride[d] != dense[d]) return false;
    return true;
}

graph::IndexMap swapped(const graph::IndexMap& view) {
    graph::IndexMap order = graph::IndexMap::identity(view.shape);
    const size_t rank = view.shape.size();
    std::swap(order.shape[rank - 1], order.shape[rank - 2]);
    std::swap(order.index[rank - 1], order.index[rank - 2]);
    const int last = static_cast<int>(rank) - 1;
    order.index[rank - 1] = view.shape[rank - 1] == 1 ? Index(0) : Index::axis(last - 1);
    order.index[rank - 2] = view.shape[rank - 2] == 1 ? Index(0) : Index::axis(last);
    return graph::compose(order, view).value_or(view);
}

std::string seen(Context& context, const std::string& tensor, const graph::IndexMap& view,
                 const std::vector<int64_t>& base) {
    if (view.shape == base) return tensor;
    std::vector<std::string> sizes;
    for (const int64_t extent : view.shape) sizes.push_back(size(context, extent));
    return fmt::format("{}.view({})", tensor, fmt::join(sizes, ", "));
}

/// A factor of a product as PyTorch sees it.
std::string factor(Context& context, const graph::Operand& operand) {
    const std::string tensor = context.variable(operand.value);
    const std::vector<int64_t>& base = context.value(operand.value).shape;
    if (row_major_view(operand.view, base)) return seen(context, tensor, operand.view, base);
    return seen(context, tensor, swapped(operand.view), base) + ".transpose(-2, -1)";
}

std::string convolution(Context& context, const graph::Node& node, const graph::Convolution& kind) {
    std::vector<std::string> arguments;
    for (const graph::Operand& operand : node.operands) arguments.push_back(context.variable(operand.value));
    auto other_than = [&](int64_t usual, const std::vector<int64_t>& sizes) {
        return std::any_of(sizes.begin(), sizes.end(), [&](int64_t size) { return size != usual; });
    };
    if (other_than(1, kind.stride)) arguments.push_back("stride=" + per_axis(kind.stride));
    if (other_than(0, kind.padding)) arguments.push_back("padding=" + per_axis(kind.padding));
    if (kind.transposed && other_than(0, kind.output_padding))
        arguments.push_back("output_padding=" + per_axis(kind.output_padding));
    if (kind.groups != 1) arguments.push_back("groups=" + size(context, kind.groups));
    if (other_than(1, kind.dilation)) arguments.push_back("dilation=" + per_axis(kind.dilation));
    return fmt::format("F.conv{}{}d({})", kind.transposed ? "_transpose" : "", kind.stride.size(),
                       fmt::join(arguments, ", "));
}

}  // namespace

bool is_library_factor(const graph::IndexMap& view, const std::vector<int64_t>& base) {
    return view.guards.empty() && view.shape.size() >= 2 &&
           (row_major_view(view, base) || row_major_view(swapped(view), base));
}

std::optional<Written> write_library(Context& context, int value) {
    const graph::Node& node = context.graph.maker(value);
    const auto* conv = std::get_if<graph::Convolution>(&node.kind);
    if (!conv && !(context.relaxed && std::holds_alternative<graph::Contract>(node.kind) &&
                   node.operands[0].dtype == DType::f32))
        return std::nullopt;
    Written out;
    for (const graph::Operand& operand : node.operands) {
        if (!context.in_memory(operand.value)) context.stored.insert(operand.value);
        if (!graph::is_leaf(context.graph.maker(operand.value))) out.loaded.insert(operand.value);
    }
    Launch launch{{allocation(context, value)}, {}};
    launch.call = conv ? convolution(context, node, *conv)
                       : fmt::format("torch.matmul({}, {})", factor(context, node.operands[0]),
                                     factor(context, node.operands[1]));
    out.launches.push_back(std::move(launch));
    return out;
}

}  // namespace tritonsmith::forge
