#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tritonsmith::text {

/// The first character of some bytes.
struct Utf8Step {
    enum Kind {
        character,   ///< a whole character
        invalid,     ///< the maximal subpart of an ill-formed sequence: one U+FFFD (Unicode 15, section 3.9)
        incomplete,  ///< the beginning of a character, cut off by the end of the bytes
    } kind;
    int length;      ///< bytes, at least 1
    char32_t value;  ///< of a character
};
/// @param bytes at least one
Utf8Step utf8_step(std::string_view bytes);

bool is_ascii(std::string_view bytes);
void append_utf8(char32_t character, std::string& out);

/// The text itself if it is UTF-8; else `buffer`, with U+FFFD for ill-formed sequences as in Rust's
/// String::from_utf8_lossy.
std::string_view utf8_lossy(std::string_view bytes, std::string& buffer);

/// Number of bytes at the end that are an incomplete character: 0 to 3.
int unfinished_bytes(std::string_view bytes);

/// White_Space of the Unicode character database, as Rust's char::is_whitespace.
bool is_space(char32_t character);
/// \w of Unicode technical standard 18: alphabetic, marks, decimal digits, connectors, join controls.
bool is_word(char32_t character);

}  // namespace tritonsmith::text
