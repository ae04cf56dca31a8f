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
    double silent_seconds = 300;  ///< in which not one byte comes
    Deadline deadline;
    /// Receives the body of a 200 as it comes, and its content type. @return false to end the call: enough
    /// was seen
    std::function<bool(std::string_view bytes, const std::string& type)> on_bytes;
};

struct HttpAnswer {
    int status = 0;  ///< 0: none came, `failure` says why
    std::string reason;
    std::string body;  ///< of any other status than 200, or of all where there is no on_bytes; at most 64 MiB
    std::string retry_after, retry_after_ms, location;
    std::string failure;    ///< why the call ended before the whole answer came; empty where it came
    bool hopeless = false;  ///< another attempt would end the same way
    bool timed_out = false;
    bool cancelled = false;
    bool ended_by_receiver = false;
};

/// One attempt on a connection of its own. Throws nothing for what the network does.
HttpAnswer http_call(const HttpRequest& request, Watchdog& watchdog);

}  // namespace tritonsmith::endpoint
