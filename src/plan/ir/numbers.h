#pragma once

#include <optional>

#include "plan/ir/plan.h"

/// Python numbers among the arguments of operators: ATen casts them to a type before it computes with them
/// (c10::Scalar::to<scalar_t> or to<opmath_t>; aten/src/ATen/native/{cpu,cuda}: `x > 0.6` of a float32 tensor
/// compares with the float32 next to 0.6).
namespace tritonsmith::plan {

/// The type in which an elementwise operator takes its numbers: that of its floating tensors, float32 where
/// it has integers only; of fills the type that is filled. Nothing where it has no such numbers, or where
/// tensors' types differ. Of narrow tensors some operators take numbers in float32 (clamp), others in the
/// tensors' own type (comparisons).
std::optional<DType> number_type(const AtenStep& step);

/// The step with its numbers rounded to a floating type. Those beyond its range stay.
AtenStep with_numbers_in(AtenStep step, DType type);

}  // namespace tritonsmith::plan
