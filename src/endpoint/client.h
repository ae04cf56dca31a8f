#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <random>

#include "endpoint/chat.h"
#include "endpoint/http_call.h"
#include "endpoint/retry.h"

namespace tritonsmith::endpoint {

/// Thrown if the user's `cancel` was set.
class Cancelled : public std::runtime_error {
  public:
    Cancelled() : std::runtime_error("cancelled") {}
};

struct ClientOptions {
    Address address;
    Key key;
    RetryPolicy retry;
    double connect_seconds = 10;
    double silent_seconds = 300;    ///< without a byte received
    double request_seconds = 1800;  ///< of one attempt
    Deadline deadline;              ///< of everything
    int concurrency = 8;            ///< requests at a time; others wait
    bool stream = true;
    const std::atomic<bool>* cancel =
        nullptr;  ///< ends everything within a tenth of a second; outlives the client
    /// One line about what happens: "429 Too Many Requests: retrying in 2.0 s". From any thread.
    std::function<void(const std::string&)> on_note;
};

struct ChatEvents {
    /// Each answer as soon as it is complete; `index` counts from 0 in the order of completion. From the
    /// caller's thread.
    std::function<void(int index, Answer answer)> on_answer;
    /// Bytes of answers and reasoning that have arrived since the last call.
    std::function<void(size_t bytes)> on_text;
};

/// A client of one OpenAI-compatible API. It learns from a provider's first answers which fields it refuses
/// or ignores (n, seed, stream_options, max_tokens ...) and adapts its requests. Thread-safe.
class Client {
  public:
    explicit Client(ClientOptions options);

    /// Sends requests until all n answers are complete or an attempt fails for good. Transient failures (408,
    /// 409, 429, 5xx, broken connections, partial answers) are retried with increasing pauses; complete
    /// answers are kept.
    /// @return the tokens used
    /// @throws InputError if the provider refuses the request, the key, or the model's name
    /// @throws MachineError if it did not answer  @throws Cancelled
    Usage chat(const ChatRequest& request, const ChatEvents& events);
    /// Ends all calls, these and later ones, as ClientOptions::cancel does: enough answers have come.
    void stop() { watchdog_.cancel(); }

    /// Names of the endpoint's models. @throws as chat()
    std::vector<std::string> models();

    const Address& address() const { return options_.address; }

  private:
    struct Attempt {
        HttpAnswer http;
        AnswerParts parts;
        int delivered = 0;
    };
    Attempt ask(const ChatRequest& request, int n, int first, const Dialect& dialect, Json& sent,
                const ChatEvents& events);
    HttpAnswer call(HttpRequest request);
    /// Waits before the next attempt, or throws the error of `answer` if there is none.
    void wait_or_throw(const HttpAnswer& answer, const std::string& what, int attempt);
    [[noreturn]] void refuse(const HttpAnswer& answer) const;
    std::string describe(const HttpAnswer& answer) const;
    void note(const std::string& text) const;
    Dialect dialect() const;

    const ClientOptions options_;
    Watchdog watchdog_;
    mutable std::mutex mutex_;  ///< of all below
    std::condition_variable slot_free_;
    int busy_ = 0;
    Dialect dialect_;
    std::mt19937_64 random_;
};

}  // namespace tritonsmith::endpoint
