#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "judge/candidate/size_functions.h"
#include "plan/ir/plan.h"
#include "ttir/ir/ir.h"

namespace tritonsmith::judge {

/// What a plan does that another one of the same program, at another size, does not.
struct OnlyHere {
    std::string what;  ///< "kernel softmax_long", "aten::full_like"
    int line = 0;
};

/// The first launch of `one`, configurations of autotuned kernels included, of which `other` has none of the
/// same form (ttir/analysis/kernel_form.h), with the same decisions on sizes, and integers and floating
/// arguments that are the same functions of the sizes (size_functions.h; floating ones only where the kernel
/// does no more than scale by them, else they are the same); or the first of PyTorch's operators that it has
/// and `other` has not, with the same arguments but for tensors and integers. Nothing: what `other` does,
/// shows what `one` does.
/// @param on_the_way sizes of what the reference computes at both (size_functions.h)
std::optional<OnlyHere> only_here(const plan::Plan& one,
                                  const std::vector<std::shared_ptr<const ttir::Module>>& modules,
                                  const plan::Plan& other,
                                  const std::vector<std::shared_ptr<const ttir::Module>>& other_modules,
                                  const std::vector<AtTwoSizes>& on_the_way = {});

}  // namespace tritonsmith::judge
