#pragma once

#include <filesystem>
#include <vector>

#include "grpo/sample.h"

namespace tritonsmith::grpo {

/// Every answer of a run with verdict and reward: samples/step-00000001.jsonl.zst in the run's folder, and
/// evaluation-00000001.jsonl.zst, one object a line. Of several processes each writes its own files.
class SampleLog {
  public:
    /// Removes files of steps behind `step`, which will be written again. @throws MachineError
    SampleLog(const std::filesystem::path& folder, int64_t step, int rank, int count);
    /// @param kind "step", or "evaluation" for answers that nothing is learned from @throws MachineError
    void write(int64_t step, const std::vector<Group>& groups, const char* kind = "step") const;

  private:
    std::filesystem::path path_of(int64_t step, const char* kind) const;
    std::filesystem::path folder_;
    int rank_, count_;
};

}  // namespace tritonsmith::grpo
