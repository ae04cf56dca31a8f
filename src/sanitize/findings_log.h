#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "base/error.h"

namespace tritonsmith::sanitize {

/// The kind of an entry. A finding is an error of the script; a warning may be intended; unchecked means that
/// a launch could not be run to its end.
enum class Kind : uint8_t { finding, warning, unchecked };

struct Entry {
    Kind kind = Kind::finding;
    std::string kernel;  ///< empty: host code
    std::string file;    ///< of the kernel's line, or of the host's if there is no kernel
    int line = 0;
    std::string reason, message;  ///< codes of docs/reasons.md, and `unsupported_operation`
    std::string config;           ///< of an autotuned kernel, if known
    int64_t launch = 0;           ///< number of the launch in the script, from 1; 0 outside of launches
    std::string host_file;        ///< that launched
    int host_line = 0;
    Json program = nullptr;  ///< [x, y, z] if known
    int64_t count = 1;       ///< times seen
};

/// Collects findings. Equal entries (kind, kernel, line, reason) are counted; new ones are printed on stderr
/// at once, with the source around their line. Thread-safe.
class FindingsLog {
  public:
    /// @param colour ANSI colours. Files below the working directory are shown relative to it.
    explicit FindingsLog(bool colour);
    /// @return whether it is new.
    bool add(Entry entry);
    int count(Kind kind) const;  ///< different ones
    /// {"findings": […], "warnings": […], "unchecked": […]}
    Json json() const;

  private:
    std::string shown(const std::string& file) const;
    std::string text(const Entry& entry) const;

    bool colour_;
    std::filesystem::path folder_;
    mutable std::mutex mutex_;
    std::vector<Entry> entries_;  ///< in the order found
    std::map<std::tuple<Kind, std::string, std::string, int, std::string>, size_t> known_;
};

}  // namespace tritonsmith::sanitize
