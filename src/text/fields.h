#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"

namespace tritonsmith::text {

/// Makes text from a file fit for an error message, which is one line of UTF-8: control characters become
/// '?', and it is cut at 2000 bytes.
std::string one_line(std::string text);

/// A value of a JSON file with its name for errors: "tokenizer.json: model.merges[3]".
class Field {
  public:
    Field(const Json& value, std::string name) : value_(&value), name_(std::move(name)) {}

    const Json& json() const { return *value_; }
    const std::string& name() const { return name_; }
    /// "NAME: WHAT" as an InputError of one line.
    [[noreturn]] void fail(const std::string& what) const;

    /// A member that must be there. @throws InputError
    Field at(const char* key) const;
    /// Whether there is such a member that is not null.
    bool has(const char* key) const;
    Field element(size_t index) const {
        return {(*value_)[index], name_ + "[" + std::to_string(index) + "]"};
    }
    size_t size() const { return value_->size(); }

    /// The value. @throws InputError if it has another type
    const std::string& string() const;
    bool boolean() const;
    int64_t integer(int64_t least, int64_t most) const;
    const Field& array() const;
    const Field& object() const;

    bool boolean_or(const char* key, bool otherwise) const {
        return has(key) ? at(key).boolean() : otherwise;
    }
    std::string string_or(const char* key, const char* otherwise) const {
        return has(key) ? at(key).string() : otherwise;
    }
    /// The member "type".
    const std::string& type() const { return at("type").string(); }

  private:
    const Json* value_;
    std::string name_;
};

}  // namespace tritonsmith::text
