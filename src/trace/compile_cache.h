#pragma once

#include <optional>
#include <string>

#include "base/error.h"

namespace tritonsmith::trace {

/// Results of compiles on the disk, by content hash. Several processes may share a folder: entries are
/// written whole and then renamed. An entry that does not read back as what was stored is treated as absent.
/// Thread-safe.
class CompileCache {
  public:
    /// @param folder made when first written; empty: nothing is kept.
    explicit CompileCache(std::string folder);
    /// @param key any text that determines the result.
    std::optional<Json> find(const std::string& key) const;
    /// A full or read-only disk is no error: the result is then not kept.
    void keep(const std::string& key, const Json& value) const;
    /// File of an entry.
    std::string path(const std::string& key) const;

  private:
    std::string folder_;
};

}  // namespace tritonsmith::trace
