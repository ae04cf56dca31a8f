#pragma once

#include <memory>

#include "engine/executor/cpu_executor.h"
#include "engine/executor/cuda/executor.h"
#include "model/model.h"

namespace tritonsmith::serve {

/// The program `tritonsmith-engine`: loads a model and serves it until SIGTERM or SIGINT. @return its exit
/// code
int run_engine_program(int argc, char** argv);

/// Null in tritonsmith-engine, which starts tritonsmith-gpu-engine for GPUs.
using MakeCudaExecutor = std::unique_ptr<engine::Executor> (*)(const model::Model&,
                                                               const engine::CudaExecutorOptions&);
extern const MakeCudaExecutor make_cuda_executor;

}  // namespace tritonsmith::serve
