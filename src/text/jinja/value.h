#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"

namespace tritonsmith::text::jinja {

class Value;
class Machine;

/// An undefined value: prints as nothing, is false and empty; any other use is an error.
struct Undefined {
    std::shared_ptr<const std::string> name;  ///< for errors; may be null
};
struct None {};

/// An immutable list or tuple. Depth and weight (about the bytes that it prints as; what it holds twice
/// counts twice) are limited, so that walking a value is bounded in depth and time.
struct List {
    std::vector<Value> items;
    bool tuple = false;
    int depth = 1;
    int64_t weight = 0;
};

/// An immutable dictionary in the order of insertion; keys are strings.
class Dict {
  public:
    /// An existing key gets the new value and keeps its position.
    void insert(std::string key, Value value);
    const Value* find(std::string_view key) const;
    const std::vector<std::pair<std::string, Value>>& entries() const { return entries_; }
    int depth() const { return depth_; }
    int64_t weight() const { return weight_; }

  private:
    std::vector<std::pair<std::string, Value>> entries_;
    std::unordered_map<std::string, size_t> places_;
    int depth_ = 1;
    int64_t weight_ = 8;
};

/// The one thing that a template can change: namespace(...).
struct Namespace {
    std::unordered_map<std::string, Value> members;
};

struct Arguments {
    std::vector<Value> positional;
    std::vector<std::pair<std::string, Value>> named;
};
struct Callable {
    std::string name;
    std::function<Value(Machine&, Arguments)> call;
};

/// The variable `loop` of a for statement. It lives as long as the statement runs.
struct Loop {
    std::shared_ptr<const List> items;
    int64_t index = 0;  ///< from 0
};

/// A value of a template, as Python has them.
class Value {
  public:
    using Variant =
        std::variant<Undefined, None, bool, int64_t, double, std::shared_ptr<const std::string>,
                     std::shared_ptr<const List>, std::shared_ptr<const Dict>, std::shared_ptr<Namespace>,
                     std::shared_ptr<const Callable>, std::shared_ptr<const Loop>>;
    Value() = default;
    template <class T>
    requires(!std::is_convertible_v<T, std::string_view> && std::is_constructible_v<Variant, T> &&
             !std::is_same_v<std::decay_t<T>, Value>) Value(T value)
        : variant_(std::move(value)) {}
    Value(int value) : variant_(static_cast<int64_t>(value)) {}
    Value(std::string value) : variant_(std::make_shared<const std::string>(std::move(value))) {}
    Value(std::string_view value) : Value(std::string(value)) {}
    Value(const char* value) : Value(std::string(value)) {}
    static Value undefined(std::string_view name) {
        return Undefined{std::make_shared<const std::string>(name)};
    }
    /// @throws InputError if a value would be nested too deeply, or too large
    static Value list(std::vector<Value> items, bool tuple = false);
    static Value dict(Dict dict);

    template <class T>
    bool is() const {
        return std::holds_alternative<T>(variant_);
    }
    bool is_undefined() const { return is<Undefined>(); }
    bool is_none() const { return is<None>(); }
    /// Whether it counts as an integer (true and false do, in Python).
    bool is_integer() const { return is<int64_t>() || is<bool>(); }
    bool is_number() const { return is_integer() || is<double>(); }
    int64_t integer() const { return is<bool>() ? std::get<bool>(variant_) : std::get<int64_t>(variant_); }
    double number() const {
        return is<double>() ? std::get<double>(variant_) : static_cast<double>(integer());
    }
    /// Null if it has another type.
    const std::string* string() const { return pointed<const std::string>(); }
    const List* list() const { return pointed<const List>(); }
    const Dict* dict() const { return pointed<const Dict>(); }
    Namespace* names() const { return pointed<Namespace>(); }
    const Callable* callable() const { return pointed<const Callable>(); }
    const Loop* loop() const { return pointed<const Loop>(); }
    const Undefined* undefined() const { return std::get_if<Undefined>(&variant_); }

    bool truth() const;
    /// As Python names it: "str", "int" …
    const char* type_name() const;
    int depth() const;
    int64_t weight() const;

  private:
    template <class T>
    T* pointed() const {
        const auto* pointer = std::get_if<std::shared_ptr<T>>(&variant_);
        return pointer ? pointer->get() : nullptr;
    }
    Variant variant_;
};

bool equal(const Value& a, const Value& b);
/// Less than zero, zero, or more. @throws InputError for types without an order
int compare(const Value& a, const Value& b);

/// str() and repr() of Python.
std::string str(const Value& value);
std::string repr(const Value& value);

struct JsonStyle {
    std::string indent;  ///< with newlines where `lines`
    bool lines = false, ensure_ascii = false, sort_keys = false;
    std::string item_separator = ", ", key_separator = ": ";
};
/// json.dumps() of Python. @throws InputError for what JSON cannot express
std::string to_json(const Value& value, const JsonStyle& style);
/// A double as Python prints it.
std::string float_text(double value);

Value from_json(const Json& json);
Value from_json(const nlohmann::ordered_json& json);

}  // namespace tritonsmith::text::jinja
