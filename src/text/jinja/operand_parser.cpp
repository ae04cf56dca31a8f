#include <charconv>

#include "text/jinja/expression_parser.h"
#include "text/jinja/make.h"

/// Operands: names, literals, and their suffixes (members, calls, filters, tests).
namespace tritonsmith::text::jinja {
namespace {

using Kind = Expression::Kind;

}  // namespace

ExpressionPtr ExpressionParser::primary() {
    if (current().kind == Token::Kind::name) {
        const Token token = next();
        const bool truth = token.text == "true" || token.text == "True";
        if (!truth && token.text != "false" && token.text != "False" && token.text != "none" &&
            token.text != "None") {
            used_names.push_back(token.text);
            return make(Kind::name, token.line, token.text);
        }
        auto result = make(Kind::constant, token.line);
        result->value = token.text == "none" || token.text == "None" ? Value(None{}) : Value(truth);
        return result;
    }
    if (is_symbol("[") || is_symbol("{")) return list_or_dict();
    if (!is_symbol("(")) return literal();
    const Level level(*this);
    const int line = next().line;
    if (skip_symbol(")")) return make(Kind::tuple, line);
    ExpressionPtr value = tuple();
    expect_symbol(")");
    return value;
}

ExpressionPtr ExpressionParser::literal() {
    auto result = make(Kind::constant, current().line);
    if (current().kind == Token::Kind::string) {
        std::string text;
        while (current().kind == Token::Kind::string) text += next().text;
        result->value = Value(std::move(text));
    } else if (current().kind == Token::Kind::integer) {
        int64_t number = 0;
        const Token token = next();
        if (std::from_chars(token.text.data(), token.text.data() + token.text.size(), number).ec !=
            std::errc())
            fail_at(token.line, token.text.substr(0, 50) + " does not fit into 64 bits");
        result->value = Value(number);
    } else if (current().kind == Token::Kind::number) {
        double number = 0;
        const Token token = next();
        std::from_chars(token.text.data(), token.text.data() + token.text.size(), number);
        result->value = Value(number);
    } else {
        unexpected("an expression");
    }
    return result;
}

ExpressionPtr ExpressionParser::list_or_dict() {
    const bool list = is_symbol("[");
    const char* end = list ? "]" : "}";
    auto result = make(list ? Kind::list : Kind::dict, next().line);
    while (!is_symbol(end)) {
        if (!result->children.empty()) expect_symbol(",");
        if (is_symbol(end)) break;
        add(*result, expression());
        if (list) continue;
        expect_symbol(":");
        add(*result, expression());
    }
    expect_symbol(end);
    return result;
}

ExpressionPtr ExpressionParser::postfix(ExpressionPtr value) {
    for (;;) {
        if (is_symbol(".") || is_symbol("[")) {
            value = subscript(std::move(value));
        } else if (is_symbol("(")) {
            value = call(std::move(value));
        } else {
            return value;
        }
    }
}

ExpressionPtr ExpressionParser::call(ExpressionPtr function) {
    auto result = make(Kind::call, current().line, "", std::move(function));
    arguments(*result);
    return result;
}

ExpressionPtr ExpressionParser::subscript(ExpressionPtr value) {
    const Token token = next();
    if (token.text == ".") {
        if (current().kind == Token::Kind::name)
            return make(Kind::attribute, token.line, next().text, std::move(value));
        if (current().kind != Token::Kind::integer) unexpected("a name or a number");
        return make(Kind::item, token.line, "", std::move(value), literal());
    }
    ExpressionPtr parts[3];
    int colons = 0;
    while (!is_symbol("]")) {
        if (is_symbol(":") && colons < 2) {
            next();
            ++colons;
        } else if (!parts[colons]) {
            parts[colons] = expression();
        } else {
            unexpected("']'");
        }
    }
    const int line = next().line;
    if (colons)
        return make(Kind::slice, line, "", std::move(value), std::move(parts[0]), std::move(parts[1]),
                    std::move(parts[2]));
    if (!parts[0]) fail_at(line, "'[]' without an index");
    return make(Kind::item, line, "", std::move(value), std::move(parts[0]));
}

void ExpressionParser::arguments(Expression& call) {
    expect_symbol("(");
    bool first = true;
    while (!is_symbol(")")) {
        if (!first) expect_symbol(",");
        if (is_symbol(")")) break;
        first = false;
        if (is_symbol("*") || is_symbol("**"))
            fail_at(current().line, "'*' and '**' before arguments are not supported");
        if (current().kind == Token::Kind::name && ahead().kind == Token::Kind::symbol &&
            ahead().text == "=") {
            std::string name = next().text;
            next();
            ExpressionPtr value = expression();
            grow(call, value);
            call.named.emplace_back(std::move(name), std::move(value));
        } else {
            if (!call.named.empty())
                fail_at(current().line, "a positional argument follows a keyword argument");
            add(call, expression());
        }
    }
    expect_symbol(")");
}

ExpressionPtr ExpressionParser::filters(ExpressionPtr value, bool head) {
    while (head || is_symbol("|")) {
        if (!head) next();
        head = false;
        const int line = current().line;
        auto filter = make(Kind::filter, line, expect_name(), std::move(value));
        if (is_symbol("(")) arguments(*filter);
        value = std::move(filter);
    }
    return value;
}

ExpressionPtr ExpressionParser::filters_and_tests(ExpressionPtr value) {
    for (;;) {
        if (is_symbol("|")) {
            value = filters(std::move(value));
        } else if (is_name("is")) {
            value = test(std::move(value));
        } else if (is_symbol("(")) {
            value = call(std::move(value));
        } else {
            return value;
        }
    }
}

ExpressionPtr ExpressionParser::test(ExpressionPtr value) {
    const int line = next().line;
    const bool negated = skip_name("not");
    auto result = make(Kind::test, line, expect_name(), std::move(value));
    const Token& token = current();
    const bool operand = token.kind == Token::Kind::string || token.kind == Token::Kind::integer ||
                         token.kind == Token::Kind::number ||
                         (token.kind == Token::Kind::symbol && (token.text == "[" || token.text == "{")) ||
                         (token.kind == Token::Kind::name && token.text != "else" && token.text != "or" &&
                          token.text != "and");
    if (is_symbol("(")) {
        arguments(*result);
    } else if (operand) {
        if (is_name("is")) fail_at(line, "tests cannot be chained with 'is'");
        add(*result, postfix(primary()));
    }
    if (negated) return make(Kind::unary, line, "not", std::move(result));
    return result;
}

}  // namespace tritonsmith::text::jinja
