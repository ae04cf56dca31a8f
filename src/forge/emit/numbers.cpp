#include "forge/emit/numbers.h"

#include <cmath>
#include <string_view>

namespace tritonsmith::forge {
namespace {
constexpr char kBegin = '\x01', kEnd = '\x02';
}

std::string Numbers::open(int64_t value, const std::string& name) {
    if (!name.empty()) names_[static_cast<int>(values_.size())] = name;
    values_.push_back(value);
    return mark_text(static_cast<int>(values_.size()) - 1);
}

std::string mark_text(int mark) {
    return kBegin + std::to_string(mark) + kEnd;
}

std::string Numbers::open(const Real& real) {
    reals_[static_cast<int>(values_.size())] = real;
    std::string out = open(real.square);
    open(real.square);
    return out;
}

std::string Numbers::open_real(double value, const std::string& literal) {
    Real real{value, literal, 0, value < 1};
    const double square = real.reciprocal ? 1 / (value * value) : value * value, whole = std::round(square);
    if (value > 0 && whole >= 2 && whole <= 0x1p20 && std::abs(square - whole) <= 1e-7 * whole)
        real.square = static_cast<int64_t>(whole);
    return real.square == 0 && !arguments ? literal : open(real);
}

std::string Numbers::open_again(const Numbers& from, int mark) {
    const auto real = from.reals_.find(mark);
    if (real != from.reals_.end()) return open(real->second);
    const auto name = from.names_.find(mark);
    return open(from.values_[static_cast<size_t>(mark)], name == from.names_.end() ? "" : name->second);
}

namespace {

/// Calls back for each mark: its number, where it begins and where it ends (behind it).
void each_mark(const std::string& text, const auto& found) {
    for (size_t at = text.find(kBegin); at != std::string::npos; at = text.find(kBegin, at)) {
        int mark = 0;
        const size_t begin = at++;
        for (; text[at] != kEnd; ++at) mark = 10 * mark + (text[at] - '0');
        found(mark, begin, ++at);
    }
}

}  // namespace

std::string replace_marks(const std::string& text, const std::function<std::string(int, bool)>& with) {
    if (!has_marks(text)) return text;
    std::string out;
    out.reserve(text.size() + text.size() / 2);
    size_t done = 0;
    each_mark(text, [&](int mark, size_t begin, size_t end) {
        const char after = end < text.size() ? text[end] : ')';
        const char last = begin == 0 ? '(' : text[begin - 1];
        const bool before = last == '(' || last == '[' ||
                            (last == ' ' && begin > 1 &&
                             (text[begin - 2] == ',' || text[begin - 2] == '<' || text[begin - 2] == '='));
        out.append(text, done, begin - done);
        out += with(mark, before && (after == ')' || after == ',' || after == ']' || after == '\n'));
        done = end;
    });
    return out.append(text, done);
}

bool has_marks(const std::string& text) {
    return text.find(kBegin) != std::string::npos;
}

std::vector<int> marks_in(const std::string& text) {
    std::vector<int> out;
    each_mark(text, [&](int mark, size_t, size_t) { out.push_back(mark); });
    return out;
}

}  // namespace tritonsmith::forge
