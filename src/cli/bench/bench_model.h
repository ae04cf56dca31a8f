#pragma once

#include <string>
#include <vector>

#include "bench/problem.h"
#include "bench/run/run_folder.h"
#include "cli/judge_rows.h"
#include "cli/sampling/sampling_flags.h"

namespace tritonsmith::cli {

/// What came of asking a model.
struct Asked {
    std::string failure;  ///< why answers are missing; "": none are
    bool interrupted = false;
};

/// A model's answers: `samples` to each problem, less those that the run has. Each is kept as soon as it is
/// complete. @param relaxed PyTorch may compute beside the kernels
/// @throws InputError where the model is refused, MachineError where it cannot be started
Asked write_by_model(bench::RunFolder& run, const std::vector<bench::Problem>& problems,
                     const SamplingFlags& flags, int samples, const RowsJudging& how, bool relaxed);

}  // namespace tritonsmith::cli
