#include "judge/feedback.h"

#include <fmt/format.h>

#include "base/mends.h"

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
    return first == std::string::npos ? "" : text.substr(first, kLongestLine);
}

/// At most `most` bytes, cut between characters.
std::string shortened(std::string text, size_t most) {
    if (text.size() <= most) return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
    return text.substr(0, most) + " ...";
}

}  // namespace

Json feedback(const Verdict& verdict, const std::string& source) {
    if (verdict.accepted()) return nullptr;
    const std::string message = shortened(verdict.message, kLongestMessage);
    const std::string code = verdict.line > 0 ? shortened(line_of(source, verdict.line), kLongestLine) : "";
    const std::string where = verdict.line > 0 ? fmt::format(" In line {}: {}", verdict.line, code) : "";
    std::string compact = message;
    for (char& c : compact)
        if (c == '\n') c = ' ';
    const std::string at = verdict.line > 0 ? fmt::format(" line {} `{}`", verdict.line, code) : "";
    return {{"person", fmt::format("{}: {}.{}\n{}", verdict.reason, message, where, mend(verdict.reason))},
            {"model", fmt::format("[{}]{} {} FIX: {}", verdict.reason, at, compact, mend(verdict.reason))}};
}

}  // namespace tritonsmith::judge
