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

/// Thrown where the user's `cancel` was set.
class Cancelled : public std::runtime_error {
  public:
    Cancelled() : std::runtime_error("cancelled") {}
};

struct ClientOptions {
    Address address;
    Key key;
    RetryPolicy retry;
    double connect_seconds = 10;
    double silent_seconds = 300;    ///< in which not one byte comes
    double request_seconds = 1800;  ///< of one attempt
    Deadline deadline;              ///< of everything
    int concurrency = 8;            ///< requests at a time; others wait
    bool stream = true;
    const std::atomic<bool>* cancel =
        nullptr;  ///< ends everything within a tenth of a second; outlives the client
    /// One clause about what happens: "429 Too Many Requests: again in 2.0 s". From any thread.
    std::function<void(const std::string&)> on_note;
};

struct ChatEvents {
    /// Each answer as soon as it is whole; `index` counts from 0 in the order of their ends. From the
    /// caller's thread.
    std::function<void(int index, Answer answer)> on_answer;
    /// Characters of answers and reasoning that have come since.
    std::function<void(size_t bytes)> on_text;
};

/// A client of one OpenAI-compatible API. What a provider refuses or ignores (n, seed, stream_options,
/// max_tokens ...) is learnt from its first answers and asked otherwise. Thread-safe.
class Client {
  public:
    explicit Client(ClientOptions options);

    /// Asks until all n answers are there, or nothing more can be done: failures that may pass (408, 409,
    /// 429, 5xx, broken connections, half answers) are tried again with growing pauses; answers that came
    /// whole stay.
    /// @return what it took
    /// @throws InputError  what the provider says is wrong with the request, the key, or the model's name
    /// @throws MachineError it did not answer  @throws Cancelled
    Usage chat(const ChatRequest& request, const ChatEvents& events);

    /// Names of the models that the endpoint has. @throws as chat()
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
    /// Waits before the next attempt, or throws what `answer` means where there is none.
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
