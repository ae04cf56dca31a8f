#include "judge/judge.h"

#include <fmt/format.h>

#include <chrono>
#include <list>
#include <set>

#include "base/hash.h"
#include "judge/judgement.h"
#include "lint/lint.h"

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

/// Reasons that say that the judge cannot decide, rather than that the candidate is wrong.
bool cannot_judge(const std::string& reason) {
    static const std::set<std::string> reasons = {"task_error", "task_random", "task_degenerate",
                                                  "unsupported_operation", "shape_specialised"};
    return reasons.contains(reason);
}

void conclude(Verdict& verdict, const std::string& stage, const Finding& finding) {
    verdict.status = cannot_judge(finding.reason) ? Status::unjudgeable : Status::rejected;
    verdict.stage = stage;
    verdict.reason = finding.reason;
    verdict.message = finding.message;
    verdict.line = finding.line;
    for (const auto& [key, value] : finding.evidence.items()) verdict.evidence[key] = value;
}

std::optional<Finding> lint_finding(const std::string& candidate) {
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

}  // namespace

/// The last few tasks, most recent first. Options are part of the key where they change what is prepared.
struct Judge::Tasks {
    struct Entry {
        std::string key;
        std::variant<PreparedTask, Finding> task;
    };
    static constexpr size_t most = 4;
    std::list<Entry> entries;

    const std::variant<PreparedTask, Finding>& get(const task::Task& task, const Options& options,
                                                   Services& services) {
        std::string key =
            fmt::format("{}\n{}\n{}\n{}\n{}", sha256(task.source), options.target, options.shrink_bytes,
                        options.shrink_flops, options.seed ? fmt::format("{}", *options.seed) : "any");
        for (auto it = entries.begin(); it != entries.end(); ++it)
            if (it->key == key) {
                entries.splice(entries.begin(), entries, it);
                return entries.front().task;
            }
        entries.push_front({key, prepare(task, options, services)});
        if (entries.size() > most) entries.pop_back();
        return entries.front().task;
    }
};

Judge::Judge(const Paths& paths) : services_(paths), tasks_(std::make_unique<Tasks>()) {}
Judge::~Judge() = default;

Verdict Judge::judge(const task::Task& task, const std::string& candidate, const std::string& name,
                     const Options& options) {
    Verdict verdict;
    verdict.task = task.id;
    verdict.candidate_sha256 = sha256(candidate);
    verdict.evidence["target"] = options.target;
    verdict.evidence["policy"] = options.relaxed ? "relaxed" : "robust";
    bool done = false;

    // Runs a stage, notes its time, and concludes the verdict when it found something.
    auto stage = [&](const std::string& what, auto&& body) {
        if (done) return;
        Stopwatch watch;
        verdict.stage = what;
        std::optional<Finding> finding = body();
        StageTime time{what, watch.seconds(), finding ? finding->reason : "ok"};
        verdict.stages.push_back(time);
        if (options.on_stage) options.on_stage(time);
        if (!finding) return;
        conclude(verdict, what, *finding);
        done = true;
    };

    stage("lint", [&] { return lint_finding(candidate); });
    const PreparedTask* prepared = nullptr;
    stage("task", [&]() -> std::optional<Finding> {
        const auto& outcome = tasks_->get(task, options, services_);
        if (auto* finding = std::get_if<Finding>(&outcome)) return *finding;
        prepared = &std::get<PreparedTask>(outcome);
        verdict.checked = prepared->shrunk() ? Checked::small : Checked::full;
        Json scaled = Json::object();
        for (const auto& [constant, value] : prepared->scaled)
            scaled[constant] = {prepared->full.constants.at(constant), value};
        if (!scaled.empty()) verdict.evidence["scaled"] = scaled;
        if (!prepared->skipped_variants.empty())
            verdict.evidence["skipped_input_variants"] = prepared->skipped_variants;
        if (!prepared->rounding.empty()) verdict.evidence["oracle_rounding"] = prepared->rounding;
        return std::nullopt;
    });
    if (done) return verdict;
    Judgement judgement(*prepared, candidate, name, options, services_, verdict);
    stage("trace", [&] { return judgement.trace(); });
    stage("policy", [&] { return judgement.policy(); });
    if (!done) verdict.valid = true;
    stage("interpret", [&] { return judgement.interpret(); });
    stage("compile", [&] { return judgement.compile(); });
    if (!done) verdict.compiled = true;
    stage("correctness", [&] { return judgement.correctness(); });
    stage("sampled", [&] { return judgement.sampled(); });
    if (done) {
        if (verdict.stage == "sampled")
            verdict.stage = "interpret";  // the contract's name for what interprets TTIR
        if (verdict.stage == "task") verdict.stage = "trace";
        return verdict;
    }
    verdict.correct = true;
    verdict.status = Status::accepted;
    verdict.stage = "done";
    verdict.message = "accepted";
    return verdict;
}

}  // namespace tritonsmith::judge
