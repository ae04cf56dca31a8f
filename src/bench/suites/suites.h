#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/problem.h"

namespace tritonsmith::bench {

struct SuiteRequest {
    std::string suite;             ///< kernelbench, tritonbench-g, tritonbench-t or tasks
    std::filesystem::path path;    ///< a checkout's folder, a JSON or JSONL file, or task files
    std::vector<int> levels = {};  ///< empty: all
    /// Tasks for problems that are none themselves: `ID.py` is the task of problem ID. Empty: none.
    std::filesystem::path tasks = {};
};

/// The problems of a suite in its own order. @throws InputError naming what is missing or not understood
std::vector<Problem> read_suite(const SuiteRequest& request);

}  // namespace tritonsmith::bench
