#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <thread>

#include "engine/api/generator.h"

namespace tritonsmith::serve {

/// A generator whose samples are written beforehand: what the server makes of them can then be compared to
/// the letter. It batches, waits for cache blocks, cancels and counts as the engine does, on a thread of its
/// own.
class ScriptedGenerator : public engine::Generator {
  public:
    /// The tokens of one sample.
    using Script = std::function<std::vector<engine::Token>(const engine::Request& request, int sample)>;
    struct Options {
        int context = 4096;
        int running = 64;   ///< samples at a time
        int blocks = 4096;  ///< of 16 tokens
        std::chrono::microseconds step{0};
    };
    ScriptedGenerator(Script script, const Options& options);
    ~ScriptedGenerator() override;

    uint64_t submit(engine::Request request, std::shared_ptr<engine::SampleListener> listener) override;
    void cancel(uint64_t request) override;
    engine::GeneratorStatistics statistics() const override;
    int context_length() const override { return options_.context; }

  private:
    struct Sample {
        uint64_t request;
        int index;
        std::shared_ptr<const engine::Request> what;
        std::shared_ptr<engine::SampleListener> listener;
        std::vector<engine::Token> tokens;
        size_t next = 0;
        int blocks = 0;
    };
    void run();
    bool step_one(Sample& sample);
    void admit();

    const Script script_;
    const Options options_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::list<Sample> waiting_, running_;
    std::vector<uint64_t> cancelled_;
    engine::GeneratorStatistics statistics_;
    uint64_t last_ = 0;
    bool stop_ = false;
    std::thread thread_;
};

}  // namespace tritonsmith::serve
