#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "grpo/judging/sample_key.h"
#include "grpo/settings.h"
#include "model/model.h"

namespace tritonsmith::grpo {

struct EndedSample {
    SampleKey key;
    std::vector<text::Token> tokens;
    std::vector<float> log_probabilities;  ///< of each token, by the engine, at temperature 1
    engine::End end = engine::End::failed;
    std::string error;  ///< why it failed
};

/// How answers are drawn.
struct Draws {
    int samples = 0;  ///< of a prompt
    double temperature = 1, top_p = 1;
    int turns = 1;  ///< of an episode, at most
};

/// Makes what computes the engine's steps, on the model's device.
using MakeExecutor = std::function<std::unique_ptr<engine::Executor>(const model::Model&, const Settings&)>;

/// Samples from the model that is trained: the engine reads its weights where they are, so that an update
/// needs no hand-over. Weights must not change while anything is sampled.
class Rollouts {
  public:
    /// @param ended gets every sample, on the engine's thread @param trained must outlive it
    Rollouts(const model::Model& trained, const Settings& settings, std::vector<text::Token> stop_tokens,
             const MakeExecutor& make_executor, std::function<void(EndedSample)> ended);
    ~Rollouts();

    /// Asks for answers of at most settings.max_tokens. What is drawn depends on the seed and the weights
    /// alone. @throws InputError, MachineError
    /// @param first number of the first of these samples in its group
    void ask(int group, std::vector<text::Token> prompt, const Draws& draws, uint64_t seed, int first = 0);
    /// Ends all that were asked for; they come as cancelled.
    void cancel();
    /// All that were asked for have come.
    void finished() { requests_.clear(); }
    /// Longest prompt and answer together.
    int context_length() const { return engine_->context_length(); }

  private:
    class Listener;
    const Settings& settings_;
    const std::vector<text::Token> stop_tokens_;
    const std::function<void(EndedSample)> ended_;
    model::Model model_;  ///< the trained one's weights, with the engine's operators
    std::unique_ptr<engine::Engine> engine_;
    std::vector<uint64_t> requests_;
};

}  // namespace tritonsmith::grpo
