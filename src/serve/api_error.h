#pragma once

#include <string>

#include "base/error.h"

namespace tritonsmith::serve {

/// What a client is told, as OpenAI's API tells it.
class ApiError : public std::runtime_error {
  public:
    /// @param field of the request that is wrong, as in "messages[0].role"; empty: none
    ApiError(int status, const std::string& message, std::string field = "", std::string code = "")
        : std::runtime_error(message), status(status), field(std::move(field)), code(std::move(code)) {}

    int status;
    std::string field, code;
};

/// {"error": {"message", "type", "param", "code"}}
Json to_json(const ApiError& error);

}  // namespace tritonsmith::serve
