#pragma once

#include <optional>
#include <string>

#include "cli/generate.h"
#include "generate/attempt.h"
#include "task/task.h"

namespace tritonsmith::cli {

/// `generate TASK` without a model: the forge writes the kernel, the judge verifies it. @return exit code
int generate_by_forge(GenerateFlags& flags);

/// The same as an attempt beside those of a model (round 0); none where there is no kernel, which is said.
std::optional<generate::Attempt> attempt_by_forge(const GenerateFlags& flags, const task::Task& task,
                                                  const std::string& device);

}  // namespace tritonsmith::cli
