#include "forge/emit/code.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <cstring>
#include <map>
#include <string_view>

namespace tritonsmith::forge {

Code call(const std::string& function, const std::vector<std::string>& arguments) {
    return {fmt::format("{}({})", function, fmt::join(arguments, ", "))};
}

Code binary(const Code& a, const std::string& op, const Code& b) {
    auto binding_of = [&] {
        switch (op[0]) {
            case '+':
            case '-':
                return Binding::sum;
            case '*':
            case '/':
            case '%':
                return Binding::product;
            case '&':
                return Binding::both;
            case '^':
            case '|':
                return Binding::either;
            case '<':
            case '>':
                return op.size() == 2 && op[1] == op[0] ? Binding::shift : Binding::compare;
            default:  // == !=
                return Binding::compare;
        }
    };
    const Binding binding = binding_of();
    const bool compare = binding == Binding::compare;  // chains, so both sides bind more tightly
    const auto tighter = static_cast<Binding>(static_cast<int>(binding) + 1);
    return {a.in(compare ? tighter : binding) + " " + op + " " + b.in(tighter), binding};
}

std::string renamed(const std::string& text, const std::map<std::string, std::string>& names) {
    if (names.empty()) return text;
    std::string out, word;
    out.reserve(text.size());
    for (size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && word_char(text[i])) {
            word += text[i];
            continue;
        }
        const auto found = word.empty() || out.ends_with('.') ? names.end() : names.find(word);
        out += found == names.end() ? word : found->second;
        word.clear();
        if (i < text.size()) out += text[i];
    }
    return out;
}

void Lines::append(const Lines& other) {
    for (const std::string& line : other.lines_) add(line);
}

std::string Lines::text() const {
    std::string out;
    size_t size = 0;
    for (const std::string& line : lines_) size += line.size() + 1;
    out.reserve(size);
    for (const std::string& line : lines_) (out += line) += '\n';
    return out;
}

namespace {

/// A logical line and where it may be broken. Never within square brackets: `row[:, None]` is one thing.
class LongLine {
  public:
    explicit LongLine(std::string text);
    std::string wrapped(size_t width);

  private:
    struct Bracket {
        size_t open = 0;
        size_t column = 0;  ///< of what follows it, once it has been laid out
    };
    struct Break {
        size_t at = 0;  ///< of the space
        size_t bracket = 0;
        int depth = 0;
        bool comma = false, hanging = false;
    };
    bool is_operator(size_t at) const;

    std::string text_;
    size_t base_;
    std::vector<Bracket> brackets_;
    std::vector<Break> breaks_;
};

LongLine::LongLine(std::string text)
    : text_(std::move(text)), base_(std::min(text_.find_first_not_of(' '), text_.size())) {
    std::vector<size_t> open;
    char quote = 0;
    int squares = 0;
    brackets_.reserve(16);
    breaks_.reserve(32);
    for (size_t i = base_; i < text_.size(); ++i) {
        const char c = text_[i];
        if (quote) {
            if (c == quote) quote = 0;
            continue;
        }
        if (c == '"' || c == '\'') quote = c;
        if (c == '(' || c == '[' || c == '{') {
            open.push_back(brackets_.size());
            brackets_.push_back({i, 0});
            squares += c == '[';
            // A call whose arguments would start far to the right has them on the next line.
            if (c == '(' && open.size() == 1 && i > 50 && i + 1 < text_.size())
                breaks_.push_back({i, open.back(), 0, true, true});
        }
        if ((c == ')' || c == ']' || c == '}') && !open.empty()) {
            squares -= text_[brackets_[open.back()].open] == '[';
            open.pop_back();
        }
        if (open.empty() || c != ' ' || squares > 0) continue;
        const bool comma = text_[i - 1] == ',';
        if (comma || is_operator(i + 1))
            breaks_.push_back({i, open.back(), static_cast<int>(open.size()), comma, false});
    }
}

bool LongLine::is_operator(size_t at) const {
    if (at >= text_.size() || std::strchr("+-*/%&|", text_[at]) == nullptr || text_[at] == 0) return false;
    if (text_[at] == '/' && at + 1 < text_.size() && text_[at + 1] == '/') ++at;
    return at + 1 < text_.size() && text_[at + 1] == ' ';
}

std::string LongLine::wrapped(size_t width) {
    std::string out;
    size_t pos = 0, indent = 0;
    while (indent + text_.size() - pos > width) {
        for (Bracket& bracket : brackets_)
            if (bracket.open >= pos) bracket.column = indent + bracket.open + 1 - pos;
        const Break* chosen = nullptr;
        int best = 0;
        for (const Break& place : breaks_) {
            if (place.at <= pos || indent + place.at - pos > width) continue;
            const size_t column = indent + place.at - pos;
            const int score =
                place.hanging ? 1000 : static_cast<int>(column) - 30 * place.depth - (place.comma ? 0 : 15);
            if (!place.hanging && brackets_[place.bracket].column + 4 > column) continue;
            if (!chosen || score >= best) {
                chosen = &place;
                best = score;
            }
        }
        if (!chosen) break;
        const size_t end = chosen->hanging ? chosen->at + 1 : chosen->at;
        out.append(text_, pos, end - pos) += '\n';
        pos = chosen->at + 1;
        indent = chosen->hanging ? base_ + 4 : brackets_[chosen->bracket].column;
        out.append(indent, ' ');
        if (chosen->hanging) {
            brackets_[chosen->bracket].column = indent;
            std::erase_if(breaks_, [](const Break& place) { return place.hanging; });
        }
    }
    return out.append(text_, pos);
}

}  // namespace

std::string wrap_lines(const std::string& text, size_t width) {
    std::string out;
    out.reserve(text.size() + text.size() / 8);
    bool docstring = false;
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = std::string_view(text).substr(begin, end - begin);
        begin = end + 1;
        size_t quotes = 0;
        for (size_t at = line.find("\"\"\""); at != std::string::npos; at = line.find("\"\"\"", at + 3))
            ++quotes;
        const bool prose = docstring || quotes > 0 || line.find('#') != std::string::npos;
        if (quotes % 2 == 1) docstring = !docstring;
        if (prose || line.size() <= width)
            out += line;
        else
            out += LongLine(std::string(line)).wrapped(width);
        out += '\n';
    }
    return out;
}

}  // namespace tritonsmith::forge
