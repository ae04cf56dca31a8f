#pragma once

#include <deque>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "engine/generator.h"
#include "engine/kv_cache/block_allocator.h"

namespace tritonsmith::engine {

struct Group;

/// One answer in the making.
struct Sample {
    Group* group = nullptr;
    int index = 0;  ///< of its request
    std::vector<Token> tokens;
    std::vector<int> blocks;  ///< of the cache, for prompt and answer
    int cached = 0;           ///< tokens of prompt and answer whose keys and values are in the cache
    bool ended = false;
};

/// A request and its samples.
struct Group {
    uint64_t id = 0;
    Request request;
    std::shared_ptr<SampleListener> listener;
    std::vector<std::unique_ptr<Sample>> samples;
    int unended = 0;
    bool cancelled = false;
};

/// Tokens whose keys and values are computed chunk by chunk before answers go on: a prompt, or prompt and
/// answer of a sample that had to give its blocks away.
struct Prefill {
    Group* group = nullptr;
    std::vector<Token> tokens;
    std::vector<Sample*> samples;  ///< that go on from there
    std::vector<int> blocks;
    int done = 0;
};

/// What one step of the engine computes.
struct Step {
    struct Chunk {
        Prefill* prefill = nullptr;
        int end = 0;  ///< tokens [prefill->done, end)
        bool last() const { return end == static_cast<int>(prefill->tokens.size()); }
    };
    std::vector<Chunk> chunks;
    std::vector<Sample*> decode;  ///< whose last token is fed; those that share blocks are neighbours
    bool empty() const { return chunks.empty() && decode.empty(); }
};

/// Who is computed next, and where in the cache: continuous batching over a paged cache. Samples of a request
/// share the full blocks of their prompt. When blocks run out the youngest sample gives its own away and is
/// computed again later. Not responsible for computing, drawing or telling anybody. Not thread-safe.
class Scheduler {
  public:
    struct Limits {
        int blocks = 0, block_size = 64;
        int max_batch = 256;      ///< samples that are decoded in one step
        int chunk_tokens = 8192;  ///< of prompts, in one step
        /// Blocks for the longest possible answer are taken at the start: nothing is ever computed twice.
        bool reserve = false;
    };
    explicit Scheduler(const Limits& limits);

    /// Longest prompt and answer together that a sample can have when it is alone.
    int capacity() const { return limits_.blocks * limits_.block_size; }
    /// With Limits::reserve: blocks that such a request takes at most.
    int64_t reserved_blocks(int64_t prompt, int64_t samples, int64_t max_tokens) const;
    Group& add(uint64_t id, Request request, std::shared_ptr<SampleListener> listener);
    Group* find(uint64_t id);

    /// What to compute now; empty where there is nothing to do. Samples that end meanwhile are left out.
    Step next();

    /// A block's contents that must be there before the next step, beside what it computes.
    struct Copy {
        int from = 0, to = 0;
    };
    /// The chunk was computed. @return true if it was the last one: the samples go on, each from its own copy
    /// of the prompt's last, unfinished block
    bool computed(const Step::Chunk& chunk, std::vector<Copy>& copies);
    /// The sample's last token was fed, and this one drawn.
    void drew(Sample& sample, Token token);
    /// Its blocks are free at once.
    void end(Sample& sample);
    /// Forgets groups all of whose samples ended. To be called between steps.
    void sweep();

    const std::vector<Sample*>& running() const { return running_; }
    int waiting() const;
    const BlockPool& pool() const { return pool_; }
    std::list<std::unique_ptr<Group>>& groups() { return groups_; }

  private:
    int blocks_for(int tokens) const { return (tokens + limits_.block_size - 1) / limits_.block_size; }
    int final_tokens(const Group& group) const;
    bool fits(const Prefill& prefill) const;
    void plan_decode(Step& step);
    void plan_chunks(Step& step);
    bool make_room(Sample& keep);
    void start_over(Sample& sample);

    const Limits limits_;
    BlockPool pool_;
    std::list<std::unique_ptr<Group>> groups_;
    std::list<std::unique_ptr<Prefill>> waiting_;  ///< first come, first served
    std::vector<Sample*> running_;                 ///< oldest first
};

}  // namespace tritonsmith::engine
