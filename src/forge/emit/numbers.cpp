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

std::string replace_marks(const std::string& text, const std::function<std::string(int, bool)>& with) {
    std::string out;
    for (size_t at = 0; at < text.size(); ++at) {
        if (text[at] != kBegin) {
            out += text[at];
            continue;
        }
        const size_t end = text.find(kEnd, at);
        const char after = end + 1 < text.size() ? text[end + 1] : ')';
        bool before = at == 0;
        for (const char* opening : {"(", "[", ", ", "< ", "= "})
            before |= std::string_view(text).substr(0, at).ends_with(opening);
        out += with(std::stoi(text.substr(at + 1, end - at - 1)),
                    before && (after == ')' || after == ',' || after == ']' || after == '\n'));
        at = end;
    }
    return out;
}

std::vector<int> marks_in(const std::string& text) {
    std::vector<int> out;
    replace_marks(text, [&](int mark, bool) {
        out.push_back(mark);
        return std::string();
    });
    return out;
}

}  // namespace tritonsmith::forge
