#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/process/process.h"
#include "train/run_directory/event_file.h"

namespace tritonsmith::train {

/// What a run measures, one JSON object a line, and its numbers for TensorBoard.
class MetricsLog {
  public:
    /// @param folder of the run: metrics.jsonl and tensorboard/
    /// @param step that the run goes on from: lines of later ones, which will be written again, are removed
    /// @throws MachineError
    MetricsLog(const std::filesystem::path& folder, int64_t step);
    /// Adds "step" and "seconds" (since 1970). Numbers in nested objects are named "a/b" in TensorBoard.
    void write(int64_t step, Json values);

  private:
    std::filesystem::path path_;
    Fd fd_;
    EventFile events_;
};

}  // namespace tritonsmith::train
