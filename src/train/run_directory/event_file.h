#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/process/process.h"

namespace tritonsmith::train {

/// Scalars for TensorBoard: a file of TFRecords (length, masked CRC-32C of it, bytes, masked CRC-32C of
/// them), each a protocol buffer `Event` (tensorflow/core/util/event.proto, summary.proto). Every call's
/// record is whole in the file, or not there.
class EventFile {
  public:
    /// A new file beside those of earlier runs; TensorBoard shows them as one.
    /// @throws MachineError if it cannot be written
    explicit EventFile(const std::filesystem::path& folder);
    /// @param seconds since 1970
    void write(int64_t step, double seconds, const std::vector<std::pair<std::string, double>>& scalars);
    const std::filesystem::path& path() const { return path_; }

  private:
    void append(const std::string& event);

    std::filesystem::path path_;
    Fd fd_;
};

/// A record's bytes as they are in a file.
std::string framed_record(const std::string& bytes);

}  // namespace tritonsmith::train
