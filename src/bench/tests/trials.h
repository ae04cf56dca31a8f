#pragma once

#include <vector>

#include "bench/problem.h"

namespace tritonsmith::bench {

/// Problems with KernelBench's published check (its src/eval.py, eval_kernel_against_ref) as their tests,
/// where they have a task: both modules are made behind one seed, and run on five draws of the task's own
/// inputs; every output is within 1e-2 by torch.allclose. Where there is a GPU, modules and inputs are moved
/// there. Golden is a program whose place the task's own module takes.
std::vector<Problem> with_trials(std::vector<Problem> problems);

}  // namespace tritonsmith::bench
