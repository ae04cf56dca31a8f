#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "text/jinja/ast.h"
#include "text/jinja/lexer.h"

/// How the parser puts expressions together.
namespace tritonsmith::text::jinja {

/// Long chains are deep trees: evaluating and destroying one goes all the way down.
inline void grow(Expression& parent, const ExpressionPtr& child) {
    if (!child) return;
    parent.depth = std::max(parent.depth, child->depth + 1);
    constexpr int depth_most = 400;
    if (parent.depth > depth_most)
        fail_at(parent.line,
                "an expression is longer or deeper than " + std::to_string(depth_most) + " steps");
}

inline void add(Expression& parent, ExpressionPtr child) {
    grow(parent, child);
    parent.children.push_back(std::move(child));
}

template <class... Children>
std::unique_ptr<Expression> make(Expression::Kind kind, int line, std::string name = {},
                                 Children... children) {
    auto result = std::make_unique<Expression>();
    result->kind = kind;
    result->line = line;
    result->name = std::move(name);
    (add(*result, std::move(children)), ...);
    return result;
}

}  // namespace tritonsmith::text::jinja
