#include "serve/model_server.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/hash.h"
#include "base/json.h"
#include "serve/api_error.h"
#include "serve/completion_handler.h"
#include "serve/http_server.h"

namespace tritonsmith::serve {
namespace {

constexpr size_t kHeadBytes = size_t{64} << 10;  // request line and headers

/// Compares in constant time, independent of the secret's length.
bool equal_secrets(const std::string& a, const std::string& b) {
    const std::string x = sha256(a), y = sha256(b);
    unsigned difference = 0;
    for (size_t i = 0; i < x.size(); ++i) difference |= static_cast<unsigned char>(x[i] ^ y[i]);
    return difference == 0;
}

/// Whether a Host header is a number or localhost. Other names may belong to a page that uses DNS rebinding
/// to reach this server from a browser.
bool names_this_machine(const std::string& host) {
    const std::string name =
        host.starts_with('[') ? host.substr(0, host.find(']') + 1) : host.substr(0, host.find(':'));
    return name.empty() || name == "localhost" || name.starts_with('[') ||
           name.find_first_not_of("0123456789.") == std::string::npos;
}

void answer_error(httplib::Response& response, const ApiError& error) {
    response.status = error.status;
    if (error.status == 429 || error.status == 503) response.set_header("Retry-After", "1");
    if (error.status == 401) response.set_header("WWW-Authenticate", "Bearer");
    response.set_content(dump(to_json(error)), "application/json");
}

HttpServer::Options http_options(const ModelServerOptions& options) {
    HttpServer::Options out;
    out.connections = options.requests + 128;  // more, so that some can be refused with 429
    out.limits.request_bytes = options.body_bytes + kHeadBytes;
    return out;
}

}  // namespace

struct ModelServer::State {
    State(ModelServerOptions given, engine::Generator& generator, const text::Tokenizer& tokenizer,
          const text::ChatTemplate* chat_template)
        : options(std::move(given)),
          generator(generator),
          http(http_options(options)),
          handler({tokenizer, chat_template, options.model_name, generator.context_length(), options.limits},
                  generator, metrics, options.requests) {
        http.set_payload_max_length(options.body_bytes);
        add_routes();
    }

    void add_routes() {
        http.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
            return admit(request, response) ? httplib::Server::HandlerResponse::Unhandled
                                            : httplib::Server::HandlerResponse::Handled;
        });
        http.Post("/v1/chat/completions",
                  [this](const httplib::Request& request, httplib::Response& response) {
                      completions(request, response, true);
                  });
        http.Post("/v1/completions", [this](const httplib::Request& request, httplib::Response& response) {
            completions(request, response, false);
        });
        http.Get("/v1/models", [this](const httplib::Request&, httplib::Response& response) {
            json(response, {{"object", "list"}, {"data", {model()}}});
        });
        http.Get("/health", [this](const httplib::Request&, httplib::Response& response) {
            response.status = http.draining() ? 503 : 200;
            json(response, {{"status", http.draining() ? "draining" : "ok"}});
        });
        http.Get("/metrics", [this](const httplib::Request&, httplib::Response& response) {
            response.set_content(metrics.text(generator.statistics(), handler.in_progress()),
                                 "text/plain; version=0.0.4");
        });
        http.set_error_handler([this](const httplib::Request& request, httplib::Response& response) {
            if (!response.body.empty() || response.status < 400) return;
            const Connection* connection = HttpServer::current();
            if (response.status == 413 || (connection && connection->too_long()))
                answer_error(response, ApiError(413, fmt::format("the body is longer than {} bytes",
                                                                 options.body_bytes)));
            else if (response.status == 404)
                answer_error(response,
                             ApiError(404, fmt::format("there is no {} {}", request.method, request.path)));
            else
                answer_error(response, ApiError(response.status, "the request cannot be read"));
            if (connection) HttpServer::current()->close_after_this();
        });
        http.set_exception_handler(
            [](const httplib::Request&, httplib::Response& response, std::exception_ptr thrown) {
                try {
                    std::rethrow_exception(thrown);
                } catch (const ApiError& error) {
                    answer_error(response, error);
                } catch (const InputError& error) {
                    answer_error(response, ApiError(400, error.what()));
                } catch (const std::exception& error) {
                    answer_error(response, ApiError(500, error.what()));
                }
            });
        http.set_logger([this](const httplib::Request& request, const httplib::Response& response) {
            const bool counted = response.status == 200 || response.status == 499;  // by CompletionHandler
            if (!request.path.ends_with("completions") || !counted)
                metrics.count_request(request.path, response.status, 0);
        });
    }

    static void json(httplib::Response& response, const Json& body) {
        response.set_content(dump(body), "application/json");
    }

    Json model() const {
        return {{"id", options.model_name},
                {"object", "model"},
                {"created", 0},
                {"owned_by", "tritonsmith"},
                {"max_model_len", generator.context_length()}};
    }

    /// Runs before the body is read: refuses requests that may not be handled.
    bool admit(const httplib::Request& request, httplib::Response& response) {
        auto refuse = [&](const ApiError& error) {
            answer_error(response, error);
            // The unread body is still on this connection.
            response.set_header("Connection", "close");
            HttpServer::current()->close_after_this();
            return false;
        };
        if (options.key.empty() && !names_this_machine(request.get_header_value("Host")))
            return refuse(ApiError(403,
                                   "a server without a key accepts requests from this machine only: start it "
                                   "with --api-key-env"));
        if (request.path.starts_with("/v1/models/") && request.method == "GET") {
            // (A route of httplib's is a regular expression, which a path of kilobytes must not meet.)
            if (!authorized(request))
                return refuse(ApiError(401, "wrong or missing bearer token", "", "invalid_api_key"));
            if (request.path.substr(11) == options.model_name)
                json(response, model());
            else
                return refuse(ApiError(404, "there is no such model", "model", "model_not_found"));
            return false;
        }
        if (request.path == "/health") return true;
        if (!authorized(request))
            return refuse(ApiError(401, "wrong or missing bearer token", "", "invalid_api_key"));
        if (request.method != "GET" && request.method != "POST" && request.method != "HEAD")
            return refuse(ApiError(405, "the method is not allowed"));
        if (request.method != "POST") return true;
        const std::string type = request.get_header_value("Content-Type");
        // Also keeps web pages from using a server on this machine without its user's
        // knowledge.
        if (!type.starts_with("application/json"))
            return refuse(ApiError(415, "set the header Content-Type: application/json"));
        if (request.has_header("Content-Encoding"))
            return refuse(ApiError(415, "bodies must not have a Content-Encoding"));
        if (http.draining()) return refuse(ApiError(503, "the server is shutting down"));
        return true;
    }

    bool authorized(const httplib::Request& request) const {
        if (options.key.empty()) return true;
        const std::string given = request.get_header_value("Authorization");
        return given.starts_with("Bearer ") && equal_secrets(given.substr(7), options.key);
    }

    void completions(const httplib::Request& request, httplib::Response& response, bool chat) {
        try {
            handler.handle(request, response, chat);
        } catch (const ApiError& error) {
            answer_error(response, error);
        }
    }

    const ModelServerOptions options;
    engine::Generator& generator;
    Metrics metrics;
    HttpServer http;
    CompletionHandler handler;
    std::atomic<int> stops = 0;
};

ModelServer::ModelServer(ModelServerOptions options, engine::Generator& generator,
                         const text::Tokenizer& tokenizer, const text::ChatTemplate* chat_template)
    : state_(std::make_unique<State>(std::move(options), generator, tokenizer, chat_template)) {}

ModelServer::~ModelServer() = default;

bool ModelServer::serve() {
    State& s = *state_;
    const Listener listener = s.options.socket.empty() ? listen_on(s.options.host, s.options.port)
                                                       : listen_on_socket(s.options.socket);
    std::atomic<bool> done = false;
    bool cut = false;
    std::thread watch([&] {  // starts the shutdown, and enforces its deadline
        std::optional<Clock::time_point> deadline;
        while (!done) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            if (s.stops > 0 && !deadline) {
                deadline = Clock::now() +
                           std::chrono::milliseconds(static_cast<int64_t>(s.options.drain_seconds * 1e3));
                s.http.drain();
            }
            if (deadline && !cut && (s.stops > 1 || Clock::now() >= *deadline)) cut = s.handler.cancel_all();
        }
    });
    if (s.options.on_ready)
        s.options.on_ready(listener.address);
    else
        fmt::print(stderr, "serving {} at {}\n", s.options.model_name, listener.address);
    s.http.serve(listener);
    done = true;
    watch.join();
    if (!s.options.socket.empty()) ::unlink(s.options.socket.c_str());
    return !cut;
}

void ModelServer::stop() {
    ++state_->stops;
}

// --- signals

namespace {

std::atomic<ModelServer*> signalled = nullptr;

void on_signal(int) {
    if (ModelServer* server = signalled.load()) server->stop();
}

}  // namespace

int run_model_server(const ModelServerOptions& options, engine::Generator& generator,
                     const text::Tokenizer& tokenizer, const text::ChatTemplate* chat_template) {
    ModelServer server(options, generator, tokenizer, chat_template);
    signalled = &server;
    struct sigaction action = {}, before_term = {}, before_int = {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGTERM, &action, &before_term);
    ::sigaction(SIGINT, &action, &before_int);
    ::signal(SIGPIPE, SIG_IGN);
    bool whole = false;
    try {
        whole = server.serve();
    } catch (...) {
        signalled = nullptr;
        throw;
    }
    ::sigaction(SIGTERM, &before_term, nullptr);
    ::sigaction(SIGINT, &before_int, nullptr);
    signalled = nullptr;
    return whole ? 0 : 1;
}

}  // namespace tritonsmith::serve
