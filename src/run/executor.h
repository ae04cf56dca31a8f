#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/process.h"
#include "plan/plan.h"
#include "run/client.h"
#include "run/memory.h"

namespace tritonsmith::run {

class ProgramCache;

struct ExecutorOptions {
    uint64_t seed = 0;              ///< of the draws
    uint64_t poison = 0;            ///< of fresh memory's pattern and of the order in which programs run
    Variant variant;                ///< of the draws in phase `inputs`
    std::map<int, int> draw_links;  ///< init draw → ordinal whose values it takes
    bool checks = false;  ///< candidates: initialisation of what ATen steps read, and all checks of launches
    bool full_size = false;  ///< candidates: CandidateRequest::full_size
    int threads = 1;
    int disable_launch = -1;  ///< ordinal among the executed launches
    std::vector<int> choice;
    Deadline deadline;
    int64_t memory_limit = int64_t{4} << 30;
    ProgramCache* programs = nullptr;  ///< needed where the plan launches
};

/// Executes a plan's steps in order. The owner fills input buffers before, and reads outputs after.
class Executor {
  public:
    Executor(const plan::Plan& plan, ExecutorOptions options);
    ~Executor();

    Memory& memory() { return memory_; }
    const plan::Plan& plan() const { return plan_; }

    /// Called after each step of the init phase with the step's index in the plan.
    std::function<void(int)> after_step;
    /// Called after each ATen step of the forward phase.
    std::function<void(const plan::AtenStep&)> after_forward_step;
    /// Everything before the forward phase; then the forward phase. Stops where a finding makes the rest
    /// meaningless.
    /// @throws StepError naming step and line.
    void run_setup();
    void run_forward();
    /// After the forward phase: ready for another call of it, with what the setup made as the last call left
    /// it. False where the call ended the life of something that the setup made.
    bool rewind();

    bool stopped() const { return stopped_; }
    bool forward_draws() const { return forward_draws_; }
    std::vector<Finding> findings, warnings;
    std::vector<std::string> prints;
    std::vector<Launched> launches;
    bool tf32 = false;

  private:
    void run(const plan::Step& step);
    void run_aten_step(const plan::AtenStep& aten, const plan::Step& step);
    void run_launch(const plan::LaunchStep& launch, const plan::Step& step);
    void run_choice(const plan::ChoiceStep& choice);
    void check_read(const plan::ReadStep& read);

    const plan::Plan& plan_;
    ExecutorOptions options_;
    Memory memory_;
    size_t choices_ = 0, setup_choices_ = 0;
    int launched_ = 0, setup_launched_ = 0;
    std::vector<int> made_by_setup_;  ///< buffers alive when the forward phase began
    bool stopped_ = false, forward_draws_ = false;
};

}  // namespace tritonsmith::run
