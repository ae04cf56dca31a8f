#include "task/text_file.h"

#include <fstream>
#include <system_error>

#include "base/error.h"

namespace tritonsmith::task {
namespace {

/// Length of the well-formed sequence at `i` (Unicode 15, table 3-7), 0 where it is ill-formed.
size_t sequence_length(std::string_view text, size_t i) {
    auto byte = [&](size_t k) -> uint8_t {
        return k < text.size() ? static_cast<uint8_t>(text[k]) : uint8_t{0};
    };
    auto continues = [&](size_t k) { return (byte(k) & 0xC0) == 0x80; };
    uint8_t first = byte(i);
    if (first < 0x80) return first == 0 ? 0 : 1;
    if (first >= 0xC2 && first <= 0xDF) return continues(i + 1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        uint8_t low = first == 0xE0 ? 0xA0 : 0x80, high = first == 0xED ? 0x9F : 0xBF;
        return byte(i + 1) >= low && byte(i + 1) <= high && continues(i + 2) ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        uint8_t low = first == 0xF0 ? 0x90 : 0x80, high = first == 0xF4 ? 0x8F : 0xBF;
        return byte(i + 1) >= low && byte(i + 1) <= high && continues(i + 2) && continues(i + 3) ? 4 : 0;
    }
    return 0;
}

}  // namespace

int bad_utf8_line(std::string_view text) {
    int line = 1;
    for (size_t i = 0; i < text.size();) {
        size_t length = sequence_length(text, i);
        if (length == 0) return line;
        if (text[i] == '\n') ++line;
        i += length;
    }
    return 0;
}

std::string read_program(const std::filesystem::path& path, const std::string& what) {
    std::error_code error;
    auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) throw InputError(what + " " + path.string() + ": no such file");
    if (!std::filesystem::is_regular_file(status))
        throw InputError(what + " " + path.string() + ": not a file; name a Python file");
    auto size = std::filesystem::file_size(path, error);
    if (error) throw InputError(what + " " + path.string() + ": " + error.message());
    if (size > static_cast<uintmax_t>(kMaxProgramBytes))
        throw InputError(what + " " + path.string() + ": " + std::to_string(size) +
                         " bytes, the limit is 1 MiB");
    std::ifstream file(path, std::ios::binary);
    std::string text(size, '\0');
    if (!file || !file.read(text.data(), static_cast<std::streamsize>(size)))
        throw InputError(what + " " + path.string() + ": cannot be read; check its permissions");
    if (int line = bad_utf8_line(text))
        throw InputError(what + " " + path.string() + ":" + std::to_string(line) +
                         ": not UTF-8 text; save it as UTF-8");
    return text;
}

}  // namespace tritonsmith::task
