#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "plan/ir/plan.h"

namespace tritonsmith::judge {

/// The shape of an output tree as text: "(f32[4,8], [i64[4]])". Lists and tuples are alike; strides do not
/// count.
std::string structure(const plan::Value& value);

/// Reason output_structure where the candidate's output differs from the reference's in number, shape or
/// dtype of tensors, or in a value that is not a tensor.
std::optional<Finding> compare_structure(const plan::Plan& reference, const plan::Plan& candidate);

}  // namespace tritonsmith::judge
