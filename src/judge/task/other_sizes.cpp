#include "judge/task/other_sizes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/json.h"
#include "numerics/bound.h"
#include "plan/analysis/collapse.h"
#include "plan/analysis/cost.h"
#include "plan/analysis/reduction.h"
#include "plan/analysis/shows.h"
#include "plan/ir/json.h"
#include "run/draw/draw.h"
#include "task/shrink.h"

namespace tritonsmith::judge {

namespace {

/// What is interpreted at most at another size than the first.
constexpr int64_t kMostBytes = int64_t{64} << 20;  // of inputs, weights and outputs
constexpr double kMostFlops = 4e9;

/// A mean of so many terms, a power of two, shows in outputs of this type that one too few was counted. Half
/// of that (a root of a variance) must be beyond what rounding alone may change (numerics::rounding), with
/// room to spare for noise.
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

/// By size, of the integers that are drawn for inputs.
double greatest_integer(const plan::Plan& plan) {
    double greatest = 0;
    for (const plan::Step& step : plan.steps) {
        const auto* aten = std::get_if<plan::AtenStep>(&step.what);
        if (!aten || step.phase != plan::Phase::inputs || aten->draw < 0) continue;
        const auto law = run::step_law(*aten);
        if (!law || law->distribution.law != run::Law::integer) continue;
        const auto low = static_cast<double>(law->distribution.low);
        greatest =
            std::max({greatest, std::abs(low), std::abs(low + static_cast<double>(law->distribution.count))});
    }
    return greatest;
}

}  // namespace

OtherSizes::OtherSizes(const task::Task& task, const Options& options, Services& services,
                       const plan::Plan& full, std::shared_ptr<const ScaledTask> small)
    : task_(task), options_(options), services_(services), full_(full), small_(std::move(small)) {
    options_.on_stage = nullptr;
}

std::shared_ptr<const ScaledTask> OtherSizes::at(OtherSize size, InputSets which) {
    return once(dump({static_cast<int>(size), static_cast<int>(which)}),
                [&] { return prepare(size, which); });
}

std::shared_ptr<const ScaledTask> OtherSizes::one_whole(const ScaledTask& base, const std::string& name) {
    return once(dump({"whole", base.scaled, name}), [&] { return prepare_one_whole(base, name); });
}

std::shared_ptr<const ScaledTask> OtherSizes::none_whole(const ScaledTask& base, const std::string& name) {
    const Prepared whole = one_whole(base, name);
    if (!whole) return nullptr;
    std::map<std::string, int64_t> sizes = whole->scaled;
    sizes[name] = base.scaled.at(name);
    if (sizes == base.scaled) return nullptr;
    return once(dump({"none", sizes}), [&] { return prepare_at(sizes, std::nullopt, InputSets::few); });
}

bool OtherSizes::counts_far() const {
    constexpr int64_t held = int64_t{1} << 24;  // whole numbers that float32 holds
    const int64_t terms = plan::longest_count(full_);
    return terms > held || static_cast<double>(terms) * greatest_integer(full_) > INT32_MAX;
}

std::shared_ptr<const ScaledTask> OtherSizes::whole() {
    // 16 M float32 elements, and what belongs to them; of counts beyond that more.
    const int64_t bytes = int64_t{counts_far() ? 512 : 72} << 20;
    const double flops = counts_far() ? 1e9 : 4e8;
    const plan::Cost cost = plan::cost(full_);
    if (cost.bytes > bytes || cost.flops > flops) return nullptr;
    return once("whole", [&] { return prepare_at({}, full_, InputSets::own); });
}

std::shared_ptr<const ScaledTask> OtherSizes::whole_if_nothing_else() {
    const plan::Cost cost = plan::cost(full_);
    if (cost.bytes > kMostBytes || cost.flops > kMostFlops) return nullptr;
    return once("whole if nothing else", [&] { return prepare_at({}, full_, InputSets::few); });
}

OtherSizes::Prepared OtherSizes::once(const std::string& key, const std::function<Prepared()>& make) {
    std::promise<Prepared> promise;
    {
        std::unique_lock lock(mutex_);
        const auto found = prepared_.find(key);
        if (found != prepared_.end()) {
            const std::shared_future<Prepared> other = found->second;
            lock.unlock();
            return other.get();
        }
        prepared_[key] = promise.get_future().share();
    }
    try {
        Prepared prepared = make();
        promise.set_value(prepared);
        return prepared;
    } catch (...) {
        promise.set_exception(std::current_exception());
        std::lock_guard lock(mutex_);
        prepared_.erase(key);  // the next one may have more luck with the machine
        throw;
    }
}

OtherSizes::Prepared OtherSizes::prepare(OtherSize size, InputSets which) {
    if (size == OtherSize::short_means) return prepare_short_means();
    if (size != OtherSize::own) return prepare_scaled_down(size, which);
    const plan::Cost cost = plan::cost(full_);
    if (cost.bytes > kMostBytes || cost.flops > kMostFlops) return nullptr;
    return prepare_at({}, full_, which);
}

OtherSizes::Prepared OtherSizes::prepare_at(std::map<std::string, int64_t> sizes,
                                            std::optional<plan::Plan> plan, InputSets which) {
    auto prepared = prepare_scaled(task_, options_, services_, std::move(sizes), std::move(plan), which);
    auto* task = std::get_if<ScaledTask>(&prepared);
    return task ? std::make_shared<const ScaledTask>(std::move(*task)) : nullptr;
}

OtherSizes::Prepared OtherSizes::prepare_short_means() {
    constexpr double enough = 1024;  // further down only where narrow types need it
    const int64_t terms = countable_terms(small_->plan);
    if (terms == 0 || plan::longest_average(small_->plan) <= terms) return nullptr;
    // The length of means stands for the cost: what does not shorten them is left as it is.
    const auto length = [](const plan::Plan& plan) {
        return plan::Cost{.flops = static_cast<double>(plan::longest_average(plan))};
    };
    task::ShrinkLimits limits;
    limits.flops = limits.most_flops = std::min(static_cast<double>(terms), enough);
    limits.max_probes = 12;
    limits.keep_powers = true;
    // A wrong number of terms shows on the task's own law and on rows, or nowhere.
    return shrink_further(small_->scaled, constants_at(*small_), limits, small_->plan, length,
                          InputSets::few);
}

std::map<std::string, int64_t> OtherSizes::constants_at(const ScaledTask& size) const {
    std::map<std::string, int64_t> constants = full_.constants;
    for (const auto& [name, value] : size.scaled) constants[name] = value;
    return constants;
}

OtherSizes::Prepared OtherSizes::prepare_one_whole(const ScaledTask& base, const std::string& name) {
    constexpr int64_t bytes = int64_t{16} << 20;
    constexpr double flops = 4e8;
    std::map<std::string, int64_t> sizes = base.scaled, others = constants_at(base);
    sizes.erase(name);
    others.erase(name);
    trace::Outcome traced = trace_reference(task_, options_, services_, sizes);
    const auto* plan = std::get_if<plan::Plan>(&traced);
    if (!plan) return nullptr;
    task::ShrinkLimits limits;
    limits.bytes = limits.enough_bytes = bytes;
    limits.flops = limits.enough_flops = flops;
    limits.most_bytes = 2 * bytes;
    limits.most_flops = 2 * flops;
    limits.max_probes = 12;
    limits.keep_powers = true;
    return shrink_further(sizes, others, limits, *plan, plan::cost, InputSets::few);
}

OtherSizes::Prepared OtherSizes::shrink_further(const std::map<std::string, int64_t>& sizes,
                                                const std::map<std::string, int64_t>& constants,
                                                const task::ShrinkLimits& limits, const plan::Plan& before,
                                                plan::Cost (*cost)(const plan::Plan&), InputSets which) {
    const auto and_further = [&](std::map<std::string, int64_t> further) {
        further.insert(sizes.begin(), sizes.end());
        return further;
    };
    std::map<std::string, int64_t> probed = sizes;
    std::optional<plan::Plan> plan = before;
    const task::Probe probe =
        [&](const std::map<std::string, int64_t>& further) -> std::optional<plan::Cost> {
        std::map<std::string, int64_t> scaled = and_further(further);
        trace::Outcome traced = trace_reference(task_, options_, services_, scaled);
        auto* found = std::get_if<plan::Plan>(&traced);
        if (!found || !plan::collapse(full_, *found).empty()) return std::nullopt;
        probed = std::move(scaled);
        plan = std::move(*found);
        return cost(*plan);
    };
    const task::Shrunk shrunk = task::shrink(constants, cost(before), probe, limits);
    std::map<std::string, int64_t> scaled = and_further(shrunk.overrides);
    if (!shrunk.fits || scaled == small_->scaled) return nullptr;
    if (probed != scaled) plan.reset();
    return prepare_at(std::move(scaled), std::move(plan), which);
}

OtherSizes::Prepared OtherSizes::prepare_scaled_down(OtherSize size, InputSets which) {
    std::map<std::string, int64_t> constants = full_.constants;
    const Prepared outer = size == OtherSize::outer ? nullptr : at(OtherSize::outer, which);
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
    return prepare_at(sizes, std::move(scaled.plan), which);
}

}  // namespace tritonsmith::judge
