#include "text/jinja_expression_parser.h"

#include <algorithm>
#include <charconv>

namespace tritonsmith::text::jinja {
namespace {

using Kind = Expression::Kind;

constexpr int nesting_most = 200, depth_most = 400;

/// Long chains are deep trees: evaluating and destroying one goes all the way down.
void grow(Expression& parent, const ExpressionPtr& child) {
    if (!child) return;
    parent.depth = std::max(parent.depth, child->depth + 1);
    if (parent.depth > depth_most)
        fail_at(parent.line,
                "an expression is longer or deeper than " + std::to_string(depth_most) + " steps");
}

void add(Expression& parent, ExpressionPtr child) {
    grow(parent, child);
    parent.children.push_back(std::move(child));
}

template <class... Children>
std::unique_ptr<Expression> make(Kind kind, int line, std::string name = {}, Children... children) {
    auto result = std::make_unique<Expression>();
    result->kind = kind;
    result->line = line;
    result->name = std::move(name);
    (add(*result, std::move(children)), ...);
    return result;
}

}  // namespace

ExpressionParser::Level::Level(ExpressionParser& parser) : parser_(parser) {
    if (++parser_.depth_ > nesting_most) {
        --parser_.depth_;
        fail_at(parser_.current().line, "nested too deeply");
    }
}

bool ExpressionParser::skip_name(std::string_view name) {
    if (!is_name(name)) return false;
    next();
    return true;
}

bool ExpressionParser::skip_symbol(std::string_view text) {
    if (!is_symbol(text)) return false;
    next();
    return true;
}

std::string ExpressionParser::expect_name() {
    if (current().kind != Token::Kind::name) unexpected("a name");
    return next().text;
}

void ExpressionParser::expect_word(std::string_view name) {
    if (!skip_name(name)) unexpected("'" + std::string(name) + "'");
}

void ExpressionParser::expect_symbol(std::string_view text) {
    if (!skip_symbol(text)) unexpected("'" + std::string(text) + "'");
}

void ExpressionParser::expect(Token::Kind kind, std::string_view text) {
    if (current().kind != kind) unexpected("'" + std::string(text) + "'");
    next();
}

void ExpressionParser::unexpected(std::string_view wanted) const {
    fail_at(current().line,
            "'" + current().text.substr(0, 100) + "' stands where " + std::string(wanted) + " is expected");
}

ExpressionPtr ExpressionParser::expression(bool conditional) {
    const Level level(*this);
    ExpressionPtr value = or_expression();
    while (conditional && is_name("if")) {
        const int line = next().line;
        ExpressionPtr condition = or_expression();
        ExpressionPtr otherwise = skip_name("else") ? expression() : nullptr;
        value =
            make(Kind::conditional, line, "", std::move(condition), std::move(value), std::move(otherwise));
    }
    return value;
}

ExpressionPtr ExpressionParser::tuple(bool conditional) {
    ExpressionPtr first = expression(conditional);
    if (!is_symbol(",")) return first;
    const int line = first->line;
    auto result = make(Kind::tuple, line, "", std::move(first));
    while (skip_symbol(",")) {
        if (is_symbol(")") || current().kind == Token::Kind::variable_end ||
            current().kind == Token::Kind::block_end)
            break;
        add(*result, expression(conditional));
    }
    return result;
}

ExpressionPtr ExpressionParser::left_associative(Binary operand,
                                                 std::initializer_list<std::string_view> symbols) {
    ExpressionPtr left = (this->*operand)();
    while (current().kind == Token::Kind::symbol &&
           std::find(symbols.begin(), symbols.end(), current().text) != symbols.end()) {
        const Token symbol = next();
        ExpressionPtr right = (this->*operand)();
        left = make(Kind::binary, symbol.line, symbol.text, std::move(left), std::move(right));
    }
    return left;
}

ExpressionPtr ExpressionParser::or_expression() {
    ExpressionPtr left = and_expression();
    while (is_name("or")) {
        const int line = next().line;
        ExpressionPtr right = and_expression();
        left = make(Kind::binary, line, "or", std::move(left), std::move(right));
    }
    return left;
}

ExpressionPtr ExpressionParser::and_expression() {
    ExpressionPtr left = not_expression();
    while (is_name("and")) {
        const int line = next().line;
        ExpressionPtr right = not_expression();
        left = make(Kind::binary, line, "and", std::move(left), std::move(right));
    }
    return left;
}

ExpressionPtr ExpressionParser::not_expression() {
    if (!is_name("not")) return comparison();
    const Level level(*this);
    const int line = next().line;
    return make(Kind::unary, line, "not", not_expression());
}

std::string ExpressionParser::comparison_operator() {
    for (const char* symbol : {"==", "!=", "<=", ">=", "<", ">"})
        if (skip_symbol(symbol)) return symbol;
    if (skip_name("in")) return "in";
    if (!is_name("not") || ahead().kind != Token::Kind::name || ahead().text != "in") return "";
    next();
    next();
    return "not in";
}

ExpressionPtr ExpressionParser::comparison() {
    ExpressionPtr left = sum();
    const int line = current().line;
    std::string symbol = comparison_operator();
    if (symbol.empty()) return left;
    auto result = make(Kind::compare, line, "", std::move(left));
    for (; !symbol.empty(); symbol = comparison_operator()) {
        result->operators.push_back(symbol);
        add(*result, sum());
    }
    return result;
}

ExpressionPtr ExpressionParser::sum() {
    return left_associative(&ExpressionParser::concatenation, {"+", "-"});
}

ExpressionPtr ExpressionParser::concatenation() {
    ExpressionPtr first = product();
    if (!is_symbol("~")) return first;
    auto result = make(Kind::concat, current().line, "", std::move(first));
    while (skip_symbol("~")) add(*result, product());
    return result;
}

ExpressionPtr ExpressionParser::product() {
    return left_associative(&ExpressionParser::power, {"*", "/", "//", "%"});
}
ExpressionPtr ExpressionParser::power() {
    return left_associative(&ExpressionParser::unary, {"**"});
}

ExpressionPtr ExpressionParser::unary(bool with_filters) {
    ExpressionPtr value;
    if (is_symbol("-") || is_symbol("+")) {
        const Level level(*this);
        const Token sign = next();
        value = make(Kind::unary, sign.line, sign.text, unary(false));
    } else {
        value = primary();
    }
    value = postfix(std::move(value));
    return with_filters ? filters_and_tests(std::move(value)) : std::move(value);
}

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
    if (is_symbol("[")) return list();
    if (is_symbol("{")) return dict();
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

ExpressionPtr ExpressionParser::list() {
    auto result = make(Kind::list, next().line);
    while (!is_symbol("]")) {
        if (!result->children.empty()) expect_symbol(",");
        if (is_symbol("]")) break;
        add(*result, expression());
    }
    expect_symbol("]");
    return result;
}

ExpressionPtr ExpressionParser::dict() {
    auto result = make(Kind::dict, next().line);
    while (!is_symbol("}")) {
        if (!result->children.empty()) expect_symbol(",");
        if (is_symbol("}")) break;
        add(*result, expression());
        expect_symbol(":");
        add(*result, expression());
    }
    expect_symbol("}");
    return result;
}

ExpressionPtr ExpressionParser::postfix(ExpressionPtr value) {
    for (;;) {
        if (is_symbol(".") || is_symbol("[")) {
            value = subscript(std::move(value));
        } else if (is_symbol("(")) {
            auto call = make(Kind::call, current().line, "", std::move(value));
            arguments(*call);
            value = std::move(call);
        } else {
            return value;
        }
    }
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
            if (!call.named.empty()) fail_at(current().line, "an argument without a name behind one with");
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
            auto call = make(Kind::call, current().line, "", std::move(value));
            arguments(*call);
            value = std::move(call);
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
