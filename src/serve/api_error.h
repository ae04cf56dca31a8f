#pragma once

#include <string>

#include "base/error.h"

namespace tritonsmith::serve {

/// An error in the form of OpenAI's API.
class ApiError : public std::runtime_error {
  public:
    /// @param field of the request that is wrong, such as "messages[0].role"; empty: none
    ApiError(int status, const std::string& message, std::string field = "", std::string code = "")
        : std::runtime_error(message), status(status), field(std::move(field)), code(std::move(code)) {}

    int status;
    std::string field, code;
};

/// {"error": {"message", "type", "param", "code"}}
Json to_json(const ApiError& error);

}  // namespace tritonsmith::serve
