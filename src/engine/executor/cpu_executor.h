#pragma once

#include <memory>

#include "engine/executor/executor.h"
#include "model/model.h"

namespace tritonsmith::engine {

/// Computes prompts and answers in one forward pass on the CPU. A sample's results do not depend on what else
/// is computed.
/// @param model must outlive it
std::unique_ptr<Executor> cpu_executor(const model::Model& model, int blocks, int block_size);

}  // namespace tritonsmith::engine
