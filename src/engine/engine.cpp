#include "engine/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "kernels/sampling.h"

namespace tritonsmith::engine {
namespace {

Scheduler::Limits limits_of(const Executor& executor, const Engine::Options& options) {
    Scheduler::Limits limits;
    limits.blocks = executor.blocks();
    limits.block_size = executor.block_size();
    limits.max_batch = options.max_batch;
    limits.chunk_tokens = options.chunk_tokens;
    limits.reserve = options.reserve;
    return limits;
}

kernels::DrawRow draw_of(const Sample& sample) {
    const SamplingParameters& how = sample.group->request.sampling;
    return kernels::draw_row(how.temperature, how.top_k, how.top_p, how.min_p, how.seed,
                             static_cast<uint32_t>(sample.index),
                             static_cast<uint32_t>(sample.tokens.size()));
}

}  // namespace

Engine::Engine(std::unique_ptr<Executor> executor, const Options& options)
    : executor_(std::move(executor)), options_(options), scheduler_(limits_of(*executor_, options)) {
    statistics_.cache_blocks = executor_->blocks();
    thread_ = std::thread([this] { run(); });
}

Engine::~Engine() {
    {
        std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    arrived_.notify_all();
    thread_.join();
}

int Engine::context_length() const {
    return std::min(options_.context_length, scheduler_.capacity());
}

void Engine::check(const Request& request) const {
    const SamplingParameters& how = request.sampling;
    if (request.prompt.empty()) throw InputError("the prompt has no tokens: give at least one");
    for (Token token : request.prompt)
        if (token < 0 || token >= options_.vocabulary)
            throw InputError(fmt::format("the prompt's token {} is not in the vocabulary of {}", token,
                                         options_.vocabulary));
    if (static_cast<int64_t>(request.prompt.size()) >= context_length())
        throw InputError(fmt::format("the prompt has {} tokens: prompt and answer together may have {}",
                                     request.prompt.size(), context_length()));
    if (request.samples < 1 || request.samples > 65536)
        throw InputError(fmt::format("samples is {}: give 1 to 65536", request.samples));
    if (how.max_tokens < 1)
        throw InputError(fmt::format("max_tokens is {}: give at least 1", how.max_tokens));
    if (how.top_logprobs < 0 || how.top_logprobs > 20)
        throw InputError(fmt::format("top_logprobs is {}: give 0 to 20", how.top_logprobs));
    try {
        kernels::draw_row(how.temperature, how.top_k, how.top_p, how.min_p, how.seed, 0, 0);
    } catch (const std::invalid_argument& error) {
        throw InputError(error.what());
    }
}

uint64_t Engine::submit(Request request, std::shared_ptr<SampleListener> listener) {
    check(request);
    const int prompt = static_cast<int>(request.prompt.size());
    request.sampling.max_tokens = std::min(request.sampling.max_tokens, context_length() - prompt);
    if (options_.reserve && scheduler_.reserved_blocks(prompt, request.samples, request.sampling.max_tokens) >
                                executor_->blocks())
        throw InputError(
            fmt::format("{} samples of up to {} tokens need more memory than the cache has: request "
                        "fewer or shorter ones",
                        request.samples, prompt + request.sampling.max_tokens));
    std::unique_lock lock(mutex_);
    if (!broken_.empty()) throw MachineError(broken_);
    if (stopping_) throw MachineError("the engine is shutting down");
    const uint64_t id = next_id_++;
    arrivals_.push_back({id, std::move(request), std::move(listener)});
    lock.unlock();
    arrived_.notify_all();
    return id;
}

void Engine::cancel(uint64_t request) {
    {
        std::lock_guard lock(mutex_);
        cancellations_.insert(request);
    }
    arrived_.notify_all();
}

GeneratorStatistics Engine::statistics() const {
    std::lock_guard lock(mutex_);
    GeneratorStatistics out = statistics_;
    for (const Arrival& arrival : arrivals_) out.waiting_samples += arrival.request.samples;
    return out;
}

void Engine::publish_statistics() {
    const auto& running = scheduler_.running();
    counts_.running_samples = static_cast<int>(
        std::count_if(running.begin(), running.end(), [](const Sample* sample) { return !sample->ended; }));
    counts_.waiting_samples = scheduler_.waiting();
    counts_.cache_blocks = scheduler_.blocks().size();
    counts_.cache_blocks_used = scheduler_.blocks().used();
    std::lock_guard lock(mutex_);
    statistics_ = counts_;
}

/// @return false when the engine is to stop
bool Engine::accept_requests() {
    std::vector<Arrival> arrivals;
    std::unordered_set<uint64_t> cancellations;
    {
        std::unique_lock lock(mutex_);
        if (scheduler_.groups().empty())
            arrived_.wait(lock,
                          [this] { return stopping_ || !arrivals_.empty() || !cancellations_.empty(); });
        arrivals.swap(arrivals_);
        cancellations.swap(cancellations_);
        // The scheduler counts them at the end of the step; until then they are counted here.
        for (const Arrival& arrival : arrivals) statistics_.waiting_samples += arrival.request.samples;
        if (stopping_ && arrivals.empty() && scheduler_.groups().empty()) return false;
    }
    for (Arrival& arrival : arrivals) {
        ++counts_.requests;
        counts_.prompt_tokens += static_cast<int64_t>(arrival.request.prompt.size());
        scheduler_.add(arrival.id, std::move(arrival.request), std::move(arrival.listener));
    }
    for (uint64_t id : cancellations)
        if (Group* group = scheduler_.find(id))
            for (const auto& sample : group->samples) end(*sample, End::cancelled);
    bool stopping = false;
    {
        std::lock_guard lock(mutex_);
        stopping = stopping_;
    }
    if (stopping) end_all(End::cancelled, "");
    return !stopping;
}

void Engine::run() {
    bool running = true;
    while (running) {
        running = accept_requests();
        if (!ended_.empty()) finish_step();  // cancelled samples need not wait for the next step
        const Step next = scheduler_.next();
        if (running && !next.empty()) {
            try {
                step(next);
                ++counts_.steps;
            } catch (const std::exception& error) {
                {
                    std::lock_guard lock(mutex_);
                    broken_ = std::string("the engine failed: ") + error.what();
                }
                end_all(End::failed, error.what());
            }
        }
        finish_step();
    }
}

/// The statistics count an end before its listener is notified.
void Engine::finish_step() {
    scheduler_.remove_ended();
    publish_statistics();
    for (const Ended& one : ended_) {
        try {
            one.listener->on_end(one.sample, one.how, one.error);
        } catch (const std::exception&) {  // the sample has ended in any case
        }
    }
    ended_.clear();
}

std::vector<Segment> Engine::segments_of(const Step& step) const {
    std::vector<Segment> segments;
    for (Sample* sample : step.decode) {
        Segment segment;
        segment.answer = true;
        segment.tokens = {sample->tokens.back()};
        segment.start = sample->cached;
        segment.blocks = &sample->blocks;
        segment.draws = {draw_of(*sample)};
        segment.top_logprobs = sample->group->request.sampling.top_logprobs;
        segments.push_back(std::move(segment));
    }
    for (const Step::Chunk& chunk : step.chunks) {
        const Prefill& prefill = *chunk.prefill;
        Segment segment;
        segment.tokens.assign(prefill.tokens.begin() + prefill.done, prefill.tokens.begin() + chunk.end);
        segment.start = prefill.done;
        segment.blocks = &prefill.blocks;
        segment.top_logprobs = prefill.group->request.sampling.top_logprobs;
        if (chunk.last())
            for (const Sample* sample : prefill.samples) segment.draws.push_back(draw_of(*sample));
        segments.push_back(std::move(segment));
    }
    return segments;
}

void Engine::step(const Step& step) {
    const std::vector<std::vector<Draw>> draws = executor_->run(segments_of(step));
    for (size_t i = 0; i < step.decode.size(); ++i) append_token(*step.decode[i], draws[i].front());
    for (size_t i = 0; i < step.chunks.size(); ++i) {
        const std::vector<Sample*> samples = step.chunks[i].prefill->samples;
        std::vector<Scheduler::Copy> copies;
        if (!scheduler_.computed(step.chunks[i], copies)) continue;
        for (const Scheduler::Copy& copy : copies) executor_->copy_block(copy.from, copy.to);
        for (size_t s = 0; s < samples.size(); ++s)
            // Samples without a block were preempted; they continue later and draw the same token then.
            if (!samples[s]->ended && !samples[s]->blocks.empty())
                append_token(*samples[s], draws[step.decode.size() + i][s]);
    }
}

void Engine::append_token(Sample& sample, const Draw& draw) {
    if (sample.ended) return;
    if (draw.chosen.token < 0)
        return end(sample, End::failed,
                   "the model's logits are not finite: check its weights, or choose a wider --dtype");
    scheduler_.append_token(sample, draw.chosen.token);
    ++counts_.sampled_tokens;
    const SamplingParameters& how = sample.group->request.sampling;
    const int count = static_cast<int>(sample.tokens.size());
    bool wanted = false;
    try {
        wanted = sample.group->listener->on_token({sample.index, count - 1, draw.chosen, draw.top});
    } catch (const std::exception& error) {
        return end(sample, End::failed, error.what());
    }
    if (std::find(how.stop_tokens.begin(), how.stop_tokens.end(), draw.chosen.token) != how.stop_tokens.end())
        end(sample, End::stop_token);
    else if (!wanted)
        end(sample, End::stopped);
    else if (count >= how.max_tokens)
        end(sample, End::length);
}

void Engine::end(Sample& sample, End how, const std::string& error) {
    if (sample.ended) return;
    scheduler_.end(sample);
    if (how == End::cancelled) ++counts_.cancelled_samples;
    if (how == End::failed) ++counts_.failed_samples;
    ended_.push_back({sample.group->listener, sample.index, how, error});
}

void Engine::end_all(End how, const std::string& error) {
    for (const auto& group : scheduler_.groups())
        for (const auto& sample : group->samples) end(*sample, how, error);
}

}  // namespace tritonsmith::engine
