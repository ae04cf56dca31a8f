#pragma once

#include <string>
#include <vector>

#include "forge/module/draft.h"
#include "forge/module/task_text.h"

namespace tritonsmith::forge {

/// The file: imports, kernels, ModelNew with the task's constructor and a forward that launches the kernels.
/// @param drafts of the same program at several sizes, alike in their texts
/// @param specialised set where a number is known for the first size only
std::string write_module(const TaskText& task, const std::vector<Draft>& drafts, const std::string& docstring, bool& specialised);

}  // namespace tritonsmith::forge
