#include "base/text.h"

#include <algorithm>
#include <cstdint>

namespace tritonsmith {
namespace {

bool continues(std::string_view text, size_t at) {
    return at < text.size() && (static_cast<uint8_t>(text[at]) & 0xC0) == 0x80;
}

}  // namespace

size_t utf8_length(std::string_view text, size_t at) {
    auto byte = [&](size_t k) { return k < text.size() ? static_cast<uint8_t>(text[k]) : uint8_t{0}; };
    const uint8_t first = byte(at), second = byte(at + 1);
    if (first < 0x80) return at < text.size() ? 1 : 0;
    if (first >= 0xC2 && first <= 0xDF) return continues(text, at + 1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const uint8_t low = first == 0xE0 ? 0xA0 : 0x80, high = first == 0xED ? 0x9F : 0xBF;
        return second >= low && second <= high && continues(text, at + 2) ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const uint8_t low = first == 0xF0 ? 0x90 : 0x80, high = first == 0xF4 ? 0x8F : 0xBF;
        return second >= low && second <= high && continues(text, at + 2) && continues(text, at + 3) ? 4 : 0;
    }
    return 0;
}

bool is_utf8(std::string_view text) {
    for (size_t i = 0; i < text.size();) {
        const size_t length = utf8_length(text, i);
        if (length == 0) return false;
        i += length;
    }
    return true;
}

std::string_view cut(std::string_view text, size_t most) {
    if (text.size() <= most) return text;
    size_t end = most;
    for (int back = 0; back < 3 && end > 0 && continues(text, end); ++back) --end;
    return text.substr(0, end);
}

std::string shortened(std::string_view text, size_t most) {
    const std::string_view kept = cut(text, most);
    return std::string(kept) + (kept.size() < text.size() ? " ..." : "");
}

std::string printable(std::string_view text, size_t most) {
    const std::string_view kept = cut(text, most);
    std::string result;
    result.reserve(kept.size());
    for (size_t i = 0; i < kept.size();) {
        const size_t length = utf8_length(kept, i);
        const auto first = static_cast<uint8_t>(kept[i]);
        const auto second = static_cast<uint8_t>(length > 1 ? kept[i + 1] : 0);
        const auto third = static_cast<uint8_t>(length > 2 ? kept[i + 2] : 0);
        bool bad = length == 0 || (first < 0x20 && first != '\n' && first != '\t') || first == 0x7f;
        bad |= first == 0xc2 && second < 0xa0;  // U+0080 to U+009F are controls too
        // U+202A..E and U+2066..9
        bad |= first == 0xe2 && ((second == 0x80 && third >= 0xaa && third <= 0xae) ||
                                 (second == 0x81 && third >= 0xa6 && third <= 0xa9));
        const size_t step = std::max<size_t>(length, 1);
        result += bad ? "?" : kept.substr(i, step);
        i += step;
    }
    return result + (kept.size() < text.size() ? " ..." : "");
}

}  // namespace tritonsmith
