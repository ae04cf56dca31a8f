#include <fmt/format.h>

#include "base/json.h"
#include "base/process/files.h"
#include "base/process/interrupts.h"
#include "bench/training/ablation_report.h"
#include "cli/command.h"
#include "cli/train/ablation_plan.h"
#include "cli/train/ablation_runs.h"
#include "cli/train/commands.h"

namespace tritonsmith::cli {
namespace {

struct AblateFlags {
    std::string configuration;
    std::vector<std::string> changes;
    bool json = false, unsafe_no_sandbox = false;
};

/// The folder is new, empty, or holds an ablation: another grid may go on in it.
void check_folder(const AblationPlan& plan) {
    std::error_code error;
    if (std::filesystem::exists(plan.folder, error) && !std::filesystem::is_empty(plan.folder, error) &&
        !bench::is_ablation(plan.folder))
        throw InputError(plan.folder.string() + ": is not empty and holds no ablation; name another folder");
}

void write_reports(const AblationPlan& plan) {
    const bench::Ablation ablation = bench::read_ablation(plan.folder);
    write_file(plan.folder / "table.md", bench::ablation_markdown(ablation));
    write_file(plan.folder / "table.json", dump(bench::ablation_json(ablation), 1) + "\n");
    if (ablation.steps() == 0) return;
    write_file(plan.folder / "curves.html", bench::ablation_html(ablation));
    write_file(plan.folder / "curves.svg", bench::ablation_figure(ablation));
}

int train_ablate(const AblateFlags& flags) {
    const AblationPlan plan = read_ablation_plan(flags.configuration, flags.changes);
    check_folder(plan);
    std::vector<const AblationCell*> left;
    for (const AblationCell& cell : plan.cells)
        if (!cell.is_done()) left.push_back(&cell);
    write_file(plan.folder / "ablation.json", dump(plan.head, 1) + "\n");
    fmt::print(stderr, "{} runs, {} of them are done\n", plan.cells.size(), plan.cells.size() - left.size());
    const Interrupts interrupts;
    size_t done = plan.cells.size() - left.size();
    std::vector<std::string> failures;
    AblationRuns runs(plan, flags.unsafe_no_sandbox, [&](const AblationCell& cell, const std::string& error) {
        if (error.empty()) {
            fmt::print(stderr, "{}/{} {}\n", ++done, plan.cells.size(), cell.name);
            write_reports(plan);
        } else if (interrupts.signal().load() == 0) {
            fmt::print(stderr, "{} failed: {}\n", cell.name, error);
            failures.push_back(cell.name + ": " + error);
        }
    });
    runs.run(left, interrupts.signal());
    write_reports(plan);
    if (const int signal = interrupts.signal().load(); signal != 0 && done < plan.cells.size()) {
        fmt::print(stderr, "stopped with {} of {} runs done; the same command goes on from there\n", done,
                   plan.cells.size());
        return 128 + signal;
    }
    if (!failures.empty())
        throw MachineError(
            fmt::format("{} of {} runs failed; the same command goes on with them; the first: {}",
                        failures.size(), plan.cells.size(), failures.front()));
    if (flags.json)
        print_json(bench::ablation_json(bench::read_ablation(plan.folder)));
    else
        print(bench::ablation_markdown(bench::read_ablation(plan.folder)));
    return kDone;
}

}  // namespace

void add_ablate(CLI::App& train, int& exit_code) {
    auto flags = std::make_shared<AblateFlags>();
    CLI::App* command = train.add_subcommand(
        "ablate", "runs of train grpo over a grid of settings, and their table (docs/training.md)");
    command->add_option("grid", flags->configuration, "TOML file")->required();
    command->add_option("--set", flags->changes, "a field in place of the file's: ablation.window=20")
        ->type_name("TABLE.FIELD=VALUE")
        ->allow_extra_args(false);
    command->add_flag("--json", flags->json, kJsonHelp);
    command->add_flag("--unsafe-no-sandbox", flags->unsafe_no_sandbox,
                      "trace answers without a sandbox: they may do whatever this user may");
    command->callback([flags, &exit_code] { exit_code = train_ablate(*flags); });
}

}  // namespace tritonsmith::cli
