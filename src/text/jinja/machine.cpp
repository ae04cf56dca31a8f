#include "text/jinja/machine.h"

#include "text/jinja/lexer.h"
#include "text/unicode.h"

namespace tritonsmith::text::jinja {

Value Machine::text(std::string value) {
    charge(value.size() + 32);
    return Value(std::move(value));
}

Value Machine::list(std::vector<Value> items, bool tuple) {
    charge(items.size() * sizeof(Value) + 64);
    return Value::list(std::move(items), tuple);
}

void Machine::fail(const std::string& what) const {
    fail_at(line, what);
}

void Machine::fail_undefined(const Value& value, const std::string& what) const {
    const auto& name = value.undefined()->name;
    fail("'" + (name ? *name : std::string("a value")) + "' is undefined, and " + what);
}

void Machine::fail_type(const Value& value, const std::string& what) const {
    fail(std::string("a value of type ") + value.type_name() + " " + what);
}

void Parameters::fail_type(std::string_view name, const char* wanted, const Value& value) const {
    machine_.fail(std::string(function_) + ": the argument '" + std::string(name) + "' must be " + wanted +
                  ", and is " + value.type_name());
}

Value Parameters::take(std::string_view name) {
    if (at_ < arguments_.positional.size()) return arguments_.positional[at_++];
    for (auto& [key, value] : arguments_.named)
        if (key == name) {
            key.clear();  // taken
            return value;
        }
    return {};
}

Value Parameters::require(std::string_view name) {
    Value value = take(name);
    if (value.is_undefined())
        machine_.fail(std::string(function_) + ": the argument '" + std::string(name) +
                      "' is missing or undefined");
    return value;
}

std::string Parameters::text(std::string_view name) {
    const Value value = require(name);
    if (!value.string()) fail_type(name, "a string", value);
    return *value.string();
}

std::string Parameters::text_or(std::string_view name, std::string otherwise) {
    const Value value = take(name);
    if (value.is_undefined() || value.is_none()) return otherwise;
    if (!value.string()) fail_type(name, "a string", value);
    return *value.string();
}

int64_t Parameters::integer_or(std::string_view name, int64_t otherwise) {
    const Value value = take(name);
    if (value.is_undefined() || value.is_none()) return otherwise;
    if (!value.is_integer()) fail_type(name, "an integer", value);
    return value.integer();
}

bool Parameters::truth_or(std::string_view name, bool otherwise) {
    const Value value = take(name);
    return value.is_undefined() ? otherwise : value.truth();
}

void Parameters::done() {
    if (at_ < arguments_.positional.size()) machine_.fail(std::string(function_) + ": too many arguments");
    for (const auto& [key, value] : arguments_.named)
        if (!key.empty()) machine_.fail(std::string(function_) + ": there is no argument '" + key + "'");
}

std::vector<std::string> characters(std::string_view text) {
    std::vector<std::string> result;
    for (size_t i = 0; i < text.size();) {
        const Utf8Step step = utf8_step(text.substr(i));
        result.emplace_back(text.substr(i, step.length));
        i += step.length;
    }
    return result;
}

std::vector<Value> items_of(Machine& machine, const Value& value) {
    std::vector<Value> result;
    if (value.is_undefined()) return result;
    if (const List* list = value.list()) {
        machine.charge(list->items.size() * sizeof(Value));
        return list->items;
    }
    if (const std::string* text = value.string()) {
        machine.charge(text->size() * 2 * sizeof(Value));
        for (std::string& one : characters(*text)) result.emplace_back(std::move(one));
    } else if (const Dict* dict = value.dict()) {
        machine.charge(dict->entries().size() * 2 * sizeof(Value));
        for (const auto& [key, item] : dict->entries()) result.emplace_back(key);
    } else {
        machine.fail_type(value, "is not iterable");
    }
    return result;
}

int64_t length_of(Machine& machine, const Value& value) {
    if (value.is_undefined()) return 0;
    if (const List* list = value.list()) return static_cast<int64_t>(list->items.size());
    if (const Dict* dict = value.dict()) return static_cast<int64_t>(dict->entries().size());
    const std::string* text = value.string();
    if (!text) machine.fail_type(value, "has no length");
    int64_t count = 0;
    for (const char c : *text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    return count;
}

bool is_python_space(char32_t c) {
    return is_space(c) || (c >= 0x1C && c <= 0x1F);
}

}  // namespace tritonsmith::text::jinja
