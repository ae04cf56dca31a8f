#pragma once

#include "bench/suites/suites.h"

namespace tritonsmith::bench {

/// KernelBench: a checkout (KernelBench/levelN/M_name.py) or rows {"level", "problem_id" or "problem",
/// "name", "code"}. @throws InputError
std::vector<Problem> read_kernelbench(const std::filesystem::path& path);

/// TritonBench-G or -T: a checkout or its data folder (TritonBench_G_v1.json, TritonBench_T_v1.jsonl), or
/// such a file. Its problems are programs with tests and no tasks. @param part 'G' or 'T' @throws InputError
std::vector<Problem> read_tritonbench(const std::filesystem::path& path, char part);

/// Task files: one, a folder of them, or rows with "id" and "code" (task::load). @throws InputError
std::vector<Problem> read_tasks(const std::filesystem::path& path);

}  // namespace tritonsmith::bench
