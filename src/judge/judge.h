#pragma once

#include <memory>
#include <optional>
#include <string>

#include "judge/services/services.h"
#include "judge/task/prepared_task.h"
#include "judge/verdict/options.h"
#include "judge/verdict/verdict.h"
#include "task/task.h"

namespace tritonsmith::judge {

class TaskCache;

/// Judges candidates on the CPU: lint, trace, policy, interpretation at small size and of sampled programs at
/// full size, compilation for the target, comparison with a float64 oracle on hidden inputs. Never runs a
/// candidate for its results. Keeps the prepared tasks of the last few judgements. Thread-safe: threads that
/// judge the same task share its preparation.
class Judge {
  public:
    explicit Judge(const Paths& paths);
    explicit Judge(std::unique_ptr<Services> services);
    ~Judge();
    /// @param name the candidate's path for messages. Everything is a verdict, the machine's failures too.
    Verdict judge(const task::Task& task, const std::string& candidate, const std::string& name,
                  const Options& options);
    /// Prepares a task that judge() will soon be asked about, while other candidates are judged.
    /// @throws MachineError
    void prepare_ahead(const task::Task& task, const Options& options);
    /// So many candidates at most use this machine's processors at a time; others may wait for a device
    /// meanwhile. 0, the default: as many as there are.
    void limit_processors(int candidates);

  private:
    std::unique_ptr<Services> services_;
    std::unique_ptr<TaskCache> tasks_;
};

}  // namespace tritonsmith::judge
