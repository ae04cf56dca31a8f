#include "forge/partition/context.h"

#include <cctype>

namespace tritonsmith::forge {

Context::Context(const graph::Graph& graph, Numbers& numbers, Choices& choices)
    : graph(graph), numbers(numbers), choices(choices), users(graph.values.size()) {
    for (size_t node = 0; node < graph.nodes.size(); ++node)
        for (const graph::Operand& operand : graph.nodes[node].operands)
            users[static_cast<size_t>(operand.value)].push_back(static_cast<int>(node));
    for (const graph::Output& output : graph.outputs) users[static_cast<size_t>(output.operand.value)].push_back(-1);
    for (const graph::Update& update : graph.updates) users[static_cast<size_t>(update.now.value)].push_back(-1);
}

bool Context::in_memory(int id) const {
    return graph::is_leaf(graph.maker(id)) || stored.contains(id);
}

std::string Context::unique(const std::string& wish) {
    std::string name = wish;
    for (int count = 2; !taken.insert(name).second; ++count) name = wish + "_" + std::to_string(count);
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

const std::string& Context::variable(int id) {
    auto found = variables.find(id);
    if (found != variables.end()) return found->second;
    const graph::Value& of = value(id);
    const graph::Node& maker = graph.maker(id);
    std::string wish = identifier(of.name);
    if (const auto* weight = std::get_if<graph::Weight>(&maker.kind)) wish = identifier(weight->name);
    else if (of.name.empty()) {
        wish = maker.op.substr(maker.op.find("::") == std::string::npos ? 0 : maker.op.find("::") + 2);
        wish = wish.substr(0, wish.find('.'));
        while (wish.starts_with("_")) wish.erase(0, 1);
        if (wish.empty()) wish = graph::kind_name(maker.kind);
        wish = identifier(wish);
    }
    return variables[id] = unique(wish);
}

}  // namespace tritonsmith::forge
