#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tritonsmith {

/// Length in bytes of the well-formed UTF-8 sequence at `at`; 0 where it is ill-formed (Unicode 15, table
/// 3-7).
size_t utf8_length(std::string_view text, size_t at);

bool is_utf8(std::string_view text);

/// The first `most` bytes, or up to three fewer: never cut inside of a character.
std::string_view cut(std::string_view text, size_t most);

/// `cut`, with " ..." behind it where something was cut off.
std::string shortened(std::string_view text, size_t most);

/// Text that is fit for a terminal, at most `most` bytes of it: control characters but line ends and tabs,
/// those that reorder what a person reads, and whatever is no UTF-8 become question marks.
std::string printable(std::string_view text, size_t most);

}  // namespace tritonsmith
