#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tritonsmith {

/// RFC 4648 base64 with padding and without line breaks.
std::string base64_encode(const void* data, size_t bytes);
/// Nothing where the text is not canonical base64.
std::optional<std::vector<uint8_t>> base64_decode(std::string_view text);

}  // namespace tritonsmith
