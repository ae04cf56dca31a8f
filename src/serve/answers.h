#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/process/process.h"
#include "engine/api/generator.h"
#include "serve/completion_request.h"
#include "serve/stop_strings.h"
#include "text/tokenizer/tokenizer.h"

namespace tritonsmith::serve {

/// A token with the offset of its text in the answer, in bytes.
struct PlacedToken {
    engine::SampledToken token;
    size_t begin = 0;
};

/// The new part of one choice since the last one.
struct Piece {
    int choice = 0;
    std::string text;                 ///< whole UTF-8 characters, cut before stop strings
    std::vector<PlacedToken> tokens;  ///< of that text, if log-probabilities are requested
    std::string finish;               ///< "stop" or "length" in its last piece; empty before
    bool failed = false;              ///< in its last piece; `error` says why
    std::string error;
};

/// Times of one choice, in seconds.
struct ChoiceTimes {
    double first_token = 0;  ///< since the request arrived
    double per_token = 0;    ///< mean between its tokens; 0 for fewer than two
    int tokens = 0;
};

/// The choices of one request: written by the generator's thread, read by the client's thread. Tokens are
/// decoded and searched for stop strings as they arrive, since a stop string ends the sample.
class Answers : public std::enable_shared_from_this<Answers> {
  public:
    /// @param request stop, n, logprobs and the number of prompts are used @param tokenizer outlives this
    Answers(const CompletionRequest& request, const text::Tokenizer& tokenizer, Clock::time_point arrived);

    /// For the samples of prompt `prompt`.
    std::shared_ptr<engine::SampleListener> listener(int prompt);

    /// Waits until there are new pieces, all choices have ended, or the time has passed.
    /// @param streamed false: only wake for the end @return new pieces in the order of choices; may be empty
    std::vector<Piece> wait(std::chrono::milliseconds time, bool streamed);
    bool over() const;
    int64_t completion_tokens() const;
    /// Of the choices that have ended.
    std::vector<ChoiceTimes> times() const;

  private:
    struct Choice {
        text::StreamingDecoder decoder;
        StopStrings stop;
        Piece news;
        std::deque<PlacedToken> held;   ///< tokens whose text is not certain yet
        size_t decoded = 0, shown = 0;  ///< bytes
        bool changed = false, over = false;
        ChoiceTimes times;
        Clock::time_point first, last;
    };
    class Listener;
    bool take(int choice, const engine::SampledToken& token);
    void end(int choice, engine::End end, const std::string& error);
    void show(Choice& choice, std::string text);

    const bool keep_tokens_;
    const int n_;
    const std::vector<text::Token> stop_tokens_;
    const Clock::time_point arrived_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Choice> choices_;
    int open_;
    bool news_ = false;
    int64_t tokens_ = 0;
};

}  // namespace tritonsmith::serve
