#pragma once

#include <httplib.h>

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "serve/connection.h"
#include "serve/listener.h"

namespace tritonsmith::serve {

/// httplib's server (routes, headers, chunks) on an accept loop and connections of our own: one thread for
/// each connection, so that a handler may wait, and answers in progress that may end while nothing new is
/// accepted.
class HttpServer : public httplib::Server {
  public:
    struct Options {
        int connections = 384;  ///< at a time; more are turned away with 503
        double keep_alive_seconds = 60;
        Connection::Limits limits;
    };
    explicit HttpServer(const Options& options) : options_(options) {}
    ~HttpServer() override = default;

    /// Accepts until drain() or stop_now(), then waits for all connections. Handlers are set before.
    void serve(const Listener& listener);
    /// Accepts nothing new; requests in progress go on, idle connections end. Safe in a signal handler.
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
