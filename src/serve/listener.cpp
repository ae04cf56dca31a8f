#include "serve/listener.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace tritonsmith::serve {
namespace {

constexpr int kBacklog = 1024;  // many clients may connect at once

int port_of(int fd) {
    sockaddr_storage address = {};
    socklen_t size = sizeof(address);
    if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
    return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&address)->sin6_port
                                               : reinterpret_cast<sockaddr_in*>(&address)->sin_port);
}

}  // namespace

Listener listen_on(const std::string& host, int port) {
    addrinfo hints = {}, *found = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    const int status = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
    if (status != 0) throw InputError(fmt::format("--host {}: {}", host, ::gai_strerror(status)));
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owned(found, &::freeaddrinfo);
    int error = 0;
    for (const addrinfo* one = found; one; one = one->ai_next) {
        Fd fd(::socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC, one->ai_protocol));
        const int yes = 1;
        if (!fd) {
            error = errno;
            continue;
        }
        // The port of a server that has just ended can be reused. (Not SO_REUSEPORT: two servers would
        // share it silently.)
        ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
        if (::bind(fd.get(), one->ai_addr, one->ai_addrlen) != 0 || ::listen(fd.get(), kBacklog) != 0) {
            error = errno;
            continue;
        }
        const int bound = port_of(fd.get());
        const bool v6 = one->ai_family == AF_INET6 && host.find(':') != std::string::npos;
        return {std::move(fd), fmt::format("http://{}{}{}:{}", v6 ? "[" : "", host, v6 ? "]" : "", bound),
                bound};
    }
    throw MachineError(fmt::format("cannot listen on {} port {}: {}", host, port, std::strerror(error)));
}

Listener listen_on_socket(const std::string& path) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof(address.sun_path))
        throw InputError("--socket '" + path + "': give a path of at most 107 bytes");
    std::memcpy(address.sun_path, path.c_str(), path.size());
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    struct stat there = {};
    if (::lstat(path.c_str(), &there) == 0) {
        if (!S_ISSOCK(there.st_mode)) throw InputError("--socket " + path + ": a file with that name exists");
        const Fd probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        if (::connect(probe.get(), generic, sizeof(address)) == 0)
            throw MachineError("--socket " + path + ": another server is listening on it");
        ::unlink(path.c_str());
    }
    Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const mode_t before = ::umask(0177);
    const bool bound = fd && ::bind(fd.get(), generic, sizeof(address)) == 0;
    const int error = errno;
    ::umask(before);
    if (!bound || ::listen(fd.get(), kBacklog) != 0)
        throw MachineError(
            fmt::format("cannot listen on {}: {}", path, std::strerror(bound ? errno : error)));
    return {std::move(fd), "unix:" + path, 0};
}

}  // namespace tritonsmith::serve
