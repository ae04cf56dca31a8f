#include "text/jinja/value.h"

#include <cmath>

#include "base/json.h"

namespace tritonsmith::text::jinja {
namespace {

constexpr int depth_most = 150;
constexpr size_t searched = 8;  // up to here looking at every key is fastest

constexpr int64_t weight_most = int64_t{16} << 20;

[[noreturn]] void too_deep() {
    throw InputError("a value is nested deeper than " + std::to_string(depth_most));
}

void check_size(int depth, int64_t weight) {
    if (depth > depth_most) too_deep();
    if (weight > weight_most) throw InputError("a list or dictionary is larger than 16 MiB");
}

template <class J>
Value convert(const J& json, int depth) {
    if (depth > depth_most) too_deep();
    switch (json.type()) {
        case nlohmann::json::value_t::boolean:
            return json.template get<bool>();
        case nlohmann::json::value_t::number_integer:
            return json.template get<int64_t>();
        case nlohmann::json::value_t::number_unsigned:
            if (json.template get<uint64_t>() > INT64_MAX)
                throw InputError("a number does not fit into 64 bits: " + dump(json));
            return json.template get<int64_t>();
        case nlohmann::json::value_t::number_float:
            return json.template get<double>();
        case nlohmann::json::value_t::string:
            return json.template get<std::string>();
        case nlohmann::json::value_t::array: {
            std::vector<Value> items;
            items.reserve(json.size());
            for (const J& item : json) items.push_back(convert(item, depth + 1));
            return Value::list(std::move(items));
        }
        case nlohmann::json::value_t::object: {
            Dict dict;
            for (const auto& [key, item] : json.items()) dict.insert(key, convert(item, depth + 1));
            return Value::dict(std::move(dict));
        }
        default:
            return None{};
    }
}

int compare_lists(const List& a, const List& b) {
    for (size_t i = 0; i < a.items.size() && i < b.items.size(); ++i)
        if (!equal(a.items[i], b.items[i])) return compare(a.items[i], b.items[i]);
    return a.items.size() < b.items.size() ? -1 : a.items.size() > b.items.size();
}

bool equal_dicts(const Dict& a, const Dict& b) {
    if (a.entries().size() != b.entries().size()) return false;
    for (const auto& [key, value] : a.entries()) {
        const Value* other = b.find(key);
        if (!other || !equal(value, *other)) return false;
    }
    return true;
}

}  // namespace

void Dict::insert(std::string key, Value value) {
    depth_ = std::max(depth_, value.depth() + 1);
    weight_ += value.weight() + static_cast<int64_t>(key.size()) + 8;
    if (const Value* old = find(key)) {
        const_cast<Value&>(*old) = std::move(value);  // our own entry
        return;
    }
    entries_.emplace_back(std::move(key), std::move(value));
    if (entries_.size() <= searched) return;
    for (size_t i = places_.size(); i < entries_.size(); ++i) places_.emplace(entries_[i].first, i);
}

const Value* Dict::find(std::string_view key) const {
    if (entries_.size() > searched) {
        const auto found = places_.find(std::string(key));
        return found == places_.end() ? nullptr : &entries_[found->second].second;
    }
    for (const auto& [name, value] : entries_)
        if (name == key) return &value;
    return nullptr;
}

Value Value::list(std::vector<Value> items, bool tuple) {
    int depth = 1;
    int64_t weight = 8;
    for (const Value& item : items) {
        depth = std::max(depth, item.depth() + 1);
        weight += item.weight() + 2;
    }
    check_size(depth, weight);
    return std::make_shared<const List>(List{std::move(items), tuple, depth, weight});
}

Value Value::dict(Dict dict) {
    check_size(dict.depth(), dict.weight());
    return std::make_shared<const Dict>(std::move(dict));
}

bool Value::truth() const {
    if (is<bool>() || is<int64_t>()) return integer() != 0;
    if (is<double>()) return number() != 0;
    if (string()) return !string()->empty();
    if (list()) return !list()->items.empty();
    if (dict()) return !dict()->entries().empty();
    return !is_undefined() && !is_none();
}

const char* Value::type_name() const {
    if (is_none()) return "NoneType";
    if (is<bool>()) return "bool";
    if (is<int64_t>()) return "int";
    if (is<double>()) return "float";
    if (string()) return "str";
    if (list()) return list()->tuple ? "tuple" : "list";
    if (dict()) return "dict";
    if (names()) return "namespace";
    if (loop()) return "loop";
    return is_undefined() ? "undefined" : "function";
}

int64_t Value::weight() const {
    if (string()) return static_cast<int64_t>(string()->size()) + 8;
    return list() ? list()->weight : dict() ? dict()->weight() : 8;
}

int Value::depth() const {
    return list() ? list()->depth : dict() ? dict()->depth() : 0;
}

bool equal(const Value& a, const Value& b) {
    if (a.is_number() && b.is_number())
        return a.is_integer() && b.is_integer() ? a.integer() == b.integer() : a.number() == b.number();
    if (a.string() && b.string()) return *a.string() == *b.string();
    if (a.list() && b.list()) {
        const List &x = *a.list(), &y = *b.list();
        if (x.tuple != y.tuple || x.items.size() != y.items.size()) return false;
        for (size_t i = 0; i < x.items.size(); ++i)
            if (!equal(x.items[i], y.items[i])) return false;
        return true;
    }
    if (a.dict() && b.dict()) return equal_dicts(*a.dict(), *b.dict());
    if (a.names() || a.callable() || a.loop())
        return a.names() == b.names() && a.callable() == b.callable() && a.loop() == b.loop();
    return (a.is_none() && b.is_none()) || (a.is_undefined() && b.is_undefined());
}

int compare(const Value& a, const Value& b) {
    if (a.is_integer() && b.is_integer()) return a.integer() < b.integer() ? -1 : a.integer() > b.integer();
    if (a.is_number() && b.is_number()) return a.number() < b.number() ? -1 : a.number() > b.number();
    if (a.string() && b.string())
        return a.string()->compare(*b.string());  // bytes of UTF-8 have the characters' order
    if (a.list() && b.list() && a.list()->tuple == b.list()->tuple)
        return compare_lists(*a.list(), *b.list());
    throw InputError(std::string("values of types ") + a.type_name() + " and " + b.type_name() +
                     " have no order");
}

Value from_json(const Json& json) {
    return convert(json, 1);
}
Value from_json(const nlohmann::ordered_json& json) {
    return convert(json, 1);
}

}  // namespace tritonsmith::text::jinja
