#pragma once

#include <httplib.h>

#include <string>

#include "base/process/process.h"

namespace tritonsmith::serve {

/// A client's connection as httplib's stream, with what httplib 0.11 lacks: a deadline and a limit of bytes
/// for each request as a whole (its own limits are for single reads and not for chunked bodies), and a check
/// whether the client is still connected. For one thread.
class Connection : public httplib::Stream {
  public:
    struct Limits {
        double request_seconds = 60;  ///< for receiving a request, with its body
        double write_seconds = 30;    ///< in which the client must accept at least one byte
        size_t request_bytes = size_t{16} << 20;
    };
    Connection(Fd socket, const Limits& limits) : socket_(std::move(socket)), limits_(limits) {}

    /// Waits for the first byte of the next request. @param give_up called ten times a second
    bool wait(double seconds, const std::function<bool()>& give_up);
    /// Starts the request's limits.
    void begin_request();
    /// The header declares a body that is too long: none of it is read.
    void refuse_body() { too_long_ = close_ = true; }
    /// Whether the client closed its end.
    bool gone() const;
    /// The last request was longer than allowed.
    bool too_long() const { return too_long_; }
    /// The connection cannot be reused: the request was not read to its end.
    void close_after_this() { close_ = true; }
    bool closes() const { return close_; }
    /// Closes the connection so that the client sees the answer: reads and drops what it still sends for a
    /// moment, since closing with unread bytes resets the connection.
    void finish();

    bool is_readable() const override;
    bool is_writable() const override;
    ssize_t read(char* data, size_t size) override;
    ssize_t write(const char* data, size_t size) override;
    void get_remote_ip_and_port(std::string& ip, int& port) const override;
    void get_local_ip_and_port(std::string& ip, int& port) const override;
    socket_t socket() const override { return socket_.get(); }

  private:
    Fd socket_;
    Limits limits_;
    Clock::time_point deadline_ = Clock::time_point::max();
    size_t received_ = 0;
    bool too_long_ = false, close_ = false, broken_ = false;
    char buffer_[16384];
    size_t begin_ = 0, end_ = 0;
};

}  // namespace tritonsmith::serve
