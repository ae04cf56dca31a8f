#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/process/process.h"

namespace tritonsmith::endpoint {

/// A server on a free port of this machine that sends exactly what a test says: connection i is answered by
/// script i, later ones by the last script.
class ScriptedServer {
  public:
    struct Seen {
        std::string head;
        Json body;
    };
    using Script = std::function<void(int fd, const Seen& request)>;

    explicit ScriptedServer(std::vector<Script> scripts) : scripts_(std::move(scripts)) {
        listener_ = Fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof(address);
        auto* generic = reinterpret_cast<sockaddr*>(&address);
        if (::bind(listener_.get(), generic, size) != 0 || ::listen(listener_.get(), 64) != 0 ||
            ::getsockname(listener_.get(), generic, &size) != 0)
            throw MachineError("no test server");
        port_ = ntohs(address.sin_port);
        thread_ = std::thread([this] { accept_all(); });
    }
    ~ScriptedServer() {
        stop_ = true;
        thread_.join();
        for (std::thread& t : connections_) t.join();
    }

    std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
    std::vector<Seen> seen() const {
        std::lock_guard lock(mutex_);
        return seen_;
    }
    bool stopping() const { return stop_; }

    static void send(int fd, const std::string& bytes) {
        for (size_t done = 0; done < bytes.size();) {
            const ssize_t n = ::send(fd, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
            if (n <= 0) return;
            done += static_cast<size_t>(n);
        }
    }
    static Script reply(int status, const std::string& body, const std::string& headers = "",
                        const std::string& type = "application/json") {
        return [=](int fd, const Seen&) {
            send(fd, "HTTP/1.1 " + std::to_string(status) + " Said\r\nContent-Type: " + type + "\r\n" +
                         headers + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
        };
    }
    /// A stream of events that ends as the connection does.
    static Script stream(const std::string& events) {
        return [=](int fd, const Seen&) {
            send(fd, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
            for (size_t at = 0; at < events.size(); at += 7) send(fd, events.substr(at, 7));  // torn anywhere
        };
    }
    static Script drop() {
        return [](int, const Seen&) {};
    }

  private:
    void accept_all() {
        for (size_t index = 0; !stop_;) {
            pollfd wait = {listener_.get(), POLLIN, 0};
            if (::poll(&wait, 1, 20) != 1) continue;
            const int fd = ::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC);
            if (fd < 0) continue;
            const Script& script = scripts_[std::min(index++, scripts_.size() - 1)];
            connections_.emplace_back([this, fd, &script] {
                const Fd owned(fd);
                const Seen request = receive(fd);
                {
                    std::lock_guard lock(mutex_);
                    seen_.push_back(request);
                }
                script(fd, request);
            });
        }
    }

    static Seen receive(int fd) {
        std::string bytes;
        char buffer[4096];
        size_t head = std::string::npos, length = 0;
        while (head == std::string::npos || bytes.size() < head + 4 + length) {
            const ssize_t n = ::recv(fd, buffer, sizeof(buffer), 0);
            if (n <= 0) break;
            bytes.append(buffer, static_cast<size_t>(n));
            head = bytes.find("\r\n\r\n");
            const size_t at = bytes.find("Content-Length: ");
            if (head != std::string::npos && at < head) length = std::stoul(bytes.substr(at + 16));
        }
        if (head == std::string::npos) return {};
        return {bytes.substr(0, head), Json::parse(bytes.substr(head + 4), nullptr, false)};
    }

    std::vector<Script> scripts_;
    Fd listener_;
    int port_ = 0;
    std::atomic<bool> stop_ = false;
    mutable std::mutex mutex_;
    std::vector<Seen> seen_;
    std::vector<std::thread> connections_;
    std::thread thread_;
};

}  // namespace tritonsmith::endpoint
