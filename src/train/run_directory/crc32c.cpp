#include "train/run_directory/crc32c.h"

#include <array>

namespace tritonsmith::train {
namespace {

constexpr std::array<uint32_t, 256> crc_table() {
    std::array<uint32_t, 256> table{};
    for (uint32_t byte = 0; byte < 256; ++byte) {
        uint32_t remainder = byte;
        for (int bit = 0; bit < 8; ++bit)
            remainder = (remainder >> 1) ^ ((remainder & 1) != 0 ? 0x82f63b78U : 0);  // reflected 0x1EDC6F41
        table[byte] = remainder;
    }
    return table;
}

}  // namespace

uint32_t crc32c(std::string_view bytes) {
    static constexpr std::array<uint32_t, 256> table = crc_table();
    uint32_t crc = ~0U;
    for (const char c : bytes) crc = (crc >> 8) ^ table[(crc ^ static_cast<unsigned char>(c)) & 0xff];
    return ~crc;
}

}  // namespace tritonsmith::train
