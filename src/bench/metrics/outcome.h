#pragma once

#include <optional>
#include <string>

#include "base/json.h"

namespace tritonsmith::bench {

/// What metrics need of a verdict.
struct Outcome {
    std::string problem;
    int sample = 0;
    std::string protocol;
    std::string status, reason, stage, checked;
    bool valid = false, compiled = false;
    /// Of a program with tests: it reaches their end; they give what the golden program gives; they print it.
    std::optional<bool> call, execution, execution_stdout;
    std::optional<double> speedup;          ///< eager PyTorch's time over the candidate's
    std::optional<double> compile_speedup;  ///< torch.compile's time over the candidate's
    std::optional<double> candidate_ms;

    bool correct() const { return status == "accepted"; }
    bool judgeable() const { return status != "unjudgeable"; }
};

/// Of a line of verdicts.jsonl. @throws InputError
Outcome outcome_of(const Json& line);

}  // namespace tritonsmith::bench
