#include "text/jinja/evaluator.h"

#include <algorithm>

namespace tritonsmith::text::jinja {
namespace {

/// Sets a variable for as long as it lives.
template <class T>
class Changed {
  public:
    Changed(T& variable, T value) : variable_(variable), before_(std::exchange(variable, std::move(value))) {}
    ~Changed() { variable_ = std::move(before_); }
    Changed(const Changed&) = delete;
    Changed& operator=(const Changed&) = delete;

  private:
    T& variable_;
    T before_;
};

}  // namespace

struct Evaluator::MacroScope {
    std::shared_ptr<Scope> scope;
};

const Value* Scope::find(std::string_view name) const {
    for (const Scope* scope = this; scope; scope = scope->parent.get())
        for (const auto& [key, value] : scope->variables)
            if (key == name) return &value;
    return nullptr;
}

void Scope::set(std::string_view name, Value value) {
    for (auto& [key, old] : variables)
        if (key == name) {
            old = std::move(value);
            return;
        }
    variables.emplace_back(name, std::move(value));
}

Evaluator::Evaluator(std::vector<std::pair<std::string, Value>> variables)
    : scope_(std::make_shared<Scope>()) {
    scope_->variables = std::move(variables);
}

Evaluator::~Evaluator() {
    for (const auto& macro : macros_) macro->scope.reset();
    for (const auto& names : namespaces_) names->members.clear();
}

std::string Evaluator::render(const std::vector<Statement>& statements) {
    try {
        return captured(statements);
    } catch (const InputError& error) {
        // What values themselves refuse does not know the line.
        if (std::string_view(error.what()).starts_with("line ")) throw;
        machine_.fail(error.what());
    }
}

void Evaluator::put(std::string_view text) {
    if (static_cast<int64_t>(out_->size() + text.size()) > Machine::output_most)
        machine_.fail("the template puts out more than 64 MiB");
    machine_.charge(text.size());
    out_->append(text);
}

std::string Evaluator::captured(const std::vector<Statement>& statements) {
    std::string text;
    const Changed<std::string*> to(out_, &text);
    execute_within(statements);
    return text;
}

Evaluator::Flow Evaluator::execute_within(const std::vector<Statement>& statements) {
    const Changed<std::shared_ptr<Scope>> within(scope_, std::make_shared<Scope>(Scope{scope_, {}}));
    return execute(statements);
}

Evaluator::Flow Evaluator::execute(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements)
        if (const Flow flow = execute(statement); flow != Flow::on) return flow;
    return Flow::on;
}

Evaluator::Flow Evaluator::execute(const Statement& statement) {
    using Kind = Statement::Kind;
    machine_.step();
    machine_.line = statement.line;
    const Machine::Level level(machine_);
    switch (statement.kind) {
        case Kind::text:
            put(statement.text);
            break;
        case Kind::output:
            put(str(evaluate(*statement.expression)));
            break;
        case Kind::set:
            assign(statement.target, evaluate(*statement.expression));
            break;
        case Kind::set_block:
            set_block(statement);
            break;
        case Kind::condition:
            return execute(evaluate(*statement.expression).truth() ? statement.body : statement.otherwise);
        case Kind::loop:
            return loop(statement);
        case Kind::macro:
            scope_->set(statement.text, macro(statement, statement.text));
            break;
        case Kind::call_block:
            call_block(statement);
            break;
        case Kind::filter_block: {
            const Value text = machine_.text(captured(statement.body));
            put(str(filter(*statement.expression, &text)));
            break;
        }
        case Kind::with: {
            const auto inner = std::make_shared<Scope>(Scope{scope_, {}});
            for (const auto& [name, value] : statement.parameters) inner->set(name, evaluate(*value));
            const Changed<std::shared_ptr<Scope>> within(scope_, inner);
            return execute(statement.body);
        }
        case Kind::generation:
            return execute_within(statement.body);
        case Kind::break_loop:
            return Flow::break_loop;
        case Kind::continue_loop:
            return Flow::continue_loop;
    }
    return Flow::on;
}

Evaluator::Flow Evaluator::loop(const Statement& statement) {
    std::vector<Value> items = items_of(machine_, evaluate(*statement.expression));
    const auto outer = scope_;
    const auto fresh = [&] { return std::make_shared<Scope>(Scope{outer, {}}); };
    if (statement.filter) {
        std::vector<Value> kept;
        for (Value& item : items) {
            const Changed<std::shared_ptr<Scope>> within(scope_, fresh());
            assign(statement.target, item);
            if (evaluate(*statement.filter).truth()) kept.push_back(std::move(item));
        }
        items = std::move(kept);
    }
    if (items.empty()) return execute_within(statement.otherwise);
    const auto all = std::make_shared<const List>(List{std::move(items), false, 1, 0});
    for (size_t i = 0; i < all->items.size(); ++i) {
        machine_.step();
        const Changed<std::shared_ptr<Scope>> within(scope_, fresh());
        scope_->set("loop", std::make_shared<const Loop>(Loop{all, static_cast<int64_t>(i)}));
        assign(statement.target, all->items[i]);
        if (execute(statement.body) == Flow::break_loop) break;
    }
    return Flow::on;
}

void Evaluator::assign(const Target& target, Value value) {
    if (!target.member.empty()) {
        const Value* names = scope_->find(target.names[0]);
        if (!names || !names->names())
            machine_.fail("'" + target.names[0] + "' is not a namespace: its members cannot be set");
        if (target.member.starts_with('_')) machine_.fail("a namespace has no members that begin with '_'");
        machine_.charge(64);
        names->names()->members[target.member] = std::move(value);
        return;
    }
    if (!target.unpack) return scope_->set(target.names[0], std::move(value));
    std::vector<Value> parts = items_of(machine_, value);
    if (parts.size() != target.names.size())
        machine_.fail(std::to_string(parts.size()) + " values for " + std::to_string(target.names.size()) +
                      " names");
    for (size_t i = 0; i < parts.size(); ++i) scope_->set(target.names[i], std::move(parts[i]));
}

void Evaluator::set_block(const Statement& statement) {
    Value text = machine_.text(captured(statement.body));
    if (statement.expression) text = filter(*statement.expression, &text);
    assign(statement.target, std::move(text));
}

void Evaluator::call_block(const Statement& statement) {
    Arguments given = arguments(*statement.expression);
    given.named.emplace_back("caller", macro(statement, "caller"));
    put(str(call(*statement.expression, std::move(given))));
}

Value Evaluator::macro(const Statement& statement, std::string name) {
    const auto kept = std::make_shared<MacroScope>(MacroScope{scope_});
    macros_.push_back(kept);
    machine_.charge(256);
    return std::make_shared<const Callable>(
        Callable{std::move(name), [this, &statement, kept](Machine&, Arguments arguments) {
                     return call_macro(statement, kept->scope, std::move(arguments));
                 }});
}

Value Evaluator::call_macro(const Statement& statement, const std::shared_ptr<Scope>& scope,
                            Arguments given) {
    const auto inner = std::make_shared<Scope>(Scope{scope, {}});
    const Changed<std::shared_ptr<Scope>> within(scope_, inner);
    const auto take_named = [&](std::string_view name, Value& value) {
        for (size_t k = 0; k < given.named.size(); ++k)
            if (given.named[k].first == name) {
                value = std::move(given.named[k].second);
                given.named.erase(given.named.begin() + static_cast<long>(k));
                return true;
            }
        return false;
    };
    const auto& parameters = statement.parameters;
    for (size_t i = 0; i < parameters.size(); ++i) {
        const auto& [name, otherwise] = parameters[i];
        Value value;
        if (i < given.positional.size()) {
            value = given.positional[i];
        } else if (!take_named(name, value)) {
            value = otherwise ? evaluate(*otherwise) : Value::undefined(name);
        }
        inner->set(name, std::move(value));
    }
    if (Value caller; take_named("caller", caller)) inner->set("caller", std::move(caller));
    if (given.positional.size() > parameters.size() && !statement.varargs)
        machine_.fail("'" + statement.text + "' is given too many arguments");
    if (!given.named.empty() && !statement.kwargs)
        machine_.fail("'" + statement.text + "' has no argument '" + given.named[0].first + "'");
    if (statement.varargs)
        inner->set("varargs",
                   machine_.list({given.positional.begin() +
                                      static_cast<long>(std::min(parameters.size(), given.positional.size())),
                                  given.positional.end()},
                                 true));
    if (statement.kwargs) {
        Dict rest;
        for (auto& [name, value] : given.named) rest.insert(name, std::move(value));
        inner->set("kwargs", Value::dict(std::move(rest)));
    }
    std::string text;
    const Changed<std::string*> to(out_, &text);
    execute(statement.body);
    return machine_.text(std::move(text));
}

}  // namespace tritonsmith::text::jinja
