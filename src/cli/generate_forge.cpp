#include "cli/generate_forge.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/process/files.h"
#include "cli/command.h"
#include "cli/verdict_text.h"
#include "generate/forge_smith.h"
#include "judge/judge.h"

namespace tritonsmith::cli {
namespace {

int fail(const GenerateFlags& flags, const task::Task& task, const generate::Forged& forged) {
    if (flags.json)
        print_json({{"task", task.id}, {"smith", "forge"}, {"accepted", false}, {"failure", forged.failure}});
    fmt::print(stderr, "no kernel for {}: {}\n", task.display, forged.failure);
    return forged.task_fails ? kUnjudgeable : kRejected;
}

}  // namespace

int generate_by_forge(GenerateFlags& flags) {
    const task::Task task = task::load(flags.task);
    const std::string device = flags.dry_run ? "" : flags.judge.resolve_device();
    judge::Options options = flags.judge.options(true);
    judge::Paths paths = judge::find_paths();
    paths.sandbox = !flags.judge.unsafe_no_sandbox;
    paths.device = device;
    const generate::Forged forged = generate::forge_program(task, paths, options.target);
    if (flags.explain) fmt::print(stderr, "{}{}", forged.graph, forged.program.explanation);
    if (!forged.failure.empty()) return fail(flags, task, forged);
    const std::string& code = forged.program.code;
    if (flags.dry_run) {
        print(code);
        return kDone;
    }
    judge::Judge judge(paths);
    const std::string name = flags.output.empty() ? "the forge's kernel" : flags.output;
    const judge::Verdict verdict = judge.judge(task, code, name, options);
    fmt::print(stderr, "{}", verdict_text(verdict, task, code, name, ::isatty(STDERR_FILENO) != 0));
    const bool accepted = judge::exit_code(verdict) == kDone;
    if (accepted && !flags.output.empty()) write_file(flags.output, code);
    if (flags.json)
        print_json({{"task", task.id},
                    {"smith", "forge"},
                    {"accepted", accepted},
                    {"output", accepted && !flags.output.empty() ? Json(flags.output) : Json()},
                    {"code", code},
                    {"verdict", judge::to_json(verdict)}});
    else if (accepted && flags.output.empty())
        print(code);
    return judge::exit_code(verdict);
}

}  // namespace tritonsmith::cli
