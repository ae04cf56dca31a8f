#include "train/settings/toml.h"

#include <fmt/format.h>
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <cmath>
#include <optional>

#include "base/json.h"
#include "base/text.h"

namespace tritonsmith::train {
namespace {

InputError error_at(const std::string& where, const toml::source_region& place, std::string_view what) {
    return InputError(fmt::format("{}:{}: {}", where, place.begin.line, what));
}

Json as_json(const toml::node& node, const std::string& where) {
    switch (node.type()) {
        case toml::node_type::table: {
            Json out = Json::object();
            for (const auto& [key, value] : *node.as_table())
                out[std::string(key.str())] = as_json(value, where);
            return out;
        }
        case toml::node_type::array: {
            Json out = Json::array();
            for (const toml::node& value : *node.as_array()) out.push_back(as_json(value, where));
            return out;
        }
        case toml::node_type::string:
            return **node.as_string();
        case toml::node_type::integer:
            return **node.as_integer();
        case toml::node_type::boolean:
            return **node.as_boolean();
        case toml::node_type::floating_point:
            if (!std::isfinite(**node.as_floating_point()))
                throw error_at(where, node.source(), "a number must be finite");
            return **node.as_floating_point();
        default:
            throw error_at(where, node.source(),
                           "dates and times are not used here: give a number or a string");
    }
}

/// "a.b" as TOML reads keys; nothing where it is none.
std::optional<std::vector<std::string>> read_key(std::string_view text) {
    std::vector<std::string> path;
    try {
        const toml::table document = toml::parse(std::string(text) + " = 0\n");
        for (const toml::table* table = &document; table != nullptr;) {
            if (table->size() != 1) return std::nullopt;
            path.emplace_back(table->begin()->first.str());
            table = table->begin()->second.as_table();
        }
    } catch (const toml::parse_error&) {
        return std::nullopt;
    }
    return path;
}

}  // namespace

Json parse_toml(std::string_view text, const std::string& where) {
    try {
        return as_json(toml::parse(text), where);
    } catch (const toml::parse_error& error) {
        throw error_at(where, error.source(), error.description());
    }
}

void set_toml(Json& document, std::string_view assignment) {
    const std::string where = "--set " + shortened(assignment, 80);
    const size_t equals = assignment.find('=');
    const auto path = read_key(assignment.substr(0, equals));
    if (equals == std::string_view::npos || !path) throw InputError(where + ": PATH=VALUE was expected");
    Json* target = &document;
    for (size_t i = 0; i + 1 < path->size(); ++i) {
        Json& next = (*target)[(*path)[i]];
        if (next.is_null()) next = Json::object();
        if (!next.is_object()) throw InputError(fmt::format("{}: {} is no table", where, (*path)[i]));
        target = &next;
    }
    const std::string text(assignment.substr(equals + 1));
    Json& value = (*target)[path->back()] = text;
    try {
        const Json read = parse_toml("value = " + text, where);
        if (read.size() == 1) value = read["value"];
    } catch (const InputError&) {  // a string without quotes
    }
}

std::string toml_key(const std::vector<std::string>& path) {
    constexpr const char* bare = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    std::string key;
    for (const std::string& part : path) {
        const bool plain = !part.empty() && part.find_first_not_of(bare) == std::string::npos;
        key += (key.empty() ? "" : ".") + (plain ? part : dump(part));
    }
    return key;
}

std::string toml_value(const Json& value) {
    if (!value.is_structured()) return dump(value);
    std::string inner;
    for (const auto& [key, item] : value.items())
        inner += (inner.empty() ? "" : ", ") + (value.is_object() ? toml_key({key}) + " = " : "") +
                 toml_value(item);
    return value.is_object() ? "{" + inner + "}" : "[" + inner + "]";
}

}  // namespace tritonsmith::train
