#include "engine/scheduler/scheduler.h"

#include <algorithm>
#include <utility>

namespace tritonsmith::engine {

Scheduler::Scheduler(const Limits& limits) : limits_(limits), blocks_(limits.blocks) {}

Group& Scheduler::add(uint64_t id, Request request, std::shared_ptr<SampleListener> listener) {
    auto group = std::make_unique<Group>();
    group->id = id;
    group->request = std::move(request);
    group->listener = std::move(listener);
    auto prefill = std::make_unique<Prefill>();
    prefill->group = group.get();
    prefill->tokens = group->request.prompt;
    for (int i = 0; i < group->request.samples; ++i) {
        auto sample = std::make_unique<Sample>();
        sample->group = group.get();
        sample->index = i;
        prefill->samples.push_back(sample.get());
        group->samples.push_back(std::move(sample));
    }
    group->unended = group->request.samples;
    waiting_.push_back(std::move(prefill));
    groups_.push_back(std::move(group));
    return *groups_.back();
}

Group* Scheduler::find(uint64_t id) {
    for (const auto& group : groups_)
        if (group->id == id) return group.get();
    return nullptr;
}

int Scheduler::waiting() const {
    int count = 0;
    for (const auto& prefill : waiting_)
        count += static_cast<int>(std::count_if(prefill->samples.begin(), prefill->samples.end(),
                                                [](const Sample* sample) { return !sample->ended; }));
    return count;
}

int Scheduler::final_tokens(const Group& group) const {
    // The last token of an answer is never fed.
    return static_cast<int>(group.request.prompt.size()) + group.request.sampling.max_tokens - 1;
}

void Scheduler::drop_ended_samples() {
    const auto ended = [](const Sample* sample) { return sample->ended; };
    std::erase_if(running_, ended);
    std::erase_if(waiting_, [&](const auto& prefill) {
        std::erase_if(prefill->samples, ended);
        if (prefill->samples.empty()) blocks_.release(prefill->blocks);
        return prefill->samples.empty();
    });
}

Step Scheduler::next() {
    drop_ended_samples();
    Step step;
    plan_decode(step);
    plan_chunks(step);
    return step;
}

/// The oldest come first: preempted samples continue when these have ended.
void Scheduler::plan_decode(Step& step) {
    for (size_t i = 0; i < running_.size() && static_cast<int>(i) < limits_.max_batch; ++i) {
        Sample& sample = *running_[i];
        while (static_cast<int>(sample.blocks.size()) < blocks_for(sample.cached + 1) &&
               !blocks_.allocate(1, sample.blocks))
            if (!preempt_youngest(sample)) return;
        step.decode.push_back(&sample);
    }
}

/// Releases the blocks of the youngest prompt that is being computed, or else of the youngest sample. @return
/// false if that is `keep`
bool Scheduler::preempt_youngest(const Sample& keep) {
    for (auto it = waiting_.rbegin(); it != waiting_.rend(); ++it) {
        if ((*it)->blocks.empty()) continue;
        blocks_.release((*it)->blocks);
        (*it)->done = 0;
        return true;
    }
    Sample* youngest = running_.back();
    running_.pop_back();
    preempt(*youngest);
    return youngest != &keep;
}

void Scheduler::preempt(Sample& sample) {
    blocks_.release(sample.blocks);
    sample.cached = 0;
    auto again = std::make_unique<Prefill>();
    again->group = sample.group;
    again->tokens = sample.group->request.prompt;
    again->tokens.insert(again->tokens.end(), sample.tokens.begin(), sample.tokens.end());
    again->samples = {&sample};
    waiting_.push_front(std::move(again));
}

int64_t Scheduler::reserved_blocks(int64_t prompt, int64_t samples, int64_t max_tokens) const {
    const int64_t own = blocks_for(static_cast<int>(prompt + max_tokens - 1)) - prompt / limits_.block_size;
    return blocks_for(static_cast<int>(prompt)) + own * samples;
}

bool Scheduler::fits(const Prefill& prefill) const {
    const int count = static_cast<int>(prefill.samples.size());
    if (limits_.reserve)
        return reserved_blocks(static_cast<int64_t>(prefill.tokens.size()), count,
                               prefill.group->request.sampling.max_tokens) <= blocks_.free();
    // All samples of the request, and one block more for each that is running.
    const int wanted =
        blocks_for(static_cast<int>(prefill.tokens.size())) + count + static_cast<int>(running_.size());
    return wanted <= blocks_.free() || running_.empty();
}

/// Prompts that have blocks come before those that wait for blocks.
void Scheduler::plan_chunks(Step& step) {
    int left = limits_.chunk_tokens, samples = static_cast<int>(running_.size());
    auto plan = [&](Prefill& prefill) {
        samples += static_cast<int>(prefill.samples.size());
        const int end = std::min(prefill.done + left, static_cast<int>(prefill.tokens.size()));
        left -= end - prefill.done;
        step.chunks.push_back({&prefill, end});
    };
    for (const auto& prefill : waiting_)
        if (left > 0 && !prefill->blocks.empty()) plan(*prefill);
    for (const auto& prefill : waiting_) {
        if (!prefill->blocks.empty()) continue;
        if (left <= 0) break;
        if (limits_.reserve && !step.chunks.empty())
            break;  // its samples allocate their blocks when it is done
        const int count = static_cast<int>(prefill->samples.size());
        if (samples > 0 && samples + count > limits_.max_batch) break;
        if (!fits(*prefill) ||
            !blocks_.allocate(blocks_for(static_cast<int>(prefill->tokens.size())), prefill->blocks))
            break;
        plan(*prefill);
    }
}

bool Scheduler::computed(const Step::Chunk& chunk, std::vector<Copy>& copies) {
    Prefill& prefill = *chunk.prefill;
    prefill.done = chunk.end;
    const int tokens = static_cast<int>(prefill.tokens.size());
    if (prefill.done < tokens) return false;
    const auto whole = static_cast<size_t>(tokens / limits_.block_size);
    bool first = true;
    for (Sample* sample : prefill.samples) {
        if (sample->ended) continue;
        sample->cached = tokens;
        if (first) {
            sample->blocks = prefill.blocks;
            blocks_.retain(sample->blocks);
        } else {
            sample->blocks.assign(prefill.blocks.begin(),
                                  prefill.blocks.begin() + static_cast<std::ptrdiff_t>(whole));
            blocks_.retain(sample->blocks);
            if (whole < prefill.blocks.size()) {
                if (!blocks_.allocate(1, sample->blocks)) {
                    preempt(*sample);
                    continue;
                }
                copies.push_back({prefill.blocks[whole], sample->blocks.back()});
            }
        }
        first = false;
        const int reserved = limits_.reserve ? blocks_for(final_tokens(*prefill.group)) -
                                                   static_cast<int>(sample->blocks.size())
                                             : 0;
        if (reserved > 0) blocks_.allocate(reserved, sample->blocks);
        running_.push_back(sample);
    }
    blocks_.release(prefill.blocks);
    std::erase_if(waiting_, [&](const auto& one) { return one.get() == &prefill; });
    return true;
}

void Scheduler::append_token(Sample& sample, Token token) {
    sample.tokens.push_back(token);
    sample.cached = static_cast<int>(sample.group->request.prompt.size() + sample.tokens.size()) - 1;
}

void Scheduler::end(Sample& sample) {
    if (sample.ended) return;
    sample.ended = true;
    blocks_.release(sample.blocks);
    --sample.group->unended;
}

void Scheduler::remove_ended() {
    drop_ended_samples();
    std::erase_if(groups_, [](const auto& group) { return group->unended == 0; });
}

}  // namespace tritonsmith::engine
