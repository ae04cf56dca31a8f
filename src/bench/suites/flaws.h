#pragma once

#include <string>

namespace tritonsmith::bench {

/// What is known to be wrong with a problem of KernelBench (levels 1 to 3): an answer that skips work may
/// pass the public check there. "" where nothing is known. Rates are given with and without these problems.
std::string kernelbench_flaw(int level, int problem);

}  // namespace tritonsmith::bench
