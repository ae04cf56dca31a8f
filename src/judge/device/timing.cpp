#include "judge/stages/choices.h"
#include "judge/stages/device_candidate.h"
#include "judge/stages/timed_run.h"

namespace tritonsmith::judge {

std::optional<Finding> Judgement::time_on_device() {
    if (!services_.device || !options_.timing) return std::nullopt;
    std::unique_lock<std::mutex> compiled;
    if (options_.compile_baseline) {
        compiled = std::unique_lock(services_.compiled_mutex);
        if (!open_compiled_baseline()) compiled.unlock();
    }
    std::optional<Finding> finding;
    std::optional<Finding> baseline;  ///< what went wrong with the reference's own calls, the last time
    int baseline_failures = 0;
    const TimedTask task = timed_task();
    for (int attempt = 0; attempt < kAttempts + kBaselineAttempts; ++attempt) {
        finding = std::nullopt;
        if (!on_device_) finding = open_on_device();
        bool of_the_reference = false;
        if (on_device_ && on_device_->session() != 0) {
            TimedRun timed(task, options_, services_, on_device_->worker, on_device_->session());
            finding = timed.run(baseline_failures < kBaselineAttempts, compiled.owns_lock());
            of_the_reference = timed.reference_failed();
            note_timing(timed.timing());
        }
        if (!finding) break;
        if (of_the_reference) {
            baseline = finding;
            ++baseline_failures;
        } else if (finding->reason != "worker_died") {
            break;
        }
        // Whoever waits for a place may not hold what others wait for who have one.
        if (compiled.owns_lock()) compiled.unlock();
        on_device_.reset();
    }
    on_device_.reset();
    // A right candidate stays right where its reference cannot be timed; it has no speedup then.
    if (baseline && !verdict_.speedup)
        verdict_.evidence["baseline_failed"] = {{"reason", baseline->reason}, {"message", baseline->message}};
    return finding;
}

TimedTask Judgement::timed_task() const {
    TimedTask out{task_.full,
                  *task_.device,
                  full_,
                  choices_that_fit(),
                  {},
                  baseline_precisions(),
                  verdict_.evidence.value("tf32", false)};
    const std::vector<const plan::ChoiceStep*> choices = choices_of(full_);
    for (size_t c = 0; c < choices.size(); c++) {
        std::vector<int>& usable = out.alternatives.emplace_back();
        for (size_t a = 0; a < choices[c]->alternatives.size(); a++)
            if (fits(choices[c]->alternatives[a]) && !refused_by_device_.contains({c, a}))
                usable.push_back(static_cast<int>(a));
    }
    return out;
}

void Judgement::note_timing(const Timing& timing) {
    if (timing.compiled_not_timed)
        verdict_.evidence["compile_baseline"]["not_timed"] = *timing.compiled_not_timed;
    if (!timing.candidate_ms) return;
    verdict_.candidate_ms = timing.candidate_ms;
    if (timing.speedup) verdict_.speedup = timing.speedup;
    for (const auto& [baseline, ms] : timing.baseline_ms) verdict_.baseline_ms[baseline] = ms;
    verdict_.evidence["timing"] = timing.evidence;
}

std::vector<numerics::Precision> Judgement::baseline_precisions() const {
    using numerics::Precision;
    std::vector<Precision> out{options_.precision};
    const bool differs = numerics::convolves_float32(task_.full);
    for (const Precision other : {Precision::defaults, Precision::ieee})
        if (differs && options_.precision != other) out.push_back(other);
    return out;
}

bool Judgement::open_compiled_baseline() {
    const std::vector<numerics::Precision> precisions = baseline_precisions();
    std::string key = task_.task.source + task_.task.entry;
    for (const numerics::Precision precision : precisions) key += numerics::name(precision);
    if (services_.compiled_task == key) return true;
    services_.compiled_task.clear();
    BaselineTask baseline;
    baseline.source = task_.task.source;
    baseline.filename = task_.task.display;
    baseline.entry = task_.task.entry;
    baseline.precisions = precisions;
    const std::string& device = services_.device->device();
    baseline.device = device;
    const cuda::DeviceLock::Shared at_work(services_.device->lock());
    auto opened = services_.compiled.open(baseline);
    if (auto* error = std::get_if<BaselineError>(&opened)) {
        verdict_.evidence["compile_baseline"] = {{"reason", error->reason}, {"message", error->message}};
        return false;
    }
    const OpenedBaseline& how = std::get<OpenedBaseline>(opened);
    verdict_.evidence["compile_baseline"] = {{"graph", how.graph}, {"compile_seconds", how.seconds}};
    services_.compiled_task = key;
    return true;
}

}  // namespace tritonsmith::judge
