#pragma once

#include <atomic>
#include <variant>
#include <vector>

#include "grpo/judging/clock.h"
#include "grpo/judging/judging.h"
#include "grpo/judging/mailbox.h"
#include "grpo/rollouts.h"
#include "grpo/sample.h"

namespace tritonsmith::grpo {

/// Somebody ended the run in mid-step.
struct Interrupted {};

/// Has groups sampled and judged: an answer goes to the judge as it ends, while others are decoded.
class Collector {
  public:
    /// @param interrupt not 0: collect() ends by Interrupted; or null. All outlive it.
    Collector(const model::Model& trained, const Settings& settings, const Prompter& prompter,
              const MakeExecutor& make_executor, const JudgeProgram& judge,
              const std::atomic<int>* interrupt);

    /// Fills groups whose prompts are given with samples, their verdicts and rewards: the first turns of all
    /// episodes, then the others.
    /// @throws MachineError, Interrupted
    void collect(std::vector<Group>& groups, const Draws& draws, SamplingTime& time);
    /// collect() ends by Interrupted, now and from now on. From any thread.
    void interrupt() { ended_ = true; }
    int context_length() const { return rollouts_.context_length(); }

  private:
    using Event = std::variant<EndedSample, JudgedSample>;
    bool interrupted() const;
    void take_answer(std::vector<Group>& groups, EndedSample ended);
    void take_verdict(std::vector<Group>& groups, JudgedSample judged);
    void next_turn(std::vector<Group>& groups, SampleKey key);
    void stop();

    const Settings& settings_;
    const Prompter& prompter_;
    const std::atomic<int>* interrupt_;
    std::atomic<bool> ended_ = false;
    const reward::CostModel cost_model_;
    Mailbox<Event> events_;
    Judging judging_;
    Rollouts rollouts_;
    Draws draws_;  ///< of the groups that are collected
    int decoding_ = 0, in_judgement_ = 0;
};

}  // namespace tritonsmith::grpo
