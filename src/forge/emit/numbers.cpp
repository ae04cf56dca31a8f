#include "forge/emit/numbers.h"

namespace tritonsmith::forge {
namespace {
constexpr char kBegin = '\x01', kEnd = '\x02';
}

std::string Numbers::open(int64_t value) {
    values_.push_back(value);
    return kBegin + std::to_string(values_.size() - 1) + kEnd;
}

std::string replace_marks(const std::string& text, const std::function<std::string(int)>& with) {
    std::string out;
    for (size_t at = 0; at < text.size(); ++at) {
        if (text[at] != kBegin) {
            out += text[at];
            continue;
        }
        const size_t end = text.find(kEnd, at);
        out += with(std::stoi(text.substr(at + 1, end - at - 1)));
        at = end;
    }
    return out;
}

std::vector<int> marks_in(const std::string& text) {
    std::vector<int> out;
    replace_marks(text, [&](int mark) {
        out.push_back(mark);
        return std::string();
    });
    return out;
}

}  // namespace tritonsmith::forge
