#pragma once

#include <string>
#include <string_view>

#include "aten/catalogue.h"
#include "plan/ir/plan.h"

/// What the catalogue of operators (aten/catalogue.h) says of an operator of a plan: "aten::add_.Tensor".
namespace tritonsmith::plan {

/// "aten::add_.Tensor" → {"aten", "add_", "Tensor"}.
struct OpName {
    std::string_view space, base, overload;
    explicit OpName(std::string_view op);
};

using OpClass = aten::Kind;
OpClass op_class(std::string_view op);

bool op_is(std::string_view op, aten::Trait trait);
/// The line of the form that does not work in place: of "aten::add_.Tensor" that of add. Null where there is
/// none.
const aten::Operator* out_of_place(std::string_view op);

/// Writes its first argument in place (trailing underscore).
bool in_place(std::string_view op);
/// In place, and the old values of the first argument do not matter: copy_, fill_, uniform_ …
bool overwrites(std::string_view op);
/// Moves elements without arithmetic, beyond plain copies: cat, stack, gather, flip, constant_pad_nd …
bool rearranges(std::string_view op);
/// Elementwise with one tensor and numbers: mul.Scalar, or mul.Tensor whose other argument is a number …
bool scalar_pointwise(const AtenStep& step);

}  // namespace tritonsmith::plan
