#include "judge/task/other_sizes.h"

#include "plan/analysis/cost.h"
#include "task/shrink.h"

namespace tritonsmith::judge {

namespace {

/// What is interpreted at most at another size than the first.
constexpr int64_t kMostBytes = int64_t{64} << 20;  // of inputs, weights and outputs
constexpr double kMostFlops = 4e9;

}  // namespace

OtherSizes::OtherSizes(const task::Task& task, const Options& options, Services& services,
                       const plan::Plan& full, std::shared_ptr<const ScaledTask> small)
    : task_(task), options_(options), services_(services), full_(full), small_(std::move(small)) {
    options_.on_stage = nullptr;
}

std::shared_ptr<const ScaledTask> OtherSizes::at(OtherSize size) {
    std::promise<Prepared> promise;
    {
        std::unique_lock lock(mutex_);
        const auto found = prepared_.find(size);
        if (found != prepared_.end()) {
            const std::shared_future<Prepared> other = found->second;
            lock.unlock();
            return other.get();
        }
        prepared_[size] = promise.get_future().share();
    }
    try {
        Prepared prepared = prepare(size);
        promise.set_value(prepared);
        return prepared;
    } catch (...) {
        promise.set_exception(std::current_exception());
        std::lock_guard lock(mutex_);
        prepared_.erase(size);  // the next one may have more luck with the machine
        throw;
    }
}

OtherSizes::Prepared OtherSizes::prepare(OtherSize size) {
    if (size != OtherSize::own) return prepare_scaled_down(size);
    const plan::Cost cost = plan::cost(full_);
    if (cost.bytes > kMostBytes || cost.flops > kMostFlops) return nullptr;
    auto prepared = prepare_scaled(task_, options_, services_, {}, full_);
    auto* task = std::get_if<ScaledTask>(&prepared);
    return task ? std::make_shared<const ScaledTask>(std::move(*task)) : nullptr;
}

OtherSizes::Prepared OtherSizes::prepare_scaled_down(OtherSize size) {
    std::map<std::string, int64_t> constants = full_.constants;
    const Prepared outer = size == OtherSize::outer ? nullptr : at(OtherSize::outer);
    if (size == OtherSize::inner) {
        if (!outer) return nullptr;
        for (const auto& [name, value] : outer->scaled) constants.erase(name);
    }
    task::ShrinkLimits limits;
    limits.most_bytes = kMostBytes;
    limits.most_flops = kMostFlops;
    limits.one_by_one = limits.keep_powers = size != OtherSize::inner;
    if (size == OtherSize::large) {
        limits.bytes = limits.enough_bytes = kMostBytes;
        limits.flops = limits.enough_flops = kMostFlops;
    }
    ShrunkTask scaled = shrink_task(task_, options_, services_, full_, constants, limits);
    const std::map<std::string, int64_t>& sizes = scaled.shrunk.overrides;
    if (!scaled.shrunk.fits || sizes.empty() || sizes == small_->scaled || (outer && sizes == outer->scaled))
        return nullptr;
    auto prepared = prepare_scaled(task_, options_, services_, sizes, std::move(scaled.plan));
    auto* task = std::get_if<ScaledTask>(&prepared);
    return task ? std::make_shared<const ScaledTask>(std::move(*task)) : nullptr;
}

}  // namespace tritonsmith::judge
