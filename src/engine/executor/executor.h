#pragma once

#include <cstdint>
#include <vector>

#include "engine/api/generator.h"
#include "kernels/arguments.h"

namespace tritonsmith::engine {

/// Tokens of one sequence that are computed in one step: the last token of an answer, or a chunk of a prompt.
struct Segment {
    std::vector<Token> tokens;
    int start = 0;  ///< position of the first token; all before it are in the cache
    const std::vector<int>* blocks = nullptr;  ///< of the cache, for all tokens up to these
    std::vector<kernels::DrawRow> draws;       ///< drawn from the logits of the last token; may be empty
    int top_logprobs = 0;
    /// True: the last token of an answer. False: of a prompt, which is computed as prompts are even if the
    /// chunk is one token long, so that a result does not depend on how a prompt was divided.
    bool answer = false;
};

struct Draw {
    TokenLogprob chosen;            ///< token -1: no logit is finite
    std::vector<TokenLogprob> top;  ///< descending
};

/// Owns the paged cache of keys and values and computes steps on one device. Not thread-safe.
class Executor {
  public:
    virtual ~Executor() = default;
    virtual int blocks() const = 0;
    virtual int block_size() const = 0;
    /// The draws of each segment, in order. @throws MachineError (the device failed)
    virtual std::vector<std::vector<Draw>> run(const std::vector<Segment>& segments) = 0;
    /// Copies the keys and values of one block to another.
    virtual void copy_block(int from, int to) = 0;
};

}  // namespace tritonsmith::engine
