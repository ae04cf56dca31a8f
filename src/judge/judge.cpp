#include "judge/judge.h"

#include <fmt/format.h>

#include <chrono>
#include <future>
#include <list>
#include <mutex>

#include "base/hash.h"
#include "base/text.h"
#include "judge/compare/tf32.h"
#include "judge/services/worker_findings.h"
#include "judge/stages/judgement.h"
#include "judge/verdict/evidence_sentence.h"
#include "lint/lint.h"
#include "task/text_file.h"

namespace tritonsmith::judge {

namespace {

class Stopwatch {
  public:
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

  private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The contract's name of a stage.
std::string contract_name(const std::string& stage) {
    if (stage == "sampled" || stage == "other sizes") return "interpret";
    if (stage == "configurations" || stage == "as written" || stage == "evidence" || stage == "later calls" ||
        stage == "other numbers") return "correctness";
    if (stage == "task" || stage == "reference") return "trace";
    return stage;
}

/// What is wrong with the text itself, before anybody parses it.
std::optional<Finding> text_finding(const std::string& candidate) {
    auto found = [](const std::string& message, int line) {
        return Finding{"not_text", message, line, Json::object()};
    };
    if (static_cast<int64_t>(candidate.size()) > task::kMaxProgramBytes)
        return found("the program is larger than 1 MiB", 0);
    const int line = task::bad_utf8_line(candidate);
    if (line == 0) return std::nullopt;
    const bool nul = is_utf8(candidate);
    return found(fmt::format("line {} {}", line, nul ? "holds a NUL byte" : "is not UTF-8 text"), line);
}

std::optional<Finding> lint_finding(const std::string& candidate) {
    if (auto finding = text_finding(candidate)) return finding;
    lint::Report report = lint::lint(candidate);
    auto of = [&](const char* rule) -> const lint::Diagnostic* {
        for (const lint::Diagnostic& d : report.diagnostics)
            if (d.rule == rule) return &d;
        return nullptr;
    };
    if (!report.parses) {
        const lint::Diagnostic* d = of("syntax_error");
        return Finding{"syntax_error", d ? d->message : "not valid Python", d ? d->line : 0, Json::object()};
    }
    if (!report.is_triton)
        return Finding{"no_triton_kernel", "the text has no @triton.jit function", 0, Json::object()};
    return std::nullopt;
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

/// What a candidate passes through, in order, behind lint and the task.
struct CandidateStage {
    const char* name;
    std::optional<Finding> (Judgement::*run)();
    bool Verdict::*passed;  ///< set where the stage finds nothing
};
constexpr CandidateStage kStages[] = {
    {"trace", &Judgement::trace, nullptr},
    {"policy", &Judgement::policy, &Verdict::valid},
    {"reference", &Judgement::reference, nullptr},
    {"interpret", &Judgement::interpret, nullptr},
    {"compile", &Judgement::compile, &Verdict::compiled},
    {"correctness", &Judgement::correctness, nullptr},
    {"sampled", &Judgement::sampled, nullptr},
    {"other sizes", &Judgement::other_sizes, nullptr},
    {"run", &Judgement::run_on_device, nullptr},
    {"as written", &Judgement::run_as_written, nullptr},
    {"timing", &Judgement::time_on_device, nullptr},
};

/// Host code that asks which configuration autotuning chose makes one plan for each, and each
/// must be right. Those that the target has no room for are dropped, as Triton does.
std::optional<Finding> other_configurations(const PreparedTask& task, const std::string& candidate,
                                            const std::string& name, const Options& options,
                                            Services& services, double& seconds_left, int configurations,
                                            Verdict& verdict) {
    for (int i = 1; i < configurations; ++i) {
        Verdict aside;
        Judgement judgement(task, candidate, name, options, services, aside, seconds_left, i);
        std::optional<Finding> finding;
        for (const CandidateStage& stage : kStages)
            if (!finding) finding = (judgement.*stage.run)();
        if (!finding && aside.candidate_ms && verdict.candidate_ms &&
            *aside.candidate_ms < *verdict.candidate_ms) {
            // The fastest is what the tuner takes.
            verdict.candidate_ms = aside.candidate_ms;
            verdict.speedup = aside.speedup;
            verdict.baseline_ms = aside.baseline_ms;
            verdict.evidence["timing"] = aside.evidence["timing"];
            verdict.evidence["timing"]["configuration"] = i + 1;
        }
        if (!finding) verdict.checked = std::min(verdict.checked, aside.checked);
        if (!finding || finding->reason == "out_of_resources") continue;
        finding = settled(*finding);
        if (!about_candidate(*finding)) return finding;
        finding->evidence["why"] = finding->reason;
        finding->message =
            fmt::format("autotune configuration number {} is wrong: {}", i + 1, finding->message);
        finding->reason = "autotune_config_wrong";
        return finding;
    }
    return std::nullopt;
}

/// All stages but those of timing, on a plan other than the first. @param on_device  also where there is a device
std::optional<Finding> found_aside(Judgement& judgement, bool on_device) {
    std::optional<Finding> finding;
    for (const CandidateStage& stage : kStages) {
        const bool timed = stage.run == &Judgement::run_as_written || stage.run == &Judgement::time_on_device;
        const bool left_out = timed || (stage.run == &Judgement::run_on_device && !on_device);
        if (!finding && !left_out) finding = (judgement.*stage.run)();
    }
    return finding ? std::optional(settled(*finding)) : std::nullopt;
}

bool has_number(const plan::Value& value, task::MovedNumbers which) {
    if (const auto* list = std::get_if<plan::Sequence>(&value.v))
        return std::any_of(list->items.begin(), list->items.end(),
                           [&](const plan::Value& v) { return has_number(v, which); });
    if (which == task::MovedNumbers::floats) return std::holds_alternative<double>(value.v);
    return std::holds_alternative<int64_t>(value.v) || std::holds_alternative<bool>(value.v);
}

/// A module may keep what it likes from call to call. Where a later call has other steps than the first, it is
/// judged as well, as a plan of its own.
std::optional<Finding> later_call(const PreparedTask& task, const std::string& candidate,
                                  const std::string& name, const Options& options, Services& services,
                                  double& seconds_left, int call, Verdict& verdict) {
    Verdict aside;
    Judgement judgement(task, candidate, name, options, services, aside, seconds_left, 0, call);
    std::optional<Finding> finding = found_aside(judgement, true);
    verdict.evidence["later_call"] = call;
    if (!finding) verdict.checked = std::min(verdict.checked, aside.checked);
    if (aside.evidence.contains("state_notes")) verdict.evidence["state_notes"] = aside.evidence["state_notes"];
    if (!finding || !about_candidate(*finding) || finding->reason == "stale_state") return finding;
    finding->evidence["why"] = finding->reason;
    finding->message = fmt::format("call {} of the module does something else than the first: {}", call, finding->message);
    finding->reason = "nondeterministic";
    return finding;
}

/// The candidate with other Python numbers among the inputs, where the reference takes them.
std::optional<Finding> with_other_numbers(const std::variant<PreparedTask, Finding>& prepared,
                                          const std::string& candidate, const std::string& name,
                                          const Options& options, Services& services, double& seconds_left,
                                          task::MovedNumbers which, Verdict& verdict) {
    const bool floats = which == task::MovedNumbers::floats;
    const std::string what = floats ? "other Python floats" : "other Python integers and booleans";
    std::optional<Finding> unfit;
    if (const auto* finding = std::get_if<Finding>(&prepared)) {
        unfit = *finding;
    } else {
        const auto& task = std::get<PreparedTask>(prepared);
        if (const auto* failed = std::get_if<Finding>(&task.small->runs.get())) unfit = *failed;
    }
    if (unfit) {
        if (unfit->reason == "machine_error") return unfit;
        verdict.evidence["skipped_input_variants"].push_back(what + ": " + unfit->message);
        return std::nullopt;
    }
    Verdict aside;
    Judgement judgement(std::get<PreparedTask>(prepared), candidate, name, options, services, aside, seconds_left);
    std::optional<Finding> finding = found_aside(judgement, false);
    if (!finding || !about_candidate(*finding)) return finding;
    // An integer may say what is to be done (a dimension, a mode): a candidate may be made for one, and say so.
    if (!floats && finding->reason != "wrong_result") {
        verdict.evidence["skipped_input_variants"].push_back(what + ": " + finding->message);
        return std::nullopt;
    }
    finding->message = fmt::format("with {} among the inputs: {}", what, finding->message);
    return finding;
}

/// --require
std::optional<Finding> too_little_evidence(const Verdict& verdict, const Options& options) {
    if (verdict.checked >= options.require) return std::nullopt;
    return Finding{"insufficient_evidence",
                   fmt::format("nothing wrong was found, but the evidence is only '{}', and '{}' is required: {}",
                               name(verdict.checked), name(options.require), evidence_sentence(verdict)),
                   0, Json::object()};
}

}  // namespace

/// The last few tasks, most recent first. Options are part of the key where they change what is prepared.
struct Judge::Tasks {
    using Prepared = std::shared_ptr<const std::variant<PreparedTask, Finding>>;
    struct Entry {
        std::string key;
        std::shared_future<Prepared> task;
    };
    static constexpr size_t most = 6;
    std::mutex mutex;
    std::list<Entry> entries;

    /// Of no use any more: the next candidate has it prepared again.
    void forget(const Prepared& task) {
        std::lock_guard lock(mutex);
        std::erase_if(entries, [&](const Entry& entry) {
            return entry.task.wait_for(std::chrono::seconds(0)) == std::future_status::ready &&
                   entry.task.get() == task;
        });
    }

    /// Prepares what nobody has asked for yet; waits where another thread is at it. @throws MachineError
    Prepared get(const task::Task& task, const Options& options, Services& services) {
        const std::string key =
            fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", sha256(task.source),
                        static_cast<int>(task.moved), options.target,
                        numerics::name(options.precision), options.shrink_bytes, options.shrink_flops,
                        options.seed ? fmt::format("{}", *options.seed) : "any");
        std::promise<Prepared> promise;
        {
            std::unique_lock lock(mutex);
            for (auto it = entries.begin(); it != entries.end(); ++it)
                if (it->key == key) {
                    entries.splice(entries.begin(), entries, it);
                    std::shared_future<Prepared> other = entries.front().task;
                    lock.unlock();
                    return other.get();
                }
            entries.push_front({key, promise.get_future().share()});
            if (entries.size() > most) entries.pop_back();
        }
        try {
            auto prepared =
                std::make_shared<const std::variant<PreparedTask, Finding>>(prepare(task, options, services));
            promise.set_value(prepared);
            return prepared;
        } catch (...) {
            promise.set_exception(std::current_exception());
            std::lock_guard lock(mutex);
            std::erase_if(entries, [&](const Entry& entry) { return entry.key == key; });
            throw;
        }
    }
};

Judge::Judge(const Paths& paths) : Judge(std::make_unique<Services>(paths)) {}
Judge::Judge(std::unique_ptr<Services> services)
    : services_(std::move(services)), tasks_(std::make_unique<Tasks>()) {}
Judge::~Judge() = default;

void Judge::prepare_ahead(const task::Task& task, const Options& options) {
    const Tasks::Prepared shared = tasks_->get(task, options, *services_);
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
    bool done = false;
    Tasks::Prepared shared;

    // Runs a stage, notes its time, and concludes the verdict when it found something.
    auto stage = [&](const std::string& what, auto&& body) {
        if (done) return;
        Stopwatch watch;
        verdict.stage = what;
        std::optional<Finding> finding = found_or_failed([&] {
            std::optional<Finding> found = body();
            return found ? settled(std::move(*found)) : found;
        });
        StageTime time{what, watch.seconds(), finding ? finding->reason : "ok"};
        verdict.stages.push_back(time);
        if (options.on_stage) options.on_stage(time);
        if (!finding) return;
        name_tf32(*finding, verdict.evidence);
        conclude(verdict, contract_name(what), *finding, candidate);
        // The reference's runs may be what failed: whoever asks for them next has them made again.
        if (verdict.status == Status::machine_error && shared) tasks_->forget(shared);
        done = true;
    };

    stage("lint", [&] { return lint_finding(candidate); });
    const PreparedTask* prepared = nullptr;
    stage("task", [&]() -> std::optional<Finding> {
        shared = tasks_->get(task, options, *services_);
        if (auto* finding = std::get_if<Finding>(shared.get())) return *finding;
        prepared = &std::get<PreparedTask>(*shared);
        if (prepared->small->shrunk())
            verdict.evidence["scaled"] = scaled_json(prepared->full, *prepared->small);
        return std::nullopt;
    });
    if (done) return verdict;
    double seconds_left = options.candidate_seconds;
    Judgement judgement(*prepared, candidate, name, options, *services_, verdict, seconds_left);
    for (const CandidateStage& next : kStages) {
        stage(next.name, [&] { return (judgement.*next.run)(); });
        if (!done && next.passed) verdict.*next.passed = true;
    }
    if (judgement.configurations() > 1)
        stage("configurations", [&] {
            return other_configurations(*prepared, candidate, name, options, *services_, seconds_left,
                                        judgement.configurations(), verdict);
        });
    if (const int call = done ? 0 : judgement.later_call(); call > 0)
        stage("later calls", [&] {
            return later_call(*prepared, candidate, name, options, *services_, seconds_left, call, verdict);
        });
    // Python numbers among the inputs are data as well.
    for (const auto which : {task::MovedNumbers::floats, task::MovedNumbers::whole}) {
        const plan::List& inputs = prepared->full.inputs;
        if (done || std::none_of(inputs.begin(), inputs.end(), [&](const auto& v) { return has_number(v, which); }))
            continue;
        stage("other numbers", [&]() -> std::optional<Finding> {
            task::Task moved = task;
            moved.moved = which;
            const Tasks::Prepared other = tasks_->get(moved, options, *services_);
            return with_other_numbers(*other, candidate, name, options, *services_, seconds_left, which, verdict);
        });
    }
    if (verdict.checked == Checked::none) verdict.checked = Checked::small;
    stage("evidence", [&] { return too_little_evidence(verdict, options); });
    if (done) return verdict;
    verdict.correct = true;
    verdict.status = Status::accepted;
    verdict.stage = "done";
    verdict.message = evidence_sentence(verdict);
    return verdict;
}

}  // namespace tritonsmith::judge
