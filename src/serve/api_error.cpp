#include "serve/api_error.h"

namespace tritonsmith::serve {
namespace {

const char* type_of(int status) {
    switch (status) {
        case 401:
            return "authentication_error";
        case 404:
            return "not_found_error";
        case 429:
            return "rate_limit_error";
        default:
            return status < 500 ? "invalid_request_error" : "server_error";
    }
}

Json or_null(const std::string& text) {
    return text.empty() ? Json() : Json(text);
}

}  // namespace

Json to_json(const ApiError& error) {
    return {{"error",
             {{"message", error.what()},
              {"type", type_of(error.status)},
              {"param", or_null(error.field)},
              {"code", or_null(error.code)}}}};
}

}  // namespace tritonsmith::serve
