#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "text/prompt/chat_template.h"

namespace tritonsmith::endpoint {

/// What is asked of /chat/completions. Fields without a value are left out, so that the provider's default
/// holds.
struct ChatRequest {
    std::string model;
    std::vector<text::Message> messages;
    int n = 1;  ///< answers wanted
    std::optional<double> temperature, top_p;
    std::optional<int> max_tokens;
    std::optional<uint64_t> seed;  ///< answer i that is asked for on its own has seed + i
    std::vector<std::string> stop;
    Json more = Json::object();  ///< further fields as the provider names them: {"top_k": 20}
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

/// How this provider wants to be asked, as learnt from what it refused.
struct Dialect {
    bool stream = true;
    bool many = true;                       ///< it honours n
    std::string max_tokens = "max_tokens";  ///< or "max_completion_tokens"
    std::vector<std::string> without;       ///< optional fields that it does not take
};

/// @param n answers to ask for in this one request @param first index of the first of them, for the seed
Json to_json(const ChatRequest& request, int n, int first, const Dialect& dialect);

/// Changes the dialect by what a refusal (status 400 or 422) says of an optional field that was sent.
/// @return what was changed, for a person; empty where the refusal is about something else
std::string learn_from_refusal(Dialect& dialect, const Json& sent, const Json& body);

/// One completion, whole or in chunks of a stream. Bad shapes throw nothing: what is no text is passed over.
class AnswerParts {
  public:
    /// A chunk ("choices" with "delta") or a whole completion ("message"). @return indices of answers that
    /// ended by it
    std::vector<int> take(const Json& body);
    /// {"error": ...} of a chunk; empty where there was none.
    const std::string& error() const { return error_; }
    /// Whether "choices" were seen at all.
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

/// The message of an error's body in one line, in any of the forms that providers use; empty where there is
/// none.
std::string error_message(const Json& body);
/// "error"."code" or "type", as in "insufficient_quota".
std::string error_code(const Json& body);

}  // namespace tritonsmith::endpoint
