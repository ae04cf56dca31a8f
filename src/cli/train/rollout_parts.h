#pragma once

#include <memory>

#include "engine/executor/executor.h"
#include "grpo/device_work.h"
#include "grpo/judging/judging.h"
#include "grpo/settings.h"
#include "model/model.h"

namespace tritonsmith::cli {

/// The parts of `train grpo` that depend on the program: with or without torch's CUDA library.

/// Computes the engine's steps on the model's device. @throws InputError, MachineError
std::unique_ptr<engine::Executor> rollout_executor(const model::Model& model, const grpo::Settings& settings);

/// Turns on the model's device; none where programs are not timed while the model is trained.
/// @throws InputError, MachineError
grpo::TakeTurn training_turns(const grpo::Settings& settings);

/// The judge, with the same hidden inputs for a task whenever it is asked. @throws MachineError
grpo::JudgeProgram judge_of(const grpo::Settings& settings, bool sandbox);

}  // namespace tritonsmith::cli
