#pragma once

#include <future>
#include <map>
#include <memory>
#include <mutex>

#include "judge/services/services.h"
#include "judge/task/scaled_task.h"
#include "judge/verdict/options.h"
#include "plan/ir/plan.h"
#include "task/task.h"

namespace tritonsmith::judge {

/// Sizes at which a candidate is judged whose first, scaled-down one does not decide.
enum class OtherSize : uint8_t {
    outer,  ///< as few of the task's integers are scaled as will do, batches and rows first
    inner,  ///< those that `outer` scales are kept, the others are scaled
    own,    ///< the task's own
    large,  ///< as `outer`, scaled as little as will do
    short_means  ///< as the first one, with means of so few terms that one more or less shows
};

/// A task at these sizes, prepared when it is first asked for and then shared. Thread-safe.
class OtherSizes {
  public:
    /// @param services must outlive this and its tasks. @param small what candidates are judged at first
    OtherSizes(const task::Task& task, const Options& options, Services& services, const plan::Plan& full,
               std::shared_ptr<const ScaledTask> small);
    /// Null where the task is too large, or does not scale so. @throws MachineError
    std::shared_ptr<const ScaledTask> at(OtherSize size);

  private:
    using Prepared = std::shared_ptr<const ScaledTask>;
    Prepared prepare(OtherSize size);
    /// Null: it does not fit, or is no other size than those before.
    Prepared prepare_scaled_down(OtherSize size);
    /// Null: at the first size it shows, or means do not become short enough.
    Prepared prepare_short_means();

    task::Task task_;
    Options options_;
    Services& services_;
    plan::Plan full_;
    Prepared small_;
    std::mutex mutex_;
    std::map<OtherSize, std::shared_future<Prepared>> prepared_;
};

}  // namespace tritonsmith::judge
