#pragma once

#include <sys/types.h>

#include <atomic>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "cli/train/ablation_plan.h"

namespace tritonsmith::cli {

/// Runs cells of an ablation, each in a process of its own, as many at a time as there are devices. What they
/// say goes to logs/NAME.log in the ablation's folder. A run that fails leaves the others alone.
class AblationRuns {
  public:
    struct Failure {
        std::string cell, message;
    };
    /// @param ended behind each cell, with "" or why it failed
    AblationRuns(const AblationPlan& plan, bool unsafe_no_sandbox,
                 std::function<void(const AblationCell&, const std::string& error)> ended);
    /// Those that still run are killed.
    ~AblationRuns();
    AblationRuns(const AblationRuns&) = delete;
    AblationRuns& operator=(const AblationRuns&) = delete;

    /// Runs these cells. @param signal not 0: running cells are told to write a checkpoint and end, and no
    /// other begins @throws MachineError
    void run(const std::vector<const AblationCell*>& cells, const std::atomic<int>& signal);

  private:
    struct Slot {
        std::deque<const AblationCell*> waiting;
        const AblationCell* running = nullptr;
        pid_t pid = -1;
    };
    void start(Slot& slot);
    bool look_after(Slot& slot);
    std::filesystem::path log_of(const AblationCell& cell) const;
    std::string last_words(const AblationCell& cell) const;

    const AblationPlan& plan_;
    const bool unsafe_no_sandbox_;
    const std::function<void(const AblationCell&, const std::string&)> ended_;
    std::vector<Slot> slots_;
};

}  // namespace tritonsmith::cli
