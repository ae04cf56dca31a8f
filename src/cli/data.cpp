#include <fmt/format.h>

#include <atomic>
#include <thread>

#include "base/process/interrupts.h"
#include "cli/command.h"
#include "cli/judge_options.h"
#include "data/check/duplicates.h"
#include "data/synth/run.h"
#include "data/synth/verify.h"

namespace tritonsmith::cli {
namespace {

struct SynthFlags {
    data::RunOptions run;
    JudgeFlags judge;
    bool json = false, verify = false;
};

int run_data_synth(SynthFlags& flags) {
    // The first Ctrl-C ends the work after the shards in progress.
    const Interrupts interrupts;
    const std::atomic<bool>& stopped = interrupts.flag();
    if (flags.run.jobs == 0)
        flags.run.jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    if (flags.run.repairs > 0 && !flags.verify)
        throw InputError("--repairs needs --verify: a broken solution is one that the judge rejects");
    std::unique_ptr<data::Verifier> verifier;
    if (flags.verify) {
        flags.judge.device = "cpu";
        flags.judge.resolve_device();
        data::VerifyOptions options{judge::find_paths(), flags.judge.options(false),
                                    flags.run.jobs + (flags.run.jobs + 3) / 4, flags.run.repairs,
                                    flags.run.pairs.seed};
        options.paths.sandbox = !flags.judge.unsafe_no_sandbox;
        options.judge.threads = 1;
        if (!options.judge.seed) options.judge.seed = flags.run.pairs.seed;
        verifier = std::make_unique<data::Verifier>(options);
        flags.run.verify = [&](std::vector<data::Pair>& pairs, data::Tally& tally,
                               const std::function<void()>& judged) {
            verifier->verify(pairs, tally, judged, stopped);
        };
    }
    const data::Tally tally = data::run_synth(flags.run, stopped);
    fmt::print(stderr, "{}: {} of {} sampled tasks kept, {} solutions\n", flags.run.folder, tally.pairs,
               tally.sampled, tally.solutions);
    for (const auto& [cause, count] : tally.dropped) fmt::print(stderr, "  dropped {}: {}\n", count, cause);
    if (flags.json) print_json(tally.json());
    return stopped ? kInterrupted : kDone;
}

struct CheckFlags {
    std::vector<std::string> files;
    int jobs = 0;
    bool json = false;
};

int run_data_check(const CheckFlags& flags) {
    const Interrupts interrupts;
    const int jobs =
        flags.jobs > 0 ? flags.jobs : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const data::Duplicates found = data::count_duplicates(flags.files, jobs, interrupts.flag());
    auto share = [&](int64_t count) {
        return 100.0 * static_cast<double>(count) / static_cast<double>(std::max<int64_t>(1, found.rows));
    };
    if (flags.json)
        print_json({{"rows", found.rows},
                    {"solutions", found.solutions},
                    {"same_tasks", found.same_tasks},
                    {"same_solutions", found.same_solutions},
                    {"same_rows", found.same_rows}});
    else
        fmt::print(
            "{} rows, {} solutions; of the rows repeat but for names, numbers and remarks\n"
            "  an earlier one's task and solution  {:.2f} %\n"
            "  an earlier one's task               {:.2f} %\n"
            "  an earlier one's solution           {:.2f} %\n",
            found.rows, found.solutions, share(found.same_rows), share(found.same_tasks),
            share(found.same_solutions));
    return interrupts.flag() ? kInterrupted : kDone;
}

void add_check(CLI::App& data, int& exit_code) {
    auto flags = std::make_shared<CheckFlags>();
    CLI::App* check =
        data.add_subcommand("check", "count near-duplicates among rows of data synth (docs/data.md)");
    check->add_option("files", flags->files, "shards, .jsonl or .jsonl.zst")
        ->required()
        ->check(CLI::ExistingFile);
    check->add_option("--jobs", flags->jobs, "threads; 0: one for each core")->check(CLI::Range(0, 1024));
    check->add_flag("--json", flags->json, kJsonHelp);
    check->callback([flags, &exit_code] { exit_code = run_data_check(*flags); });
}

}  // namespace

void add_data_itself(CLI::App& app, int& exit_code) {
    CLI::App* data = app.add_subcommand("data", data_help);
    data->require_subcommand(1);
    auto flags = std::make_shared<SynthFlags>();
    CLI::App* synth =
        data->add_subcommand("synth", "sample tasks with cards, plans in words and solutions (docs/data.md)");
    synth->add_option("-o,--output", flags->run.folder, "folder; a run that stopped there goes on")
        ->required();
    synth->add_option("--count", flags->run.count, "tasks to sample")
        ->check(CLI::Range(int64_t{1}, int64_t{1} << 40))
        ->capture_default_str();
    synth->add_option("--seed", flags->run.pairs.seed, "the same seed gives the same bytes")
        ->capture_default_str();
    synth->add_option("--shard", flags->run.shard_size, "tasks sampled for one file")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    synth->add_option("--jobs", flags->run.jobs, "processes; 0: one for each core")
        ->check(CLI::Range(0, 1024));
    synth->add_option("--schedules", flags->run.pairs.schedules, "solutions of a task, at most")
        ->check(CLI::Range(1, 8))
        ->capture_default_str();
    synth
        ->add_option("--operators", flags->run.pairs.operators,
                     "operators that are drawn for a task, at most")
        ->check(CLI::Range(1, 12))
        ->capture_default_str();
    synth->add_flag("--verify", flags->verify,
                    "judge every solution on the CPU, keep those that are accepted");
    synth
        ->add_option("--repairs", flags->run.repairs, "broken solutions to try for each task (with --verify)")
        ->check(CLI::Range(0, 12));
    synth->add_flag("--unsafe-no-sandbox", flags->judge.unsafe_no_sandbox,
                    "trace without confinement, where the kernel lacks seccomp");
    synth->add_flag("--json", flags->json, kJsonHelp);
    flags->run.jobs = 0;
    synth->callback([flags, &exit_code] { exit_code = run_data_synth(*flags); });
    add_check(*data, exit_code);
}

}  // namespace tritonsmith::cli
