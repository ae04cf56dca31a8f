#pragma once

#include <cstdint>
#include <string_view>

namespace tritonsmith::train {

/// CRC-32C (Castagnoli; RFC 3720, appendix B.4).
uint32_t crc32c(std::string_view bytes);

}  // namespace tritonsmith::train
