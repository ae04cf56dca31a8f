#include "judge/stages/lint_candidate.h"

#include <fmt/format.h>

#include "base/text.h"
#include "lint/lint.h"
#include "task/text_file.h"

namespace tritonsmith::judge {

namespace {

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

}  // namespace

std::optional<Finding> lint_candidate(const std::string& candidate) {
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

}  // namespace tritonsmith::judge
