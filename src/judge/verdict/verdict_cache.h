#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/json.h"
#include "judge/verdict/options.h"
#include "task/task.h"

namespace tritonsmith::judge {

/// What a verdict depends on, hidden inputs aside: the two texts, the options, and the judge itself.
/// @param judge identifies the build (judge_identity)
std::string verdict_key(const task::Task& task, const std::string& candidate, const Options& options,
                        const std::string& judge);

/// Changes whenever the judge's programs or its Python package do. @throws MachineError if they are missing.
std::string judge_identity(const std::string& worker, const std::string& package);

/// Whether another run on a machine in another mood would end in the same way: timeouts, memory and what
/// could not be judged are not worth keeping.
bool lasting(const Json& verdict);

/// Verdicts by key in an SQLite file that processes may share. Thread-safe. A file that cannot be used,
/// because it is damaged or its folder is read-only, means no cache and one warning on stderr: a verdict is
/// never lost for it.
class VerdictCache {
  public:
    /// @param file made with its folder where it is missing
    explicit VerdictCache(const std::string& file);
    ~VerdictCache();
    VerdictCache(const VerdictCache&) = delete;
    VerdictCache& operator=(const VerdictCache&) = delete;

    std::optional<Json> find(const std::string& key);
    void keep(const std::string& key, const Json& verdict);

  private:
    void give_up(const std::string& what);

    struct Connection;
    std::mutex mutex_;
    std::string file_;
    std::unique_ptr<Connection> connection_;  ///< null: no cache
};

}  // namespace tritonsmith::judge
