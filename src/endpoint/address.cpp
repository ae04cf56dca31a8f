#include "endpoint/address.h"

#include <sys/un.h>

#include <algorithm>
#include <cctype>

namespace tritonsmith::endpoint {
namespace {

constexpr const char* kFix = ": give a base URL, as in https://api.example.com/v1 or http://127.0.0.1:8000";

bool is_host(const std::string& host, bool bracketed) {
    if (host.empty() || host.size() > 255) return false;
    return std::all_of(host.begin(), host.end(), [bracketed](unsigned char c) {
        return bracketed ? std::isxdigit(c) || c == ':' || c == '.'
                         : std::isalnum(c) || c == '.' || c == '-' || c == '_';
    });
}

int parse_port(const std::string& text, const std::string& url) {
    if (text.empty() || text.size() > 5 || text.find_first_not_of("0123456789") != std::string::npos ||
        std::stoi(text) < 1 || std::stoi(text) > 65535)
        throw InputError("endpoint '" + url + "': the port must be a number from 1 to 65535");
    return std::stoi(text);
}

Address parse_socket(const std::string& url) {
    Address address{Address::Kind::unix_socket, url.substr(5), 0, "/v1"};
    if (address.host.empty() || address.host[0] != '/' ||
        address.host.size() >= sizeof(sockaddr_un::sun_path))
        throw InputError("endpoint '" + url + "': a socket must be an absolute path of at most 107 bytes");
    return address;
}

}  // namespace

std::string Address::text() const {
    if (kind == Kind::unix_socket) return "unix:" + host;
    const bool tls = kind == Kind::https;
    std::string out =
        (tls ? "https://" : "http://") + (host.find(':') == std::string::npos ? host : "[" + host + "]");
    if (port != (tls ? 443 : 80)) out += ":" + std::to_string(port);
    return out + prefix;
}

bool Address::local() const {
    return kind == Kind::unix_socket || host == "localhost" || host == "::1" || host.starts_with("127.");
}

Address parse_address(const std::string& url) {
    if (url.starts_with("unix:")) return parse_socket(url);
    Address address;
    size_t at = 0;
    if (url.starts_with("https://")) {
        address.kind = Address::Kind::https;
        at = 8;
    } else if (url.starts_with("http://")) {
        at = 7;
    } else {
        throw InputError("endpoint '" + url + "'" + kFix);
    }
    size_t end = std::min(url.find('/', at), url.size());
    const std::string authority = url.substr(at, end - at);
    if (authority.find('@') != std::string::npos)  // not repeated: it may hold a password
        throw InputError(
            "the endpoint's URL holds a user or password: give a key with --api-key-env "
            "instead");
    std::string port;
    const bool bracketed = authority.starts_with('[');
    if (bracketed) {
        const size_t close = authority.find(']');
        if (close == std::string::npos) throw InputError("endpoint '" + url + "'" + kFix);
        address.host = authority.substr(1, close - 1);
        if (close + 1 < authority.size()) port = authority.substr(close + 1);
    } else {
        const size_t colon = std::min(authority.find(':'), authority.size());
        address.host = authority.substr(0, colon);
        port = authority.substr(colon);
    }
    if (!is_host(address.host, bracketed) || (!port.empty() && port[0] != ':'))
        throw InputError("endpoint '" + url + "'" + kFix);
    address.port =
        port.empty() ? (address.kind == Address::Kind::https ? 443 : 80) : parse_port(port.substr(1), url);
    address.prefix = url.substr(end);
    const std::string whole = "/chat/completions";  // what people paste
    while (address.prefix.ends_with('/')) address.prefix.pop_back();
    if (address.prefix.ends_with(whole)) address.prefix.resize(address.prefix.size() - whole.size());
    if (address.prefix.empty()) address.prefix = "/v1";
    for (unsigned char c : address.prefix)
        if (c <= ' ' || c >= 127 || c == '?' || c == '#') throw InputError("endpoint '" + url + "'" + kFix);
    return address;
}

}  // namespace tritonsmith::endpoint
