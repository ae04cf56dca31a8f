#include "forge/module/task_text.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "forge/emit/code.h"
#include "forge/emit/refused.h"
#include "lint/tree.h"

namespace tritonsmith::forge {
namespace {

using lint::Kind;
using lint::kind_of;
using lint::Tree;

bool mentions(const std::string& text, const std::string& name) {
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const bool begins = at == 0 || !word_char(text[at - 1]);
        const size_t end = at + name.size();
        if (begins && (end >= text.size() || !word_char(text[end]))) return true;
    }
    return false;
}

std::string renamed(std::string text, const std::string& from, const std::string& to) {
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        const bool begins = at == 0 || (!word_char(text[at - 1]) && text[at - 1] != '.');
        const size_t end = at + from.size();
        if (begins && (end >= text.size() || !word_char(text[end])))
            text.replace(at, from.size(), to);
        else
            at += from.size() - to.size();
    }
    return text;
}

/// The node inside of a decorated definition.
TSNode undecorated(TSNode node) {
    if (kind_of(node) != Kind::Decorated) return node;
    for (uint32_t i = 0; i < lint::named_children(node); ++i) {
        const TSNode inner = lint::named_child(node, i);
        if (kind_of(inner) == Kind::Function || kind_of(inner) == Kind::Class) return inner;
    }
    return node;
}

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> out(1);
    for (const char c : text) {
        if (word_char(c))
            out.back() += c;
        else if (!out.back().empty())
            out.emplace_back();
    }
    if (out.back().empty()) out.pop_back();
    return out;
}

/// What a top-level statement or a member binds.
std::string bound_name(const Tree& tree, TSNode node) {
    const TSNode inner = undecorated(node);
    if (kind_of(inner) == Kind::Function || kind_of(inner) == Kind::Class)
        return std::string(tree.text(lint::child(inner, lint::fields().name)));
    if (kind_of(node) == Kind::ExpressionStatement && lint::named_children(node) == 1) {
        const TSNode statement = lint::named_child(node, 0);
        if (kind_of(statement) == Kind::Assignment)
            return std::string(tree.text(lint::child(statement, lint::fields().left)));
    }
    return "";
}

std::vector<std::string> parameter_names(const Tree& tree, TSNode function) {
    std::vector<std::string> out;
    const TSNode list = lint::child(function, lint::fields().parameters);
    for (uint32_t i = 0; i < lint::named_children(list); ++i) {
        TSNode parameter = lint::named_child(list, i);
        if (kind_of(parameter) == Kind::Comment) continue;
        while (kind_of(parameter) != Kind::Identifier && lint::named_children(parameter) > 0)
            parameter = lint::named_child(parameter, 0);
        std::string name(tree.text(parameter));
        if (name != "self") out.push_back(std::move(name));
    }
    return out;
}

/// Names that a piece of text takes from outside of it: none of a function's own parameters.
void free_names(const Tree& tree, TSNode node, const std::set<std::string>& bound,
                std::set<std::string>& out) {
    const lint::Fields& fields = lint::fields();
    auto inside = [&](TSNode of, uint32_t from, const std::set<std::string>& known) {
        for (uint32_t i = from; i < lint::named_children(of); ++i)
            free_names(tree, lint::named_child(of, i), known, out);
    };
    switch (kind_of(node)) {
        case Kind::Identifier: {
            std::string name(tree.text(node));
            if (!bound.contains(name)) out.insert(std::move(name));
            return;
        }
        case Kind::Attribute:
            return free_names(tree, lint::child(node, fields.object), bound, out);
        case Kind::KeywordArgument:
            return free_names(tree, lint::child(node, fields.value), bound, out);
        case Kind::Function: {
            const TSNode list = lint::child(node, fields.parameters);
            std::set<std::string> inner = bound;
            for (std::string& name : parameter_names(tree, node)) inner.insert(std::move(name));
            for (uint32_t i = 0; i < lint::named_children(list); ++i)
                inside(lint::named_child(list, i), 1, bound);  // types and defaults
            return free_names(tree, lint::child(node, fields.body), inner, out);
        }
        default:
            return inside(node, 0, bound);
    }
}

/// The text of a node with its own indentation on the first line.
std::string lines_of(const Tree& tree, TSNode node) {
    const uint32_t column = ts_node_start_point(node).column;
    return std::string(column, ' ') + std::string(tree.text(node));
}

void find_kept(const Tree& tree, TSNode function, TaskText& out) {
    struct Visitor {
        const Tree& tree;
        TaskText& out;
        bool enter(TSNode node, Kind kind, Kind) {
            if (kind != Kind::Assignment) return true;
            const std::string left(tree.text(lint::child(node, lint::fields().left)));
            const TSNode right = lint::child(node, lint::fields().right);
            if (left.starts_with("self.") && lint::is_kind(right, Kind::Identifier))
                out.kept.emplace_back(left.substr(5), std::string(tree.text(right)));
            return true;
        }
        void leave(Kind) {}
    } visitor{tree, out};
    lint::walk(function, visitor);
}

}  // namespace

TaskText read_task_text(const std::string& source, const std::string& entry, const std::string& new_name) {
    const Tree tree(source);
    if (!tree.ok()) throw Refused("the task's text takes too long to parse");
    TaskText out;
    const TSNode root = tree.root();
    TSNode module{};
    bool found = false;
    for (uint32_t i = 0; i < lint::named_children(root); ++i) {
        const TSNode node = lint::named_child(root, i);
        if (kind_of(undecorated(node)) == Kind::Class && bound_name(tree, node) == entry) {
            module = undecorated(node);
            found = true;
        }
    }
    if (!found) throw Refused("the task has no class " + entry);
    const TSNode supers = lint::child(module, lint::fields().superclasses);
    if (!ts_node_is_null(supers)) {
        out.bases = std::string(tree.text(supers));
        if (out.bases.size() >= 2) out.bases = out.bases.substr(1, out.bases.size() - 2);
    }
    const TSNode body = lint::child(module, lint::fields().body);
    struct Member {
        std::string name, text;
        TSNode node;
        bool kept = false;
    };
    std::vector<Member> members;
    bool forward = false;
    for (uint32_t i = 0; i < lint::named_children(body); ++i) {
        const TSNode node = lint::named_child(body, i);
        if (i == 0 && kind_of(node) == Kind::ExpressionStatement &&
            lint::is_kind(lint::named_child(node, 0), Kind::String)) {
            out.docstring = std::string(tree.text(node));
            continue;
        }
        const TSNode inner = undecorated(node);
        const std::string name = bound_name(tree, node);
        if (name == "forward") {
            forward = true;
            out.parameters = std::string(tree.text(lint::child(inner, lint::fields().parameters)));
            out.arguments = parameter_names(tree, inner);
            continue;
        }
        if (name == "__init__") {
            out.constructor = parameter_names(tree, inner);
            find_kept(tree, inner, out);
        }
        members.push_back({name, renamed(lines_of(tree, node), entry, new_name), node,
                           name == "__init__" || kind_of(inner) != Kind::Function});
    }
    if (!forward) throw Refused("the task's " + entry + " has no forward of its own");
    for (bool again = true; again;) {  // methods that what is kept calls
        again = false;
        for (Member& member : members) {
            if (member.kept) continue;
            for (const Member& other : members)
                if (other.kept && mentions(other.text, member.name)) member.kept = again = true;
        }
    }
    std::string needed = out.bases;
    std::set<std::string> names;
    for (const Member& member : members)
        if (member.kept && member.text.find_first_not_of(' ') != std::string::npos && member.name != "pass") {
            out.members.push_back(member.text);
            needed += "\n" + member.text;
            free_names(tree, member.node, {}, names);
        }
    struct Statement {
        std::vector<std::string> names;  ///< several of "a, b = 1, 2"
        std::string text;
        TSNode node;
        bool kept = false;
    };
    std::vector<Statement> statements;
    for (uint32_t i = 0; i < lint::named_children(root); ++i) {
        const TSNode node = lint::named_child(root, i);
        const Kind kind = kind_of(node);
        if (kind == Kind::Import || kind == Kind::ImportFrom || kind == Kind::FutureImport) {
            out.imports.emplace_back(tree.text(node));
            continue;
        }
        const std::string name = bound_name(tree, node);
        if (!name.empty() && name != entry)
            statements.push_back({words_of(name), lines_of(tree, node), node});
    }
    for (bool again = true; again;) {
        again = false;
        for (Statement& statement : statements)
            if (!statement.kept &&
                std::any_of(statement.names.begin(), statement.names.end(), [&](const std::string& name) {
                    return names.contains(name) || mentions(out.bases, name);
                })) {
                statement.kept = again = true;
                needed += "\n" + statement.text;
                free_names(tree, statement.node, {}, names);
            }
    }
    for (const Statement& statement : statements)
        if (statement.kept) out.definitions.push_back(statement.text);
    // Imports whose names nothing uses any more.
    std::vector<std::string> used;
    for (const std::string& line : out.imports) {
        std::string names = line.substr(line.find("import ") + 7);
        const size_t as = names.find(" as ");
        bool wanted = line.find("*") != std::string::npos || line.find("__future__") != std::string::npos;
        if (as != std::string::npos && names.find(',') == std::string::npos) names = names.substr(as + 4);
        std::string word;
        for (const char c : names + " ") {
            if (word_char(c)) {
                word += c;
                continue;
            }
            if (!word.empty() && mentions(needed + " " + out.parameters, word)) wanted = true;
            word.clear();
        }
        if (wanted) used.push_back(line);
    }
    out.imports = used;
    return out;
}

}  // namespace tritonsmith::forge
