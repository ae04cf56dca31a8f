#include "forge/field/context.h"

#include <cctype>
#include <map>

namespace tritonsmith::forge {

Context::Context(const graph::Graph& graph, Numbers& numbers, Choices& choices, bool relaxed)
    : graph(graph), numbers(numbers), choices(choices), relaxed(relaxed), users(graph.values.size()) {
    for (size_t node = 0; node < graph.nodes.size(); ++node)
        for (const graph::Operand& operand : graph.nodes[node].operands)
            users[static_cast<size_t>(operand.value)].push_back(static_cast<int>(node));
    for (const graph::Output& output : graph.outputs)
        users[static_cast<size_t>(output.operand.value)].push_back(-1);
    for (const graph::Update& update : graph.updates)
        users[static_cast<size_t>(update.now.value)].push_back(-1);
}

bool Context::in_memory(int id) const {
    return graph::is_leaf(graph.maker(id)) || stored.contains(id);
}

std::string Context::unique(const std::string& preferred) {
    std::string name = preferred;
    for (int count = 2; !taken.insert(name).second; ++count) name = preferred + "_" + std::to_string(count);
    drawn.push_back(name);
    return name;
}

std::string Context::passing(const std::string& preferred) {
    std::string& name = variables_in_passing[preferred];
    if (name.empty()) name = unique(preferred);
    return name;
}

std::string identifier(const std::string& text) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
            parts.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (!parts.back().empty())
            parts.emplace_back();
    }
    while (parts.size() > 1 && parts.back().empty()) parts.pop_back();
    std::string out = parts.back();
    for (size_t i = parts.size() - 1; i-- > 0;) {
        const bool number = parts[i].find_first_not_of("0123456789") == std::string::npos;
        out = parts[i] + "_" + out;
        if (!number) break;
    }
    if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0]))) out = "tensor_" + out;
    return out;
}

namespace {

/// What people call the result of a node that the task has no name for.
std::string usual_name(const graph::Node& node, int result) {
    if (result == 1 && !std::holds_alternative<graph::Recurrent>(node.kind)) return "indices";
    if (std::holds_alternative<graph::Sort>(node.kind) || std::holds_alternative<graph::TopK>(node.kind))
        return "ordered";
    if (std::holds_alternative<graph::Contract>(node.kind)) {
        if (node.op.find("attention") != std::string::npos) return "scores";
        if (node.op.find("conv") != std::string::npos) return "convolved";
        return node.op.find("bmm") != std::string::npos || node.op.find("matmul") != std::string::npos
                   ? "product"
                   : "projected";
    }
    if (std::holds_alternative<graph::Recurrent>(node.kind)) return "hidden";
    if (std::holds_alternative<graph::Attention>(node.kind)) return "attended";
    if (const auto* reduce = std::get_if<graph::Reduce>(&node.kind)) {
        switch (reduce->kind) {
            case graph::ReduceKind::sum:
                return "sums";
            case graph::ReduceKind::mean:
                return "means";
            case graph::ReduceKind::max:
                return "maxima";
            case graph::ReduceKind::min:
                return "minima";
            case graph::ReduceKind::var:
                return "variances";
            default:
                return "reduced";
        }
    }
    const size_t at = node.op.find("::");
    std::string name = at == std::string::npos ? graph::kind_name(node.kind) : node.op.substr(at + 2);
    name = name.substr(0, name.find('.'));
    for (const char* part : {"softmax", "norm", "attention", "pool", "conv", "upsample"})
        if (name.find(part) != std::string::npos)
            return part == std::string("softmax")     ? "weights"
                   : part == std::string("norm")      ? "normalised"
                   : part == std::string("attention") ? "weights"
                   : part == std::string("pool")      ? "pooled"
                   : part == std::string("conv")      ? "convolved"
                                                      : "upsampled";
    static const std::map<std::string, std::string> words = {
        {"add", "total"},      {"mul", "scaled"},     {"sub", "difference"},    {"div", "quotient"},
        {"cat", "joined"},     {"relu", "activated"}, {"gelu", "activated"},    {"silu", "activated"},
        {"tanh", "activated"}, {"sigmoid", "gate"},   {"copy", "copied"},       {"clone", "copied"},
        {"cumsum", "running"}, {"index", "gathered"}, {"embedding", "embedded"}};
    while (name.starts_with("_")) name.erase(0, 1);
    while (name.ends_with("_")) name.pop_back();
    const auto found = words.find(name);
    return identifier(found == words.end() ? name + "_result" : found->second);
}

}  // namespace

const std::string& Context::name(int id, const std::string& preferred) {
    const std::string name = unique(preferred);
    preferred_names[name] = preferred;
    return variables[id] = name;
}

std::string Context::role(int id) {
    const graph::Node& maker = graph.maker(id);
    if (const auto* weight = std::get_if<graph::Weight>(&maker.kind)) {
        const std::string last = weight->name.substr(weight->name.rfind('.') + 1);
        return std::isdigit(static_cast<unsigned char>(last[0])) ? variable(id) : identifier(last);
    }
    if (graph::is_leaf(maker)) return variable(id);
    if (value(id).name.empty() && variable(id).starts_with("out")) return "out";
    return value(id).name.empty() ? usual_name(maker, value(id).result) : identifier(value(id).name);
}

const std::string& Context::variable(int id) {
    auto found = variables.find(id);
    if (found != variables.end()) return found->second;
    const graph::Value& of = value(id);
    const graph::Node& maker = graph.maker(id);
    std::string preferred = identifier(of.name);
    if (const auto* weight = std::get_if<graph::Weight>(&maker.kind))
        preferred = identifier(weight->name);
    else if (of.name.empty())
        preferred = usual_name(maker, of.result);
    return name(id, preferred);
}

}  // namespace tritonsmith::forge
