#pragma once

#include <memory>

#include "model/model.h"
#include "rollout/executor.h"

namespace tritonsmith::rollout {

/// Prompts and answers in one forward pass, on torch's threads. A sample's results do not depend on what else
/// is computed.
/// @param model must outlive it
std::unique_ptr<Executor> cpu_executor(const model::Model& model, int blocks, int block_size);

}  // namespace tritonsmith::rollout
