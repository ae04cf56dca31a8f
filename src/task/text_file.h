#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace tritonsmith::task {

inline constexpr int64_t kMaxProgramBytes = int64_t{1} << 20;

/// The whole file. @param what names it in errors: "task", "candidate".
/// @throws InputError if it is missing, not a regular file, larger than 1 MiB or not UTF-8.
std::string read_program(const std::filesystem::path& path, const std::string& what);

/// The beginning of the file, kMaxProgramBytes and one more byte at most, whatever it holds.
/// @throws InputError if it is missing, not a regular file or cannot be read.
std::string read_bytes(const std::filesystem::path& path, const std::string& what);

/// Well-formed UTF-8 without NUL bytes (Python refuses them in programs). Returns the line of the first bad
/// byte, 0 if there is none.
int bad_utf8_line(std::string_view text);

}  // namespace tritonsmith::task
