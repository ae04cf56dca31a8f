#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "text/prompt/chat_template.h"

namespace tritonsmith::endpoint {

/// A request to /chat/completions. Fields without a value are omitted, so the provider's defaults apply.
struct ChatRequest {
    std::string model;
    std::vector<text::Message> messages;
    int n = 1;  ///< answers wanted
    std::optional<double> temperature, top_p;
    std::optional<int> max_tokens;
    std::optional<uint64_t> seed;  ///< answer i has seed + i if it is requested alone
    std::vector<std::string> stop;
    Json more = Json::object();  ///< further fields by the provider's names: {"top_k": 20}
};

struct Answer {
    std::string content;
    std::string
        reasoning;       ///< what a provider sends apart (reasoning_content, reasoning); not part of content
    std::string finish;  ///< "stop", "length" ...; empty where the provider does not say
};

struct Usage {
    int64_t prompt_tokens = 0, completion_tokens = 0;
    void add(const Usage& other) {
        prompt_tokens += other.prompt_tokens;
        completion_tokens += other.completion_tokens;
    }
};

/// What a provider supports, learnt from its refusals.
struct Dialect {
    bool stream = true;
    bool many = true;                       ///< it supports n
    std::string max_tokens = "max_tokens";  ///< or "max_completion_tokens"
    std::vector<std::string> without;       ///< optional fields that it refuses
};

/// @param n answers of this one request @param first index of the first of them, for the seed
Json to_json(const ChatRequest& request, int n, int first, const Dialect& dialect);

/// Adapts the dialect if a refusal (status 400 or 422) is about an optional field that was sent.
/// @return a description of the change; empty if the refusal is about something else
std::string learn_from_refusal(Dialect& dialect, const Json& sent, const Json& body);

/// One completion, whole or in chunks of a stream. Never throws: anything but text is skipped.
class AnswerParts {
  public:
    /// A chunk ("choices" with "delta") or a whole completion ("message"). @return indices of answers that
    /// ended by it
    std::vector<int> take(const Json& body);
    /// {"error": ...} of a chunk; empty if there was none.
    const std::string& error() const { return error_; }
    /// Whether "choices" were seen.
    bool any() const { return seen_; }
    const std::map<int, Answer>& answers() const { return answers_; }
    bool ended(int index) const;
    const Usage& usage() const { return usage_; }

  private:
    std::map<int, Answer> answers_;
    std::vector<int> ended_;
    Usage usage_;
    std::string error_;
    bool seen_ = false;
};

/// The message of an error's body in one line, in any of the providers' forms; empty if there is none.
std::string error_message(const Json& body);
/// "error"."code" or "type", as in "insufficient_quota".
std::string error_code(const Json& body);

}  // namespace tritonsmith::endpoint
