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

std::optional<Written> write_library(Context& context, int value) {
    const graph::Node& node = context.graph.maker(value);
    const auto* conv = std::get_if<graph::Convolution>(&node.kind);
    if (!conv) return std::nullopt;
    Written out;
    for (const graph::Operand& operand : node.operands) {
        if (!context.in_memory(operand.value)) context.stored.insert(operand.value);
        if (!graph::is_leaf(context.graph.maker(operand.value))) out.loaded.insert(operand.value);
    }
    Launch launch{{allocation(context, value)}, {}};
    launch.call = convolution(context, node, *conv);
    out.launches.push_back(std::move(launch));
    return out;
}

}  // namespace tritonsmith::forge
