#pragma once

#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace tritonsmith::train {

/// One table of a configuration. Every field is read once with its default; what was read, defaults included,
/// is the resolved table, and what nobody asked for is an error.
class SettingFields {
  public:
    /// @param where names the table in errors: "run.toml: [optimizer]" @throws InputError if it is no table
    SettingFields(Json table, std::string where);

    bool has(const char* name) const { return table_.contains(name); }
    /// Without a default a field must be there. @throws InputError for another type, or out of [least, most]
    int64_t integer(const char* name, std::optional<int64_t> otherwise, int64_t least, int64_t most);
    double number(const char* name, std::optional<double> otherwise, double least, double most);
    /// A list of numbers.
    std::vector<double> numbers(const char* name, const std::vector<double>& otherwise, double least,
                                double most);
    /// A list of strings.
    std::vector<std::string> texts(const char* name, const std::vector<std::string>& otherwise);
    bool boolean(const char* name, bool otherwise);
    std::string text(const char* name, std::optional<std::string> otherwise);
    /// One of some names. @return its value
    template <class Value>
    Value choice(const char* name, const char* otherwise,
                 std::initializer_list<std::pair<const char*, Value>> known) {
        std::vector<std::string> names;
        for (const auto& [word, value] : known) names.emplace_back(word);
        const size_t found = index_of(name, otherwise, names);
        return known.begin()[found].second;
    }
    /// A table within this one, or an empty one. Its resolved form is put() back.
    SettingFields table(const char* name);
    std::vector<SettingFields> tables(const char* name);
    /// A table whose fields have no names of their own, as it stands; an empty one where it is missing.
    Json any_table(const char* name);
    void put(const char* name, const Json& resolved) { resolved_[name] = resolved; }

    /// @throws InputError for a field that nothing asked for
    const Json& finish() const;
    const std::string& where() const { return where_; }
    [[noreturn]] void wrong(const std::string& name, const std::string& what) const;

  private:
    const Json* find(const char* name);
    size_t index_of(const char* name, const char* otherwise, const std::vector<std::string>& known);

    Json table_;
    std::string where_;
    std::set<std::string> asked_;
    Json resolved_ = Json::object();
};

}  // namespace tritonsmith::train
