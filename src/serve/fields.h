#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "serve/api_error.h"

namespace tritonsmith::serve {

/// The fields of a request's body, each read once and checked; null counts as absent. Fields that were never
/// read are an error (refuse_others), so that a misspelt field is not ignored. All throw ApiError (400) with
/// the field.
class Fields {
  public:
    /// @throws ApiError if `body` is not a JSON object within the limits
    Fields(const std::string& body, size_t max_values);

    bool boolean(const std::string& name, bool otherwise);
    double number(const std::string& name, double otherwise, double least, double most);
    int64_t integer(const std::string& name, int64_t otherwise, int64_t least, int64_t most);
    std::string text(const std::string& name, const std::string& otherwise);
    /// The unchecked value; null if there is none.
    const Json& any(const std::string& name);
    bool has(const std::string& name) const;
    /// Accepts a field without effect.
    void ignore(const std::string& name) { used_.insert(name); }
    /// Refuses a field that this server does not support, unless it is absent, null, empty, or one of
    /// `neutral`.
    void unsupported(const std::string& name, const Json& neutral = Json::array());
    void refuse_others() const;

  private:
    const Json* find(const std::string& name);

    Json body_;
    std::set<std::string> used_;
};

}  // namespace tritonsmith::serve
