#include "text/tokenizer/byte_alphabet.h"

#include <array>

#include "text/unicode.h"

namespace tritonsmith::text {
namespace {

constexpr int alphabet_end = 0x144;

struct Alphabet {
    std::array<std::string, 256> characters;
    std::array<short, alphabet_end> bytes;  // of each character; -1: none

    Alphabet() {
        bytes.fill(-1);
        char32_t next = 0x100;
        for (int byte = 0; byte < 256; ++byte) {
            const bool itself =
                (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
            const char32_t character = itself ? static_cast<char32_t>(byte) : next++;
            append_utf8(character, characters[byte]);
            bytes[character] = static_cast<short>(byte);
        }
    }
};

const Alphabet& alphabet() {
    static const Alphabet instance;
    return instance;
}

}  // namespace

std::string_view byte_character(unsigned char byte) {
    return alphabet().characters[byte];
}

bool append_entry_bytes(std::string_view entry, std::string& out) {
    const size_t before = out.size();
    for (size_t i = 0; i < entry.size();) {
        const Utf8Step step = utf8_step(entry.substr(i));
        if (step.kind != Utf8Step::character || step.value >= alphabet_end ||
            alphabet().bytes[step.value] < 0) {
            out.resize(before);
            out.append(entry);
            return false;
        }
        out += static_cast<char>(alphabet().bytes[step.value]);
        i += step.length;
    }
    return true;
}

}  // namespace tritonsmith::text
