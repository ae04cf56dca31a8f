#include "text/unicode.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstring>

namespace tritonsmith::text {
namespace {

/// Bounds of the byte after the first: narrower where the character would be overlong, a surrogate or too
/// large.
struct Lead {
    int length;
    unsigned char low, high;
};

Lead lead(unsigned char byte) {
    if (byte >= 0xC2 && byte <= 0xDF) return {2, 0x80, 0xBF};
    if (byte == 0xE0) return {3, 0xA0, 0xBF};
    if (byte == 0xED) return {3, 0x80, 0x9F};
    if (byte >= 0xE1 && byte <= 0xEF) return {3, 0x80, 0xBF};
    if (byte == 0xF0) return {4, 0x90, 0xBF};
    if (byte >= 0xF1 && byte <= 0xF3) return {4, 0x80, 0xBF};
    if (byte == 0xF4) return {4, 0x80, 0x8F};
    return {1, 0, 0};
}

}  // namespace

Utf8Step utf8_step(std::string_view bytes) {
    const auto at = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const unsigned char first = at(0);
    if (first < 0x80) return {Utf8Step::character, 1, first};
    const Lead of = lead(first);
    if (of.length == 1) return {Utf8Step::invalid, 1, 0};
    char32_t value = first & (0x7F >> of.length);
    for (int i = 1; i < of.length; ++i) {
        if (static_cast<size_t>(i) == bytes.size()) return {Utf8Step::incomplete, i, 0};
        const unsigned char low = i == 1 ? of.low : 0x80, high = i == 1 ? of.high : 0xBF;
        if (at(i) < low || at(i) > high) return {Utf8Step::invalid, i, 0};
        value = value << 6 | (at(i) & 0x3F);
    }
    return {Utf8Step::character, of.length, value};
}

bool is_ascii(std::string_view bytes) {
    uint64_t seen = 0;
    size_t i = 0;
    for (uint64_t word; i + sizeof word <= bytes.size(); i += sizeof word) {
        std::memcpy(&word, bytes.data() + i, sizeof word);
        seen |= word;
    }
    for (; i < bytes.size(); ++i) seen |= static_cast<unsigned char>(bytes[i]) & 0x80;
    return (seen & 0x8080808080808080u) == 0;
}

void append_utf8(char32_t c, std::string& out) {
    const auto put = [&](char32_t byte) { out += static_cast<char>(byte); };
    if (c < 0x80) return put(c);
    if (c < 0x800) {
        put(0xC0 | c >> 6);
    } else {
        if (c < 0x10000) {
            put(0xE0 | c >> 12);
        } else {
            put(0xF0 | c >> 18);
            put(0x80 | (c >> 12 & 0x3F));
        }
        put(0x80 | (c >> 6 & 0x3F));
    }
    put(0x80 | (c & 0x3F));
}

std::string_view utf8_lossy(std::string_view bytes, std::string& buffer) {
    constexpr std::string_view replacement = "\xEF\xBF\xBD";
    bool changed = false;
    size_t kept = 0;  // what lies before is in the buffer already
    for (size_t i = 0; i < bytes.size();) {
        if (static_cast<unsigned char>(bytes[i]) < 0x80) {
            ++i;
            continue;
        }
        const Utf8Step step = utf8_step(bytes.substr(i));
        if (step.kind != Utf8Step::character) {
            if (!changed) buffer.clear();
            changed = true;
            buffer.append(bytes, kept, i - kept).append(replacement);
            kept = i + step.length;
        }
        i += step.length;
    }
    if (!changed) return bytes;
    buffer.append(bytes, kept);
    return buffer;
}

int unfinished_bytes(std::string_view bytes) {
    const int most = static_cast<int>(std::min<size_t>(3, bytes.size()));
    for (int n = 1; n <= most; ++n) {
        const auto byte = static_cast<unsigned char>(bytes[bytes.size() - n]);
        if ((byte & 0xC0) == 0x80) continue;
        const Utf8Step step = utf8_step(bytes.substr(bytes.size() - n));
        return step.kind == Utf8Step::incomplete && step.length == n ? n : 0;
    }
    return 0;
}

bool is_space(char32_t c) {
    if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r');
    return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
           c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool is_word(char32_t c) {
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
        case UTF8PROC_CATEGORY_LU:
        case UTF8PROC_CATEGORY_LL:
        case UTF8PROC_CATEGORY_LT:
        case UTF8PROC_CATEGORY_LM:
        case UTF8PROC_CATEGORY_LO:
        case UTF8PROC_CATEGORY_MN:
        case UTF8PROC_CATEGORY_MC:
        case UTF8PROC_CATEGORY_ME:
        case UTF8PROC_CATEGORY_ND:
        case UTF8PROC_CATEGORY_NL:
        case UTF8PROC_CATEGORY_PC:
            return true;
        default:
            break;
    }
    // Other_Alphabetic outside of the marks (letters in circles and squares), and Join_Control.
    return (c >= 0x24B6 && c <= 0x24E9) || (c >= 0x1F130 && c <= 0x1F149) || (c >= 0x1F150 && c <= 0x1F169) ||
           (c >= 0x1F170 && c <= 0x1F189) || c == 0x200C || c == 0x200D;
}

}  // namespace tritonsmith::text
