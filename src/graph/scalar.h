#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/index_map.h"
#include "plan/ir/plan.h"

/// What happens to one element: scalar expressions.
namespace tritonsmith::graph {

using plan::DType;

enum class ScalarOp : uint8_t {
    operand,   ///< element of operand `which` of the node
    constant,  ///< `number`
    index,     ///< `position`, an integer expression of the element's own index (i64)
    cast,
    // arithmetic; integers wrap
    add,
    sub,
    mul,
    div,        ///< true division
    floor_div,  ///< towards minus infinity
    trunc_div,
    remainder,  ///< sign of the divisor, as in Python
    fmod,       ///< sign of the dividend, as in C
    pow,
    fma,  ///< a·b + c, rounded as two operations
    neg,
    abs,
    sign,
    reciprocal,
    square,
    maximum,  ///< NaN if either is
    minimum,
    fmax,  ///< the other one if one is NaN
    fmin,
    atan2,
    hypot,
    copysign,
    // rounding
    floor,
    ceil,
    round,  ///< half to even
    trunc,
    frac,
    // transcendental
    exp,
    exp2,
    expm1,
    log,
    log2,
    log10,
    log1p,
    sqrt,
    rsqrt,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    sinh,
    cosh,
    tanh,
    asinh,
    acosh,
    atanh,
    erf,
    erfc,
    erfinv,
    lgamma,
    digamma,
    // comparisons give b1
    lt,
    le,
    gt,
    ge,
    eq,
    ne,
    isnan,
    isinf,
    isfinite,
    // logical on b1, bitwise on integers
    logical_and,
    logical_or,
    logical_xor,
    logical_not,
    shift_left,
    shift_right,
    where,  ///< condition, then, else
    // activations: each has a definition by the above (define_scalar)
    relu,
    relu6,
    sigmoid,
    silu,
    gelu,
    gelu_tanh,
    softplus,    ///< x, beta, threshold
    elu,         ///< x, alpha, scale, input_scale
    leaky_relu,  ///< x, slope (also prelu)
    hardtanh,    ///< x, low, high
    hardsigmoid,
    hardswish,
    mish,
    softsign,
    log_sigmoid,
    hardshrink,  ///< x, lambda
    softshrink,  ///< x, lambda
    threshold,   ///< x, threshold, value
    clamp,       ///< x, low, high (-inf, inf where there is none)
    xlogy,       ///< 0 where x is 0, else x·log(y)
    logit,       ///< x, eps (negative: none)
    sinc,
    logaddexp,
    lerp,  ///< start, end, weight
};

/// One operation. Its arguments stand before it in the expression. It is computed in float32 where `dtype` is
/// a smaller float, and rounded to `dtype`: what PyTorch's eager mode does, operator by operator.
struct Scalar {
    ScalarOp op = ScalarOp::constant;
    DType dtype = DType::f32;
    std::vector<int> args = {};
    int which = -1;
    Number number = 0.0;
    Index position = {};
};
/// In order of computation; the last one is the result.
struct Expression {
    std::vector<Scalar> steps;

    int operand(int which, DType dtype);
    int constant(Number number, DType dtype);
    int index(Index position);
    /// Appends a cast where `step` has another dtype.
    int as(int step, DType dtype);
    int apply(ScalarOp op, std::vector<int> args, DType dtype);
    DType dtype() const { return steps.back().dtype; }
};

/// "add", "gelu_tanh" … and how many arguments it takes.
std::string_view name_of(ScalarOp op);
int arity(ScalarOp op);
/// The same expression with activations replaced by their definitions.
Expression expand(const Expression& expression);
/// "relu(x0 + 2.0)", with a text for each operand.
std::string text(const Expression& expression, const std::vector<std::string>& operands,
                 const std::vector<std::string>& axes = {});
/// "0.5", "-inf", "True" as in Python.
std::string text(const Number& number);
double as_double(const Number& number);

}  // namespace tritonsmith::graph
