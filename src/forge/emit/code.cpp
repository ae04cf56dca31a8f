#include "forge/emit/code.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <sstream>

namespace tritonsmith::forge {

Code call(const std::string& function, const std::vector<std::string>& arguments) {
    return {fmt::format("{}({})", function, fmt::join(arguments, ", "))};
}

Code binary(const Code& a, const std::string& op, const Code& b) {
    static const std::map<std::string, Binding> bindings = {
        {"+", Binding::sum},      {"-", Binding::sum},      {"*", Binding::product}, {"/", Binding::product},
        {"//", Binding::product}, {"%", Binding::product},  {"<<", Binding::shift},  {">>", Binding::shift},
        {"&", Binding::both},     {"^", Binding::either},   {"|", Binding::either},  {"<", Binding::compare},
        {"<=", Binding::compare}, {">", Binding::compare},  {">=", Binding::compare}, {"==", Binding::compare},
        {"!=", Binding::compare}};
    const Binding binding = bindings.at(op);
    const bool compare = binding == Binding::compare;  // chains, so both sides bind more tightly
    const auto tighter = static_cast<Binding>(static_cast<int>(binding) + 1);
    return {a.in(compare ? tighter : binding) + " " + op + " " + b.in(tighter), binding};
}

void Lines::append(const Lines& other) {
    for (const std::string& line : other.lines_) add(line);
}

std::string Lines::text() const {
    std::string out;
    for (const std::string& line : lines_) out += line + "\n";
    return out;
}

namespace {

struct Break {
    size_t at;      ///< the rest starts here
    size_t indent;  ///< of the rest
    bool outermost;
};

/// Where a line may be broken before `width`: the last place in the outermost bracket that has one.
std::vector<Break> breaks(const std::string& line, size_t width) {
    std::vector<size_t> open;
    std::vector<Break> out;
    char quote = 0;
    for (size_t i = 0; i < line.size() && i < width; ++i) {
        const char c = line[i];
        if (quote) {
            if (c == quote) quote = 0;
            continue;
        }
        if (c == '"' || c == '\'') quote = c;
        if (c == '#') break;
        if (c == '(' || c == '[' || c == '{') open.push_back(i + 1);
        if ((c == ')' || c == ']' || c == '}') && !open.empty()) open.pop_back();
        if (open.empty() || c != ' ' || i == 0) continue;
        const bool comma = line[i - 1] == ',';
        const bool op = i + 2 < line.size() && std::string("+-*/%&|<>=").find(line[i + 1]) != std::string::npos;
        if (comma || op) out.push_back({i + 1, open.back(), open.size() == 1});
    }
    return out;
}

}  // namespace

std::string wrap_lines(const std::string& text, size_t width) {
    std::istringstream in(text);
    std::string out, line;
    bool docstring = false;
    while (std::getline(in, line)) {
        size_t quotes = 0;
        for (size_t at = line.find("\"\"\""); at != std::string::npos; at = line.find("\"\"\"", at + 3)) ++quotes;
        const bool prose = docstring || quotes > 0;
        if (quotes % 2 == 1) docstring = !docstring;
        while (!prose && line.size() > width) {
            const std::vector<Break> places = breaks(line, width);
            if (places.empty()) break;
            const Break* chosen = &places.back();
            for (const Break& place : places)  // the outermost bracket's last one, unless that leaves little
                if (place.outermost && place.at > width / 2) chosen = &place;
            std::string head = line.substr(0, chosen->at);
            while (!head.empty() && head.back() == ' ') head.pop_back();
            if (chosen->at <= chosen->indent) break;
            out += head + "\n";
            line = std::string(chosen->indent, ' ') + line.substr(chosen->at);
        }
        out += line + "\n";
    }
    return out;
}

}  // namespace tritonsmith::forge
