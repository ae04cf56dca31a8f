#pragma once

#include <tree_sitter/api.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace tritonsmith::lint {

/// The kinds of syntax nodes that rules look at; everything else is Other.
enum class Kind : uint8_t {
    Other,
    Module,
    Block,
    Function,
    Class,
    Lambda,
    Decorated,
    Decorator,
    Parameters,
    TypedParameter,
    Type,
    Call,
    ArgumentList,
    KeywordArgument,
    Attribute,
    Subscript,
    Identifier,
    Parenthesized,
    NamedExpression,
    BinaryOperator,
    At,        ///< the token `@`
    AtAssign,  ///< the token `@=`
    Comma,
    Open,   ///< ( [ {
    Close,  ///< ) ] }
    Semicolon,
    Assignment,
    AugmentedAssignment,
    ExpressionStatement,
    Return,
    Pass,
    Raise,
    Try,
    Except,
    For,
    ForIn,
    AsTarget,
    Global,
    Import,
    ImportFrom,
    FutureImport,
    AliasedImport,
    WildcardImport,
    DottedName,
    String,
    ConcatenatedString,
    Number,
    Ellipsis,
    Tuple,
    Pattern,  ///< tuple and list patterns, splats in targets
    Comment,
    LineContinuation,
    Compound,  ///< if, elif, else, while, with, finally, match, case
    PrintStatement,
    ExecStatement,
    Error,
};

Kind kind_of(TSNode node);

/// The fields of the grammar that rules read.
struct Fields {
    TSFieldId name, body, function, arguments, left, right, value, superclasses, attribute, object,
        module_name, alias, parameters;
};
const Fields& fields();

/// The syntax tree of a text; owns the tree. The text must outlive it.
class Tree {
  public:
    /// Empty (`!ok()`) if parsing took two seconds of processor time: hostile input. Stays on the thread that made it.
    explicit Tree(std::string_view source);
    ~Tree();
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;

    bool ok() const { return tree_ != nullptr; }
    TSNode root() const { return ts_tree_root_node(tree_); }
    std::string_view source() const { return source_; }
    /// The node's text; empty for a null node.
    std::string_view text(TSNode node) const {
        if (ts_node_is_null(node)) return {};
        uint32_t begin = ts_node_start_byte(node), end = ts_node_end_byte(node);
        return source_.substr(begin, end - begin);
    }

  private:
    std::string_view source_;
    TSParser* parser_;
    TSTree* tree_ = nullptr;
};

// Null-safe forms: in a tree with errors any part of a node may be absent.
inline TSNode child(TSNode node, TSFieldId field) {
    return ts_node_is_null(node) ? node : ts_node_child_by_field_id(node, field);
}
inline TSNode named_child(TSNode node, uint32_t index) {
    return ts_node_is_null(node) ? node : ts_node_named_child(node, index);
}
inline uint32_t named_children(TSNode node) {
    return ts_node_is_null(node) ? 0 : ts_node_named_child_count(node);
}
inline bool is_kind(TSNode node, Kind kind) {
    return !ts_node_is_null(node) && kind_of(node) == kind;
}

/// Depth-first walk without recursion: hostile text nests a million levels deep. The visitor has
/// `bool enter(TSNode, Kind, Kind parent)` (false: skip the children) and `void leave(Kind)`, called for
/// every node entered.
template <class Visitor>
void walk(TSNode root, Visitor& visitor) {
    TSTreeCursor cursor = ts_tree_cursor_new(root);
    std::vector<Kind> open;
    for (;;) {
        TSNode node = ts_tree_cursor_current_node(&cursor);
        Kind kind = kind_of(node);
        if (visitor.enter(node, kind, open.empty() ? Kind::Other : open.back()) &&
            ts_tree_cursor_goto_first_child(&cursor)) {
            open.push_back(kind);
            continue;
        }
        visitor.leave(kind);
        while (!open.empty() && !ts_tree_cursor_goto_next_sibling(&cursor)) {
            ts_tree_cursor_goto_parent(&cursor);
            visitor.leave(open.back());
            open.pop_back();
        }
        if (open.empty()) break;
    }
    ts_tree_cursor_delete(&cursor);
}

}  // namespace tritonsmith::lint
