#include "graph/card/signature.h"

#include "lint/tree.h"

namespace tritonsmith::graph {
namespace {

using lint::Kind;

std::string squeezed(std::string_view text) {
    std::string out;
    for (char c : text) {
        const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!space)
            out += c;
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    return out;
}

Signature read_parameters(const lint::Tree& tree, TSNode parameters) {
    Signature out;
    for (uint32_t i = 0; i < lint::named_children(parameters); ++i) {
        const TSNode node = lint::named_child(parameters, i);
        if (lint::is_kind(node, Kind::Comment)) continue;
        TSNode name = lint::child(node, lint::fields().name);
        if (ts_node_is_null(name))
            name = lint::is_kind(node, Kind::TypedParameter) ? lint::named_child(node, 0) : node;
        const TSNode value = ts_node_child_by_field_name(node, "value", 5);
        out.parameters.push_back({squeezed(tree.text(name)), squeezed(tree.text(value))});
    }
    if (!out.parameters.empty()) out.parameters.erase(out.parameters.begin());  // self
    return out;
}

/// The name that an assignment's target gives to what is assigned.
std::string target_name(const lint::Tree& tree, TSNode target) {
    while (!ts_node_is_null(target)) {
        if (lint::is_kind(target, Kind::Identifier)) return std::string(tree.text(target));
        if (lint::is_kind(target, Kind::Attribute))
            return std::string(tree.text(lint::child(target, lint::fields().attribute)));
        target = lint::named_child(target, 0);  // of a tuple the first one, of x[…] the x
    }
    return "";
}

struct Visitor {
    const lint::Tree& tree;
    const std::string& entry;
    Signatures& out;
    std::vector<std::string> open = {};  ///< classes that are open, "" for what is no class

    bool in_entry() const {
        for (auto name = open.rbegin(); name != open.rend(); ++name)
            if (!name->empty()) return *name == entry;
        return false;
    }

    bool enter(TSNode node, Kind kind, Kind) {
        if (kind == Kind::Function && in_entry()) {
            const std::string_view name = tree.text(lint::child(node, lint::fields().name));
            const TSNode parameters = lint::child(node, lint::fields().parameters);
            if (name == "__init__") out.constructor = read_parameters(tree, parameters);
            if (name == "forward") out.forward = read_parameters(tree, parameters);
        }
        if (kind == Kind::Assignment || kind == Kind::AugmentedAssignment) {
            const TSNode value = lint::child(node, lint::fields().right);
            const std::string name = target_name(tree, lint::child(node, lint::fields().left));
            if (!ts_node_is_null(value) && !name.empty())
                for (uint32_t row = ts_node_start_point(value).row; row <= ts_node_end_point(value).row;
                     ++row)
                    out.names.lines[static_cast<int>(row) + 1] = name;
        }
        open.push_back(kind == Kind::Class ? std::string(tree.text(lint::child(node, lint::fields().name)))
                                           : "");
        return true;
    }
    void leave(Kind) { open.pop_back(); }
};

}  // namespace

std::string Signature::text() const {
    std::string out;
    for (const Parameter& parameter : parameters) {
        out += (out.empty() ? "" : ", ") + parameter.name;
        if (!parameter.fallback.empty()) out += "=" + parameter.fallback;
    }
    return out;
}

Signatures signatures_of(std::string_view source, const std::string& entry) {
    Signatures out;
    const lint::Tree tree(source);
    if (!tree.ok()) return out;
    Visitor visitor{tree, entry, out};
    lint::walk(tree.root(), visitor);
    for (const Parameter& parameter : out.forward.parameters)
        if (!parameter.name.starts_with("*")) out.names.inputs.push_back(parameter.name);
    return out;
}

}  // namespace tritonsmith::graph
