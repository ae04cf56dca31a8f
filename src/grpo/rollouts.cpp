#include "grpo/rollouts.h"

namespace tritonsmith::grpo {
namespace {

model::Model::Options sampling_options(const model::Model& trained) {
    model::Model::Options options;
    options.device = trained.options().device;
    options.dtype = trained.options().dtype;
    options.exact = trained.options().exact;
    return options;
}

}  // namespace

class Rollouts::Listener : public engine::SampleListener {
  public:
    Listener(int group, int first, int samples, std::function<void(EndedSample)> ended)
        : ended_(std::move(ended)), samples_(static_cast<size_t>(samples)) {
        for (int i = 0; i < samples; ++i) samples_[static_cast<size_t>(i)].key = {group, first + i};
    }
    bool on_token(const engine::SampledToken& token) override {
        EndedSample& sample = samples_[static_cast<size_t>(token.sample)];
        sample.tokens.push_back(token.chosen.token);
        sample.log_probabilities.push_back(token.chosen.logprob);
        return true;
    }
    void on_end(int sample, engine::End end, const std::string& error) override {
        EndedSample& one = samples_[static_cast<size_t>(sample)];
        one.end = end;
        one.error = error;
        ended_(std::move(one));
    }

  private:
    const std::function<void(EndedSample)> ended_;
    std::vector<EndedSample> samples_;
};

Rollouts::Rollouts(const model::Model& trained, const Settings& settings,
                   std::vector<text::Token> stop_tokens, const MakeExecutor& make_executor,
                   std::function<void(EndedSample)> ended)
    : settings_(settings),
      stop_tokens_(std::move(stop_tokens)),
      ended_(std::move(ended)),
      model_(trained.sharing(sampling_options(trained))) {
    engine::Engine::Options options;
    options.max_batch = settings.max_batch;
    options.chunk_tokens = model_.options().device.is_cpu() ? 512 : 8192;
    options.vocabulary = model_.config().vocabulary;
    options.context_length = model_.config().positions;
    engine_ = std::make_unique<engine::Engine>(make_executor(model_, settings), options);
}

Rollouts::~Rollouts() = default;

void Rollouts::ask(int group, std::vector<text::Token> prompt, const Draws& draws, uint64_t seed, int first) {
    engine::Request request;
    request.prompt = std::move(prompt);
    request.samples = draws.samples;
    request.sampling.temperature = draws.temperature;
    request.sampling.top_p = draws.top_p;
    request.sampling.seed = seed;
    request.sampling.max_tokens = settings_.max_tokens;
    request.sampling.stop_tokens = stop_tokens_;
    auto listener = std::make_shared<Listener>(group, first, draws.samples, ended_);
    requests_.push_back(engine_->submit(std::move(request), std::move(listener)));
}

void Rollouts::cancel() {
    for (const uint64_t request : requests_) engine_->cancel(request);
    requests_.clear();
}

}  // namespace tritonsmith::grpo
