#pragma once

#include <deque>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "engine/api/generator.h"
#include "engine/kv_cache/block_allocator.h"

namespace tritonsmith::engine {

struct Group;

/// One answer while it is sampled.
struct Sample {
    Group* group = nullptr;
    int index = 0;  ///< in its request
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

/// Tokens whose keys and values are computed chunk by chunk before answers continue: a prompt, or prompt and
/// answer of a sample that was preempted.
struct Prefill {
    Group* group = nullptr;
    std::vector<Token> tokens;
    std::vector<Sample*> samples;  ///< that continue from there
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
    std::vector<Sample*> decode;  ///< whose last token is fed; those that share blocks are adjacent
    bool empty() const { return chunks.empty() && decode.empty(); }
};

/// Chooses what the next step computes and in which blocks of the cache: continuous batching over a paged
/// cache. Samples of a request share the full blocks of their prompt. When blocks run out, the youngest
/// sample is preempted: its blocks are released, and it is computed again later. Not responsible for
/// computing, drawing or listeners. Not thread-safe.
class Scheduler {
  public:
    struct Limits {
        int blocks = 0, block_size = 64;
        int max_batch = 256;      ///< samples that are decoded in one step
        int chunk_tokens = 8192;  ///< of prompts, in one step
        /// Blocks for the longest possible answer are allocated at the start: nothing is computed twice.
        bool reserve = false;
    };
    explicit Scheduler(const Limits& limits);

    /// Longest prompt and answer together of a sample that is alone, in tokens.
    int capacity() const { return limits_.blocks * limits_.block_size; }
    /// With Limits::reserve: the most blocks that such a request needs.
    int64_t reserved_blocks(int64_t prompt, int64_t samples, int64_t max_tokens) const;
    Group& add(uint64_t id, Request request, std::shared_ptr<SampleListener> listener);
    Group* find(uint64_t id);

    /// What to compute now; empty if there is nothing to do. Samples that have ended are left out.
    Step next();

    /// A block whose contents must be copied before the next step.
    struct Copy {
        int from = 0, to = 0;
    };
    /// The chunk was computed. @return true if it was the last one: the samples continue, each with its own
    /// copy of the prompt's last, partly filled block
    bool computed(const Step::Chunk& chunk, std::vector<Copy>& copies);
    /// The sample's last token was fed, and this one was drawn.
    void append_token(Sample& sample, Token token);
    /// Releases the sample's blocks.
    void end(Sample& sample);
    /// Removes groups all of whose samples have ended. To be called between steps.
    void remove_ended();

    const std::vector<Sample*>& running() const { return running_; }
    int waiting() const;
    const BlockAllocator& blocks() const { return blocks_; }
    std::list<std::unique_ptr<Group>>& groups() { return groups_; }

  private:
    int blocks_for(int tokens) const { return (tokens + limits_.block_size - 1) / limits_.block_size; }
    int final_tokens(const Group& group) const;
    bool fits(const Prefill& prefill) const;
    void plan_decode(Step& step);
    void plan_chunks(Step& step);
    bool preempt_youngest(const Sample& keep);
    void preempt(Sample& sample);
    void drop_ended_samples();

    const Limits limits_;
    BlockAllocator blocks_;
    std::list<std::unique_ptr<Group>> groups_;
    std::list<std::unique_ptr<Prefill>> waiting_;  ///< first come, first served
    std::vector<Sample*> running_;                 ///< oldest first
};

}  // namespace tritonsmith::engine
