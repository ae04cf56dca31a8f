#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace tritonsmith {

/// The whole file. @param what names it in errors ("task", "candidate").
/// @throws InputError if it is missing, not a regular file, or larger than `max_bytes`.
std::string read_file(const std::filesystem::path& path, const std::string& what, int64_t max_bytes);

/// Writes beside the path and renames: readers see the old file or the whole new one, whatever happens
/// meanwhile. Makes missing folders. @throws MachineError (disk full, no permission); nothing is left behind
/// then.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// A fresh folder of mode 0700 under $TMPDIR or /tmp, removed with everything in it when the object dies.
class TemporaryFolder {
  public:
    /// @throws MachineError
    explicit TemporaryFolder(const std::string& prefix = "tritonsmith");
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace tritonsmith
