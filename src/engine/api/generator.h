#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "text/tokenizer/tokenizer.h"

/// The interface of whatever samples: Engine implements it, the server uses nothing else. No torch in here.
namespace tritonsmith::engine {

using text::Token;

/// How the next token is drawn. The order is that of transformers and vLLM: temperature, top-k, top-p, min-p.
struct SamplingParameters {
    double temperature = 1.0;  ///< 0: the most probable token
    double top_p = 1.0;        ///< (0, 1]
    int top_k = 0;             ///< 0: all
    double min_p = 0.0;        ///< of the greatest probability; 0: all
    uint64_t seed = 0;         ///< sample i of a request draws from (seed, i, position) and nothing else
    int max_tokens = 256;      ///< of the answer
    std::vector<Token> stop_tokens;  ///< each ends the sample and is delivered too
    int top_logprobs = 0;            ///< 0 to 20: how many of the most probable tokens are reported with each
};

struct Request {
    std::vector<Token> prompt;  ///< at least one
    int samples = 1;            ///< that share the prompt's keys and values
    SamplingParameters sampling;
};

struct TokenLogprob {
    Token token = 0;
    float logprob = 0;  ///< natural logarithm, of the distribution at temperature 1 before any cut
};

struct SampledToken {
    int sample = 0;    ///< of its request
    int position = 0;  ///< in the answer, from 0
    TokenLogprob chosen;
    std::vector<TokenLogprob> top;  ///< descending, top_logprobs of them
};

enum class End {
    stop_token,  ///< one of stop_tokens
    stopped,     ///< on_token returned false
    length,      ///< max_tokens, or the model's context
    cancelled,   ///< by cancel() or shutdown
    failed,      ///< the machine failed; the error says why
};

/// Receives the tokens of a request's samples. Called on the generator's thread, one call at a time: it must
/// not block.
class SampleListener {
  public:
    virtual ~SampleListener() = default;
    /// @return false to end this sample now (a stop string was seen)
    virtual bool on_token(const SampledToken& token) = 0;
    /// Called exactly once for each sample, after its last token.
    virtual void on_end(int sample, End end, const std::string& error) = 0;
};

struct GeneratorStatistics {
    int64_t requests = 0, prompt_tokens = 0, sampled_tokens = 0, cancelled_samples = 0, failed_samples = 0;
    int running_samples = 0, waiting_samples = 0;
    int cache_blocks = 0, cache_blocks_used = 0;
    int64_t steps = 0;
};

class Generator {
  public:
    virtual ~Generator() = default;
    /// Thread-safe; returns at once. @throws InputError (no prompt, longer than the context, a value out of
    /// range)
    virtual uint64_t submit(Request request, std::shared_ptr<SampleListener> listener) = 0;
    /// Cancels all samples of a request; does nothing if it has ended. Thread-safe.
    virtual void cancel(uint64_t request) = 0;
    virtual GeneratorStatistics statistics() const = 0;
    /// Longest prompt and answer together, in tokens.
    virtual int context_length() const = 0;
};

}  // namespace tritonsmith::engine
