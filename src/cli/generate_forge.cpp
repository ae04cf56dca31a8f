#include "cli/generate_forge.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/process/files.h"
#include "cli/command.h"
#include "cli/verdict_text.h"
#include "generate/schedule_search.h"
#include "judge/judge.h"

namespace tritonsmith::cli {
namespace {

int fail(const GenerateFlags& flags, const task::Task& task, const generate::Forged& forged) {
    if (flags.json)
        print_json({{"task", task.id}, {"smith", "forge"}, {"accepted", false}, {"failure", forged.failure}});
    fmt::print(stderr, "no kernel for {}: {}\n", task.display, forged.failure);
    return forged.task_fails ? kUnjudgeable : kRejected;
}

/// What was judged, for --explain.
std::string tried_text(const generate::Found& found) {
    std::string out;
    for (const generate::Tried& tried : found.tried) {
        out += fmt::format("  {}: {}, estimated {:.3g} ms", tried.what,
                           tried.verdict.accepted() ? "accepted" : tried.verdict.reason, tried.estimated_ms);
        if (tried.verdict.candidate_ms)
            out += fmt::format(", measured {:.3g} ms", *tried.verdict.candidate_ms);
        out += "\n";
    }
    return out;
}

Json tried_json(const generate::Found& found) {
    Json out = Json::array();
    for (const generate::Tried& tried : found.tried)
        out.push_back(
            {{"schedule", tried.what},
             {"accepted", tried.verdict.accepted()},
             {"reason", tried.verdict.reason},
             {"estimated_ms", tried.estimated_ms},
             {"measured_ms", tried.verdict.candidate_ms ? Json(*tried.verdict.candidate_ms) : Json()}});
    return out;
}

judge::Paths judge_paths(const GenerateFlags& flags, const std::string& device) {
    judge::Paths paths = judge::find_paths();
    paths.sandbox = !flags.judge.unsafe_no_sandbox;
    paths.device = device;
    return paths;
}

/// The forge's program, in the schedules that were asked for.
generate::Forged write(const GenerateFlags& flags, const task::Task& task, const judge::Paths& paths) {
    generate::Forged out =
        generate::forge_program(task, paths, flags.judge.options(true).target, flags.judge.relaxed);
    if (out.failure.empty())
        for (const std::string& change : flags.schedules) generate::reschedule(out, change);
    return out;
}

/// Judges the forge's program and its other schedules; the evidence says who wrote what was found.
generate::Found search(const GenerateFlags& flags, const task::Task& task, const generate::Forged& forged,
                       const judge::Paths& paths) {
    judge::Judge judge(paths);
    generate::SearchOptions options;
    options.judge = flags.judge.options(true);
    options.name = flags.output.empty() ? "the forge's kernel" : flags.output;
    options.budget = flags.budget;
    if (flags.jobs > 0) options.jobs = flags.jobs;
    options.measured = !paths.device.empty() && flags.budget > 0;
    generate::Found found = generate::search_schedules(forged, judge, task, options);
    if (flags.explain) fmt::print(stderr, "{}", tried_text(found));
    return found;
}

}  // namespace

std::optional<generate::Attempt> attempt_by_forge(const GenerateFlags& flags, const task::Task& task,
                                                  const std::string& device) {
    const judge::Paths paths = judge_paths(flags, device);
    const generate::Forged forged = write(flags, task, paths);
    if (!forged.failure.empty()) {
        fmt::print(stderr, "no kernel of the forge's: {}\n", forged.failure);
        return std::nullopt;
    }
    const generate::Found found = search(flags, task, forged, paths);
    generate::Attempt out;
    out.round = 0;
    out.code = found.code;
    out.verdict = judge::to_json(found.verdict);
    return out;
}

std::optional<int> generate_by_forge(GenerateFlags& flags, bool model_next) {
    const task::Task task = task::load(flags.task);
    const judge::Paths paths = judge_paths(flags, flags.dry_run ? "" : flags.judge.resolve_device());
    const generate::Forged forged = write(flags, task, paths);
    if (flags.explain) fmt::print(stderr, "{}{}", forged.graph, forged.program.explanation);
    if (!forged.failure.empty()) {
        if (!model_next || forged.task_fails) return fail(flags, task, forged);
        fmt::print(stderr, "the forge has no kernel for {}: {}\n", task.display, forged.failure);
        return std::nullopt;
    }
    if (flags.dry_run) {
        print(forged.program.code);
        return kDone;
    }
    const generate::Found found = search(flags, task, forged, paths);
    const std::string& code = found.code;
    const judge::Verdict& verdict = found.verdict;
    const std::string name = flags.output.empty() ? "the forge's kernel" : flags.output;
    fmt::print(stderr, "{}", verdict_text(verdict, task, code, name, ::isatty(STDERR_FILENO) != 0));
    const bool accepted = judge::exit_code(verdict) == kDone;
    if (model_next && judge::exit_code(verdict) == kRejected) return std::nullopt;
    if (accepted && !flags.output.empty()) write_file(flags.output, code);
    if (flags.json)
        print_json({{"task", task.id},
                    {"smith", "forge"},
                    {"accepted", accepted},
                    {"output", accepted && !flags.output.empty() ? Json(flags.output) : Json()},
                    {"code", code},
                    {"tried", tried_json(found)},
                    {"verdict", judge::to_json(verdict)}});
    else if (accepted && flags.output.empty())
        print(code);
    return judge::exit_code(verdict);
}

}  // namespace tritonsmith::cli
