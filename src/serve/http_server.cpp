#include "serve/http_server.h"

#include <fmt/format.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <thread>

#include "base/json.h"
#include "serve/api_error.h"

namespace tritonsmith::serve {
namespace {

thread_local Connection* this_connection = nullptr;

void turn_away(const Fd& socket) {
    const std::string body = dump(to_json(ApiError(503, "too many connections")));
    const std::string text = fmt::format(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\nConnection: "
        "close\r\n"
        "Content-Length: {}\r\n\r\n{}",
        body.size(), body);
    [[maybe_unused]] const ssize_t n =
        ::send(socket.get(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace

Connection* HttpServer::current() {
    return this_connection;
}

int HttpServer::connections() const {
    std::lock_guard lock(mutex_);
    return open_;
}

void HttpServer::serve(const Listener& listener) {
    svr_sock_ = listener.socket.get();  // httplib stops streaming if the server has no socket
    while (!draining_) {
        pollfd wait = {listener.socket.get(), POLLIN, 0};
        if (::poll(&wait, 1, 100) <= 0) continue;
        Fd socket(::accept4(listener.socket.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (!socket) {
            // Out of descriptors or memory: some will be freed. A client that left is not an error of
            // ours.
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
            continue;
        }
        {
            std::lock_guard lock(mutex_);
            if (open_ >= options_.connections) {
                turn_away(socket);
                continue;
            }
            ++open_;
        }
        const int fd = socket.release();
        try {
            std::thread([this, fd] {
                handle(Fd(fd));
                std::lock_guard lock(mutex_);
                if (--open_ == 0) all_closed_.notify_all();
            }).detach();
        } catch (const std::system_error&) {  // no thread available
            turn_away(Fd(fd));
            std::lock_guard lock(mutex_);
            --open_;
        }
    }
    std::unique_lock lock(mutex_);
    all_closed_.wait(lock, [this] { return open_ == 0; });
    svr_sock_ = INVALID_SOCKET;
}

void HttpServer::handle(Fd socket) {
    const int yes = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes,
                 sizeof(yes));  // fails on a Unix socket, which does not need it
    Connection connection(std::move(socket), options_.limits);
    this_connection = &connection;
    while (connection.wait(options_.keep_alive_seconds, [this] { return draining_.load(); })) {
        connection.begin_request();
        bool closed = false;
        const bool handled = process_request(connection, draining_, closed, [&](httplib::Request& request) {
            request.ranges.clear();                    // no partial answers
            request.headers.erase("Accept-Encoding");  // no compression, which delays streams
            if (request.get_header_value<uint64_t>("Content-Length") > payload_max_length_)
                connection.refuse_body();
        });
        if (!handled || closed || connection.closes() || draining_) break;
    }
    this_connection = nullptr;
    connection.finish();
}

}  // namespace tritonsmith::serve
