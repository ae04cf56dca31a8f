#include "graph/card/card.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "graph/card/fold.h"
#include "graph/card/signature.h"
#include "graph/card/state.h"
#include "graph/text.h"

namespace tritonsmith::graph {
namespace {

std::string value_text(const plan::Value& value);
struct ValueText {
    std::string operator()(std::monostate) const { return "None"; }
    std::string operator()(bool flag) const { return flag ? "True" : "False"; }
    std::string operator()(int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return text(Number(number)); }
    std::string operator()(const std::string& word) const { return "'" + word + "'"; }
    std::string operator()(const plan::Tensor& tensor) const { return type_text(tensor.dtype, tensor.shape); }
    std::string operator()(const plan::Symbol& symbol) const { return symbol.text; }
    std::string operator()(const plan::Sequence& list) const {
        std::vector<std::string> items;
        for (const plan::Value& item : list.items) items.push_back(value_text(item));
        return fmt::format("{}{}{}", list.tuple ? "(" : "[", fmt::join(items, ", "), list.tuple ? ")" : "]");
    }
    std::string operator()(const plan::Dict& dict) const {
        std::vector<std::string> items;
        for (const auto& [key, item] : dict.items) items.push_back("'" + key + "': " + value_text(item));
        return fmt::format("{{{}}}", fmt::join(items, ", "));
    }
    std::string operator()(const auto&) const { return "…"; }
};
std::string value_text(const plan::Value& value) {
    return std::visit(ValueText{}, value.v);
}

/// "dim=64, heads=4": what the constructor is called with.
std::vector<std::pair<std::string, std::string>> bound(const Signature& signature, const plan::List& given) {
    std::vector<std::pair<std::string, std::string>> out;
    for (size_t i = 0; i < given.size(); ++i)
        out.emplace_back(
            i < signature.parameters.size() ? signature.parameters[i].name : fmt::format("[{}]", i),
            value_text(given[i]));
    return out;
}

bool ends_name(const std::string& text, size_t at) {
    return at >= text.size() || text[at] == ',' || text[at] == ')' || text[at] == ' ';
}

/// "bn.weight, bn.bias, bn.running_mean, bn.running_var" is "bn": a module's name stands for its tensors.
std::string by_module(std::string text, const std::string& module) {
    std::string all[4];
    constexpr const char* leaves[] = {"weight", "bias", "running_mean", "running_var"};
    for (size_t i = 0; i < 4; ++i) all[i] = (i > 0 ? all[i - 1] + ", " : "") + module + "." + leaves[i];
    for (size_t i = 4; i-- > 0;) {
        const size_t at = text.find(all[i]);
        if (at == std::string::npos || at == 0 || (text[at - 1] != ' ' && text[at - 1] != '(')) continue;
        if (!ends_name(text, at + all[i].size())) continue;
        text.replace(at, all[i].size(), module);
    }
    return text;
}

class Operators {
  public:
    explicit Operators(const Graph& graph) : graph_(graph), labels_(labels_of(graph)) {
        find_counters();
        for (size_t i = 0; i < graph.nodes.size(); ++i)
            if (!is_leaf(graph.nodes[i]) && !hidden_.contains(static_cast<int>(i)) &&
                !is_number(graph.nodes[i]))
                lines_.push_back(i);
        find_silent();
    }

    std::string text() {
        std::string out;
        for (const Block& block : folded(graph_, lines_)) {
            std::vector<std::string> labels = labels_;
            for (const auto& [name, pattern] : block.weights)
                for (std::string& label : labels)
                    if (label == name) label = pattern;
            const Notation notation(graph_, labels);
            if (block.count > 1) {
                std::vector<std::string> next;
                for (const auto& [before, after] : block.carried)
                    next.push_back(fmt::format("{} := {}", labels_[static_cast<size_t>(before)],
                                               labels_[static_cast<size_t>(after)]));
                out += fmt::format("  repeat {}, i from 0{}{}:\n", block.count, next.empty() ? "" : ", then ",
                                   fmt::join(next, ", "));
            }
            for (size_t i = 0; i < block.length; ++i)
                out += std::string(block.count > 1 ? 4 : 2, ' ') +
                       line(notation, graph_.nodes[lines_[block.first + i]], block) + "\n";
            // Later lines name the last round's values as the first one does.
            if (block.count > 1) rename_last_round(block);
        }
        return out;
    }

    Json json() const {
        const Notation notation(graph_, labels_of(graph_));
        Json out = Json::array();
        for (size_t i : lines_) {
            const Node& node = graph_.nodes[i];
            Json entry = {{"operator", notation.expression(node)},
                          {"kind", kind_name(node.kind)},
                          {"line", node.line},
                          {"from", node.op}};
            for (int result : node.results) {
                const Value& value = graph_.values[static_cast<size_t>(result)];
                entry["results"].push_back(
                    {{"name", notation.label(result)}, {"type", type_text(value.dtype, value.shape)}});
            }
            out.push_back(std::move(entry));
        }
        return out;
    }

    std::vector<std::string> outputs() const {
        const Notation notation(graph_, labels_);
        std::vector<std::string> out;
        for (const Output& output : graph_.outputs)
            out.push_back(notation.operand(output.operand) + " " +
                          type_text(output.operand.dtype, output.operand.shape()));
        return out;
    }
    /// Changed state, but for what batch norms and counters say themselves.
    std::vector<std::string> updates() const {
        const Notation notation(graph_, labels_);
        std::vector<std::string> out;
        for (const Update& update : graph_.updates) {
            if (silent_.contains(update.now.value) || counted_.contains(update.leaf)) continue;
            out.push_back(notation.label(update.leaf) + " := " + notation.operand(update.now));
        }
        return out;
    }
    const std::vector<std::string>& counters() const { return counters_; }

  private:
    static bool is_number(const Node& node) {
        const auto* fill = std::get_if<Pointwise>(&node.kind);
        return fill && fill->body.steps.size() == 1 && fill->body.steps[0].op == ScalarOp::constant;
    }

    /// Buffers of the state that become themselves plus a number: num_batches_tracked.
    void find_counters() {
        for (const Update& update : graph_.updates) {
            const Value& now = graph_.values[static_cast<size_t>(update.now.value)];
            const Node& node = graph_.nodes[static_cast<size_t>(now.node)];
            const auto* sum = std::get_if<Pointwise>(&node.kind);
            const bool plain = sum && node.operands.size() == 1 && node.operands[0].value == update.leaf &&
                               sum->body.steps.size() == 3 && sum->body.steps.back().op == ScalarOp::add &&
                               uses(update.now.value) == 0;
            if (!plain || !now.shape.empty()) continue;
            hidden_.insert(now.node);
            counted_.insert(update.leaf);
            counters_.push_back(graph_.values[static_cast<size_t>(update.leaf)].name);
        }
    }
    /// New running statistics: "training" says that they change.
    void find_silent() {
        for (const Update& update : graph_.updates) {
            const Node& node = graph_.maker(update.now.value);
            if (std::holds_alternative<Normalize>(node.kind) && uses(update.now.value) == 0)
                silent_.insert(update.now.value);
        }
    }
    int uses(int value) const {
        int count = 0;
        for (const Node& node : graph_.nodes)
            for (const Operand& operand : node.operands) count += operand.value == value;
        for (const Output& output : graph_.outputs) count += output.operand.value == value;
        return count;
    }

    std::string line(const Notation& notation, const Node& node, const Block& block) const {
        std::vector<std::string> names, types;
        for (size_t i = 0; i < node.results.size(); ++i) {
            const int result = node.results[i];
            if (i > 0 && (silent_.contains(result) || uses(result) == 0)) continue;
            names.push_back(notation.label(result));
            const Value& value = graph_.values[static_cast<size_t>(result)];
            types.push_back(type_text(value.dtype, value.shape));
        }
        std::string expression = notation.expression(node);
        std::set<std::string> modules;
        for (const Operand& operand : node.operands)
            if (const auto* weight = std::get_if<Weight>(&graph_.maker(operand.value).kind)) {
                const auto pattern = block.weights.find(weight->name);
                const std::string& name = pattern == block.weights.end() ? weight->name : pattern->second;
                if (const size_t dot = name.rfind('.'); dot != std::string::npos)
                    modules.insert(name.substr(0, dot));
            }
        for (const std::string& module : modules) expression = by_module(std::move(expression), module);
        if (types.size() == 1 && !node.operands.empty()) {
            const Value& first = graph_.values[static_cast<size_t>(node.operands[0].value)];
            if (types[0] == type_text(first.dtype, first.shape)) return names[0] + " = " + expression;
        }
        return fmt::format("{} = {} : {}", fmt::join(names, ", "), expression, fmt::join(types, ", "));
    }

    void rename_last_round(const Block& block) {
        const size_t skip = block.length * static_cast<size_t>(block.count - 1);
        for (size_t i = 0; i < block.length; ++i) {
            const std::vector<int>& first = graph_.nodes[lines_[block.first + i]].results;
            const std::vector<int>& last = graph_.nodes[lines_[block.first + i + skip]].results;
            for (size_t r = 0; r < first.size() && r < last.size(); ++r)
                labels_[static_cast<size_t>(last[r])] = labels_[static_cast<size_t>(first[r])];
        }
    }

    const Graph& graph_;
    std::vector<std::string> labels_;
    std::vector<size_t> lines_;
    std::set<int> hidden_, counted_, silent_;  ///< nodes; leaves; values
    std::vector<std::string> counters_;
};

}  // namespace

int64_t Card::tokens() const {
    return static_cast<int64_t>(static_cast<double>(text.size()) / 3.5 + 0.999);
}

namespace {

std::vector<std::string> counted_names(const plan::Plan& reference, const Operators& operators) {
    std::vector<std::string> counted = grouped_names(operators.counters());
    size_t means = 0;
    for (const plan::Weight& weight : reference.weights) means += weight.name.ends_with("running_mean");
    if (counters_beside_means(reference.weights) && operators.counters().size() == means)
        counted = {"num_batches_tracked"};
    return counted;
}

std::string head_text(const Signatures& signatures, const std::string& entry, const plan::Plan& reference) {
    std::vector<std::string> given;
    for (const auto& [name, value] : bound(signatures.constructor, reference.init_inputs))
        given.push_back(name + "=" + value);
    std::string out = fmt::format("class {}({})\n", entry, signatures.constructor.text());
    if (!given.empty()) out += fmt::format("  built with {}\n", fmt::join(given, ", "));
    out += fmt::format("forward({})\n", signatures.forward.text());
    for (size_t i = 0; i < reference.inputs.size(); ++i) {
        const std::string name =
            i < signatures.names.inputs.size() ? signatures.names.inputs[i] : fmt::format("input{}", i);
        out += fmt::format("  {}: {}\n", name, value_text(reference.inputs[i]));
    }
    if (!reference.weights.empty())
        out +=
            fmt::format("state (* buffer{})\n", counters_beside_means(reference.weights)
                                                    ? "; beside running_mean also num_batches_tracked* i64[]"
                                                    : "");
    for (const std::string& line : state_lines(reference.weights)) out += "  " + line + "\n";
    return out;
}

std::string operators_text(const plan::Plan& reference, Operators& operators) {
    std::string out = "operators\n" + operators.text();
    out += fmt::format("return {}\n", fmt::join(operators.outputs(), ", "));
    for (const std::string& update : operators.updates()) out += "changes " + update + "\n";
    const std::vector<std::string> counted = counted_names(reference, operators);
    if (!counted.empty()) out += fmt::format("counts {}\n", fmt::join(counted, ", "));
    return out;
}

}  // namespace

std::string card_text(const Signatures& signatures, const std::string& entry, const plan::Plan& reference,
                      const Graph& graph) {
    Operators operators(graph);
    return head_text(signatures, entry, reference) + operators_text(reference, operators);
}

Card describe(std::string_view source, const std::string& entry, const plan::Plan& reference) {
    const Signatures signatures = signatures_of(source, entry);
    Card card;
    card.text = head_text(signatures, entry, reference);
    Json given = Json::object(), inputs = Json::array(), state = Json::array();
    for (const auto& [name, value] : bound(signatures.constructor, reference.init_inputs))
        given[name] = value;
    for (size_t i = 0; i < reference.inputs.size(); ++i) {
        const std::string name =
            i < signatures.names.inputs.size() ? signatures.names.inputs[i] : fmt::format("input{}", i);
        inputs.push_back({{"name", name}, {"value", value_text(reference.inputs[i])}});
    }
    for (const plan::Weight& weight : reference.weights)
        state.push_back({{"name", weight.name},
                         {"type", type_text(weight.tensor.dtype, weight.tensor.shape)},
                         {"parameter", weight.parameter}});
    card.json = {{"entry", entry},      {"constructor", signatures.constructor.text()},
                 {"built_with", given}, {"forward", signatures.forward.text()},
                 {"inputs", inputs},    {"state", state}};
    const std::variant<Graph, Refusal> lifted = lift(reference, signatures.names);
    if (const auto* refusal = std::get_if<Refusal>(&lifted)) {
        card.refusal = *refusal;
        card.text += "operators not known: " + refusal->text() + "\n";
        card.json["refused"] = {
            {"operator", refusal->op}, {"line", refusal->line}, {"message", refusal->why}};
    } else {
        Operators operators(std::get<Graph>(lifted));
        card.json["operators"] = operators.json();
        card.text += operators_text(reference, operators);
        card.json["outputs"] = operators.outputs();
        card.json["updates"] = operators.updates();
    }
    card.json["card"] = card.text;
    card.json["tokens"] = card.tokens();
    return card;
}

}  // namespace tritonsmith::graph
