#pragma once

#include <string>
#include <string_view>

#include "plan/ir/plan.h"

namespace tritonsmith::run {

/// ATen operators are executed from a list of named overloads, for references and candidates
/// alike: deterministic pure computation, views and factories. Nothing on it opens files, keeps state,
/// changes a storage's size or draws from torch's generators (draws are made by counter, draw.h). `op`:
/// "aten::add.Tensor".
bool aten_allowed(std::string_view op);

/// What the name alone does not show: arguments that would make an allowed operator random. Empty, or the
/// objection.
std::string objection_to_arguments(const plan::AtenStep& step);

}  // namespace tritonsmith::run
