#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/generator.h"
#include "serve/completion_request.h"
#include "text/prompt/chat_template.h"
#include "text/tokenizer/tokenizer.h"

namespace tritonsmith::serve {

struct ModelServerOptions {
    std::string host = "127.0.0.1";
    int port = 8000;         ///< 0: any that is free
    std::string socket;      ///< path of a Unix socket in place of host and port
    std::string model_name;  ///< what clients call the model
    std::string key;         ///< bearer token that clients must send; empty: none
    int requests = 256;      ///< completions at a time; more are told to come again (429)
    size_t body_bytes = size_t{16} << 20;
    double drain_seconds = 30;  ///< for answers in progress, after SIGTERM or SIGINT
    RequestLimits limits;
    /// Called once when connections are accepted; without it a line on stderr says so.
    /// @param address "http://127.0.0.1:8000"
    std::function<void(const std::string& address)> on_ready;
};

/// An OpenAI-compatible server: /v1/chat/completions, /v1/completions, /v1/models, /health, /metrics. A
/// client that leaves has its samples cancelled.
class ModelServer {
  public:
    /// @param chat_template null where the model has none. All outlive the server, and the tokenizer the
    /// generator.
    ModelServer(ModelServerOptions options, engine::Generator& generator, const text::Tokenizer& tokenizer,
                const text::ChatTemplate* chat_template);
    ~ModelServer();

    /// Serves until stop(); then answers in progress may end within drain_seconds, and what is left is
    /// cancelled.
    /// @return whether all answers ended by themselves
    /// @throws InputError, MachineError where it cannot listen
    bool serve();
    /// Begins the end; the second time, without waiting for answers. Safe in a signal handler and from any
    /// thread.
    void stop();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// serve() that SIGTERM and SIGINT end. @return the program's exit code: 0, or 1 where answers were cut off
int run_model_server(const ModelServerOptions& options, engine::Generator& generator,
                     const text::Tokenizer& tokenizer, const text::ChatTemplate* chat_template);

}  // namespace tritonsmith::serve
