#pragma once

#include "bench/tested_program.h"
#include "task/task.h"

namespace tritonsmith::bench {

/// KernelBench's published check as tests of an answer (its src/eval.py, eval_kernel_against_ref): both
/// modules are made behind one seed, and run on five draws of the task's own inputs; every output is within
/// 1e-2 by torch.allclose. Where there is a GPU, modules and inputs are moved there. Golden is a program
/// whose place the task's own module takes.
TestedProgram trials_of(const task::Task& task);

}  // namespace tritonsmith::bench
