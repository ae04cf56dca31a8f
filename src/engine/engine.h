#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

#include "engine/api/generator.h"
#include "engine/executor/executor.h"
#include "engine/scheduler/scheduler.h"

namespace tritonsmith::engine {

/// Samples from one model, with continuous batching on a thread of its own. The Scheduler chooses what a step
/// computes, the Executor computes it.
class Engine : public Generator {
  public:
    struct Options {
        int max_batch = 256;      ///< samples that are decoded in one step
        int chunk_tokens = 8192;  ///< of prompts, in one step
        int vocabulary = 0;       ///< tokens of prompts are below it
        int context_length = 0;   ///< of the model
        bool reserve = false;     ///< Scheduler::Limits::reserve
    };
    Engine(std::unique_ptr<Executor> executor, const Options& options);
    /// Samples that have not ended are cancelled.
    ~Engine() override;

    uint64_t submit(Request request, std::shared_ptr<SampleListener> listener) override;
    void cancel(uint64_t request) override;
    GeneratorStatistics statistics() const override;
    int context_length() const override;

  private:
    struct Arrival {
        uint64_t id = 0;
        Request request;
        std::shared_ptr<SampleListener> listener;
    };
    /// A sample that has ended, whose listener was not notified yet.
    struct Ended {
        std::shared_ptr<SampleListener> listener;
        int sample = 0;
        End how = End::failed;
        std::string error;
    };
    void run();
    bool accept_requests();
    void step(const Step& step);
    std::vector<Segment> segments_of(const Step& step) const;
    void append_token(Sample& sample, const Draw& draw);
    void end(Sample& sample, End end, const std::string& error = {});
    void end_all(End how, const std::string& error);
    void finish_step();
    void publish_statistics();
    void check(const Request& request) const;

    const std::unique_ptr<Executor> executor_;
    const Options options_;
    Scheduler scheduler_;       ///< of the thread
    std::vector<Ended> ended_;  ///< of the thread

    mutable std::mutex mutex_;
    std::condition_variable arrived_;
    std::vector<Arrival> arrivals_;               ///< under mutex_
    std::unordered_set<uint64_t> cancellations_;  ///< under mutex_
    GeneratorStatistics statistics_;              ///< under mutex_
    GeneratorStatistics counts_;                  ///< of the thread
    std::string broken_;                          ///< under mutex_: why nothing can be computed any more
    uint64_t next_id_ = 1;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace tritonsmith::engine
