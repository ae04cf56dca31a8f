#pragma once

#include <httplib.h>

#include <string>

#include "base/process.h"

namespace tritonsmith::serve {

/// One client's connection as httplib reads and writes it, with what httplib 0.11 lacks: a deadline and a
/// most of bytes for each request as a whole (its own limits hold for single reads, and not for chunked
/// bodies), and a look whether the client is still there. For one thread.
class Connection : public httplib::Stream {
  public:
    struct Limits {
        double request_seconds = 60;  ///< for a request to come, body included
        double write_seconds = 30;    ///< in which the client must take something of an answer
        size_t request_bytes = size_t{16} << 20;
    };
    Connection(Fd socket, const Limits& limits) : socket_(std::move(socket)), limits_(limits) {}

    /// Waits for the first byte of the next request. @param give_up looked at ten times a second
    bool wait(double seconds, const std::function<bool()>& give_up);
    /// Limits count from here.
    void begin_request();
    /// The body is longer than allowed by what its header says: none of it is read.
    void refuse_body() { too_long_ = close_ = true; }
    /// Whether the client closed its end.
    bool gone() const;
    /// The last request was longer than allowed.
    bool too_long() const { return too_long_; }
    /// The connection cannot be used for another request: what the client sends was not read to its end.
    void close_after_this() { close_ = true; }
    bool closes() const { return close_; }
    /// Ends the connection so that the client sees the answer: what it still sends is read for a moment and
    /// dropped, since closing on unread bytes would reset the connection.
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
