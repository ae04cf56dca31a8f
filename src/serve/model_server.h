#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/api/generator.h"
#include "serve/completion_request.h"
#include "text/prompt/chat_template.h"
#include "text/tokenizer/tokenizer.h"

namespace tritonsmith::serve {

struct ModelServerOptions {
    std::string host = "127.0.0.1";
    int port = 8000;         ///< 0: any free one
    std::string socket;      ///< path of a Unix socket instead of host and port
    std::string model_name;  ///< what clients call the model
    std::string key;         ///< bearer token that clients must send; empty: none
    int requests = 256;      ///< completions at a time; more are refused with 429
    size_t body_bytes = size_t{16} << 20;
    double drain_seconds = 30;  ///< for answers in progress, after SIGTERM or SIGINT
    RequestLimits limits;
    /// Called once when connections are accepted; if empty, a line is printed on stderr.
    /// @param address "http://127.0.0.1:8000"
    std::function<void(const std::string& address)> on_ready;
};

/// An OpenAI-compatible server: /v1/chat/completions, /v1/completions, /v1/models, /health, /metrics. When a
/// client disconnects, its samples are cancelled.
class ModelServer {
  public:
    /// @param chat_template null if the model has none. All outlive the server, and the tokenizer the
    /// generator.
    ModelServer(ModelServerOptions options, engine::Generator& generator, const text::Tokenizer& tokenizer,
                const text::ChatTemplate* chat_template);
    ~ModelServer();

    /// Serves until stop(); then answers in progress have drain_seconds to finish, and the rest is cancelled.
    /// @return whether all answers finished
    /// @throws InputError, MachineError if it cannot listen
    bool serve();
    /// Starts the shutdown; the second call does not wait for answers. Async-signal-safe and thread-safe.
    void stop();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// serve() until SIGTERM or SIGINT. @return the program's exit code: 0, or 1 if answers were cut off
int run_model_server(const ModelServerOptions& options, engine::Generator& generator,
                     const text::Tokenizer& tokenizer, const text::ChatTemplate* chat_template);

}  // namespace tritonsmith::serve
