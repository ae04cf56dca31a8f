#pragma once

#include <optional>
#include <string>

#include "plan/ir/arguments.h"
#include "plan/ir/plan.h"

/// Elements of pointwise operators in float64.
namespace tritonsmith::plan {

/// f(x) for operators of one tensor and plain numbers; nothing where the operator is none of these.
std::optional<double> pointwise(const std::string& op, double x, const StepArguments& arguments);

/// Operators of two tensors or numbers, by the name without overload or underscore ("aten::add": x +
/// alpha·y). Null where it is none of these.
using BinaryFunction = double (*)(double x, double y, double alpha);
BinaryFunction binary_function(const std::string& base);
/// "aten::add_.Tensor" → "aten::add".
std::string base_name(const std::string& op);

/// A number as an element of the type would hold it: integers drop the fraction, truths are 0 or 1; floating
/// types are left as they are. @throws CannotEvaluate where it does not fit
double cast_value(double value, DType type);

}  // namespace tritonsmith::plan
