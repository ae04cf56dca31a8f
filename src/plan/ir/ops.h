#pragma once

#include <string>
#include <string_view>

#include "plan/ir/plan.h"

/// What is known about ATen operators by name: classes for the policy and the dataflow. Everything not listed
/// computes.
namespace tritonsmith::plan {

/// "aten::add_.Tensor" → {"aten", "add_", "Tensor"}.
struct OpName {
    std::string_view space, base, overload;
    explicit OpName(std::string_view op);
};

enum class OpClass : uint8_t {
    allocate,  ///< memory with undefined contents: empty, empty_like, new_empty_strided …
    factory,   ///< fresh memory with contents that depend on no tensor: zeros, full, arange …
    fill,      ///< a constant written in place: zero_, fill_.Scalar
    view,      ///< the same bytes seen otherwise, or nothing at all (metadata)
    copy,      ///< bytes moved, perhaps cast: clone, copy_, _to_copy …
    draw,      ///< random numbers that depend on no tensor's values: uniform_, randn, randint_like …
    compute    ///< anything else
};
OpClass op_class(std::string_view op);

/// Writes its first argument in place (trailing underscore).
bool in_place(std::string_view op);
/// In place, and the old values of the first argument do not matter: copy_, fill_, uniform_ …
bool overwrites(std::string_view op);
/// Moves elements without arithmetic, beyond plain copies: cat, stack, gather, flip, constant_pad_nd …
bool rearranges(std::string_view op);
/// Elementwise with one tensor and numbers: mul.Scalar, or mul.Tensor whose other argument is a number …
bool scalar_pointwise(const AtenStep& step);

}  // namespace tritonsmith::plan
