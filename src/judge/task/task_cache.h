#pragma once

#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <variant>

#include "judge/services/services.h"
#include "judge/task/prepared_task.h"
#include "judge/verdict/options.h"
#include "task/task.h"

namespace tritonsmith::judge {

/// The last few prepared tasks, most recent first. Options are part of the key where they change what is
/// prepared. Thread-safe.
class TaskCache {
  public:
    using Prepared = std::shared_ptr<const std::variant<PreparedTask, Finding>>;

    /// Prepares what nobody has asked for yet; waits where another thread is at it. @throws MachineError
    Prepared get(const task::Task& task, const Options& options, Services& services);
    /// Of no use any more: the next candidate has it prepared again.
    void forget(const Prepared& task);

  private:
    struct Entry {
        std::string key;
        std::shared_future<Prepared> task;
    };
    static constexpr size_t most = 9;
    std::mutex mutex_;
    std::list<Entry> entries_;
};

}  // namespace tritonsmith::judge
