#pragma once

#include <cstdint>
#include <string>

namespace tritonsmith::trace {

/// A folder of mode 0700 for one process that we do not believe. Owns it: removed with everything in it,
/// however deep and oddly named, when the object dies (the process must have ended).
class PrivateFolder {
  public:
    /// In the system's temporary folder. @throws MachineError
    explicit PrivateFolder(const std::string& prefix);
    ~PrivateFolder();
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;

    const std::string& path() const { return path_; }

    struct Size {
        int64_t bytes = 0;    ///< on the disk
        int64_t entries = 0;  ///< files and folders; counting stops at `most`
    };
    /// While the process is writing. Folders deeper than 64 count as `most` entries.
    Size measure(int64_t most) const;

  private:
    std::string path_;
};

/// Folder for temporary files: $TMPDIR or /tmp.
std::string temporary_folder();

}  // namespace tritonsmith::trace
