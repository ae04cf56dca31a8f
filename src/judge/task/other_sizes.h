#pragma once

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "judge/services/services.h"
#include "judge/task/scaled_task.h"
#include "judge/verdict/options.h"
#include "plan/ir/plan.h"
#include "task/task.h"

namespace tritonsmith::judge {

/// Sizes at which a candidate is judged whose first, scaled-down one does not decide.
enum class OtherSize : uint8_t {
    outer,       ///< as few of the task's integers are scaled as will do, batches and rows first
    inner,       ///< those that `outer` scales are kept, the others are scaled
    own,         ///< the task's own
    large,       ///< as `outer`, scaled as little as will do
    short_means  ///< as the first one, with means of so few terms that one more or less shows
};

/// A task at these sizes, prepared when it is first asked for and then shared. Thread-safe.
class OtherSizes {
  public:
    /// @param services must outlive this and its tasks. @param small what candidates are judged at first
    OtherSizes(const task::Task& task, const Options& options, Services& services, const plan::Plan& full,
               std::shared_ptr<const ScaledTask> small);
    /// Null where the task is too large, or does not scale so. @throws MachineError
    std::shared_ptr<const ScaledTask> at(OtherSize size, InputSets which = InputSets::all);
    /// As `base`, but one of its scaled integers is the task's own, the others smaller where need be; on few
    /// sets of inputs.
    std::shared_ptr<const ScaledTask> one_whole(const ScaledTask& base, const std::string& name);
    /// The same, but that integer as in `base`. Null: it is that size.
    std::shared_ptr<const ScaledTask> none_whole(const ScaledTask& base, const std::string& name);

    /// The task counts further than float32 does, or sums integers further than int32 does: an error of that
    /// shows at no smaller size.
    bool counts_far() const;
    /// The task's own size, on its own distribution alone. Null: there is too much of it.
    std::shared_ptr<const ScaledTask> whole();
    /// The same, of larger tasks and on rows as well: where no other size says what a candidate does there.
    std::shared_ptr<const ScaledTask> whole_if_nothing_else();

  private:
    using Prepared = std::shared_ptr<const ScaledTask>;
    /// What was prepared for this key, or what `make` makes.
    Prepared once(const std::string& key, const std::function<Prepared()>& make);
    Prepared prepare(OtherSize size, InputSets which);
    /// Null: it does not fit, or is no other size than those before.
    Prepared prepare_scaled_down(OtherSize size, InputSets which);
    /// Null: at the first size it shows, or means do not become short enough.
    Prepared prepare_short_means();
    /// Of the task at a size.
    std::map<std::string, int64_t> constants_at(const ScaledTask& size) const;
    Prepared prepare_one_whole(const ScaledTask& base, const std::string& name);
    Prepared prepare_at(std::map<std::string, int64_t> sizes, std::optional<plan::Plan> plan,
                        InputSets which);
    /// Scales further integers down, from `constants`, while those of `sizes` are as they are.
    /// @param cost of a plan of that size, in the terms of the limits
    Prepared shrink_further(const std::map<std::string, int64_t>& sizes,
                            const std::map<std::string, int64_t>& constants, const task::ShrinkLimits& limits,
                            const plan::Plan& before, plan::Cost (*cost)(const plan::Plan&), InputSets which);

    task::Task task_;
    Options options_;
    Services& services_;
    plan::Plan full_;
    Prepared small_;
    std::mutex mutex_;
    std::map<std::string, std::shared_future<Prepared>> prepared_;
};

}  // namespace tritonsmith::judge
