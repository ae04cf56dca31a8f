#include "text/jinja/parser.h"

#include <algorithm>

#include "text/jinja/expression_parser.h"

namespace tritonsmith::text::jinja {
namespace {

using StatementKind = Statement::Kind;
using Words = std::initializer_list<std::string_view>;

Statement make(StatementKind kind, int line) {
    Statement result{};
    result.kind = kind;
    result.line = line;
    return result;
}

class Parser : ExpressionParser {
  public:
    explicit Parser(std::string_view source) : ExpressionParser(tokenize(source)) {}

    std::vector<Statement> run() {
        std::vector<Statement> result = statements({});
        if (current().kind != Token::Kind::end) unexpected("the end");
        return result;
    }

  private:
    /// Up to a block that begins with one of these words, which is not consumed (its '{%' is).
    std::vector<Statement> statements(Words until) {
        const Level level(*this);
        const int begin = current().line;
        std::vector<Statement> result;
        for (;;) {
            switch (current().kind) {
                case Token::Kind::text:
                    result.push_back(make(StatementKind::text, current().line));
                    result.back().text = next().text;
                    break;
                case Token::Kind::variable_begin:
                    next();
                    result.push_back(make(StatementKind::output, current().line));
                    result.back().expression = tuple();
                    expect(Token::Kind::variable_end, "}}");
                    break;
                case Token::Kind::block_begin:
                    next();
                    for (const std::string_view word : until)
                        if (is_name(word)) return result;
                    result.push_back(statement());
                    break;
                default:
                    if (until.size() == 0) return result;
                    fail_at(begin,
                            "the block that begins here has no '" + std::string(*(until.end() - 1)) + "'");
            }
        }
    }

    std::vector<Statement> body(std::string_view end) {
        std::vector<Statement> result = statements({end});
        next();
        end_block();
        return result;
    }
    void end_block() { expect(Token::Kind::block_end, "%}"); }

    Statement statement() {
        const int line = current().line;
        const std::string word = expect_name();
        if (word == "set") return set(line);
        if (word == "if") return condition(line);
        if (word == "for") return loop(line);
        if (word == "macro") return macro(line);
        if (word == "call") return call(line);
        if (word == "with") return with(line);
        if (word == "filter") {
            Statement result = make(StatementKind::filter_block, line);
            result.expression = filters(nullptr, true);
            end_block();
            result.body = body("endfilter");
            return result;
        }
        if (word == "generation") {
            Statement result = make(StatementKind::generation, line);
            end_block();
            result.body = body("endgeneration");
            return result;
        }
        if (word == "break" || word == "continue") {
            if (loops_ == 0) fail_at(line, "'" + word + "' outside of a loop");
            end_block();
            return make(word == "break" ? StatementKind::break_loop : StatementKind::continue_loop, line);
        }
        if (word.starts_with("end") || word.starts_with("el"))
            fail_at(line, "'" + word + "' does not end any open block");
        fail_at(line, "the statement '" + word + "' is not supported");
    }

    std::string target_name() {
        std::string name = expect_name();
        for (const char* constant : {"true", "false", "none", "True", "False", "None"})
            if (name == constant) fail_at(current().line, "'" + name + "' cannot be assigned to");
        return name;
    }

    Target target() {
        Target result;
        const bool parentheses = skip_symbol("(");
        result.names.push_back(target_name());
        if (!parentheses && skip_symbol(".")) {
            result.member = expect_name();
            return result;
        }
        while (skip_symbol(",")) {
            result.unpack = true;
            if (current().kind != Token::Kind::name || is_name("in")) break;
            result.names.push_back(target_name());
        }
        if (parentheses) expect_symbol(")");
        return result;
    }

    Statement set(int line) {
        Statement result = make(StatementKind::set, line);
        result.target = target();
        if (skip_symbol("=")) {
            result.expression = tuple();
            end_block();
            return result;
        }
        result.kind = StatementKind::set_block;
        if (result.target.unpack) unexpected("'='");
        result.expression = filters(nullptr);
        end_block();
        result.body = body("endset");
        return result;
    }

    Statement condition(int line) {
        const Level level(*this);
        Statement result = make(StatementKind::condition, line);
        result.expression = tuple(false);
        end_block();
        result.body = statements({"elif", "else", "endif"});
        const Token word = next();
        if (word.text == "elif") {
            result.otherwise.push_back(condition(word.line));
            return result;
        }
        end_block();
        if (word.text == "else") result.otherwise = body("endif");
        return result;
    }

    Statement loop(int line) {
        Statement result = make(StatementKind::loop, line);
        result.target = target();
        if (!result.target.member.empty()) fail_at(line, "a loop cannot assign to the member of a namespace");
        expect_word("in");
        result.expression = tuple(false);
        if (skip_name("if")) result.filter = expression();
        if (is_name("recursive")) fail_at(line, "recursive loops are not supported");
        end_block();
        ++loops_;
        result.body = statements({"else", "endfor"});
        --loops_;
        const Token word = next();
        end_block();
        if (word.text == "else") result.otherwise = body("endfor");
        return result;
    }

    void parameters(Statement& of) {
        expect_symbol("(");
        while (!is_symbol(")")) {
            if (!of.parameters.empty()) expect_symbol(",");
            std::string name = target_name();
            ExpressionPtr otherwise = skip_symbol("=") ? expression() : nullptr;
            if (!otherwise && !of.parameters.empty() && of.parameters.back().second)
                fail_at(of.line, "a parameter without a default follows one that has one");
            of.parameters.emplace_back(std::move(name), std::move(otherwise));
        }
        next();
    }

    /// The body of a macro. `break` and `continue` do not reach loops around it; the names that it uses
    /// decide which extra arguments the macro takes.
    void macro_body(Statement& of, std::string_view end) {
        const int loops = std::exchange(loops_, 0);
        const size_t before = used_names.size();
        of.body = body(end);
        const auto uses = [&](std::string_view name) {
            return std::find(used_names.begin() + static_cast<long>(before), used_names.end(), name) !=
                   used_names.end();
        };
        of.varargs = uses("varargs");
        of.kwargs = uses("kwargs");
        loops_ = loops;
    }

    Statement macro(int line) {
        Statement result = make(StatementKind::macro, line);
        result.text = target_name();
        parameters(result);
        end_block();
        macro_body(result, "endmacro");
        return result;
    }

    Statement call(int line) {
        Statement result = make(StatementKind::call_block, line);
        if (is_symbol("(")) parameters(result);
        result.expression = expression();
        if (result.expression->kind != Expression::Kind::call) fail_at(line, "'call' needs a call");
        end_block();
        macro_body(result, "endcall");
        return result;
    }

    Statement with(int line) {
        Statement result = make(StatementKind::with, line);
        while (current().kind != Token::Kind::block_end) {
            if (!result.parameters.empty()) expect_symbol(",");
            std::string name = target_name();
            expect_symbol("=");
            result.parameters.emplace_back(std::move(name), expression());
        }
        end_block();
        result.body = body("endwith");
        return result;
    }

    int loops_ = 0;
};

}  // namespace

std::vector<Statement> parse(std::string_view source) {
    return Parser(source).run();
}

}  // namespace tritonsmith::text::jinja
