#include "scripted_generator.h"

#include <algorithm>

namespace tritonsmith::serve {

using engine::End;

ScriptedGenerator::ScriptedGenerator(Script script, const Options& options)
    : script_(std::move(script)), options_(options) {
    statistics_.cache_blocks = options.blocks;
    thread_ = std::thread([this] { run(); });
}

ScriptedGenerator::~ScriptedGenerator() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

uint64_t ScriptedGenerator::submit(engine::Request request,
                                   std::shared_ptr<engine::SampleListener> listener) {
    if (request.prompt.empty()) throw InputError("the prompt is empty");
    if (static_cast<int>(request.prompt.size()) >= options_.context)
        throw InputError("the prompt is longer than the context");
    const auto what = std::make_shared<const engine::Request>(std::move(request));
    std::lock_guard lock(mutex_);
    ++last_;
    ++statistics_.requests;
    statistics_.prompt_tokens += static_cast<int64_t>(what->prompt.size());
    for (int i = 0; i < what->samples; ++i) {
        const int length = static_cast<int>(what->prompt.size()) + what->sampling.max_tokens;
        waiting_.push_back({last_, i, what, listener, script_(*what, i), 0, (length + 15) / 16});
    }
    changed_.notify_all();
    return last_;
}

void ScriptedGenerator::cancel(uint64_t request) {
    std::lock_guard lock(mutex_);
    cancelled_.push_back(request);
    changed_.notify_all();
}

engine::GeneratorStatistics ScriptedGenerator::statistics() const {
    std::lock_guard lock(mutex_);
    engine::GeneratorStatistics out = statistics_;
    out.running_samples = static_cast<int>(running_.size());
    out.waiting_samples = static_cast<int>(waiting_.size());
    return out;
}

void ScriptedGenerator::admit() {
    while (!waiting_.empty() && static_cast<int>(running_.size()) < options_.running &&
           statistics_.cache_blocks_used + waiting_.front().blocks <= options_.blocks) {
        statistics_.cache_blocks_used += waiting_.front().blocks;
        running_.splice(running_.end(), waiting_, waiting_.begin());
    }
}

/// @return whether the sample goes on
bool ScriptedGenerator::step_one(Sample& sample) {
    const engine::SamplingParameters& sampling = sample.what->sampling;
    if (sample.next >= sample.tokens.size()) {  // scripts may end where no token ends them
        sample.listener->on_end(sample.index, End::length, "");
        return false;
    }
    const engine::Token token = sample.tokens[sample.next];
    const int position = static_cast<int>(sample.next++);
    engine::SampledToken told{sample.index, position, {token, -0.25f * static_cast<float>(position + 1)}, {}};
    for (int i = 0; i < sampling.top_logprobs; ++i)
        told.top.push_back({token + i, told.chosen.logprob - static_cast<float>(i)});
    const bool goes_on = sample.listener->on_token(told);
    const bool stops = std::find(sampling.stop_tokens.begin(), sampling.stop_tokens.end(), token) !=
                       sampling.stop_tokens.end();
    const bool full = position + 1 >= sampling.max_tokens ||
                      static_cast<int>(sample.what->prompt.size()) + position + 1 >= options_.context;
    if (goes_on && !stops && !full) return true;
    sample.listener->on_end(sample.index,
                            stops      ? End::stop_token
                            : !goes_on ? End::stopped
                                       : End::length,
                            "");
    return false;
}

void ScriptedGenerator::run() {
    std::unique_lock lock(mutex_);
    while (!stop_) {
        changed_.wait(
            lock, [this] { return stop_ || !waiting_.empty() || !running_.empty() || !cancelled_.empty(); });
        const std::vector<uint64_t> cancelled = std::exchange(cancelled_, {});
        for (std::list<Sample>* list : {&running_, &waiting_}) {
            for (auto it = list->begin(); it != list->end();) {
                if (std::find(cancelled.begin(), cancelled.end(), it->request) == cancelled.end()) {
                    ++it;
                    continue;
                }
                if (list == &running_) statistics_.cache_blocks_used -= it->blocks;
                ++statistics_.cancelled_samples;
                it->listener->on_end(it->index, End::cancelled, "");
                it = list->erase(it);
            }
        }
        admit();
        if (running_.empty()) continue;
        ++statistics_.steps;
        // The listeners are called without the lock, as the engine calls them.
        lock.unlock();
        if (options_.step.count() > 0) std::this_thread::sleep_for(options_.step);
        std::vector<std::list<Sample>::iterator> ended;
        const int64_t tokens = static_cast<int64_t>(running_.size());
        for (auto it = running_.begin(); it != running_.end(); ++it)
            if (!step_one(*it)) ended.push_back(it);
        lock.lock();
        statistics_.sampled_tokens += tokens;
        for (const auto& sample : ended) {
            statistics_.cache_blocks_used -= sample->blocks;
            running_.erase(sample);
        }
    }
    for (std::list<Sample>* list : {&running_, &waiting_})
        for (Sample& sample : *list) sample.listener->on_end(sample.index, End::cancelled, "");
}

}  // namespace tritonsmith::serve
