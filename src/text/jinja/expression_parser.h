#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/jinja/ast.h"
#include "text/jinja/lexer.h"

namespace tritonsmith::text::jinja {

/// Parses expressions off a list of tokens; precedence as in Jinja 3.1.
class ExpressionParser {
  public:
    explicit ExpressionParser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

    const Token& current() const { return tokens_[at_]; }
    const Token& ahead() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
    Token next() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
    bool is_name(std::string_view name) const {
        return current().kind == Token::Kind::name && current().text == name;
    }
    bool is_symbol(std::string_view text) const {
        return current().kind == Token::Kind::symbol && current().text == text;
    }
    bool skip_name(std::string_view name);
    bool skip_symbol(std::string_view text);
    std::string expect_name();
    void expect_word(std::string_view name);
    void expect_symbol(std::string_view text);
    void expect(Token::Kind kind, std::string_view text);
    [[noreturn]] void unexpected(std::string_view wanted) const;

    /// One expression. @param conditional whether `a if b else c` may stand here
    ExpressionPtr expression(bool conditional = true);
    /// One expression, or several with commas: a tuple.
    ExpressionPtr tuple(bool conditional = true);
    /// `|name(...)` repeated, on what is given; `head`: the first one has no '|'.
    ExpressionPtr filters(ExpressionPtr value, bool head = false);
    /// names used since this was cleared, for macros
    std::vector<std::string> used_names;

    /// Counts how deep the parser is; a guard for each level.
    class Level {
      public:
        explicit Level(ExpressionParser& parser);
        ~Level() { --parser_.depth_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

      private:
        ExpressionParser& parser_;
    };

  private:
    using Binary = ExpressionPtr (ExpressionParser::*)();
    ExpressionPtr left_associative(Binary operand, std::initializer_list<std::string_view> symbols);
    ExpressionPtr or_expression();
    ExpressionPtr and_expression();
    ExpressionPtr not_expression();
    ExpressionPtr comparison();
    std::string comparison_operator();
    ExpressionPtr sum();
    ExpressionPtr concatenation();
    ExpressionPtr product();
    ExpressionPtr power();
    ExpressionPtr unary() { return unary(true); }
    ExpressionPtr unary(bool with_filters);
    ExpressionPtr primary();
    ExpressionPtr literal();
    ExpressionPtr postfix(ExpressionPtr value);
    ExpressionPtr filters_and_tests(ExpressionPtr value);
    ExpressionPtr test(ExpressionPtr value);
    ExpressionPtr call(ExpressionPtr function);
    ExpressionPtr subscript(ExpressionPtr value);
    ExpressionPtr list_or_dict();
    void arguments(Expression& call);

    std::vector<Token> tokens_;
    size_t at_ = 0;
    int depth_ = 0;
};

}  // namespace tritonsmith::text::jinja
