#pragma once

#include <optional>
#include <string>

#include "base/error.h"

namespace tritonsmith::model {

/// Fields of a JSON object of an untrusted file: each getter checks type and range.
/// Errors name the file and the field.
class JsonFields {
  public:
    /// @param where names the object in errors, as in "models/tiny/config.json" or "…/config.json:
    /// rope_scaling"
    /// @throws InputError if `object` is not a JSON object
    JsonFields(const Json& object, std::string where);

    /// Absent and null are the same.
    bool has(const char* name) const;
    /// @throws InputError unless it is an integer within [least, most]
    int64_t integer(const char* name, int64_t least, int64_t most) const;
    int64_t integer_or(const char* name, int64_t otherwise, int64_t least, int64_t most) const;
    /// @throws InputError unless it is a finite number within [least, most]
    double number(const char* name, double least, double most) const;
    double number_or(const char* name, double otherwise, double least, double most) const;
    bool boolean_or(const char* name, bool otherwise) const;
    std::string text(const char* name) const;
    std::string text_or(const char* name, const std::string& otherwise) const;
    JsonFields object(const char* name) const;
    const Json& value(const char* name) const;
    const std::string& where() const { return where_; }
    [[noreturn]] void wrong(const std::string& what) const;

  private:
    const Json* object_;
    std::string where_;
};

}  // namespace tritonsmith::model
