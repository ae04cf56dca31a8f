#include "task/text_file.h"

#include <algorithm>
#include <fstream>
#include <system_error>

#include "base/error.h"
#include "base/text.h"

namespace tritonsmith::task {
int bad_utf8_line(std::string_view text) {
    int line = 1;
    for (size_t i = 0; i < text.size();) {
        const size_t length = text[i] == 0 ? 0 : utf8_length(text, i);
        if (length == 0) return line;
        if (text[i] == '\n') ++line;
        i += length;
    }
    return 0;
}

std::string read_bytes(const std::filesystem::path& path, const std::string& what) {
    std::error_code error;
    auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) throw InputError(what + " " + path.string() + ": no such file");
    if (!std::filesystem::is_regular_file(status))
        throw InputError(what + " " + path.string() + ": not a file; name a Python file");
    auto size = std::filesystem::file_size(path, error);
    if (error) throw InputError(what + " " + path.string() + ": " + error.message());
    std::ifstream file(path, std::ios::binary);
    std::string text(std::min<uintmax_t>(size, kMaxProgramBytes + 1), '\0');
    if (!file || !file.read(text.data(), static_cast<std::streamsize>(text.size())))
        throw InputError(what + " " + path.string() + ": cannot be read; check its permissions");
    return text;
}

std::string read_program(const std::filesystem::path& path, const std::string& what) {
    std::string text = read_bytes(path, what);
    if (static_cast<int64_t>(text.size()) > kMaxProgramBytes)
        throw InputError(what + " " + path.string() + ": larger than the limit of 1 MiB");
    if (int line = bad_utf8_line(text))
        throw InputError(what + " " + path.string() + ":" + std::to_string(line) +
                         ": not UTF-8 text; save it as UTF-8");
    return text;
}

}  // namespace tritonsmith::task
