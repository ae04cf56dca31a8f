#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>

#include "judge/elements/element_oracle.h"

namespace tritonsmith::judge {

/// Elements of a task's outputs at full size that were evaluated for one candidate: others are compared with
/// the same ones. Thread-safe; holds a bounded number, and nothing new beyond that.
class OracleCache {
  public:
    /// @param draw names inputs and weights (run::describe)
    /// @param make evaluates it; nothing: the oracle does not have it
    template <class Make>
    std::optional<OracleElement> get(const std::string& draw, const std::string& output, int64_t index,
                                     Make make) {
        const Key key{draw, output, index};
        {
            std::lock_guard lock(mutex_);
            if (const auto found = elements_.find(key); found != elements_.end()) return found->second;
        }
        std::optional<OracleElement> element = make();
        std::lock_guard lock(mutex_);
        if (elements_.size() < kMost) elements_.emplace(key, element);
        return element;
    }

  private:
    using Key = std::tuple<std::string, std::string, int64_t>;
    static constexpr size_t kMost = 1 << 14;

    std::mutex mutex_;
    std::map<Key, std::optional<OracleElement>> elements_;
};

}  // namespace tritonsmith::judge
