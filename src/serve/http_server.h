#pragma once

#include <httplib.h>

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "serve/connection.h"
#include "serve/listener.h"

namespace tritonsmith::serve {

/// httplib's server (routes, headers, chunks) with our own accept loop and connections: one thread for each
/// connection, so handlers may block, and answers in progress can finish while no new connections are
/// accepted.
class HttpServer : public httplib::Server {
  public:
    struct Options {
        int connections = 384;  ///< at a time; more are refused with 503
        double keep_alive_seconds = 60;
        Connection::Limits limits;
    };
    explicit HttpServer(const Options& options) : options_(options) {}
    ~HttpServer() override = default;

    /// Accepts connections until drain(), then waits for all of them. Handlers must be set before.
    void serve(const Listener& listener);
    /// Stops accepting; requests in progress continue, idle connections are closed. Async-signal-safe.
    void drain() { draining_ = true; }
    bool draining() const { return draining_; }
    int connections() const;

    /// The connection whose request this thread handles; null elsewhere.
    static Connection* current();

  private:
    void handle(Fd socket);

    Options options_;
    std::atomic<bool> draining_ = false;
    mutable std::mutex mutex_;
    std::condition_variable all_closed_;
    int open_ = 0;
};

}  // namespace tritonsmith::serve
