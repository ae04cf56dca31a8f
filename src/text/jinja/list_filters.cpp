#include <algorithm>
#include <unordered_map>

#include "text/jinja/filters.h"
#include "text/jinja/text.h"

namespace tritonsmith::text::jinja {
namespace {

/// What "a.b.0" means as the attribute of a filter.
Value path(Machine& m, Value value, const Value& attribute) {
    if (attribute.is_integer()) return item(m, value, attribute);
    const std::string dot = ".";
    for (const Value& part : split(str(attribute), &dot, -1, false)) {
        const std::string& name = *part.string();
        const bool number = !name.empty() && std::all_of(name.begin(), name.end(),
                                                         [](char c) { return c >= '0' && c <= '9'; });
        value = number && name.size() < 10 ? item(m, value, static_cast<int64_t>(std::stoi(name)))
                                           : item(m, value, part);
    }
    return value;
}

Value key_of(Machine& m, const Value& value, const Value& attribute, bool case_sensitive) {
    Value key = attribute.is_undefined() || attribute.is_none() ? value : path(m, value, attribute);
    return key.string() && !case_sensitive ? m.text(lower(*key.string())) : key;
}

Value join(Machine& m, const Value& v, Parameters& p) {
    const std::string separator = str(p.take("d"));
    const Value attribute = p.take("attribute");
    std::string out;
    bool first = true;
    for (const Value& one : items_of(m, v)) {
        const Value part = attribute.is_undefined() ? one : path(m, one, attribute);
        m.charge(static_cast<size_t>(part.weight()) + separator.size());
        if (!first) out += separator;
        out += str(part);
        first = false;
    }
    return m.text(std::move(out));
}

Value first(Machine& m, const Value& v, Parameters&) {
    std::vector<Value> items = items_of(m, v);
    return items.empty() ? Value::undefined("first") : items.front();
}
Value last(Machine& m, const Value& v, Parameters&) {
    std::vector<Value> items = items_of(m, v);
    return items.empty() ? Value::undefined("last") : items.back();
}
Value list(Machine& m, const Value& v, Parameters&) {
    return m.list(items_of(m, v));
}

Value reverse(Machine& m, const Value& v, Parameters&) {
    std::vector<Value> items = items_of(m, v);
    std::reverse(items.begin(), items.end());
    if (!v.string()) return m.list(std::move(items));
    std::string out;
    for (const Value& one : items) out += *one.string();
    return m.text(std::move(out));
}

Value pairs(Machine& m, const Value& v, Parameters&) {
    if (v.is_undefined()) return m.list({});
    if (!v.dict()) m.fail(std::string("items: a value of type ") + v.type_name() + " is not a dictionary");
    std::vector<Value> result;
    for (const auto& [key, value] : v.dict()->entries()) result.push_back(m.list({key, value}, true));
    return m.list(std::move(result));
}

void sort_by(Machine& m, std::vector<std::pair<Value, Value>>& keyed, bool descending) {
    m.charge(keyed.size() * 64);
    std::stable_sort(keyed.begin(), keyed.end(), [&](const auto& a, const auto& b) {
        return descending ? compare(b.first, a.first) < 0 : compare(a.first, b.first) < 0;
    });
}

std::vector<Value> seconds(std::vector<std::pair<Value, Value>>& keyed) {
    std::vector<Value> result;
    for (auto& [key, value] : keyed) result.push_back(std::move(value));
    return result;
}

Value sort(Machine& m, const Value& v, Parameters& p) {
    const bool descending = p.truth_or("reverse", false),
               case_sensitive = p.truth_or("case_sensitive", false);
    const Value attribute = p.take("attribute");
    std::vector<std::pair<Value, Value>> keyed;
    for (const Value& one : items_of(m, v))
        keyed.emplace_back(key_of(m, one, attribute, case_sensitive), one);
    sort_by(m, keyed, descending);
    return m.list(seconds(keyed));
}

Value dictsort(Machine& m, const Value& v, Parameters& p) {
    if (!v.dict()) m.fail(std::string("dictsort: a value of type ") + v.type_name() + " is not a dictionary");
    const bool case_sensitive = p.truth_or("case_sensitive", false);
    const std::string by = p.text_or("by", "key");
    const bool descending = p.truth_or("reverse", false);
    std::vector<std::pair<Value, Value>> keyed;
    for (const auto& [key, value] : v.dict()->entries())
        keyed.emplace_back(key_of(m, by == "key" ? Value(key) : value, {}, case_sensitive),
                           m.list({key, value}, true));
    sort_by(m, keyed, descending);
    return m.list(seconds(keyed));
}

Value unique(Machine& m, const Value& v, Parameters& p) {
    const bool case_sensitive = p.truth_or("case_sensitive", false);
    const Value attribute = p.take("attribute");
    std::vector<Value> keys, result;
    for (const Value& one : items_of(m, v)) {
        const Value key = key_of(m, one, attribute, case_sensitive);
        for (size_t i = 0; i < keys.size(); ++i) m.step();
        if (std::any_of(keys.begin(), keys.end(), [&](const Value& known) { return equal(known, key); }))
            continue;
        keys.push_back(key);
        result.push_back(one);
    }
    return m.list(std::move(result));
}

Value sum(Machine& m, const Value& v, Parameters& p) {
    const Value attribute = p.take("attribute"), start = p.take("start");
    Value total = start.is_undefined() ? Value(0) : start;
    for (const Value& one : items_of(m, v))
        total = arithmetic(m, "+", total,
                           attribute.is_undefined() || attribute.is_none() ? one : path(m, one, attribute));
    return total;
}

template <int Sign>
Value extreme(Machine& m, const Value& v, Parameters& p) {
    const bool case_sensitive = p.truth_or("case_sensitive", false);
    const Value attribute = p.take("attribute");
    Value best = Value::undefined("no aggregated item, sequence was empty"), best_key;
    for (const Value& one : items_of(m, v)) {
        Value key = key_of(m, one, attribute, case_sensitive);
        if (!best_key.is_undefined() && compare(key, best_key) * Sign <= 0) continue;
        best_key = std::move(key);
        best = one;
    }
    return best;
}

}  // namespace

Filter list_filter(const std::string& name) {
    static const std::unordered_map<std::string_view, Filter> table{
        {"join", join},       {"first", first}, {"last", last},       {"list", list},
        {"reverse", reverse}, {"items", pairs}, {"sort", sort},       {"dictsort", dictsort},
        {"unique", unique},   {"sum", sum},     {"min", extreme<-1>}, {"max", extreme<1>},
    };
    const auto found = table.find(name);
    return found == table.end() ? nullptr : found->second;
}

Value choosing_filter(Machine& m, const std::string& name, const Value& value, Arguments given) {
    const auto pop = [&]() -> Value {
        if (given.positional.empty()) return {};
        Value front = given.positional.front();
        given.positional.erase(given.positional.begin());
        return front;
    };
    std::vector<Value> result;
    const bool by_attribute = name.ends_with("attr");
    if (name == "map" && !given.named.empty() && given.named[0].first == "attribute") {
        const Value otherwise =
            given.named.size() > 1 && given.named[1].first == "default" ? given.named[1].second : Value();
        for (const Value& one : items_of(m, value)) {
            Value found = path(m, one, given.named[0].second);
            result.push_back(found.is_undefined() && !otherwise.is_undefined() ? otherwise
                                                                               : std::move(found));
        }
        return m.list(std::move(result));
    }
    const Value attribute = by_attribute ? pop() : Value();
    if (by_attribute && attribute.is_undefined()) m.fail(name + ": the attribute is missing");
    const Value inner = pop();
    if (name == "map" && !inner.string()) m.fail("map: name a filter or an attribute");
    for (const Value& one : items_of(m, value)) {
        m.step();
        if (name == "map") {
            result.push_back(apply_filter(m, *inner.string(), one, given));
            continue;
        }
        const Value tested = by_attribute ? path(m, one, attribute) : one;
        const bool holds = inner.string() ? apply_test(m, *inner.string(), tested, given) : tested.truth();
        if (holds == name.starts_with("select")) result.push_back(one);
    }
    return m.list(std::move(result));
}

}  // namespace tritonsmith::text::jinja
