#include "base/process/deaths.h"
#include "judge/candidate/choices.h"
#include "judge/device/device_session.h"
#include "judge/device/device_stages.h"
#include "judge/device/room.h"
#include "judge/device/timed_run.h"
#include "judge/services/worker_findings.h"

namespace tritonsmith::judge {

namespace {

/// Those that baselines are timed in: the one asked for, and where the reference convolves float32 tensors,
/// what differs from it.
std::vector<numerics::Precision> baseline_precisions(const CandidateState& state) {
    using numerics::Precision;
    std::vector<Precision> out{state.options.precision};
    const bool differs = numerics::convolves_float32(state.task.full);
    for (const Precision other : {Precision::defaults, Precision::ieee})
        if (differs && state.options.precision != other) out.push_back(other);
    return out;
}

TimedTask timed_task(const CandidateState& state) {
    TimedTask out{state.task.full,
                  *state.task.device,
                  state.full.plan,
                  choices_that_fit(state),
                  {},
                  baseline_precisions(state),
                  state.evidence.tf32};
    const std::vector<const plan::ChoiceStep*> choices = choices_of(state.full.plan);
    for (size_t c = 0; c < choices.size(); c++) {
        std::vector<int>& usable = out.alternatives.emplace_back();
        for (size_t a = 0; a < choices[c]->alternatives.size(); a++)
            if (state.compiled.fits(choices[c]->alternatives[a]) && !state.refused_by_device.contains({c, a}))
                usable.push_back(static_cast<int>(a));
    }
    return out;
}

void note_timing(CandidateState& state, const Timing& timing) {
    if (timing.compiled_not_timed) state.evidence.compile_baseline.not_timed = timing.compiled_not_timed;
    if (!timing.candidate_ms) return;
    Timing& noted = state.evidence.timing;
    noted.candidate_ms = timing.candidate_ms;
    if (timing.speedup) noted.speedup = timing.speedup;
    for (const auto& [baseline, ms] : timing.baseline_ms) noted.baseline_ms[baseline] = ms;
    noted.evidence = timing.evidence;
}

/// Ready to be timed; evidence says why not.
bool open_compiled_baseline(CandidateState& state) {
    const std::vector<numerics::Precision> precisions = baseline_precisions(state);
    std::string key = state.task.task.source + state.task.task.entry;
    for (const numerics::Precision precision : precisions) key += numerics::name(precision);
    if (state.services.compiled_task == key) return true;
    state.services.compiled_task.clear();
    BaselineTask baseline;
    baseline.source = state.task.task.source;
    baseline.filename = state.task.task.display;
    baseline.entry = state.task.task.entry;
    baseline.precisions = precisions;
    const std::string& device = state.services.device->device();
    baseline.device = device;
    const cuda::DeviceLock::Shared at_work(state.services.device->lock());
    auto opened = state.services.compiled.open(baseline);
    if (auto* error = std::get_if<BaselineError>(&opened)) {
        state.evidence.compile_baseline.failed = *error;
        return false;
    }
    state.evidence.compile_baseline.opened = std::get<OpenedBaseline>(opened);
    state.services.compiled_task = key;
    return true;
}

std::optional<Finding> time_candidate(CandidateState& state) {
    // A place on the device comes first: who has one may wait for the compiler.
    if (!state.on_device)
        if (auto finding =
                ask_while_it_dies([&] { return open_on_device(state); },
                                  [](const std::optional<Finding>& found) { return worker_died(found); }))
            return finding;
    std::unique_lock<std::mutex> compiled;
    if (state.options.compile_baseline) {
        compiled = std::unique_lock(state.services.compiled_mutex);
        if (!open_compiled_baseline(state)) compiled.unlock();
    }
    std::optional<Finding> finding;
    std::optional<Finding> baseline;  ///< what went wrong with the reference's own calls, the last time
    int baseline_failures = 0;
    const TimedTask task = timed_task(state);
    for (int attempt = 0; attempt < kAttempts + kBaselineAttempts; ++attempt) {
        finding = std::nullopt;
        if (!state.on_device) finding = open_on_device(state);
        bool of_the_reference = false;
        if (state.on_device && state.on_device->session() != 0) {
            TimedRun timed(task, state.options, state.services, state.on_device->worker,
                           state.on_device->session());
            finding = timed.run(baseline_failures < kBaselineAttempts, compiled.owns_lock());
            of_the_reference = timed.reference_failed();
            note_timing(state, timed.timing());
            if (!finding) finding = run_what_was_timed(state, timed.choice());
        }
        if (!finding) break;
        if (of_the_reference) {
            baseline = finding;
            ++baseline_failures;
        } else if (!worker_died(finding)) {
            break;
        }
        // Whoever waits for a place may not hold what others wait for who have one.
        if (compiled.owns_lock()) compiled.unlock();
        state.on_device.reset();
    }
    state.on_device.reset();
    // A right candidate stays right where its reference cannot be timed; it has no speedup then.
    if (baseline && !state.evidence.timing.speedup) state.evidence.baseline_failed = baseline;
    return finding;
}

}  // namespace

std::optional<Finding> time_on_device(CandidateState& state) {
    if (!state.services.device || !state.options.timing) return std::nullopt;
    return with_room(state, [&] { return time_candidate(state); });
}

}  // namespace tritonsmith::judge
