#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "model/model.h"

namespace tritonsmith::engine {

/// A small Qwen3-like model with random weights, wide enough that its answers differ.
inline model::Model small_model(at::ScalarType dtype = at::kFloat, at::Device device = at::kCPU,
                                bool exact = false, int positions = 512) {
    model::Config config;
    config.family = "qwen3";
    config.vocabulary = 512;
    config.hidden = 128;
    config.intermediate = 256;
    config.layers = 3;
    config.heads = 4;
    config.kv_heads = 2;
    config.head_dim = 64;
    config.positions = positions;
    config.qk_norm = true;
    config.tied_embeddings = true;
    config.dtype = "float32";
    model::Model::Options options;
    options.dtype = dtype;
    options.device = device;
    options.exact = exact;
    return model::Model::random(config, options, 1);
}

/// What became of a request.
class Collected : public SampleListener {
  public:
    struct Answer {
        std::vector<Token> tokens;
        std::vector<float> logprobs;
        std::vector<std::vector<TokenLogprob>> top;
        bool ended = false;
        End end = End::failed;
        std::string error;
    };
    explicit Collected(int samples, int stop_after = 1 << 30)
        : stop_after_(stop_after), answers_(static_cast<size_t>(samples)) {}

    bool on_token(const SampledToken& token) override {
        std::lock_guard lock(mutex_);
        Answer& answer = answers_.at(static_cast<size_t>(token.sample));
        if (answer.ended || token.position != static_cast<int>(answer.tokens.size())) ++mistakes_;
        answer.tokens.push_back(token.chosen.token);
        answer.logprobs.push_back(token.chosen.logprob);
        answer.top.push_back(token.top);
        changed_.notify_all();
        return static_cast<int>(answer.tokens.size()) < stop_after_;
    }
    void on_end(int sample, End end, const std::string& error) override {
        std::lock_guard lock(mutex_);
        Answer& answer = answers_.at(static_cast<size_t>(sample));
        if (answer.ended) ++mistakes_;
        answer.ended = true;
        answer.end = end;
        answer.error = error;
        ++ended_;
        changed_.notify_all();
    }

    std::vector<Answer> wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return ended_ == answers_.size(); });
        return answers_;
    }
    void wait_for_tokens(size_t count) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return answers_[0].tokens.size() >= count || ended_ == answers_.size(); });
    }
    /// Calls that a listener must never get.
    int mistakes() const { return mistakes_; }

  private:
    const int stop_after_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Answer> answers_;
    size_t ended_ = 0;
    int mistakes_ = 0;
};

/// Random tokens of small_model's vocabulary.
inline std::vector<Token> prompt_of(int length, int seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    std::vector<Token> prompt;
    for (int i = 0; i < length; ++i) prompt.push_back(static_cast<Token>(random() % 512));
    return prompt;
}

inline Request request_of(std::vector<Token> prompt, int samples, int max_tokens, double temperature,
                          uint64_t seed) {
    Request request;
    request.prompt = std::move(prompt);
    request.samples = samples;
    request.sampling.temperature = temperature;
    request.sampling.max_tokens = max_tokens;
    request.sampling.seed = seed;
    return request;
}

inline std::vector<Collected::Answer> ask(Engine& engine, const Request& request) {
    auto listener = std::make_shared<Collected>(request.samples);
    engine.submit(request, listener);
    auto answers = listener->wait();
    EXPECT_EQ(listener->mistakes(), 0);
    return answers;
}

}  // namespace tritonsmith::engine
