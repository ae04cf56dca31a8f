#pragma once

#include <string>
#include <string_view>

namespace tritonsmith::text {

/// GPT-2's alphabet, in which byte-level vocabularies are written: a printable character stands for each
/// byte. The character of a byte, in UTF-8.
std::string_view byte_character(unsigned char byte);

/// Appends the bytes that a vocabulary's entry stands for; an entry with any other character is its own
/// UTF-8.
/// @return whether all its characters are of the alphabet
bool append_entry_bytes(std::string_view entry, std::string& out);

}  // namespace tritonsmith::text
