#include "ttir/ir/location_table.h"

namespace tritonsmith::ttir {
namespace {
constexpr int kMaxLocationNesting = 64;  // loc(callsite(callsite(...
constexpr int kMaxChain = 256;           // aliases naming aliases
constexpr size_t kMaxCallers = 256;      // inlined frames
constexpr int64_t kMaxLine = 1 << 30;
constexpr size_t kMaxNodes = 2'000'000;
}  // namespace

int LocationTable::add(Node node) {
    if (nodes_.size() >= kMaxNodes) lexer_.fail("too many locations");
    nodes_.push_back(std::move(node));
    return static_cast<int>(nodes_.size()) - 1;
}

int LocationTable::trailing() {
    if (!lexer_.accept_word("loc")) return -1;
    lexer_.expect("(");
    int node = inner(0);
    lexer_.expect(")");
    std::string_view alias = nodes_[node].kind == Node::Kind::alias ? nodes_[node].alias : std::string_view();
    if (!alias.empty()) {
        auto [found, fresh] = shared_.emplace(alias, static_cast<int>(given_.size()));
        if (!fresh) {
            nodes_.pop_back();
            return found->second;
        }
    }
    given_.push_back(node);
    return static_cast<int>(given_.size()) - 1;
}

void LocationTable::skip_trailing() {
    if (!lexer_.accept_word("loc")) return;
    size_t before = nodes_.size();
    lexer_.expect("(");
    inner(0);
    lexer_.expect(")");
    nodes_.resize(before);
}

void LocationTable::define(std::string_view name) {
    size_t position = lexer_.position();
    lexer_.expect_word("loc");
    lexer_.expect("(");
    int node = inner(0);
    lexer_.expect(")");
    if (!aliases_.emplace(name, node).second)
        lexer_.fail_at(position, "alias #" + std::string(name) + " is defined twice");
}

int LocationTable::inner(int depth) {
    if (depth > kMaxLocationNesting) lexer_.fail("locations are nested too deeply");
    Node node;
    node.position = lexer_.position();
    char next = lexer_.peek();
    if (next == '#') {
        lexer_.expect("#");
        node.kind = Node::Kind::alias;
        node.alias = lexer_.suffix();
    } else if (next == '"') {
        node.text = lexer_.string();
        if (lexer_.accept(":")) {
            node.kind = Node::Kind::file;
            node.line = static_cast<int>(lexer_.count(kMaxLine));
            lexer_.expect(":");
            node.column = static_cast<int>(lexer_.count(kMaxLine));
            if (lexer_.accept_word("to")) {  // a range: its start is what counts
                if (lexer_.at_digit()) lexer_.count(kMaxLine);
                lexer_.expect(":");
                lexer_.count(kMaxLine);
            }
        } else {
            node.kind = Node::Kind::name;
            if (lexer_.accept("(")) {
                node.first = inner(depth + 1);
                lexer_.expect(")");
            }
        }
    } else if (lexer_.accept_word("callsite")) {
        node.kind = Node::Kind::call;
        lexer_.expect("(");
        node.first = inner(depth + 1);
        lexer_.expect_word("at");
        node.second = inner(depth + 1);
        lexer_.expect(")");
    } else if (lexer_.accept_word("fused")) {
        return fused(node, depth);
    } else if (!lexer_.accept_word("unknown")) {
        lexer_.fail("expected a location");
    }
    return add(std::move(node));
}

/// Several positions that became one operation.
int LocationTable::fused(Node& node, int depth) {
    if (lexer_.accept("<")) {
        lexer_.string();
        lexer_.expect(">");
    }
    lexer_.expect("[");
    int all = -1;
    while (!lexer_.accept("]")) {
        int part = inner(depth + 1);
        if (all >= 0) {
            Node both;
            both.kind = Node::Kind::fused;
            both.position = node.position;
            both.first = all;
            both.second = part;
            part = add(std::move(both));
        }
        all = part;
        if (lexer_.peek() != ']') lexer_.expect(",");
    }
    return all >= 0 ? all : add(std::move(node));
}

Location LocationTable::make(int index, int depth) {
    const Node& node = nodes_[index];
    if (depth > kMaxChain) lexer_.fail_at(node.position, "locations refer to each other too deeply");
    Location out;
    if (node.kind == Node::Kind::alias) {
        auto found = aliases_.find(node.alias);
        if (found == aliases_.end()) lexer_.fail_at(node.position, "no alias #" + std::string(node.alias));
        return make(found->second, depth + 1);
    }
    if (node.kind == Node::Kind::name && node.first >= 0) out = make(node.first, depth + 1);
    if (node.kind == Node::Kind::name && out.name.empty()) out.name = node.text;
    if (node.kind == Node::Kind::file) out.file = node.text, out.line = node.line, out.column = node.column;
    if (node.kind == Node::Kind::fused) {
        // The first known position stands for all; two columns of one line become none, as in LLVM's debug
        // information.
        out = make(node.first, depth + 1);
        Location other = make(node.second, depth + 1);
        if (out.file.empty()) {
            out = std::move(other);
        } else if (!other.file.empty() && other.line == out.line && other.column != out.column) {
            out.column = 0;
        }
    }
    if (node.kind == Node::Kind::call) {
        out = make(node.first, depth + 1);
        Location caller = make(node.second, depth + 1);
        std::vector<Location> outer = std::move(caller.callers);
        caller.callers.clear();
        out.callers.push_back(std::move(caller));
        for (Location& frame : outer) out.callers.push_back(std::move(frame));
        if (out.callers.size() > kMaxCallers) lexer_.fail_at(node.position, "too many inlined frames");
    }
    budget_ -=
        static_cast<int64_t>((out.callers.size() + 1) * sizeof(Location) + out.file.size() + out.name.size());
    for (const Location& frame : out.callers)
        budget_ -= static_cast<int64_t>(frame.file.size() + frame.name.size());
    if (budget_ < 0) lexer_.fail_at(node.position, "the locations take too much memory");
    return out;
}

std::vector<Location> LocationTable::resolve() {
    std::vector<Location> out;
    out.reserve(given_.size());
    for (int node : given_) out.push_back(make(node, 0));
    return out;
}

}  // namespace tritonsmith::ttir
