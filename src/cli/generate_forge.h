#pragma once

#include "cli/generate.h"

namespace tritonsmith::cli {

/// `generate TASK` without a model: the forge writes the kernel, the judge verifies it. @return exit code
int generate_by_forge(GenerateFlags& flags);

}  // namespace tritonsmith::cli
