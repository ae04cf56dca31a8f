#pragma once

#include <string>
#include <string_view>

namespace tritonsmith::text {

/// The character of a byte in GPT-2's alphabet, in UTF-8. Byte-level vocabularies are written in that
/// alphabet, which has a printable character for each byte.
std::string_view byte_character(unsigned char byte);

/// Appends the bytes of a vocabulary's entry; an entry with a character outside of the alphabet is its own
/// UTF-8.
/// @return whether all its characters are of the alphabet
bool append_entry_bytes(std::string_view entry, std::string& out);

}  // namespace tritonsmith::text
