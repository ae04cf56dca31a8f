#include "forge/families/common.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tritonsmith::forge {
namespace {

/// "aten::_softmax" → "softmax".
std::string short_name(const graph::Node& node) {
    std::string name = node.op.empty() ? graph::kind_name(node.kind) : node.op;
    if (const size_t at = name.find("::"); at != std::string::npos) name = name.substr(at + 2);
    name = name.substr(0, name.find('.'));
    while (name.starts_with("_")) name.erase(0, 1);
    while (name.ends_with("_")) name.pop_back();
    for (const char* prefix : {"native_", "cudnn_", "convolution_over"})
        if (name.starts_with(prefix)) name.erase(0, std::string(prefix).size());
    static const std::map<std::string, std::string> plain = {{"addmm", "linear"},
                                                             {"mm", "matmul"},
                                                             {"convolution", "conv"},
                                                             {"max_pool2d_with_indices", "max_pool2d"},
                                                             {"max_pool3d_with_indices", "max_pool3d"},
                                                             {"nll_loss_forward", "nll_loss"},
                                                             {"t", "transpose"},
                                                             {"linalg_vector_norm", "norm"},
                                                             {"log_sigmoid_forward", "logsigmoid"},
                                                             {"rsub", "sub"},
                                                             {"constant_pad_nd", "pad"},
                                                             {"upsample_nearest2d", "upsample"},
                                                             {"fused_rms_norm", "rms_norm"},
                                                             {"masked_fill", "mask"}};
    if (name.find("dot_product") != std::string::npos) return "attention";
    if (const auto found = plain.find(name); found != plain.end()) return found->second;
    return name;
}

/// Names of the nodes, in order, each once; several nodes that one operator became are one.
std::vector<std::string> operator_lines(Context& context, int value, const std::set<int>& inlined) {
    std::set<int> nodes = {context.value(value).node};
    for (const int id : inlined) nodes.insert(context.value(id).node);
    std::vector<std::string> out;
    for (const int node : nodes) {
        const std::string name = short_name(context.graph.nodes[static_cast<size_t>(node)]);
        if (name == "copy" || name == "clone" || name == "to" || name == "detach") continue;
        if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
    }
    return out;
}

}  // namespace

std::string kernel_name(Context& context, int value, const std::set<int>& inlined) {
    std::vector<std::string> names = operator_lines(context, value, inlined);
    if (names.empty()) names = {"copy"};
    if (names.size() > 4) names = {names[0], names[1], names[2], "chain"};
    return context.unique(fmt::format("{}_kernel", fmt::join(names, "_")));
}

std::string operator_list(Context& context, int value, const std::set<int>& inlined) {
    std::vector<std::string> names = operator_lines(context, value, inlined);
    if (names.empty()) names = {"copy"};
    return fmt::format("{}", fmt::join(names, ", "));
}

Allocation allocation(Context& context, int value) {
    const graph::Value& of = context.value(value);
    Allocation out{context.variable(value), {}, of.dtype, value};
    for (const int64_t extent : of.shape) out.shape.push_back(size(context, extent));
    return out;
}

std::string output_pointer(Context& context, Kernel& kernel, int value) {
    const std::string role = context.role(value);
    return kernel.pointer(context.variable(value), kernel.taken.contains(role + "_ptr") ? "out" : role);
}

std::string size(Context& context, int64_t number) {
    return context.numbers.open(number);
}

std::string size_parameter(Context&, Kernel& kernel, const std::string& name, const std::string& expression) {
    kernel.taken.insert(name);
    kernel.sizes.push_back({name, expression});
    return name;
}

int64_t next_power_of_2(int64_t value) {
    int64_t out = 1;
    while (out < value) out *= 2;
    return out;
}

int64_t largest_tensor(const Context& context, const Field& field, int value) {
    int64_t out = graph::element_count(context.value(value).shape);
    for (const Term& term : field.terms)
        if (term.kind == Term::Kind::load)
            out = std::max(out, graph::element_count(context.value(term.value).shape));
    return out;
}

}  // namespace tritonsmith::forge
