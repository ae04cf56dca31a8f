#pragma once

#include <map>
#include <string>

#include "base/process/progress.h"
#include "cli/generate.h"
#include "generate/run.h"
#include "task/task.h"

namespace tritonsmith::cli {

/// "round 1, sample 2: out_of_bounds: line 13: load through ..."
std::string describe_attempt(const generate::Attempt& attempt);
/// "5 wrong_result, 2 no_code"
std::string describe_counts(const std::map<std::string, int>& reasons);
/// What --json prints.
Json generate_json(const generate::Outcome& outcome, const task::Task& task, const GenerateFlags& flags,
                   const std::string& model, double seconds);

/// What happens, for a person, on stderr: verdicts as lines, and how far the answers are.
class GenerateDisplay {
  public:
    /// @param samples 0: not known
    explicit GenerateDisplay(int samples);
    void verdict(const generate::Attempt& attempt);
    void news(int answers, size_t bytes);
    void line(const std::string& text) const;

  private:
    const bool terminal_;
    Progress progress_;
};

}  // namespace tritonsmith::cli
