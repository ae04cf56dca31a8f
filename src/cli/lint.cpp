#include "lint/lint.h"

#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "task/task.h"

namespace tritonsmith::cli {

namespace {

struct LintOptions {
    std::string file;
    bool json = false, normal_form = false;
};

int run_lint(const LintOptions& flags) {
    const std::string source = task::load_candidate(flags.file);
    const lint::Report report = lint::lint(source, {flags.normal_form});
    Json diagnostics = Json::array();
    for (const lint::Diagnostic& d : report.diagnostics) {
        diagnostics.push_back(
            {{"rule", d.rule}, {"message", d.message}, {"line", d.line}, {"column", d.column}});
        if (!flags.json)
            print(fmt::format("{}:{}:{}: {} [{}]\n", flags.file, d.line, d.column, d.message, d.rule));
    }
    if (flags.json) {
        Json out = {{"parses", report.parses},   {"is_triton", report.is_triton},
                    {"syntax", report.syntax},   {"functional", report.functional},
                    {"kernels", report.kernels}, {"diagnostics", diagnostics}};
        if (flags.normal_form) out["normal_form"] = report.normal_form;
        print_json(out);
    } else if (flags.normal_form) {
        print(report.normal_form + "\n");
    }
    return report.syntax && report.functional ? kDone : kRejected;
}

}  // namespace

void add_lint(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<LintOptions>();
    CLI::App* command = app.add_subcommand("lint", "rules over a candidate's text (docs/lint.md)");
    command->add_option("file", options->file, "Python file")->required();
    command->add_flag("--json", options->json, kJsonHelp);
    command->add_flag("--normal-form", options->normal_form,
                      "print the text with names and constants abstracted");
    command->callback([options, &exit_code] { exit_code = run_lint(*options); });
}

}  // namespace tritonsmith::cli
