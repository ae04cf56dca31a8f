#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "plan/ir/plan.h"

/// Elements of pointwise operators in float64, and the arguments of a step.
namespace tritonsmith::plan {

/// An element cannot be evaluated: an operator that is not known, arguments of other kinds, or too much work.
struct CannotEvaluate : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Arguments of a step by position or keyword. Wrong kinds throw CannotEvaluate.
class StepArguments {
  public:
    explicit StepArguments(const AtenStep& step) : step_(step) {}
    const Value* find(size_t position, const char* name = "") const;
    const Tensor& tensor(size_t position, const char* name = "") const;
    const Tensor* tensor_or_null(size_t position, const char* name = "") const;
    double real(size_t position, const char* name, double otherwise) const;
    int64_t whole(size_t position, const char* name, int64_t otherwise) const;
    bool flag(size_t position, const char* name, bool otherwise) const;
    std::string text(size_t position, const char* name, const std::string& otherwise) const;
    /// A list of integers, or one integer as a list of one.
    std::vector<int64_t> integers(size_t position, const char* name) const;

  private:
    const AtenStep& step_;
};

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
