#include "base/excerpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "base/text.h"

namespace tritonsmith {

constexpr size_t kLongestLine = 400;

std::string excerpt(const std::string& source, int line) {
    std::vector<std::string> lines;
    std::istringstream stream(source);
    for (std::string text; std::getline(stream, text);) lines.push_back(text);
    const int count = static_cast<int>(lines.size());
    if (line < 1 || line > count) return "";
    std::string text;
    for (int n = std::max(1, line - 1); n <= std::min(count, line + 1); n++)
        text += fmt::format("  {} {:4} | {}\n", n == line ? ">" : " ", n,
                            printable(lines[static_cast<size_t>(n - 1)], kLongestLine));
    return text;
}

}  // namespace tritonsmith
