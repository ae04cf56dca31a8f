#include "judge/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "base/process/stopwatch.h"
#include "judge/candidate/evidence_sentence.h"
#include "judge/candidate_stages.h"
#include "judge/compare/cancellation.h"
#include "judge/compare/tf32.h"
#include "judge/further_plans.h"
#include "judge/services/worker_findings.h"
#include "judge/stages/lint_candidate.h"
#include "judge/task/task_cache.h"

namespace tritonsmith::judge {

namespace {

/// The contract's name of a stage.
std::string contract_name(const std::string& stage) {
    if (stage == "sampled" || stage == "other sizes") return "interpret";
    if (stage == "configurations" || stage == "as written" || stage == "evidence" || stage == "later calls" ||
        stage == "other numbers")
        return "correctness";
    if (stage == "task" || stage == "reference") return "trace";
    return stage;
}

/// A stage's finding; machine_error where it could not be finished.
template <class Body>
std::optional<Finding> found_or_failed(const Body& body) {
    auto failed = [](const std::string& message) {
        return Finding{"machine_error", message, 0, Json::object()};
    };
    try {
        return body();
    } catch (const MachineError& error) {
        return failed(error.what());
    } catch (const std::bad_alloc&) {
        return failed("out of memory");
    } catch (const std::system_error& error) {
        return failed(error.what());
    } catch (const std::exception& error) {
        return failed(std::string("internal error, please report it: ") + error.what());
    }
}

/// --require
std::optional<Finding> too_little_evidence(const Evidence& evidence, const Options& options) {
    if (evidence.checked >= options.require) return std::nullopt;
    return Finding{
        "insufficient_evidence",
        fmt::format("nothing wrong was found, but the evidence is only '{}', and '{}' is required: {}",
                    name(evidence.checked), name(options.require), evidence_sentence(evidence)),
        0, Json::object()};
}

/// What the stages have shown becomes the verdict's.
void take_evidence(Verdict& verdict, const Evidence& evidence) {
    verdict.checked = evidence.checked;
    verdict.candidate_ms = evidence.timing.candidate_ms;
    verdict.speedup = evidence.timing.speedup;
    for (const auto& [baseline, ms] : evidence.timing.baseline_ms) verdict.baseline_ms[baseline] = ms;
    verdict.evidence.update(to_json(evidence));
}

}  // namespace

Judge::Judge(const Paths& paths) : Judge(std::make_unique<Services>(paths)) {}
Judge::Judge(std::unique_ptr<Services> services)
    : services_(std::move(services)), tasks_(std::make_unique<TaskCache>()) {}
Judge::~Judge() = default;

void Judge::limit_processors(int candidates) {
    services_->processors.limit(candidates);
}

void Judge::prepare_ahead(const task::Task& task, const Options& options) {
    const TaskCache::Prepared shared = tasks_->get(task, options, *services_);
    const auto* prepared = std::get_if<PreparedTask>(shared.get());
    // A large reference would push the one that is in use off the device.
    if (!prepared || !prepared->device || prepared->device->large()) return;
    const cuda::DeviceLock::Shared at_work(services_->device->lock());
    DeviceServices::ReferenceLease lease(*services_->device);
    (void)prepared->device->ensure(lease);
}

Verdict Judge::judge(const task::Task& task, const std::string& candidate, const std::string& name,
                     const Options& options) {
    Verdict verdict;
    verdict.task = task.id;
    verdict.candidate_sha256 = sha256(candidate);
    verdict.evidence["target"] = options.target;
    verdict.evidence["precision"] = numerics::name(options.precision);
    verdict.evidence["policy"] = options.relaxed ? "relaxed" : "robust";
    double seconds_left = options.candidate_seconds;
    TaskCache::Prepared shared;
    std::optional<CandidateState> state;
    std::optional<Finding> found;

    // Runs a stage and notes its time. Nothing, once something was found.
    auto stage = [&](const std::string& what, auto&& body) {
        if (found) return;
        Stopwatch watch;
        verdict.stage = what;
        found = found_or_failed([&] {
            std::optional<Finding> finding = body();
            return finding ? settled(std::move(*finding)) : finding;
        });
        StageTime time{what, watch.seconds(), found ? found->reason : "ok"};
        verdict.stages.push_back(time);
        if (options.on_stage) options.on_stage(time);
    };

    stage("lint", [&] { return lint_candidate(candidate); });
    stage("task", [&]() -> std::optional<Finding> {
        shared = tasks_->get(task, options, *services_);
        if (auto* finding = std::get_if<Finding>(shared.get())) return *finding;
        state.emplace(std::get<PreparedTask>(*shared), candidate, name, options, *services_, seconds_left);
        return std::nullopt;
    });
    std::unique_ptr<ProcessorPlaces::Place> place;
    for (const CandidateStage& next : candidate_stages()) {
        if (found) break;
        if (next.waits)
            place.reset();
        else if (!place)
            place = std::make_unique<ProcessorPlaces::Place>(services_->processors);
        stage(next.name, [&] { return next.run(*state); });
        if (!found && next.passed) verdict.*next.passed = true;
    }
    place.reset();
    if (!found && state->configurations() > 1)
        stage("configurations", [&] { return judge_other_configurations(*state); });
    for (const int call : found ? std::set<int>{} : state->later_calls())
        stage("later calls", [&] { return judge_later_call(*state, call); });
    if (!found && state->full.plan.keeps_size) stage("later calls", [&] { return judge_kept_size(*state); });
    // Python numbers among the inputs are data as well.
    auto with_numbers = [&](task::MovedNumbers which) {
        task::Task moved = task;
        moved.moved = which;
        return tasks_->get(moved, options, *services_);
    };
    for (const auto which : {task::MovedNumbers::floats, task::MovedNumbers::whole}) {
        if (found || !has_numbers(state->task.full.inputs, which)) continue;
        stage("other numbers", [&] { return judge_with_other_numbers(*state, *with_numbers(which), which); });
    }
    if (!found && has_numbers(state->task.full.inputs, task::MovedNumbers::above)) {
        const TaskCache::Prepared by_one = with_numbers(task::MovedNumbers::whole);
        for (const auto which : further_numbers(state->task, *by_one))
            stage("other numbers",
                  [&] { return judge_with_further_numbers(*state, *by_one, *with_numbers(which), which); });
    }
    stage("evidence", [&] {
        state->evidence.checked = std::max(state->evidence.checked, Checked::small);
        return too_little_evidence(state->evidence, options);
    });

    if (state) take_evidence(verdict, state->evidence);
    if (found) {
        name_tf32(*found, state && state->evidence.tf32);
        if (state) name_cancellation(*found, state->task.full);
        conclude(verdict, contract_name(verdict.stage), *found, candidate);
        // The reference's runs may be what failed: whoever asks for them next has them made again.
        if (verdict.status == Status::machine_error && shared) tasks_->forget(shared);
        return verdict;
    }
    verdict.correct = true;
    verdict.status = Status::accepted;
    verdict.stage = "done";
    verdict.message = evidence_sentence(state->evidence);
    return verdict;
}

}  // namespace tritonsmith::judge
