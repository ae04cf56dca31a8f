#pragma once

#include <string>
#include <string_view>

namespace tritonsmith::data {

/// zstd (RFC 8878) by libzstd.so.1, which every Debian has: loaded when it is first needed, so that nothing but this needs
/// it. Functions may be called from any thread.

/// One frame. Frames one behind the other are a file. @throws MachineError where the library is missing
std::string compressed(std::string_view text, int level = 3);
/// All frames of a file. @throws InputError where it is damaged @param what names it in errors
std::string decompressed(std::string_view frames, const std::string& what);

}  // namespace tritonsmith::data
