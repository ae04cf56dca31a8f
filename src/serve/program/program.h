#pragma once

#include <memory>

#include "model/model.h"
#include "rollout/cpu_executor.h"
#include "rollout/cuda/executor.h"

namespace tritonsmith::serve {

/// The program `tritonsmith-engine`: loads a model and serves it until SIGTERM or SIGINT. @return its exit
/// code
int run_engine_program(int argc, char** argv);

/// What the CPU's program leaves to the GPU's. Null in the former.
using MakeCudaExecutor = std::unique_ptr<rollout::Executor> (*)(const model::Model&,
                                                                const rollout::CudaExecutorOptions&);
extern const MakeCudaExecutor make_cuda_executor;

}  // namespace tritonsmith::serve
