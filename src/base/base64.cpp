#include "base/base64.h"

#include <array>

namespace tritonsmith {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<int8_t, 256> make_values() {
    std::array<int8_t, 256> values{};
    for (auto& value : values) value = -1;
    for (size_t i = 0; i < kDigits.size(); ++i)
        values[static_cast<uint8_t>(kDigits[i])] = static_cast<int8_t>(i);
    return values;
}
constexpr std::array<int8_t, 256> kValues = make_values();

}  // namespace

std::string base64_encode(const void* data, size_t bytes) {
    const auto* in = static_cast<const uint8_t*>(data);
    std::string out;
    out.reserve((bytes + 2) / 3 * 4);
    for (size_t i = 0; i < bytes; i += 3) {
        size_t left = bytes - i;
        uint32_t group = uint32_t{in[i]} << 16;
        if (left > 1) group |= uint32_t{in[i + 1]} << 8;
        if (left > 2) group |= in[i + 2];
        out += kDigits[group >> 18];
        out += kDigits[group >> 12 & 63];
        out += left > 1 ? kDigits[group >> 6 & 63] : '=';
        out += left > 2 ? kDigits[group & 63] : '=';
    }
    return out;
}

std::optional<std::vector<uint8_t>> base64_decode(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    size_t padding = 0;
    while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
    std::vector<uint8_t> out;
    out.reserve(text.size() / 4 * 3);
    for (size_t i = 0; i < text.size(); i += 4) {
        size_t digits = i + 4 == text.size() ? 4 - padding : 4;
        uint32_t group = 0;
        for (size_t j = 0; j < 4; ++j) {
            int value = j < digits ? kValues[static_cast<uint8_t>(text[i + j])] : 0;
            if (value < 0) return std::nullopt;
            group = group << 6 | static_cast<uint32_t>(value);
        }
        out.push_back(static_cast<uint8_t>(group >> 16));
        if (digits > 2) out.push_back(static_cast<uint8_t>(group >> 8));
        if (digits > 3) out.push_back(static_cast<uint8_t>(group));
        // Canonical: the bits that the padding leaves over are zero.
        uint32_t rest = digits == 2 ? group & 0xFFFF : digits == 3 ? group & 0xFF : 0;
        if (rest != 0) return std::nullopt;
    }
    return out;
}

}  // namespace tritonsmith
