#include <algorithm>
#include <cmath>

#include "text/jinja/machine.h"

namespace tritonsmith::text::jinja {
namespace {

Value function(std::string name, std::function<Value(Machine&, Arguments)> call) {
    return std::make_shared<const Callable>(Callable{std::move(name), std::move(call)});
}

std::vector<Value> items_as_pairs(const Dict& dict) {
    std::vector<Value> result;
    for (const auto& [key, value] : dict.entries()) result.push_back(Value::list({key, value}, true));
    return result;
}

/// `object` keeps the dictionary alive while the method is.
Value dict_method(const Value& object, const std::string& name) {
    if (name == "items")
        return function(name,
                        [object](Machine& m, Arguments) { return m.list(items_as_pairs(*object.dict())); });
    if (name == "keys")
        return function(name, [object](Machine& m, Arguments) { return m.list(items_of(m, object)); });
    if (name == "values")
        return function(name, [object](Machine& m, Arguments) {
            std::vector<Value> values;
            for (const auto& [key, value] : object.dict()->entries()) values.push_back(value);
            return m.list(std::move(values));
        });
    if (name == "get")
        return function(name, [object](Machine& m, Arguments arguments) -> Value {
            Parameters parameters(m, "get", std::move(arguments));
            const Value key = parameters.require("key"),
                        otherwise = parameters.more() ? parameters.take("default") : Value(None{});
            const Value* found = key.string() ? object.dict()->find(*key.string()) : nullptr;
            return found ? *found : otherwise;
        });
    return {};
}

Value list_method(const Value& object, const std::string& name) {
    if (name == "count" || name == "index")
        return function(name, [object, name](Machine& m, Arguments arguments) -> Value {
            Parameters parameters(m, name, std::move(arguments));
            const Value wanted = parameters.take("value");
            int64_t count = 0;
            const auto& items = object.list()->items;
            for (size_t i = 0; i < items.size(); ++i)
                if (equal(items[i], wanted)) {
                    if (name == "index") return static_cast<int64_t>(i);
                    ++count;
                }
            if (name == "index") m.fail("index: the value is not in the list");
            return count;
        });
    return {};
}

Value loop_attribute(const Value& object, const std::string& name) {
    const Loop& loop = *object.loop();
    const auto count = static_cast<int64_t>(loop.items->items.size());
    const auto neighbour = [&](int64_t at) {
        return at >= 0 && at < count ? loop.items->items[static_cast<size_t>(at)] : Value::undefined(name);
    };
    if (name == "index") return loop.index + 1;
    if (name == "index0") return loop.index;
    if (name == "revindex") return count - loop.index;
    if (name == "revindex0") return count - loop.index - 1;
    if (name == "first") return loop.index == 0;
    if (name == "last") return loop.index + 1 == count;
    if (name == "length") return count;
    if (name == "depth") return 1;  // of recursive loops, which there are none of
    if (name == "depth0") return 0;
    if (name == "previtem") return neighbour(loop.index - 1);
    if (name == "nextitem") return neighbour(loop.index + 1);
    if (name == "cycle")
        return function(name, [index = loop.index](Machine& m, Arguments arguments) {
            if (arguments.positional.empty()) m.fail("loop.cycle: nothing to cycle through");
            return arguments.positional[static_cast<size_t>(index) % arguments.positional.size()];
        });
    return Value::undefined(name);
}

[[noreturn]] void fail_types(Machine& machine, const std::string& symbol, const Value& a, const Value& b) {
    for (const Value* value : {&a, &b})
        if (value->is_undefined()) machine.fail_undefined(*value, "is an operand of '" + symbol + "'");
    machine.fail("'" + symbol + "' does not work on " + a.type_name() + " and " + b.type_name());
}

Value repeat(Machine& machine, const Value& sequence, int64_t times) {
    times = std::max<int64_t>(times, 0);
    const size_t size =
        sequence.string() ? sequence.string()->size() : sequence.list()->items.size() * sizeof(Value);
    if (size > 0 && times > Machine::bytes_most / static_cast<int64_t>(size))
        machine.charge(Machine::bytes_most);
    machine.charge(size * static_cast<size_t>(times));
    if (const std::string* text = sequence.string()) {
        std::string out;
        for (int64_t i = 0; i < times && size > 0; ++i) out += *text;
        return machine.text(std::move(out));
    }
    std::vector<Value> items;
    for (int64_t i = 0; i < times && size > 0; ++i)
        items.insert(items.end(), sequence.list()->items.begin(), sequence.list()->items.end());
    return machine.list(std::move(items), sequence.list()->tuple);
}

Value integer_operation(Machine& machine, const std::string& symbol, int64_t a, int64_t b) {
    int64_t result = 0;
    bool overflow = false;
    if (symbol == "+") {
        overflow = __builtin_add_overflow(a, b, &result);
    } else if (symbol == "-") {
        overflow = __builtin_sub_overflow(a, b, &result);
    } else if (symbol == "*") {
        overflow = __builtin_mul_overflow(a, b, &result);
    } else if (symbol == "**") {
        if (b < 0) return std::pow(static_cast<double>(a), static_cast<double>(b));
        result = 1;
        if (a == 0 || a == 1 || a == -1) return b == 0 ? int64_t{1} : a == -1 && b % 2 == 0 ? int64_t{1} : a;
        for (int64_t i = 0; i < b && !overflow; ++i) overflow = __builtin_mul_overflow(result, a, &result);
    } else {
        if (b == 0) machine.fail("division by zero");
        if (symbol == "/") return static_cast<double>(a) / static_cast<double>(b);
        if (b == -1) {
            overflow = symbol == "//" && a == INT64_MIN;
            result = symbol == "//" && !overflow ? -a : 0;
        } else {  // Python rounds towards minus infinity
            const int64_t rest = a % b;
            const bool down = rest != 0 && (rest < 0) != (b < 0);
            result = symbol == "//" ? a / b - down : rest + (down ? b : 0);
        }
    }
    if (overflow) machine.fail("an integer does not fit into 64 bits");
    return result;
}

Value real(Machine& machine, const std::string& symbol, double a, double b) {
    if (symbol == "+") return a + b;
    if (symbol == "-") return a - b;
    if (symbol == "*") return a * b;
    if (symbol == "**") return std::pow(a, b);
    if (b == 0) machine.fail("division by zero");
    if (symbol == "/") return a / b;
    const double floor = std::floor(a / b);
    return symbol == "//" ? floor : a - floor * b;
}

}  // namespace

Value attribute(Machine& machine, const Value& object, const std::string& name) {
    if (object.is_undefined()) machine.fail_undefined(object, "has no '" + name + "'");
    if (object.names()) {
        const auto found = object.names()->members.find(name);
        return found == object.names()->members.end() ? Value::undefined(name) : found->second;
    }
    if (object.loop()) return loop_attribute(object, name);
    Value method;
    if (object.string()) method = string_method(*object.string(), name);
    if (object.list()) method = list_method(object, name);
    if (object.dict()) {
        method = dict_method(object, name);
        if (const Value* found = object.dict()->find(name); found && method.is_undefined()) return *found;
    }
    return method.is_undefined() ? Value::undefined(name) : method;
}

Value item(Machine& machine, const Value& object, const Value& key) {
    if (object.is_undefined()) machine.fail_undefined(object, "has no items");
    if (key.is_integer() && (object.list() || object.string())) {
        const int64_t count = length_of(machine, object);
        const int64_t at = key.integer() < 0 ? key.integer() + count : key.integer();
        if (at < 0 || at >= count) return Value::undefined(str(key));
        if (object.list()) return object.list()->items[static_cast<size_t>(at)];
        return slice(machine, object, at, at + 1, None{});
    }
    if (!key.string()) return Value::undefined(str(key));
    if (object.dict())
        if (const Value* found = object.dict()->find(*key.string())) return *found;
    return attribute(machine, object, *key.string());
}

Value slice(Machine& machine, const Value& object, const Value& begin, const Value& end, const Value& step) {
    if (!object.list() && !object.string()) machine.fail_type(object, "cannot be sliced");
    const auto given = [&](const Value& value, int64_t otherwise) {
        if (value.is_none()) return otherwise;
        if (!value.is_integer())
            machine.fail(std::string("a slice needs integers, and has ") + value.type_name());
        return value.integer();
    };
    const std::vector<Value> items = items_of(machine, object);
    const auto count = static_cast<int64_t>(items.size());
    const int64_t stride = given(step, 1);
    if (stride == 0) machine.fail("a slice's step must not be zero");
    const int64_t least = stride > 0 ? 0 : -1, most = stride > 0 ? count : count - 1;
    const auto clamped = [&](const Value& value, int64_t otherwise) {
        if (value.is_none()) return otherwise;
        const int64_t at = given(value, 0);
        return std::clamp(at < 0 ? std::max(at, -count - 1) + count : at, least, most);
    };
    const int64_t from = clamped(begin, stride > 0 ? 0 : count - 1),
                  to = clamped(end, stride > 0 ? count : -1);
    const int64_t jump = std::clamp(stride, -count - 1, count + 1);
    std::vector<Value> result;
    for (int64_t i = from; stride > 0 ? i < to : i > to; i += jump)
        result.push_back(items[static_cast<size_t>(i)]);
    if (object.list()) return machine.list(std::move(result), object.list()->tuple);
    std::string text;
    for (const Value& one : result) text += *one.string();
    return machine.text(std::move(text));
}

Value arithmetic(Machine& machine, const std::string& symbol, const Value& a, const Value& b) {
    if (a.is_integer() && b.is_integer()) return integer_operation(machine, symbol, a.integer(), b.integer());
    if (a.is_number() && b.is_number()) return real(machine, symbol, a.number(), b.number());
    if (symbol == "+") {
        if (a.string() && b.string()) return machine.text(*a.string() + *b.string());
        if (a.list() && b.list() && a.list()->tuple == b.list()->tuple) {
            std::vector<Value> items = a.list()->items;
            items.insert(items.end(), b.list()->items.begin(), b.list()->items.end());
            return machine.list(std::move(items), a.list()->tuple);
        }
    }
    if (symbol == "*") {
        if ((a.string() || a.list()) && b.is_integer()) return repeat(machine, a, b.integer());
        if ((b.string() || b.list()) && a.is_integer()) return repeat(machine, b, a.integer());
    }
    fail_types(machine, symbol, a, b);
}

bool contains(Machine& machine, const Value& container, const Value& value) {
    machine.charge(static_cast<size_t>(container.weight() / 8));
    if (const std::string* text = container.string()) {
        if (!value.string()) fail_types(machine, "in", value, container);
        return text->find(*value.string()) != std::string::npos;
    }
    if (const Dict* dict = container.dict()) return value.string() && dict->find(*value.string());
    if (container.is_undefined()) return false;
    const List* list = container.list();
    if (!list) fail_types(machine, "in", value, container);
    return std::any_of(list->items.begin(), list->items.end(),
                       [&](const Value& item) { return equal(item, value); });
}

}  // namespace tritonsmith::text::jinja
