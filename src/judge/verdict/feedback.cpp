#include "judge/verdict/feedback.h"

#include <fmt/format.h>

#include "base/reasons.h"
#include "base/text.h"

namespace tritonsmith::judge {
namespace {

constexpr size_t kLongestMessage = 400, kLongestLine = 160;

std::string line_of(const std::string& source, int line) {
    size_t begin = 0;
    for (int i = 1; i < line; ++i) {
        begin = source.find('\n', begin);
        if (begin == std::string::npos) return "";
        ++begin;
    }
    std::string text = source.substr(begin, source.find('\n', begin) - begin);
    const size_t first = text.find_first_not_of(" \t");
    return first == std::string::npos ? "" : text.substr(first);
}

}  // namespace

Json feedback(const Verdict& verdict, const std::string& source) {
    if (verdict.accepted()) return nullptr;
    const std::string_view fix = fix_of(verdict.reason);
    const std::string message = shortened(verdict.message, kLongestMessage);
    const std::string code = verdict.line > 0 ? printable(line_of(source, verdict.line), kLongestLine) : "";
    const std::string where = verdict.line > 0 ? fmt::format(" In line {}: {}", verdict.line, code) : "";
    std::string compact = message;
    for (char& c : compact)
        if (c == '\n') c = ' ';
    const std::string at = verdict.line > 0 ? fmt::format(" line {} `{}`", verdict.line, code) : "";
    return {{"person", fmt::format("{}: {}.{}\n{}", verdict.reason, message, where, fix)},
            {"model", fmt::format("[{}]{} {} FIX: {}", verdict.reason, at, compact, fix)}};
}

}  // namespace tritonsmith::judge
