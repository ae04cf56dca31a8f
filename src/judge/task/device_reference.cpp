#include "judge/task/device_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "judge/services/worker_findings.h"
#include "judge/services/worker_pool.h"
#include "judge/task/input_settings.h"
#include "plan/analysis/cost.h"
#include "plan/analysis/exact.h"

namespace tritonsmith::judge {

namespace {

/// Timed calls take the first sets in turn: of the task's own distribution, where there is room for more.
constexpr size_t kTimedSets = 2;

/// What a reference takes at most while a set of it is run, and what is kept of each set then, as multiples
/// of the bytes of its inputs, weights and outputs: float64 is twice as large; results, the oracle's,
/// magnitudes, an operator's and its spread are there at a time.
constexpr double kRunning = 7.5, kKeptOfSet = 1.5;
/// Of libraries.
constexpr int64_t kWorkspace = int64_t{2} << 30;

/// So much of a device's memory is free where nobody else has any: contexts of our own take the rest.
constexpr double kOwnMemory = 0.85;

struct DeviceSetting {
    run::Variant variant;
    bool wide = false;
};

/// The first of the tries that the reference took at the small size; what follows it is tamer. An assertion
/// of the reference's (a target beyond [0, 1], a place outside of its table) would cost the device's worker.
auto first_taken(const InputSetting& setting, const ReferenceRuns& small) {
    return std::find_if(setting.tries.begin(), setting.tries.end(), [&](const run::Variant& wanted) {
        return std::any_of(small.sets.begin(), small.sets.end(), [&](const InputSet& set) {
            return set.variant.reach == wanted.reach && run::describe(set.variant) == run::describe(wanted);
        });
    });
}

/// Those of the small size, as many as there is room for: large tasks have seen the others there.
/// @param small the reference there @param room bytes of the device's memory
std::vector<DeviceSetting> settings_for(const plan::Plan& plan, const ReferenceRuns& small, int64_t bytes,
                                        int64_t room) {
    // Of equal elements a device may name another place, and nothing looks it up there; what is not finite
    // and becomes an integer is found at the small size.
    const bool open = plan::chooses_any(plan), casts = plan::casts_to_integers(plan);
    std::vector<DeviceSetting> all{DeviceSetting{}};
    for (const InputSetting& setting : input_settings(plan)) {
        if (setting.numbers_only) continue;
        // A place outside of its table would cost the device's worker: those are for the small size.
        const auto safe =
            std::find_if(first_taken(setting, small), setting.tries.end(), [&](const run::Variant& v) {
                if (casts && v.scale == 0) return false;
                return !v.apart && v.whole == run::Variant::Whole::drawn &&
                       v.alike == run::Variant::Alike::none &&
                       (v.constants == run::Variant::Constants::kept || !v.patterns);
            });
        if (safe == setting.tries.end()) continue;
        all.push_back({*safe, setting.wide});
        run::Variant& variant = all.back().variant;
        variant.ties = variant.ties && !open;
        variant.extremes = variant.extremes && !casts;
    }
    size_t most = all.size();
    if (bytes > (int64_t{128} << 20)) most = 4;
    if (bytes > (int64_t{1} << 30)) most = 3;
    if ((kRunning + 3 * kKeptOfSet) * static_cast<double>(bytes) > static_cast<double>(room) &&
        all.size() > 2) {
        all.erase(all.begin() + 1);  // rather a set that shows more than the task's own once more
        most = 2;
    }
    // What timing holds of two sets, in both processes.
    if (10 * bytes > room) most = 1;
    all.resize(std::min(all.size(), most));
    return all;
}

}  // namespace

DeviceReference::DeviceReference(plan::Plan plan, std::shared_ptr<const ScaledTask> small,
                                 DeviceServices& services, const Options& options)
    : plan_(std::move(plan)),
      small_(std::move(small)),
      services_(services),
      tolerance_(options.tolerance),
      precision_(options.precision),
      seed_(options.seed ? *options.seed : std::random_device{}() * uint64_t{0x9E3779B97F4A7C15}),
      bytes_(plan::cost(plan_).bytes) {}

DeviceReference::~DeviceReference() {
    DeviceServices::ReferenceLease lease(services_);
    close(lease);
}

void DeviceReference::close(DeviceServices::ReferenceLease& lease) {
    services_.open_.remove(this);
    if (session_ != 0 && lease->generation() == generation_) lease->close(session_);
    session_ = 0;
    prepared = {};
    std::lock_guard lock(mutex_);
    given_.clear();
}

std::vector<DeviceReference::Set> DeviceReference::sets() const {
    std::lock_guard lock(mutex_);
    return sets_;
}

run::OpenedReference DeviceReference::opened() const {
    std::lock_guard lock(mutex_);
    return opened_;
}

bool DeviceReference::own_sets_only() const {
    std::lock_guard lock(mutex_);
    return own_only_;
}

bool DeviceReference::large() const {
    return bytes_ > std::min(int64_t{2} << 30, services_.memory_bytes() / 64);
}

std::variant<run::ComparedAnswer, Finding> DeviceReference::compare(size_t set,
                                                                    const run::RemotePack& outputs) {
    return ask("the comparison on the device",
               [&](run::DeviceWorker& worker) { return worker.compare(session_, set, outputs); });
}

std::optional<Finding> DeviceReference::inputs(const Set& set, run::RemotePack& pack) {
    const auto copy = [&](const run::RemotePack& known) {
        pack = {duplicate(known.fd), known.where};
        return std::nullopt;
    };
    {
        std::lock_guard lock(mutex_);
        if (const auto known = given_.find(set.index); known != given_.end()) return copy(known->second);
    }
    auto answer = ask("the device's inputs",
                      [&](run::DeviceWorker& worker) { return worker.inputs(session_, set.index); });
    if (auto* finding = std::get_if<Finding>(&answer)) return *finding;
    auto& given = std::get<run::GivenInputs>(answer);
    if (!given.kept) {
        pack = std::move(given.pack);
        return std::nullopt;
    }
    std::lock_guard lock(mutex_);
    return copy(given_[set.index] = std::move(given.pack));
}

void DeviceReference::expect_room(const std::string& what) {
    DeviceServices::ReferenceLease lease(services_);
    const int64_t memory = services_.memory_bytes(), free = make_room(lease, memory);
    if (static_cast<double>(free) >= kOwnMemory * static_cast<double>(memory)) return;
    throw MachineError(
        fmt::format("{} (other programs hold the device's memory: {:.1f} of {:.1f} GiB are free)", what,
                    static_cast<double>(free) / 0x1p30, static_cast<double>(memory) / 0x1p30));
}

int64_t DeviceReference::make_room(DeviceServices::ReferenceLease& lease, int64_t bytes) {
    for (;;) {
        auto device = ask_worker([&] { return lease->device(); });
        if (auto* error = std::get_if<run::WorkerError>(&device))
            throw MachineError("the device's worker does not answer: " + error->message);
        const int64_t free = std::get<Json>(device).at("free_bytes").get<int64_t>();
        if (free >= bytes || services_.open_.empty()) return free;
        services_.open_.front()->close(lease);
    }
}

std::optional<Finding> DeviceReference::ensure(DeviceServices::ReferenceLease& lease) {
    if (session_ != 0 && lease->generation() == generation_) {
        services_.open_.remove(this);
        services_.open_.push_back(this);
        return std::nullopt;
    }
    if (failed_) return failed_;
    close(lease);
    const int64_t memory = services_.memory_bytes();
    const auto& small = small_->runs.get();
    if (const auto* finding = std::get_if<Finding>(&small)) return failed_ = *finding;
    const std::vector<DeviceSetting> settings =
        settings_for(plan_, std::get<ReferenceRuns>(small), bytes_, memory * 9 / 10);
    std::mt19937_64 seeds(seed_);
    std::vector<run::DeviceSet> sets;
    for (const DeviceSetting& setting : settings) {
        sets.push_back({seeds(), setting.variant, setting.wide, weights_seed()});
    }
    auto finding = open(lease, sets);
    auto why_not = [&] { return finding ? finding->evidence.value("worker_reason", "") : std::string(); };
    const auto own = static_cast<size_t>(
        std::count_if(sets.begin(), sets.end(), [](const run::DeviceSet& set) { return set.variant.own(); }));
    if (why_not() == "gpu_fault" && sets.size() > own) {
        // The reference faults on one of the others: its own inputs are what it must take.
        sets.resize(own);
        finding = open(lease, sets);
        std::lock_guard lock(mutex_);
        own_only_ = !finding;
    }
    if (finding) {
        // Memory may be free another time, and workers live.
        const std::string why = why_not();
        if (why != "out_of_memory" && why != "worker_died" && why != "deadline_exceeded") failed_ = finding;
        return finding;
    }
    services_.open_.push_back(this);
    if (opened_.random)
        return failed_ = Finding{"task_random", "the reference draws random numbers in its forward pass", 0,
                                 Json::object()};
    if (opened_.finite.empty() || !opened_.finite[0])
        return failed_ = Finding{"task_error", "the reference's own output is not finite on its own inputs",
                                 0, Json::object()};
    std::lock_guard lock(mutex_);
    sets_.clear();
    for (size_t i = 0; i < opened_.finite.size(); ++i)
        // Each timed call begins with the state of the first: so does the first set alone, where answers
        // depend on it.
        if (opened_.finite[i])
            sets_.push_back({i, i < (opened_.stateful ? 1 : kTimedSets), run::describe(settings[i].variant)});
    return std::nullopt;
}

std::optional<Finding> DeviceReference::open(DeviceServices::ReferenceLease& lease,
                                             const std::vector<run::DeviceSet>& sets) {
    run::OpenReference request;
    request.plan = &plan_;
    request.sets = sets;
    request.tolerance = tolerance_;
    request.precision = precision_;
    auto answer = ask_while_it_dies(
        [&] {
            const auto running = static_cast<int64_t>(kRunning * static_cast<double>(bytes_)) + kWorkspace;
            const auto kept = static_cast<int64_t>(kKeptOfSet * static_cast<double>(bytes_)) *
                              static_cast<int64_t>(sets.size());
            request.budget_bytes = std::max<int64_t>(make_room(lease, running + kept) - running, 0);
            return lease->open(request);
        },
        [](const auto& answer) { return worker_died(answer); });
    if (auto* error = std::get_if<run::WorkerError>(&answer))
        return reference_finding(*error, "the reference does not run on the device");
    std::lock_guard lock(mutex_);
    opened_ = std::move(std::get<run::OpenedReference>(answer));
    session_ = opened_.session;
    generation_ = lease->generation();
    return std::nullopt;
}

}  // namespace tritonsmith::judge
