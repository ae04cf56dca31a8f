#pragma once

#include <optional>
#include <string>

#include "cli/generate.h"
#include "generate/attempt.h"
#include "task/task.h"

namespace tritonsmith::cli {

/// `generate TASK` without a model: the forge writes the kernel, the judge verifies it.
/// @param model_next a model is asked where there is no verified kernel
/// @return exit code; nothing where it is the model's turn
std::optional<int> generate_by_forge(GenerateFlags& flags, bool model_next);

/// The same as an attempt beside those of a model (round 0); none where there is no kernel, which is said.
std::optional<generate::Attempt> attempt_by_forge(const GenerateFlags& flags, const task::Task& task,
                                                  const std::string& device);

}  // namespace tritonsmith::cli
