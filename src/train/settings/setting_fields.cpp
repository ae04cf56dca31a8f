#include "train/settings/setting_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace tritonsmith::train {

SettingFields::SettingFields(Json table, std::string where)
    : table_(std::move(table)), where_(std::move(where)) {
    if (!table_.is_object()) throw InputError(where_ + ": must be a table");
}

void SettingFields::wrong(const std::string& name, const std::string& what) const {
    throw InputError(fmt::format("{}: {} {}", where_, name, what));
}

const Json* SettingFields::find(const char* name) {
    asked_.insert(name);
    const auto found = table_.find(name);
    return found == table_.end() ? nullptr : &*found;
}

int64_t SettingFields::integer(const char* name, std::optional<int64_t> otherwise, int64_t least,
                               int64_t most) {
    const Json* json = find(name);
    if (json == nullptr && !otherwise) wrong(name, "is missing: give an integer");
    if (json != nullptr && !json->is_number_integer()) wrong(name, "must be an integer");
    const int64_t value = json != nullptr ? json->get<int64_t>() : *otherwise;
    if (json != nullptr && (value < least || value > most))
        wrong(name, fmt::format("must be {} to {}", least, most));
    resolved_[name] = value;
    return value;
}

double SettingFields::number(const char* name, std::optional<double> otherwise, double least, double most) {
    const Json* json = find(name);
    if (json == nullptr && !otherwise) wrong(name, "is missing: give a number");
    if (json != nullptr && !json->is_number()) wrong(name, "must be a number");
    const double value = json != nullptr ? json->get<double>() : *otherwise;
    if (json != nullptr && !(value >= least && value <= most))
        wrong(name, fmt::format("must be {} to {}", least, most));
    resolved_[name] = value;
    return value;
}

std::vector<double> SettingFields::numbers(const char* name, const std::vector<double>& otherwise,
                                           double least, double most) {
    const Json* json = find(name);
    std::vector<double> values = otherwise;
    if (json != nullptr) {
        if (!json->is_array()) wrong(name, "must be a list of numbers");
        values.clear();
        for (const Json& value : *json) {
            if (!value.is_number()) wrong(name, "must be a list of numbers");
            values.push_back(value.get<double>());
            if (!(values.back() >= least && values.back() <= most))
                wrong(name, fmt::format("must be numbers from {} to {}", least, most));
        }
    }
    resolved_[name] = values;
    return values;
}

std::vector<std::string> SettingFields::texts(const char* name, const std::vector<std::string>& otherwise) {
    const Json* json = find(name);
    std::vector<std::string> values = otherwise;
    if (json != nullptr) {
        if (!json->is_array()) wrong(name, "must be a list of strings");
        values.clear();
        for (const Json& value : *json) {
            if (!value.is_string()) wrong(name, "must be a list of strings");
            values.push_back(value.get<std::string>());
        }
    }
    resolved_[name] = values;
    return values;
}

Json SettingFields::any_table(const char* name) {
    const Json* json = find(name);
    if (json != nullptr && !json->is_object()) wrong(name, "must be a table");
    resolved_[name] = json != nullptr ? *json : Json::object();
    return resolved_[name];
}

bool SettingFields::boolean(const char* name, bool otherwise) {
    const Json* json = find(name);
    if (json != nullptr && !json->is_boolean()) wrong(name, "must be true or false");
    const bool value = json != nullptr ? json->get<bool>() : otherwise;
    resolved_[name] = value;
    return value;
}

std::string SettingFields::text(const char* name, std::optional<std::string> otherwise) {
    const Json* json = find(name);
    if (json == nullptr && !otherwise) wrong(name, "is missing: give a string");
    if (json != nullptr && !json->is_string()) wrong(name, "must be a string");
    const std::string value = json != nullptr ? json->get<std::string>() : *otherwise;
    resolved_[name] = value;
    return value;
}

size_t SettingFields::index_of(const char* name, const char* otherwise,
                               const std::vector<std::string>& known) {
    const std::string value = text(name, otherwise);
    const auto found = std::find(known.begin(), known.end(), value);
    if (found == known.end())
        wrong(name, fmt::format("\"{}\" is unknown: it must be one of {}", value, fmt::join(known, ", ")));
    return static_cast<size_t>(found - known.begin());
}

SettingFields SettingFields::table(const char* name) {
    const Json* json = find(name);
    return {json != nullptr ? *json : Json::object(), fmt::format("{}: [{}]", where_, name)};
}

std::vector<SettingFields> SettingFields::tables(const char* name) {
    const Json* json = find(name);
    std::vector<SettingFields> all;
    if (json == nullptr) return all;
    if (!json->is_array()) wrong(name, fmt::format("must be tables: [[...{}]]", name));
    for (const Json& table : *json)
        all.emplace_back(table, fmt::format("{}: [[{}]] {}", where_, name, all.size() + 1));
    return all;
}

const Json& SettingFields::finish() const {
    for (const auto& [name, value] : table_.items())
        if (!asked_.contains(name)) wrong(name, "is unknown; is it misspelt, or of another table?");
    return resolved_;
}

}  // namespace tritonsmith::train
