#include "text/jinja/expression_parser.h"

#include <algorithm>

#include "text/jinja/make.h"

namespace tritonsmith::text::jinja {
namespace {

using Kind = Expression::Kind;

constexpr int nesting_most = 200;

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

}  // namespace tritonsmith::text::jinja
