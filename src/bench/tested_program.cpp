#include "bench/tested_program.h"

#include <algorithm>
#include <utility>

namespace tritonsmith::bench {
namespace {

constexpr size_t kLeastRule = 100;

/// Where the line begins, and where the next one does.
std::pair<size_t, size_t> find_rule(std::string_view text) {
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        std::string_view line = text.substr(begin, end - begin);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.size() >= kLeastRule && line.find_first_not_of('#') == std::string_view::npos)
            return {begin, std::min(end + 1, text.size())};
        begin = end + 1;
    }
    return {text.size(), text.size()};
}

}  // namespace

std::optional<TestedProgram> split_program(std::string_view text) {
    const auto [begin, end] = find_rule(text);
    const std::string_view tests = text.substr(end);
    if (tests.find_first_not_of(" \t\r\n") == std::string_view::npos) return std::nullopt;
    return TestedProgram{std::string(text.substr(0, begin)), std::string(tests)};
}

std::string without_tests(std::string_view answer) {
    return std::string(answer.substr(0, find_rule(answer).first));
}

}  // namespace tritonsmith::bench
