#pragma once

#include <string>

#include "base/error.h"

namespace tritonsmith::endpoint {

/// The address of an OpenAI-compatible API.
struct Address {
    enum class Kind { http, https, unix_socket };
    Kind kind = Kind::http;
    std::string host;    ///< name or number, without brackets; the socket's path
    int port = 0;        ///< 0 for a socket
    std::string prefix;  ///< before "/chat/completions": "/v1", as in the base_url of OpenAI's own clients

    /// For messages, and to be parsed again: "https://api.example.com/v1".
    std::string text() const;
    /// On this machine: requests do not cross a network.
    bool local() const;
};

/// "https://api.example.com/v1", "http://127.0.0.1:8000" (then with /v1), "unix:/run/model.sock".
/// @throws InputError for an invalid address, and for one with a password
Address parse_address(const std::string& url);

}  // namespace tritonsmith::endpoint
