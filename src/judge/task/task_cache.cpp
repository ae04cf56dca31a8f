#include "judge/task/task_cache.h"

#include <fmt/format.h>

#include <chrono>

#include "base/hash.h"

namespace tritonsmith::judge {

TaskCache::Prepared TaskCache::get(const task::Task& task, const Options& options, Services& services) {
    const std::string key =
        fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", sha256(task.source), static_cast<int>(task.moved),
                    options.target, numerics::name(options.precision), options.shrink_bytes,
                    options.shrink_flops, options.seed ? fmt::format("{}", *options.seed) : "any");
    std::promise<Prepared> promise;
    {
        std::unique_lock lock(mutex_);
        for (auto it = entries_.begin(); it != entries_.end(); ++it)
            if (it->key == key) {
                entries_.splice(entries_.begin(), entries_, it);
                std::shared_future<Prepared> other = entries_.front().task;
                lock.unlock();
                return other.get();
            }
        entries_.push_front({key, promise.get_future().share()});
        if (entries_.size() > most) entries_.pop_back();
    }
    try {
        auto prepared =
            std::make_shared<const std::variant<PreparedTask, Finding>>(prepare(task, options, services));
        promise.set_value(prepared);
        return prepared;
    } catch (...) {
        promise.set_exception(std::current_exception());
        std::lock_guard lock(mutex_);
        std::erase_if(entries_, [&](const Entry& entry) { return entry.key == key; });
        throw;
    }
}

void TaskCache::forget(const Prepared& task) {
    std::lock_guard lock(mutex_);
    std::erase_if(entries_, [&](const Entry& entry) {
        return entry.task.wait_for(std::chrono::seconds(0)) == std::future_status::ready &&
               entry.task.get() == task;
    });
}

}  // namespace tritonsmith::judge
