#pragma once

#include "plan/ir/plan.h"

/// What Python integers among the inputs do to a reference, by its traces with the task's own, with each
/// larger by one, and with others that are far off.
namespace tritonsmith::judge {

/// Larger by one they change numbers of the reference's steps and nothing else: they are data, and no sizes.
bool are_data(const plan::Plan& own, const plan::Plan& by_one);

/// Far off they do what those larger by one do not tell: a cap binds, another branch is taken, a root bends.
bool bends(const plan::Plan& own, const plan::Plan& by_one, const plan::Plan& far);

}  // namespace tritonsmith::judge
