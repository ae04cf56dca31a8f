#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace tritonsmith {

/// zstd (RFC 8878) by libzstd.so.1, which every Debian has: loaded when it is first needed, so that nothing
/// but this needs it. Functions may be called from any thread.

/// One frame. Frames one behind the other are a file. @throws MachineError where the library is missing
std::string compressed(std::string_view text, int level = 3);
/// All frames of a file. @throws InputError where it is damaged @param what names it in errors
std::string decompressed(std::string_view frames, const std::string& what);

/// Decompresses a file that arrives in pieces.
class ZstdStream {
  public:
    /// @param what names the file in errors @throws MachineError where the library is missing
    explicit ZstdStream(std::string what);
    ~ZstdStream();
    /// Appends to `out` what the file holds up to the end of `bytes`. @throws InputError where it is damaged
    void feed(std::string_view bytes, std::string& out);
    /// @throws InputError where the file ended within a frame
    void finish() const;

  private:
    std::string what_;
    void* stream_;
    bool within_ = false;
};

}  // namespace tritonsmith
