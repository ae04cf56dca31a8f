#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/jinja/ast.h"
#include "text/jinja/machine.h"

namespace tritonsmith::text::jinja {

/// Variables of one block, and where the ones around it are. Macros keep the scope that they were made in.
struct Scope {
    std::shared_ptr<Scope> parent;
    std::vector<std::pair<std::string, Value>> variables;

    const Value* find(std::string_view name) const;
    void set(std::string_view name, Value value);
};

/// One rendering of a template.
class Evaluator {
  public:
    /// @param variables what the template is given
    explicit Evaluator(std::vector<std::pair<std::string, Value>> variables);
    /// Macros and namespaces may hold each other in a circle: it is broken here.
    ~Evaluator();
    Evaluator(const Evaluator&) = delete;
    Evaluator& operator=(const Evaluator&) = delete;

    /// @throws InputError with the line
    std::string render(const std::vector<Statement>& statements);

  private:
    enum class Flow { on, break_loop, continue_loop };
    struct MacroScope;  ///< what a macro keeps

    Flow execute(const std::vector<Statement>& statements);
    Flow execute(const Statement& statement);
    Flow execute_within(const std::vector<Statement>& statements);
    Flow loop(const Statement& statement);
    void assign(const Target& target, Value value);
    void set_block(const Statement& statement);
    void call_block(const Statement& statement);
    /// What the statements put out, in a scope of their own.
    std::string captured(const std::vector<Statement>& statements);
    Value macro(const Statement& statement, std::string name);
    Value call_macro(const Statement& statement, const std::shared_ptr<Scope>& scope, Arguments arguments);
    void put(std::string_view text);

    Value evaluate(const Expression& expression);
    Value name(const Expression& expression);
    Value unary(const Expression& expression);
    Value binary(const Expression& expression);
    bool comparison(const Expression& expression);
    bool compared(const std::string& symbol, const Value& a, const Value& b);
    Value concatenation(const Expression& expression);
    Value call(const Expression& expression, Arguments arguments);
    /// A filter, or a chain of them, at whose head stands `head`.
    Value filter(const Expression& expression, const Value* head);
    Arguments arguments(const Expression& expression);
    Value make_namespace(Arguments arguments);

    Machine machine_;
    std::shared_ptr<Scope> scope_;
    std::string* out_ = nullptr;
    std::vector<std::shared_ptr<MacroScope>> macros_;
    std::vector<std::shared_ptr<Namespace>> namespaces_;
};

}  // namespace tritonsmith::text::jinja
