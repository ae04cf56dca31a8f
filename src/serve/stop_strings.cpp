#include "serve/stop_strings.h"

#include <algorithm>

namespace tritonsmith::serve {

std::string StopStrings::feed(std::string_view text) {
    if (hit_) return "";
    if (strings_.empty()) return std::string(text);
    held_ += text;
    size_t first = std::string::npos;
    for (const std::string& one : strings_) first = std::min(first, held_.find(one));
    size_t keep = 0;
    if (first != std::string::npos) {
        hit_ = true;
    } else {
        for (const std::string& one : strings_)
            for (size_t n = std::min(one.size() - 1, held_.size()); n > keep; --n)
                if (held_.compare(held_.size() - n, n, one, 0, n) == 0) keep = n;
        first = held_.size() - keep;
    }
    std::string out = held_.substr(0, first);
    held_.erase(0, hit_ ? std::string::npos : first);
    return out;
}

std::string StopStrings::finish() {
    return std::move(held_);
}

}  // namespace tritonsmith::serve
