#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "bench/answers/answers.h"
#include "bench/run/judging.h"
#include "bench/run/merge.h"
#include "bench/run/protocol.h"
#include "bench/run/run_data.h"
#include "bench/run/run_folder.h"
#include "bench/run/shard.h"
#include "bench/summary/compare.h"
#include "bench/summary/summary.h"
#include "cli/bench/bench_forge.h"
#include "cli/bench/bench_model.h"
#include "cli/bench/bench_options.h"
#include "cli/bench/bench_tests.h"
#include "cli/bench/bench_text.h"
#include "cli/command.h"
#include "cli/judge_rows.h"

namespace tritonsmith::cli {
namespace {

std::vector<bench::Problem> chosen_problems(const BenchFlags& flags) {
    std::vector<bench::Problem> problems = bench::read_suite(flags.suite);
    if (!flags.only.empty()) {
        std::set<std::string> wanted(flags.only.begin(), flags.only.end());
        std::erase_if(problems, [&](const bench::Problem& one) {
            return !std::count(flags.only.begin(), flags.only.end(), one.id);
        });
        for (const bench::Problem& one : problems) wanted.erase(one.id);
        if (!wanted.empty())
            throw InputError("--only " + *wanted.begin() + ": the suite has no such problem");
    }
    if (flags.limit > 0 && problems.size() > static_cast<size_t>(flags.limit))
        problems.resize(static_cast<size_t>(flags.limit));
    const bench::Shard shard = bench::Shard::parse(flags.shard);
    std::vector<bench::Problem> out;
    for (size_t i = 0; i < problems.size(); ++i)
        if (shard.has(i)) out.push_back(std::move(problems[i]));
    if (out.empty()) throw InputError("--shard " + flags.shard + ": no problem is left for it");
    return out;
}

int run_bench(BenchFlags& flags) {
    if (flags.suite.path.empty() || flags.suite.suite.empty() || flags.output.empty())
        throw InputError("bench takes --suite NAME, PATH and -o RUN (see tritonsmith bench --help)");
    if (flags.answers.empty() && flags.smith.empty() && !flags.sampling.any())
        throw InputError("bench takes --answers PATH, --smith forge, --model DIR or --endpoint URL");
    flags.sampling.check();
    if (flags.judge.relaxed) throw InputError("bench takes --protocols relaxed in place of --relaxed");
    // TritonBench's problems come with tests; the judge's rules need tasks.
    if (flags.protocols.empty())
        flags.protocols = flags.suite.suite.starts_with("tritonbench") && flags.suite.tasks.empty()
                              ? "tritonbench"
                              : "robust";
    const std::vector<bench::Protocol> protocols = bench::parse_protocols(flags.protocols);
    const std::string device = flags.judge.resolve_device();
    RowsJudging how{flags.judge.options(false), device, !flags.judge.unsafe_no_sandbox, flags.jobs,
                    flags.no_cache};
    const judge::Options options = how.options;
    const std::vector<bench::Problem> problems = chosen_problems(flags);
    bench::GivenAnswers given;
    if (!flags.answers.empty()) given = bench::read_answers(flags.answers, problems);
    bench::RunFolder run(flags.output, flags.config(device, options), problems);
    for (const bench::Answer& one : given.answers) run.add(one);
    if (given.others > 0)
        fmt::print(stderr, "{} answers are to problems that are not in this run\n", given.others);
    // PyTorch may compute products only where no protocol forbids it.
    const bool relaxed = std::none_of(protocols.begin(), protocols.end(),
                                      [](const bench::Protocol& one) { return one.name == "robust"; });
    if (flags.smith == "forge") write_by_forge(run, problems, how, relaxed);
    Asked asked;
    if (flags.sampling.any())
        asked = write_by_model(run, problems, flags.sampling, flags.samples, how, relaxed);
    if (asked.interrupted) {
        fmt::print(stderr, "interrupted; the same command goes on\n");
        return kInterrupted;
    }
    int failed = 0;
    for (const bench::Protocol& protocol : protocols) {
        if (protocol.by_tests()) {
            failed += judge_by_tests(run, problems, protocol, how);
            continue;
        }
        const bench::Pending pending = bench::pending_of(run, problems, protocol);
        fmt::print(stderr, "{}: {} answers to {} problems, {} to be judged\n", protocol.name,
                   run.answers().size(), problems.size(), pending.rows.size());
        if (pending.rows.empty()) continue;
        how.options = protocol.applied_to(options);
        how.in_order = false;  // a run that is killed has lost the less
        Tally tally;
        judge_rows(pending.rows, 0, {}, how, tally, [&](const Json& verdict) {
            run.add(pending.keys[verdict.at("row").get<size_t>() - 1], verdict);
        });
        failed += tally.of(judge::name(judge::Status::machine_error));
    }
    const Json summary = bench::summarise(bench::read_run(flags.output));
    fmt::print(stderr, "{}", summary_text(summary));
    if (flags.json) print_json(summary);
    if (!asked.failure.empty()) {
        fmt::print(stderr, "tritonsmith: not all answers came, the same command asks for the rest: {}\n",
                   asked.failure);
        return kMachineFailed;
    }
    if (failed == 0) return kDone;
    fmt::print(stderr, "tritonsmith: the machine failed on {} answers: the same command judges them again\n",
               failed);
    return kMachineFailed;
}

void add_merge(CLI::App& bench, int& exit_code) {
    struct Flags {
        std::vector<std::string> runs;
        std::string output;
    };
    auto flags = std::make_shared<Flags>();
    CLI::App* command = bench.add_subcommand("merge", "make one run of several shards");
    command->add_option("runs", flags->runs, "folders of runs")->required();
    command->add_option("-o,--output", flags->output, "folder of the whole run")->required();
    command->callback([flags, &exit_code] {
        bench::merge_runs({flags->runs.begin(), flags->runs.end()}, flags->output);
        fmt::print(stderr, "{}", summary_text(bench::summarise(bench::read_run(flags->output))));
        exit_code = kDone;
    });
}

void add_compare(CLI::App& bench, int& exit_code) {
    struct Flags {
        std::string a, b, protocol = "robust";
        bool json = false;
    };
    auto flags = std::make_shared<Flags>();
    CLI::App* command =
        bench.add_subcommand("compare", "two runs, paired by problem: what changed, and whether by chance");
    command->add_option("a", flags->a, "folder of the run before")->required();
    command->add_option("b", flags->b, "folder of the run after")->required();
    command->add_option("--protocol", flags->protocol, "whose verdicts are compared")->capture_default_str();
    command->add_flag("--json", flags->json, kJsonHelp);
    command->callback([flags, &exit_code] {
        const Json compared =
            bench::compare_runs(bench::read_run(flags->a), bench::read_run(flags->b), flags->protocol);
        if (flags->json)
            print_json(compared);
        else
            print(compare_text(compared));
        exit_code = kDone;
    });
}

}  // namespace

void add_bench_itself(CLI::App& app, int& exit_code) {
    auto flags = std::make_shared<BenchFlags>();
    CLI::App* command = app.add_subcommand("bench", bench_help);
    command->require_subcommand(0, 1);
    flags->add_to(*command);
    add_merge(*command, exit_code);
    add_compare(*command, exit_code);
    command->callback([flags, command, &exit_code] {
        if (command->get_subcommands().empty()) exit_code = run_bench(*flags);
    });
}

}  // namespace tritonsmith::cli
