#pragma once

#include <vector>

#include "bench/problem.h"
#include "bench/run/run_folder.h"
#include "cli/judge_rows.h"

namespace tritonsmith::cli {

/// The forge's answers to the problems that have none yet, a few at a time. What it refuses is an answer
/// without a program. @param relaxed PyTorch may compute convolutions @throws MachineError
void write_by_forge(bench::RunFolder& run, const std::vector<bench::Problem>& problems,
                    const RowsJudging& how, bool relaxed);

}  // namespace tritonsmith::cli
