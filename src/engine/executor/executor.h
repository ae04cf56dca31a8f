#pragma once

#include <cstdint>
#include <vector>

#include "engine/generator.h"
#include "kernels/arguments.h"

namespace tritonsmith::engine {

/// Tokens of one sequence that are computed in one step: one of an answer, or a chunk of a prompt.
struct Segment {
    std::vector<Token> tokens;
    int start = 0;                             ///< position of the first: so many are in the cache already
    const std::vector<int>* blocks = nullptr;  ///< of the cache, for all tokens up to the last of these
    std::vector<kernels::DrawRow> draws;  ///< tokens drawn from the logits of the last token; may be none
    int top_logprobs = 0;
    /// The last token of an answer; else of a prompt, whose chunks may be one token long as well but are
    /// computed as prompts are, however they were cut.
    bool answer = false;
};

struct Draw {
    TokenLogprob chosen;            ///< token -1: no logit is finite
    std::vector<TokenLogprob> top;  ///< descending
};

/// Owns the paged cache of keys and values, and computes on one device. Not thread-safe.
class Executor {
  public:
    virtual ~Executor() = default;
    virtual int blocks() const = 0;
    virtual int block_size() const = 0;
    /// The draws of each segment, in order. @throws MachineError (the device failed)
    virtual std::vector<std::vector<Draw>> run(const std::vector<Segment>& segments) = 0;
    /// Keys and values of one block become those of another.
    virtual void copy_block(int from, int to) = 0;
};

}  // namespace tritonsmith::engine
