#include "lint/lint.h"

#include <algorithm>
#include <tuple>

#include "lint/facts.h"
#include "lint/normal_form.h"
#include "lint/rules.h"
#include "lint/syntax.h"

namespace tritonsmith::lint {

Report lint(std::string_view source, const Options& options) {
    Report report;
    Tree tree(source);
    if (!tree.ok()) {
        report.parses = false;
        report.diagnostics.push_back(
            {"syntax_error", "the text could not be parsed within two seconds of processor time", 1, 1});
        return report;
    }
    Facts facts = gather(tree);
    check_syntax(tree, facts, report);
    size_t errors = report.diagnostics.size();
    apply_rules(facts, report);
    // A tree full of guesses says where it broke, and no more.
    if (!report.parses) report.diagnostics.resize(errors);
    report.functional = report.parses && report.is_triton && report.diagnostics.size() == errors;
    report.syntax = report.parses && report.is_triton;
    if (report.parses && !report.is_triton)
        report.diagnostics.push_back({"no_triton_kernel", "no function is decorated with triton.jit", 1, 1});
    std::stable_sort(report.diagnostics.begin(), report.diagnostics.end(),
                     [](const Diagnostic& a, const Diagnostic& b) {
                         return std::tie(a.line, a.column) < std::tie(b.line, b.column);
                     });
    if (options.normal_form) report.normal_form = normal_form(tree);
    return report;
}

}  // namespace tritonsmith::lint
