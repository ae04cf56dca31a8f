#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "text/jinja/value.h"

namespace tritonsmith::text::jinja {

struct Expression;
using ExpressionPtr = std::unique_ptr<const Expression>;

struct Expression {
    enum class Kind {
        constant,   ///< value
        name,       ///< name
        list,       ///< children
        tuple,      ///< children
        dict,       ///< children: key, value, key, value …
        attribute,  ///< children[0].name
        item,       ///< children[0][children[1]]
        slice,      ///< children[0][children[1]:children[2]:children[3]]; null where left out
        call,       ///< children[0](children[1] …, named)
        filter,  ///< children[0] | name(children[1] …, named); children[0] is null at the head of a block's
                 ///< filters
        test,    ///< children[0] is name(children[1] …)
        unary,   ///< name ("-", "+", "not") children[0]
        binary,  ///< children[0] name children[1]: arithmetic, "and", "or"
        compare,      ///< children[0] operators[0] children[1] operators[1] children[2] …
        concat,       ///< children[0] ~ children[1] ~ …
        conditional,  ///< children[1] if children[0] else children[2]; the last may be null
    };
    Kind kind;
    int line;
    std::string name;
    Value value;
    std::vector<ExpressionPtr> children;
    std::vector<std::pair<std::string, ExpressionPtr>> named;
    std::vector<std::string> operators;
    int depth = 1;  ///< of the tree below, itself included
};

/// What set and for assign to: names, or the member of a namespace.
struct Target {
    std::vector<std::string> names;
    bool unpack = false;  ///< the value is taken apart, also where there is one name
    std::string member;   ///< of the namespace names[0]
};

struct Statement {
    enum class Kind {
        text,          ///< text
        output,        ///< {{ expression }}
        set,           ///< target = expression
        set_block,     ///< target = body, through expression (filters) where there is one
        condition,     ///< if expression: body, else otherwise
        loop,          ///< for target in expression if filter: body, else otherwise
        macro,         ///< text(parameters): body
        call_block,    ///< expression, a call, with caller(parameters) = body
        filter_block,  ///< body through expression
        with,          ///< parameters as variables of body
        generation,    ///< body, whose variables stay within
        break_loop,
        continue_loop,
    };
    Kind kind;
    int line;
    std::string text;
    Target target;
    ExpressionPtr expression, filter;
    std::vector<std::pair<std::string, ExpressionPtr>>
        parameters;  ///< with defaults; null where there is none
    std::vector<Statement> body, otherwise;
    bool varargs = false, kwargs = false;  ///< whether the macro's body names them
};

}  // namespace tritonsmith::text::jinja
