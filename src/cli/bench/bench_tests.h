#pragma once

#include <vector>

#include "bench/problem.h"
#include "bench/run/protocol.h"
#include "bench/run/run_folder.h"
#include "cli/judge_rows.h"

namespace tritonsmith::cli {

/// Runs the answers that have no verdict yet with their problems' own tests. @return how many this machine
/// failed on
/// @throws MachineError where it fails on all
int judge_by_tests(bench::RunFolder& run, const std::vector<bench::Problem>& problems,
                   const bench::Protocol& protocol, const RowsJudging& how);

}  // namespace tritonsmith::cli
