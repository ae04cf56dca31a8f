#pragma once

#include <set>
#include <string>
#include <vector>

#include "forge/module/draft.h"
#include "forge/module/task_text.h"

namespace tritonsmith::forge {

/// The file: imports, kernels, ModelNew with the task's constructor and a forward that launches the kernels.
/// @param drafts of the same program at several sizes, alike in their texts
/// @param unknown gets the numbers that are known for the first size only, in words
std::string write_module(const TaskText& task, const std::vector<Draft>& drafts, const std::string& docstring,
                         std::set<std::string>& unknown);

}  // namespace tritonsmith::forge
