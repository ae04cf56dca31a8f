#include "serve/connection.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace tritonsmith::serve {
namespace {

int milliseconds_to(Clock::time_point when) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(when - Clock::now()).count();
    return static_cast<int>(std::clamp<int64_t>(left, 0, 1 << 30));
}

Clock::time_point after(double seconds) {
    return Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(seconds * 1e3));
}

/// @return whether one of `events` is there before the deadline
bool ready(int fd, short events, Clock::time_point deadline) {
    for (;;) {
        pollfd wait = {fd, events, 0};
        const int n = ::poll(&wait, 1, milliseconds_to(deadline));
        if (n > 0) return true;
        if (n == 0 || errno != EINTR) return false;
    }
}

}  // namespace

bool Connection::wait(double seconds, const std::function<bool()>& give_up) {
    const Clock::time_point deadline = after(seconds);
    while (begin_ == end_) {
        if (give_up()) return false;
        if (ready(socket_.get(), POLLIN, std::min(deadline, after(0.1)))) return true;
        if (Clock::now() >= deadline) return false;
    }
    return true;
}

void Connection::begin_request() {
    deadline_ = after(limits_.request_seconds);
    received_ = 0;
    too_long_ = false;
}

bool Connection::gone() const {
    if (broken_) return true;
    pollfd look = {socket_.get(), POLLRDHUP, 0};
    return ::poll(&look, 1, 0) > 0;  // POLLERR and POLLHUP come unasked
}

void Connection::finish() {
    ::shutdown(socket_.get(), SHUT_WR);
    const Clock::time_point deadline = after(1);
    for (size_t dropped = 0; dropped < (size_t{32} << 20) && ready(socket_.get(), POLLIN, deadline);) {
        const ssize_t n = ::recv(socket_.get(), buffer_, sizeof(buffer_), MSG_DONTWAIT);
        if (n <= 0) break;
        dropped += static_cast<size_t>(n);
    }
    socket_.reset();
}

bool Connection::is_readable() const {
    return begin_ < end_ || ready(socket_.get(), POLLIN, Clock::now());
}

bool Connection::is_writable() const {
    return !gone();
}

ssize_t Connection::read(char* data, size_t size) {
    if (too_long_) return -1;
    if (begin_ == end_) {
        if (broken_ || !ready(socket_.get(), POLLIN, deadline_)) return -1;
        const ssize_t n = ::recv(socket_.get(), buffer_, sizeof(buffer_), 0);
        if (n <= 0) return n;
        begin_ = 0;
        end_ = static_cast<size_t>(n);
    }
    const size_t n = std::min(size, end_ - begin_);
    received_ += n;
    if (received_ > limits_.request_bytes) {
        too_long_ = close_ = true;
        return -1;
    }
    std::memcpy(data, buffer_ + begin_, n);
    begin_ += n;
    return static_cast<ssize_t>(n);
}

ssize_t Connection::write(const char* data, size_t size) {
    if (broken_) return -1;
    for (;;) {
        const ssize_t n = ::send(socket_.get(), data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n >= 0) return n;
        if (errno == EINTR) continue;
        if ((errno != EAGAIN && errno != EWOULDBLOCK) ||
            !ready(socket_.get(), POLLOUT, after(limits_.write_seconds)))
            break;
    }
    broken_ = true;
    return -1;
}

void Connection::get_remote_ip_and_port(std::string& ip, int& port) const {
    sockaddr_storage address = {};
    socklen_t size = sizeof(address);
    char text[INET6_ADDRSTRLEN] = "";
    port = 0;
    ip.clear();
    if (::getpeername(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) return;
    if (address.ss_family == AF_INET) {
        const auto* v4 = reinterpret_cast<const sockaddr_in*>(&address);
        ip = ::inet_ntop(AF_INET, &v4->sin_addr, text, sizeof(text));
        port = ntohs(v4->sin_port);
    } else if (address.ss_family == AF_INET6) {
        const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&address);
        ip = ::inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof(text));
        port = ntohs(v6->sin6_port);
    }
}

void Connection::get_local_ip_and_port(std::string& ip, int& port) const {
    ip.clear();
    port = 0;
}

}  // namespace tritonsmith::serve
