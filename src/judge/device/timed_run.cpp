#include "judge/device/timed_run.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <set>

#include "base/process/stopwatch.h"
#include "judge/candidate/choices.h"
#include "judge/services/worker_findings.h"
#include "judge/timing/device_findings.h"
#include "judge/timing/roofline.h"
#include "judge/timing/timing_statistics.h"

namespace tritonsmith::judge {

namespace {

constexpr double kPrecision = 0.01;  ///< half of the confidence interval, relative to the median
constexpr double kBlockMs = 20;      ///< how long one side is timed before the other has its turn
/// Of calls that were timed well for an earlier candidate so many show that nothing has changed.
constexpr int kLeastOfKnown = 3;
/// Of calls that vary too much to be known well in all the time there is, no more will be known next time.
constexpr int kManySamples = 30;
constexpr double kVaries = 0.03;
/// A candidate that is so many times slower than the reference is timed only roughly.
constexpr double kFarSlower = 4, kRoughPrecision = 0.1;
constexpr int kLeastSamples = 9, kMostSamples = 400, kTuningSamples = 7;

Finding timing_failed(const run::WorkerError& error, const std::string& what) {
    Finding finding = candidate_finding(error, true);
    finding.message = what + ": " + finding.message;
    finding.evidence["stage"] = "timing";
    return finding;
}

/// What goes wrong with the reference is never the candidate's fault; a worker that died is asked again.
Finding reference_timing_failed(const run::WorkerError& error, const std::string& what) {
    if (error.reason == "worker_died") return timing_failed(error, what);
    Finding finding = reference_finding(error, what);
    finding.evidence["stage"] = "timing";
    return finding;
}

enum class Whose : uint8_t { candidate, reference, compiler };

/// One side of a comparison: blocks of samples until its median is known well enough.
class Side {
  public:
    using Block = std::function<run::Answer<std::vector<double>>(int samples)>;
    /// @param known of the same calls at an earlier time: taken over where fewer samples of now agree with it
    /// @param reference_ms of a call of the reference's, where it is known: the first block is made for it,
    /// and of a candidate that takes many times as long less need be known; 0: it is not
    Side(Whose whose, std::string what, Block block, const Estimate& known = {}, double reference_ms = 0)
        : whose_(whose),
          what_(std::move(what)),
          block_(std::move(block)),
          known_(known),
          reference_ms_(reference_ms) {}

    bool done() const {
        return failure_ || agrees() || far_slower() || static_cast<int>(ms_.size()) >= kMostSamples ||
               (static_cast<int>(ms_.size()) >= kLeastSamples && estimate(ms_).uncertainty() < kPrecision);
    }
    /// What was known of it at an earlier time holds now.
    bool agrees() const {
        return static_cast<int>(ms_.size()) >= kLeastOfKnown && is_known() &&
               std::abs(estimate(ms_).median / known_.median - 1) <
                   std::max(kPrecision, known_.uncertainty());
    }
    void run() {
        auto answer = block_(next_block());
        if (auto* error = std::get_if<run::WorkerError>(&answer)) {
            failure_ = *error;
            return;
        }
        const auto& ms = std::get<std::vector<double>>(answer);
        ms_.insert(ms_.end(), ms.begin(), ms.end());
    }
    /// Its calls could not be timed. @throws MachineError (the GPU is lost)
    std::optional<Finding> failed() const {
        if (!failure_) return std::nullopt;
        if (whose_ == Whose::candidate) return timing_failed(*failure_, what_);
        if (whose_ == Whose::reference) return reference_timing_failed(*failure_, what_);
        return Finding{failure_->reason, what_ + ": " + failure_->message, 0, Json::object()};
    }
    Estimate own() const { return estimate(ms_); }
    Estimate result() const { return agrees() ? known_ : own(); }

  private:
    /// As many as are wanting, or as there is time for.
    int next_block() const {
        if (ms_.empty() && is_known()) return kLeastOfKnown;
        const double typical = !ms_.empty()        ? estimate(ms_).median
                               : reference_ms_ > 0 ? reference_ms_
                                                   : kBlockMs / 3;
        return std::clamp(static_cast<int>(kBlockMs / std::max(typical, 1e-3)), 3, kLeastSamples);
    }

    bool is_known() const {
        return known_.uncertainty() < (known_.samples < kManySamples ? kPrecision : kVaries);
    }

    bool far_slower() const {
        if (whose_ != Whose::candidate || reference_ms_ <= 0 || static_cast<int>(ms_.size()) < kLeastOfKnown)
            return false;
        const Estimate mine = estimate(ms_);
        return mine.median > kFarSlower * reference_ms_ &&
               mine.high - mine.low < 2 * kRoughPrecision * mine.median;
    }

    const Whose whose_;
    std::string what_;
    Block block_;
    Estimate known_;
    double reference_ms_;
    std::vector<double> ms_;
    std::optional<run::WorkerError> failure_;
};

Json to_json(const Estimate& e) {
    return {{"ms", e.median}, {"interval_ms", {e.low, e.high}}, {"samples", e.samples}};
}

/// In turns, until all are known well enough, the time is up, or the candidate's fails. A side whose earlier
/// time holds has no further turns: that time is the result.
void run_in_turns(const std::vector<Side*>& sides, double seconds) {
    const Stopwatch watch;
    auto finished = [](const Side* side) { return side->done(); };
    while (!std::all_of(sides.begin(), sides.end(), finished)) {
        for (Side* side : sides)
            if (!side->failed() && !side->agrees()) side->run();
        if (sides.front()->failed() || watch.seconds() > seconds) break;
    }
}

}  // namespace

struct TimedRun::Impl {
    Impl(const TimedTask& task, const Options& options, Services& services,
         DeviceServices::CandidateLease& candidate, int session)
        : task_(task),
          options_(options),
          services_(services),
          reference_(task.on_device),
          candidate_(candidate),
          session_(session),
          choice_(task.choice),
          random_(std::random_device{}()) {}

    std::optional<Finding> run(bool eager, bool compiled) {
        if (auto finding = get_ready(eager)) return finding;
        if (auto finding = time(eager, compiled)) return finding;
        if (auto finding = check_timed_outputs()) return finding;
        return implausible(roofline_, *timing_.candidate_ms);
    }
    /// While others work: what is timed is recorded, and run once.
    std::optional<Finding> get_ready(bool eager) {
        const cuda::DeviceLock::Shared at_work(services_.device->lock());
        {
            if (auto finding = take_inputs()) return finding;
            DeviceServices::ReferenceLease lease(*services_.device);
            if (auto finding = reference_.ensure(lease)) return finding;
            if (eager)
                if (auto finding = prepare_reference(lease, options_.precision)) return finding;
        }
        return prepare(choice_);
    }

    /// Alone.
    std::optional<Finding> time(bool with_eager, bool with_compiled) {
        const DeviceServices::TimingTurn alone(*services_.device);
        DeviceServices::ReferenceLease lease(*services_.device);
        // Another candidate may have had it for something else meanwhile.
        if (auto finding = reference_.ensure(lease)) return finding;
        if (with_eager)
            if (auto finding = prepare_reference(lease, options_.precision)) return finding;
        if (auto finding = tune()) return finding;
        // What the reference took for earlier candidates: most take about as long.
        const Estimate& known = reference_.prepared.eager;
        Side ours(
            Whose::candidate, "the candidate's timed calls",
            [&](int samples) { return candidate_block(samples); }, {}, known.median);
        Side eager(
            Whose::reference, "the reference's timed calls",
            [&](int samples) { return reference_block(lease, samples); }, known, known.median);
        Side inductor(Whose::compiler, "the compiled reference's timed calls",
                      [&](int samples) { return compiled_block(samples, options_.precision); });
        std::vector<Side*> sides{&ours};
        if (with_eager) sides.push_back(&eager);
        if (with_compiled) sides.push_back(&inductor);
        run_in_turns(sides, options_.timing_seconds);
        if (auto finding = ours.failed()) return finding;
        if (auto finding = eager.failed()) return of_the_reference(*finding);
        report(ours.result(), with_eager ? &eager : nullptr);
        if (with_compiled) note_baseline("compile", inductor);
        if (with_eager) time_other_precisions(lease, with_compiled && !inductor.failed());
        if (reference_.large()) {
            // The next candidate needs the memory before it is timed.
            lease->release(reference_.session());
            reference_.prepared.generation = 0;
        }
        return std::nullopt;
    }

    std::optional<Finding> take_inputs() {
        for (const DeviceReference::Set& set : reference_.sets()) {
            if (!set.timed) continue;
            timed_.push_back(set.index);
            if (auto finding = reference_.inputs(set, packs_.emplace_back())) return finding;
        }
        return std::nullopt;
    }

    std::optional<Finding> prepare_reference(DeviceServices::ReferenceLease& lease,
                                             numerics::Precision precision) {
        const bool usual = precision == options_.precision;
        if (usual && reference_.prepared.generation == lease->generation()) return std::nullopt;
        auto prepared = lease->prepare(reference_.session(), timed_, precision, options_.device_seconds);
        if (auto* error = std::get_if<run::WorkerError>(&prepared))
            return of_the_reference(reference_timing_failed(*error, "the reference cannot be timed"));
        reference_.prepared.generation = usual ? lease->generation() : 0;
        reference_.prepared.graph = std::get<run::Prepared>(prepared).graph;
        return std::nullopt;
    }

    std::optional<Finding> prepare(const std::vector<int>& choice) {
        auto prepared =
            candidate_->prepare(session_, packs_, choice, options_.prepack, options_.device_seconds);
        if (auto* error = std::get_if<run::WorkerError>(&prepared))
            return timing_failed(*error, "the candidate cannot be timed");
        how_ = std::get<run::Prepared>(prepared);
        return std::nullopt;
    }

    /// One call of each block is looked at, whichever: what is timed must be right.
    run::Answer<std::vector<double>> candidate_block(int samples) {
        const int kept = static_cast<int>(random_() % static_cast<uint64_t>(samples));
        // They lie on the device: of large tasks one at a time.
        if (kept_.size() >= (reference_.large() ? 1 : 3)) kept_.erase(kept_.begin());
        auto answer = candidate_->time(session_, samples, {kept}, options_.device_seconds);
        if (auto* error = std::get_if<run::WorkerError>(&answer)) return *error;
        run::TimedBlock& block = std::get<run::TimedBlock>(answer);
        for (run::TimedBlock::Kept& one : block.kept) {
            kept_.emplace_back(one.set, std::move(one.outputs));
        }
        return std::move(block.ms);
    }

    run::Answer<std::vector<double>> reference_block(DeviceServices::ReferenceLease& lease, int samples) {
        auto answer = lease->time(reference_.session(), samples, {}, options_.device_seconds);
        if (auto* error = std::get_if<run::WorkerError>(&answer)) return *error;
        return std::move(std::get<run::TimedBlock>(answer).ms);
    }

    Finding of_the_reference(Finding finding) {
        reference_failed_ = true;
        reference_.prepared = {};
        return finding;
    }

    run::Answer<std::vector<double>> compiled_block(int samples, numerics::Precision precision) {
        const auto budget = std::chrono::milliseconds(static_cast<int64_t>(options_.device_seconds * 1000));
        auto answer = services_.compiled.time(samples, budget, precision);
        if (auto* error = std::get_if<BaselineError>(&answer))
            return run::WorkerError{error->reason, error->message, -1, 0};
        return std::move(std::get<std::vector<double>>(answer));
    }

    /// The fastest alternative of each choice, the others being as they are.
    std::optional<Finding> tune() {
        const std::vector<const plan::ChoiceStep*> choices = choices_of(task_.candidate);
        const Stopwatch watch;
        int tried = 0;
        std::vector<std::string> chosen;
        for (size_t c = 0; c < choices.size(); c++) {
            double best = -1;
            int taken = choice_[c];
            for (const int a : task_.alternatives[c]) {
                std::vector<int> pick = choice_;
                pick[c] = a;
                if (auto finding = prepare(pick)) return finding;
                auto block = candidate_->time(session_, kTuningSamples, {}, options_.device_seconds);
                if (auto* error = std::get_if<run::WorkerError>(&block))
                    return timing_failed(*error, "an autotune configuration's timed calls");
                ++tried;
                const double median = estimate(std::get<run::TimedBlock>(block).ms).median;
                if (best >= 0 && median >= best) continue;
                best = median;
                taken = a;
            }
            choice_[c] = taken;
            chosen.push_back(choices[c]->alternatives[static_cast<size_t>(taken)].config);
        }
        if (tried == 0) return std::nullopt;
        tuning_ = {{"tried", tried}, {"chosen", chosen}, {"seconds", watch.seconds()}};
        return prepare(choice_);
    }

    std::optional<Finding> check_timed_outputs() {
        const cuda::DeviceLock::Shared at_work(services_.device->lock());
        for (const auto& [set, pack] : kept_) {
            auto answer = reference_.compare(timed_[set], pack);
            if (auto* finding = std::get_if<Finding>(&answer)) return *finding;
            if (auto finding = wrong_when_timed(std::get<run::ComparedAnswer>(answer))) return finding;
        }
        return std::nullopt;
    }

    /// Beside the headline: the reference in IEEE where PyTorch's defaults are not, and with TF32 in
    /// products, too, where the candidate has it.
    void time_other_precisions(DeviceServices::ReferenceLease& lease, bool compiled) {
        using numerics::Precision;
        const std::vector<Precision>& compiled_in = task_.precisions;
        std::set<Precision> others(compiled_in.begin(), compiled_in.end());
        if (task_.tf32) others.insert(Precision::tf32);
        others.erase(options_.precision);
        std::map<std::string, Estimate>& known = reference_.prepared.others;
        auto taken_over = [&](const std::string& key) {
            const auto found = known.find(key);
            if (found == known.end()) return false;
            note_baseline(key, found->second);
            timing_.evidence[key]["of_an_earlier_candidate"] = true;
            return true;
        };
        auto time = [&](Whose whose, const std::string& key, const Side::Block& block) {
            Side side(whose, "the reference's timed calls", block);
            run_in_turns({&side}, options_.timing_seconds / 2);
            note_baseline(key, side);
            if (!side.failed() && side.own().uncertainty() < kPrecision) known[key] = side.own();
        };
        for (const Precision precision : others) {
            const std::string suffix = std::string("_") + numerics::name(precision);
            if (taken_over("eager" + suffix)) {
                // It is the task's time, and not the candidate's.
            } else if (auto finding = prepare_reference(lease, precision))
                timing_.evidence["eager" + suffix] = {{"failed", finding->message}};
            else
                time(Whose::reference, "eager" + suffix,
                     [&](int samples) { return reference_block(lease, samples); });
            if (compiled &&
                std::find(compiled_in.begin(), compiled_in.end(), precision) != compiled_in.end() &&
                !taken_over("compile" + suffix))
                time(Whose::compiler, "compile" + suffix,
                     [&](int samples) { return compiled_block(samples, precision); });
        }
    }

    /// A baseline's time, or why there is none: its fault is not the candidate's.
    void note_baseline(const std::string& key, const Side& side) {
        Json& timing = timing_.evidence;
        if (auto failure = side.failed()) {
            timing[key] = {{"failed", failure->message}};
            if (key == "compile") timing_.compiled_not_timed = failure->message;
            return;
        }
        note_baseline(key, side.result());
    }
    void note_baseline(const std::string& key, const Estimate& estimate) {
        timing_.baseline_ms[key] = estimate.median;
        timing_.evidence[key] = to_json(estimate);
    }

    /// @param eager null where the reference could not be timed
    void report(const Estimate& mine, const Side* eager) {
        timing_.candidate_ms = mine.median;
        roofline_ = roofline_of(task_.reference, services_.device->info());
        Json timing{
            {"candidate", to_json(mine)},
            {"precision", numerics::name(options_.precision)},
            {"candidate_graph", how_.graph},
            {"outputs_checked", kept_.size()},
            {"bytes", roofline_.bytes},
            {"share_of_bandwidth", roofline_.share_of_bandwidth(mine.median)},
            {"operations_per_second", mine.median > 0 ? roofline_.operations / mine.median * 1e3 : 0}};
        if (eager) {
            const Estimate theirs = reference_.prepared.eager = eager->result();
            timing_.baseline_ms["eager"] = theirs.median;
            timing_.speedup = mine.median > 0 ? theirs.median / mine.median : 0;
            timing["eager"] = to_json(theirs);
            timing["eager_of_this_run"] = to_json(eager->own());
            timing["eager_graph"] = reference_.prepared.graph;
        }
        if (how_.computes_at_construction)
            timing["construction"] =
                options_.prepack ? "left outside (--allow-prepack)" : "part of each timed call";
        if (!tuning_.is_null()) timing["autotune"] = tuning_;
        timing_.evidence = timing;
    }

    const TimedTask& task_;
    const Options& options_;
    Services& services_;
    DeviceReference& reference_;
    DeviceServices::CandidateLease& candidate_;
    const int session_;
    std::vector<int> choice_;
    std::mt19937_64 random_;
    std::vector<size_t> timed_;  ///< sets of the reference's session
    std::vector<run::RemotePack> packs_;
    std::vector<std::pair<size_t, run::RemotePack>> kept_;  ///< outputs of timed calls, by ordinal in timed_
    run::Prepared how_;
    Json tuning_;
    Roofline roofline_;
    Timing timing_;
    bool reference_failed_ = false;
};

TimedRun::TimedRun(const TimedTask& task, const Options& options, Services& services,
                   DeviceServices::CandidateLease& candidate, int session)
    : impl_(std::make_unique<Impl>(task, options, services, candidate, session)) {}
TimedRun::~TimedRun() = default;

std::optional<Finding> TimedRun::run(bool eager, bool compiled) {
    return impl_->run(eager, compiled);
}

bool TimedRun::reference_failed() const {
    return impl_->reference_failed_;
}

const std::vector<int>& TimedRun::choice() const {
    return impl_->choice_;
}

const Timing& TimedRun::timing() const {
    return impl_->timing_;
}

}  // namespace tritonsmith::judge
