#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/process/process.h"
#include "numerics/precision.h"
#include "plan/ir/plan.h"
#include "run/client/client.h"
#include "run/draw/alike_draws.h"
#include "run/draw/leaf_role.h"
#include "run/worker/exec/launcher.h"
#include "run/worker/memory/memory.h"

namespace tritonsmith::run {

struct ExecutorOptions {
    uint64_t seed = 0;                          ///< of the draws
    std::optional<uint64_t> construction_seed;  ///< of the draws in phase `init`, where they have another
    uint64_t poison = 0;            ///< of fresh memory's pattern and of the order in which programs run
    Variant variant;                ///< of the draws in phase `inputs`
    std::map<int, int> draw_links;  ///< init draw → ordinal of the reference's whose values it takes
    uint64_t linked_seed = 0;       ///< candidates: of these, the reference's construction seed
    bool checks = false;  ///< candidates: initialisation of what ATen steps read, and all checks of launches
    bool full_size = false;  ///< candidates: CandidateRequest::full_size
    int threads = 1;
    int disable_launch = -1;  ///< ordinal among the executed launches
    std::vector<int> choice;
    Deadline deadline;
    Launcher* launcher = nullptr;  ///< needed where the plan launches
    bool equivalents = false;      ///< AtenOptions::equivalents
    /// AtenOptions::precision, in the forward phase.
    numerics::Precision precision = numerics::Precision::ieee;
};

/// Executes a plan's steps in order. The owner fills input buffers before, and reads outputs after.
class Executor {
  public:
    Executor(const plan::Plan& plan, ExecutorOptions options, std::unique_ptr<Memory> memory);
    ~Executor();

    Memory& memory() { return *memory_; }
    const plan::Plan& plan() const { return plan_; }

    /// Called after each step of the init phase with the step's index in the plan.
    std::function<void(int)> after_step;
    /// Called before and after each ATen step of the forward phase.
    std::function<void(const plan::AtenStep&)> before_forward_step;
    std::function<void(const plan::AtenStep&)> after_forward_step;
    /// Everything before the forward phase; then the forward phase. Stops where a finding makes the rest
    /// meaningless.
    /// @throws StepError naming step and line.
    void run_setup();
    /// The setup's steps [first, last) of the plan's; the others are left out.
    void run_setup(size_t first, size_t last);
    void run_forward();
    /// Where `rewind` goes back to; unless it was called, the beginning of the forward phase.
    void mark();
    /// After the forward phase: ready for what follows the mark to be run again, with what was made before it
    /// as the last call left it. False where the call ended the life of something that was made before.
    bool rewind();

    void set_deadline(Deadline deadline) { options_.deadline = deadline; }
    /// Whether launches are checked from here on (ExecutorOptions::checks).
    void set_checks(bool checks) { options_.checks = checks; }

    /// Host reads are taken for granted from here on: whoever records a graph cannot wait for the device.
    void trust_reads() { trust_reads_ = true; }

    bool stopped() const { return stopped_; }
    bool forward_draws() const { return forward_draws_; }
    std::vector<Finding> findings, warnings;
    std::vector<std::string> prints;
    std::vector<Launched> launches;
    bool tf32 = false;

  private:
    void run(const plan::Step& step);
    void run_named(size_t index);  ///< a step of the plan; errors name it
    void release(int buffer);
    void run_aten_step(const plan::AtenStep& aten, const plan::Step& step);
    void run_launch(const plan::LaunchStep& launch, const plan::Step& step);
    void run_choice(const plan::ChoiceStep& choice);
    void check_read(const plan::ReadStep& read);

    const plan::Plan& plan_;
    ExecutorOptions options_;
    std::unique_ptr<Memory> memory_;
    size_t choices_ = 0;
    int launched_ = 0;
    uint64_t calls_ = 0;  ///< behind it: each has an order of programs of its own
    struct Mark {
        size_t choices;
        int launched;
        std::vector<int> live;  ///< buffers
    };
    std::optional<Mark> mark_;
    std::map<int, LeafRole> roles_;   ///< where the variant has a pattern
    std::map<int, AlikeDraw> alike_;  ///< where it wants draws that are alike
    bool stopped_ = false, forward_draws_ = false, trust_reads_ = false;
};

}  // namespace tritonsmith::run
