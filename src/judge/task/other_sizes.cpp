#include "judge/task/other_sizes.h"

#include <algorithm>

#include "numerics/bound.h"
#include "plan/analysis/collapse.h"
#include "plan/analysis/cost.h"
#include "plan/analysis/reduction.h"
#include "plan/ir/json.h"
#include "task/shrink.h"

namespace tritonsmith::judge {

namespace {

/// What is interpreted at most at another size than the first.
constexpr int64_t kMostBytes = int64_t{64} << 20;  // of inputs, weights and outputs
constexpr double kMostFlops = 4e9;

/// A mean of so many terms, a power of two, shows in outputs of this type that one too few was counted. Half of
/// that (a root of a variance) must be beyond what rounding alone may change (numerics::rounding), with room to
/// spare for noise.
int64_t countable_terms(plan::DType dtype) {
    constexpr int64_t most = 4096, least = 16;
    constexpr double room = 1.5;
    for (int64_t terms = most; terms >= least; terms /= 2) {
        const numerics::Bound bound =
            numerics::bound_of(dtype, terms, 1, {.f32 = 0, .low = 0}, numerics::Precision::defaults, false);
        if (0.5 / static_cast<double>(terms) >= room * numerics::rounding(1.0, 1.0, bound)) return terms;
    }
    return 0;
}

/// In the coarsest of a plan's outputs; 0: in none.
int64_t countable_terms(const plan::Plan& plan) {
    int64_t least = 0;
    for (const plan::Tensor& output : plan::tensors_in(plan.output)) {
        const int64_t terms = plan::is_floating(output.dtype) ? countable_terms(output.dtype) : 0;
        if (terms > 0) least = least == 0 ? terms : std::min(least, terms);
    }
    return least;
}

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
    if (size == OtherSize::short_means) return prepare_short_means();
    if (size != OtherSize::own) return prepare_scaled_down(size);
    const plan::Cost cost = plan::cost(full_);
    if (cost.bytes > kMostBytes || cost.flops > kMostFlops) return nullptr;
    auto prepared = prepare_scaled(task_, options_, services_, {}, full_);
    auto* task = std::get_if<ScaledTask>(&prepared);
    return task ? std::make_shared<const ScaledTask>(std::move(*task)) : nullptr;
}

OtherSizes::Prepared OtherSizes::prepare_short_means() {
    constexpr double enough = 1024;  // further down only where narrow types need it
    const int64_t terms = countable_terms(small_->plan);
    if (terms == 0 || plan::longest_average(small_->plan) <= terms) return nullptr;
    std::map<std::string, int64_t> constants = full_.constants;
    for (const auto& [name, value] : small_->scaled) constants[name] = value;
    const auto with_those_of_small = [&](std::map<std::string, int64_t> sizes) {
        sizes.insert(small_->scaled.begin(), small_->scaled.end());
        return sizes;
    };
    const auto cost = [](const plan::Plan& plan) {
        return plan::Cost{.flops = static_cast<double>(plan::longest_average(plan))};
    };
    std::map<std::string, int64_t> probed;
    std::optional<plan::Plan> plan;
    // The length of means stands for the cost: what does not shorten them is left as it is.
    const task::Probe probe = [&](const std::map<std::string, int64_t>& shortened) -> std::optional<plan::Cost> {
        std::map<std::string, int64_t> scaled = with_those_of_small(shortened);
        trace::Outcome traced = trace_reference(task_, options_, services_, scaled);
        auto* found = std::get_if<plan::Plan>(&traced);
        if (!found || !plan::collapse(full_, *found).empty()) return std::nullopt;
        probed = std::move(scaled);
        plan = std::move(*found);
        return cost(*plan);
    };
    task::ShrinkLimits limits;
    limits.flops = limits.most_flops = std::min(static_cast<double>(terms), enough);
    limits.max_probes = 12;
    limits.keep_powers = true;
    const task::Shrunk shrunk = task::shrink(constants, cost(small_->plan), probe, limits);
    if (!shrunk.fits || shrunk.overrides.empty()) return nullptr;
    const std::map<std::string, int64_t> sizes = with_those_of_small(shrunk.overrides);
    if (probed != sizes) plan.reset();
    auto prepared = prepare_scaled(task_, options_, services_, sizes, std::move(plan));
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
