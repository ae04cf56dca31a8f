#include "forge/emit/numbers.h"

#include <string_view>

namespace tritonsmith::forge {
namespace {
constexpr char kBegin = '\x01', kEnd = '\x02';
}

std::string Numbers::open(int64_t value) {
    values_.push_back(value);
    return mark_text(static_cast<int>(values_.size()) - 1);
}

std::string mark_text(int mark) {
    return kBegin + std::to_string(mark) + kEnd;
}

std::string Numbers::open_root(int64_t square, bool reciprocal, const std::string& literal) {
    roots_[static_cast<int>(values_.size())] = {reciprocal, literal};
    std::string out = open(square);
    open(square);
    return out;
}

std::string Numbers::open_again(const Numbers& from, int mark) {
    const int64_t value = from.values_[static_cast<size_t>(mark)];
    const auto root = from.roots_.find(mark);
    return root == from.roots_.end() ? open(value) : open_root(value, root->second.reciprocal, root->second.literal);
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
        for (const char* opening : {"(", "[", ", ", "< ", "= "}) before |= std::string_view(text).substr(0, at).ends_with(opening);
        out += with(std::stoi(text.substr(at + 1, end - at - 1)), before && (after == ')' || after == ',' || after == ']' || after == '\n'));
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
