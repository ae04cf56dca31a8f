#include "train/parallel/tcp_mesh.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace tritonsmith::train {
namespace {

struct Addresses {
    explicit Addresses(const std::string& host, const std::string& port, bool passive) {
        addrinfo hints{};
        hints.ai_socktype = SOCK_STREAM;
        hints.ai_flags = passive ? AI_PASSIVE : 0;
        const int failed = ::getaddrinfo(host.empty() ? nullptr : host.c_str(), port.c_str(), &hints, &list);
        if (failed != 0) throw MachineError(fmt::format("cannot find {}: {}", host, ::gai_strerror(failed)));
    }
    ~Addresses() { ::freeaddrinfo(list); }
    Addresses(const Addresses&) = delete;
    Addresses& operator=(const Addresses&) = delete;
    addrinfo* list = nullptr;
};

[[noreturn]] void fail_socket(const std::string& what) {
    throw MachineError(fmt::format("{}: {}", what, std::strerror(errno)));
}

Fd listen_anywhere(const std::string& address, int* port) {
    const Addresses found(address, "0", true);
    Fd listener(::socket(found.list->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!listener || ::bind(listener.get(), found.list->ai_addr, found.list->ai_addrlen) != 0 ||
        ::listen(listener.get(), 128) != 0)
        fail_socket("cannot listen at " + address);
    sockaddr_storage name{};
    socklen_t size = sizeof name;
    if (::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&name), &size) != 0)
        fail_socket("getsockname");
    *port = ntohs(name.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(name).sin6_port
                                             : reinterpret_cast<sockaddr_in&>(name).sin_port);
    return listener;
}

Fd connect_to(const std::string& where) {
    const size_t colon = where.rfind(':');
    const Addresses found(where.substr(0, colon), where.substr(colon + 1), false);
    Fd socket(::socket(found.list->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket || ::connect(socket.get(), found.list->ai_addr, found.list->ai_addrlen) != 0)
        fail_socket("cannot connect to " + where);
    return socket;
}

Fd accept_before(const Fd& listener, std::chrono::seconds deadline) {
    pollfd waiting{listener.get(), POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::chrono::milliseconds(deadline).count()));
    if (ready == 0)
        throw MachineError(fmt::format("a process of the run did not connect within {} s", deadline.count()));
    Fd socket(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket) fail_socket("accept");
    return socket;
}

/// The two greet each other by rank: connections arrive in any order.
void write_rank(const Fd& socket, int rank) {
    const auto number = static_cast<uint32_t>(rank);
    if (::send(socket.get(), &number, sizeof number, MSG_NOSIGNAL) != sizeof number) fail_socket("send");
}

int read_rank(const Fd& socket, std::chrono::seconds deadline) {
    const timeval limit{.tv_sec = deadline.count(), .tv_usec = 0};
    ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    uint32_t number = 0;
    if (::recv(socket.get(), &number, sizeof number, MSG_WAITALL) != sizeof number) fail_socket("receive");
    return static_cast<int>(number);
}

}  // namespace

TcpMesh::TcpMesh(const Ranks& ranks, Rendezvous& rendezvous, const std::string& address,
                 std::chrono::seconds deadline)
    : rank_(ranks.rank), deadline_(deadline), peers_(static_cast<size_t>(ranks.count)) {
    int port = 0;
    const Fd listener = listen_anywhere(address, &port);
    rendezvous.put(fmt::format("mesh/{}", rank_), fmt::format("{}:{}", address, port));
    for (int peer = 0; peer < rank_; ++peer) {  // each pair: the higher rank connects
        Fd socket = connect_to(rendezvous.get(fmt::format("mesh/{}", peer)));
        write_rank(socket, rank_);
        peers_[static_cast<size_t>(peer)] = std::move(socket);
    }
    for (int missing = ranks.count - 1 - rank_; missing > 0; --missing) {
        Fd socket = accept_before(listener, deadline);
        const int peer = read_rank(socket, deadline);
        if (peer <= rank_ || peer >= ranks.count || peers_[static_cast<size_t>(peer)])
            throw MachineError("a process that is none of the run's connected to it");
        peers_[static_cast<size_t>(peer)] = std::move(socket);
    }
    const int on = 1;
    for (const Fd& socket : peers_)
        if (socket) ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    // Rank 0 may keep the rendezvous: nobody goes on before all have found the others through it.
    const std::byte greeting{1};
    std::vector<std::byte> greetings(peers_.size());
    std::vector<std::span<std::byte>> received;
    for (std::byte& one : greetings) received.emplace_back(&one, 1);
    exchange(std::vector(peers_.size(), std::span(&greeting, 1)), received, "the first meeting");
}

void TcpMesh::exchange(std::span<const std::span<const std::byte>> sent,
                       std::span<const std::span<std::byte>> received, const char* what) {
    const auto own = static_cast<size_t>(rank_);
    if (!received[own].empty()) std::memmove(received[own].data(), sent[own].data(), received[own].size());
    std::vector<size_t> out(peers_.size()), in(peers_.size());  // bytes that are done
    for (;;) {
        std::vector<pollfd> waiting;
        std::vector<size_t> ranks;
        for (size_t peer = 0; peer < peers_.size(); ++peer) {
            if (peer == own) continue;
            const bool sends = out[peer] < sent[peer].size(), receives = in[peer] < received[peer].size();
            if (!sends && !receives) continue;
            waiting.push_back(
                {peers_[peer].get(), static_cast<short>((sends ? POLLOUT : 0) | (receives ? POLLIN : 0)), 0});
            ranks.push_back(peer);
        }
        if (waiting.empty()) return;
        const int ready = ::poll(waiting.data(), waiting.size(),
                                 static_cast<int>(std::chrono::milliseconds(deadline_).count()));
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0)
            throw MachineError(
                fmt::format("{}: rank {} did not take part within {} s", what, ranks[0], deadline_.count()));
        for (size_t i = 0; i < waiting.size(); ++i) {
            const size_t peer = ranks[i];
            const auto lost = [&](ssize_t bytes) {
                const bool later = bytes < 0 && (errno == EAGAIN || errno == EINTR);
                if (bytes == 0 || (bytes < 0 && !later))
                    throw MachineError(
                        fmt::format("{}: the connection to rank {} broke; did it end?", what, peer));
                return later;
            };
            if ((waiting[i].revents & POLLOUT) != 0) {
                const auto rest = sent[peer].subspan(out[peer]);
                const ssize_t bytes =
                    ::send(peers_[peer].get(), rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
                if (!lost(bytes)) out[peer] += static_cast<size_t>(bytes);
            }
            if ((waiting[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0 &&
                in[peer] < received[peer].size()) {
                const auto rest = received[peer].subspan(in[peer]);
                const ssize_t bytes = ::recv(peers_[peer].get(), rest.data(), rest.size(), MSG_DONTWAIT);
                if (!lost(bytes)) in[peer] += static_cast<size_t>(bytes);
            } else if ((waiting[i].revents & (POLLHUP | POLLERR)) != 0) {
                lost(0);
            }
        }
    }
}

}  // namespace tritonsmith::train
