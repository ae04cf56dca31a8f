#include "text/jinja/evaluator.h"

namespace tritonsmith::text::jinja {

Value Evaluator::evaluate(const Expression& e) {
    using Kind = Expression::Kind;
    machine_.step();
    machine_.line = e.line;
    const Machine::Level level(machine_);
    const auto child = [&](size_t i) { return e.children[i] ? evaluate(*e.children[i]) : Value(None{}); };
    switch (e.kind) {
        case Kind::constant:
            return e.value;
        case Kind::name:
            return name(e);
        case Kind::list:
        case Kind::tuple: {
            std::vector<Value> items;
            for (size_t i = 0; i < e.children.size(); ++i) items.push_back(child(i));
            return machine_.list(std::move(items), e.kind == Kind::tuple);
        }
        case Kind::dict: {
            Dict dict;
            for (size_t i = 0; i + 1 < e.children.size(); i += 2) {
                const Value key = child(i);
                if (!key.string())
                    machine_.fail(std::string("a dictionary's key must be a string, and is ") +
                                  key.type_name());
                dict.insert(*key.string(), child(i + 1));
            }
            machine_.charge(e.children.size() * 64 + 64);
            return Value::dict(std::move(dict));
        }
        case Kind::attribute:
            return attribute(machine_, child(0), e.name);
        case Kind::item: {
            const Value object = child(0);
            return item(machine_, object, child(1));
        }
        case Kind::slice: {
            const Value object = child(0), begin = child(1), end = child(2);
            return slice(machine_, object, begin, end, child(3));
        }
        case Kind::call:
            return call(e, arguments(e));
        case Kind::filter:
            return filter(e, nullptr);
        case Kind::test: {
            const Value value = child(0);
            return apply_test(machine_, e.name, value, arguments(e));
        }
        case Kind::unary:
            return unary(e);
        case Kind::binary:
            return binary(e);
        case Kind::compare:
            return comparison(e);
        case Kind::concat:
            return concatenation(e);
        case Kind::conditional:
            return child(0).truth() ? child(1) : e.children[2] ? child(2) : Value();
    }
    return {};
}

Value Evaluator::name(const Expression& e) {
    if (const Value* found = scope_->find(e.name)) return *found;
    if (e.name == "namespace")
        return std::make_shared<const Callable>(
            Callable{e.name, [this](Machine&, Arguments given) { return make_namespace(std::move(given)); }});
    Value function = global_function(e.name);
    return function.is_undefined() ? Value::undefined(e.name) : function;
}

Value Evaluator::make_namespace(Arguments given) {
    auto names = std::make_shared<Namespace>();
    for (const Value& one : given.positional) {
        if (!one.dict()) machine_.fail("namespace: takes keyword arguments, or a dictionary");
        for (const auto& [name, value] : one.dict()->entries()) names->members[name] = value;
    }
    for (auto& [name, value] : given.named) names->members[name] = std::move(value);
    for (const auto& [name, value] : names->members)
        if (name.starts_with('_')) machine_.fail("a namespace has no members that begin with '_'");
    machine_.charge(names->members.size() * 64 + 128);
    namespaces_.push_back(names);
    return names;
}

Value Evaluator::unary(const Expression& e) {
    const Value value = evaluate(*e.children[0]);
    if (e.name == "not") return !value.truth();
    if (!value.is_number()) machine_.fail("'" + e.name + "' does not work on " + value.type_name());
    return arithmetic(machine_, e.name, 0, value);
}

Value Evaluator::binary(const Expression& e) {
    Value left = evaluate(*e.children[0]);
    if (e.name == "and") return left.truth() ? evaluate(*e.children[1]) : left;
    if (e.name == "or") return left.truth() ? left : evaluate(*e.children[1]);
    const Value right = evaluate(*e.children[1]);
    machine_.line = e.line;
    return arithmetic(machine_, e.name, left, right);
}

bool Evaluator::compared(const std::string& symbol, const Value& a, const Value& b) {
    if (symbol == "in") return contains(machine_, b, a);
    if (symbol == "not in") return !contains(machine_, b, a);
    machine_.charge(static_cast<size_t>((a.weight() + b.weight()) / 32));
    if (symbol == "==") return equal(a, b);
    if (symbol == "!=") return !equal(a, b);
    const int order = compare(a, b);
    if (symbol == "<") return order < 0;
    if (symbol == "<=") return order <= 0;
    return symbol == ">" ? order > 0 : order >= 0;
}

bool Evaluator::comparison(const Expression& e) {
    Value left = evaluate(*e.children[0]);
    for (size_t i = 0; i < e.operators.size(); ++i) {
        Value right = evaluate(*e.children[i + 1]);
        machine_.line = e.line;
        if (!compared(e.operators[i], left, right)) return false;
        left = std::move(right);
    }
    return true;
}

Value Evaluator::concatenation(const Expression& e) {
    std::string text;
    for (const ExpressionPtr& part : e.children) {
        const Value value = evaluate(*part);
        machine_.charge(static_cast<size_t>(value.weight()));
        text += str(value);
    }
    return machine_.text(std::move(text));
}

Arguments Evaluator::arguments(const Expression& e) {
    Arguments result;
    for (size_t i = 1; i < e.children.size(); ++i) result.positional.push_back(evaluate(*e.children[i]));
    for (const auto& [name, value] : e.named) result.named.emplace_back(name, evaluate(*value));
    return result;
}

Value Evaluator::call(const Expression& e, Arguments given) {
    const Value function = evaluate(*e.children[0]);
    machine_.line = e.line;
    if (function.is_undefined()) machine_.fail_undefined(function, "cannot be called");
    if (!function.callable()) machine_.fail_type(function, "cannot be called");
    return function.callable()->call(machine_, std::move(given));
}

Value Evaluator::filter(const Expression& e, const Value* head) {
    Value value;
    if (!e.children[0]) {
        value = *head;
    } else {
        value = e.children[0]->kind == Expression::Kind::filter ? filter(*e.children[0], head)
                                                                : evaluate(*e.children[0]);
    }
    Arguments given = arguments(e);
    machine_.line = e.line;
    return apply_filter(machine_, e.name, value, std::move(given));
}

}  // namespace tritonsmith::text::jinja
