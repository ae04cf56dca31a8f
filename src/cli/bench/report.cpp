#include "bench/report/report.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/json.h"
#include "base/process/files.h"
#include "bench/training/ablation_report.h"
#include "bench/training/training_report.h"
#include "cli/command.h"

namespace tritonsmith::cli {
namespace {

struct ReportFlags {
    std::string run, output = "report.html";
};

std::string text_of(const bench::TrainingRun& run, const std::string& ending) {
    return ending == ".html"  ? bench::training_html(run)
           : ending == ".md"  ? bench::training_markdown(run)
           : ending == ".svg" ? bench::training_figure(run)
                              : dump(bench::training_json(run), 1) + "\n";
}

std::string text_of(const bench::Ablation& ablation, const std::string& ending) {
    return ending == ".html"  ? bench::ablation_html(ablation)
           : ending == ".md"  ? bench::ablation_markdown(ablation)
           : ending == ".svg" ? bench::ablation_figure(ablation)
                              : dump(bench::ablation_json(ablation), 1) + "\n";
}

std::string text_of(const bench::RunData& run, const std::string& folder, const std::string& ending) {
    return ending == ".html"  ? bench::report_html(run, folder)
           : ending == ".md"  ? bench::report_markdown(run)
           : ending == ".svg" ? bench::report_figure(run)
                              : dump(bench::report_json(run), 1) + "\n";
}

int write_report(const ReportFlags& flags) {
    const std::string ending =
        flags.output == "-" ? ".md" : std::filesystem::path(flags.output).extension().string();
    if (ending != ".html" && ending != ".md" && ending != ".json" && ending != ".svg")
        throw InputError("-o " + flags.output +
                         ": name a file that ends in .html, .md, .json or .svg, or - for Markdown on stdout");
    const std::string text = bench::is_ablation(flags.run) ? text_of(bench::read_ablation(flags.run), ending)
                             : bench::is_training_run(flags.run)
                                 ? text_of(bench::read_training_run(flags.run), ending)
                                 : text_of(bench::read_run(flags.run), flags.run, ending);
    if (flags.output == "-")
        print(text);
    else
        write_file(flags.output, text);
    return kDone;
}

}  // namespace

void add_report_itself(CLI::App& app, int& exit_code) {
    auto flags = std::make_shared<ReportFlags>();
    CLI::App* command = app.add_subcommand("report", report_help);
    command->add_option("run", flags->run, "folder of a run of bench or train, or of train ablate")
        ->required();
    command
        ->add_option("-o,--output", flags->output,
                     "report.html, report.md, report.json or report.svg (a figure); -: Markdown on stdout")
        ->capture_default_str();
    command->callback([flags, &exit_code] { exit_code = write_report(*flags); });
}

}  // namespace tritonsmith::cli
