#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "endpoint/address.h"
#include "endpoint/key.h"
#include "endpoint/watchdog.h"

namespace tritonsmith::endpoint {

struct HttpRequest {
    const Address* address = nullptr;
    const Key* key = nullptr;
    std::string method = "POST";
    std::string path;  ///< whole: "/v1/chat/completions"
    std::string body;  ///< JSON
    double connect_seconds = 10;
    double silent_seconds = 300;  ///< without a byte received
    Deadline deadline;
    /// Receives the body of a 200 in pieces, and its content type. @return false to end the call
    std::function<bool(std::string_view bytes, const std::string& type)> on_bytes;
};

struct HttpAnswer {
    int status = 0;  ///< 0: no answer, `failure` says why
    std::string reason;
    std::string body;  ///< of statuses other than 200, or of all without on_bytes; at most 64 MiB
    std::string retry_after, retry_after_ms, location;
    std::string failure;    ///< why the answer is incomplete; empty if it is complete
    bool hopeless = false;  ///< another attempt would fail in the same way
    bool timed_out = false;
    bool cancelled = false;
    bool ended_by_receiver = false;
};

/// One attempt on its own connection. Does not throw for network failures.
HttpAnswer http_call(const HttpRequest& request, Watchdog& watchdog);

}  // namespace tritonsmith::endpoint
