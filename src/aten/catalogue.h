#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

/// What is known about ATen operators by name: one line an operator in tables/, as
///
///     name [overloads] words
///
/// Overloads are those that workers execute ("-" is the one without a name); without brackets none is
/// executed. An operator in place ("add_") has a line of its own. The words are the enumerators below;
/// "sum:", "magnitude:", "element:", "dropout:" and "lint:" stand before those of their kind. What is not
/// listed computes, and is not executed.
namespace tritonsmith::aten {

/// What the operator does to memory, for the dataflow and the policy.
enum class Kind : uint8_t {
    allocate,  ///< memory with undefined contents: empty, empty_like, new_empty_strided …
    factory,   ///< fresh memory with contents that depend on no tensor: zeros, full, arange …
    fill,      ///< a constant written in place: zero_, fill_.Scalar
    view,      ///< the same bytes seen otherwise, or nothing at all (metadata)
    copy,      ///< bytes moved, perhaps cast: clone, copy_, _to_copy …
    draw,      ///< random numbers that depend on no tensor's values: uniform_, randn, randint_like …
    compute    ///< anything else
};

/// How many terms are summed for one element of the result (plan/analysis/reduction.h).
enum class Sum : uint8_t {
    none,               ///< one
    last,               ///< the last dimension of the first argument
    last_of_second,     ///< the last dimension of the second argument
    batches,            ///< the same, for each of the second argument's matrices
    convolution,        ///< a group's inputs and the window; whether it is transposed is an argument
    window_of_inputs,   ///< the same, never transposed
    window_of_outputs,  ///< the same, always transposed
    dimension,          ///< the dimension that the second argument names
    normalized_shape,   ///< the product of the second argument
    group,              ///< channels of a group times pixels
    channel,            ///< the elements that share a channel
    attention,          ///< keys, or the depth of a head
    recurrent,          ///< the widest matrix, once a step of the sequence
    samples,            ///< of a loss: one term a sample
    pool,               ///< the window
    ratio,              ///< elements of the argument for each of the result
    added,              ///< rows of the fourth argument, all of which may meet in one
    put,                ///< rows of the third argument
    all                 ///< all elements of the first argument
};

/// How magnitudes pass through it, where that is not "as values do" (plan/transform/absolute.h).
enum class Magnitude : uint8_t {
    as_values,
    difference,           ///< becomes a sum
    reversed_difference,  ///< the same, of rsub
    negation,             ///< becomes abs
    clamp,
    clamp_one_side,
    smaller,  ///< of two: the larger magnitude
    softmax,
    log_softmax,
    lerp,
    running_sum,
    distance,  ///< of its first two arguments: their sum
    variance,
    deviation,
    norm,
    length,     ///< a root of a sum of squares, which may underflow
    entropy,    ///< log(1 - p) among its terms
    log_of_sum  ///< x * log(1 + y)
};

/// What the error of f(x) is relative to (judge/elements).
enum class Element : uint8_t {
    other,     ///< the result, x, or one, whichever is largest
    exact,     ///< does not round
    whole,     ///< gives integers
    relative,  ///< the result, times one and x
    sqrt       ///< the result
};

enum class Trait : uint32_t {
    rearranges = 1U << 0,  ///< moves elements without arithmetic, beyond plain copies
    scalar = 1U << 1,      ///< elementwise; with one tensor and numbers it is the host's to do
    products = 1U << 2,    ///< each element is a sum of products of the arguments' elements
    averages = 1U << 3,    ///< or their mean
    exact = 1U << 4,       ///< results are elements of the arguments, or follow from them without rounding
    rounds = 1U << 5,      ///< to integers: half of a unit decides
    chooses = 1U << 6,     ///< names places of elements by comparing them
    ties = 1U << 7,        ///< the same, and which of several equal ones is not said
    compares = 1U << 8,
    factors = 1U << 9,          ///< numbers among the arguments are terms or factors, not dimensions
    masks = 1U << 10,           ///< may hold values that a softmax is to ignore
    maximum = 1U << 11,         ///< what is subtracted from a softmax's argument
    negative = 1U << 12,        ///< the result may be negative although no argument is
    near_one = 1U << 13,        ///< computed from terms of about one that cancel
    keeps_integers = 1U << 14,  ///< integers among the arguments keep their sign
    widens = 1U << 15,          ///< of integers: computed in float64 where the plan is promoted
    equivalent = 1U << 16,      ///< run/worker/aten/aten_equivalents.cpp computes it by others
    lint_product = 1U << 17,    ///< for the linter: heavy, wherever it lives
    lint_computes = 1U << 18,   ///< a computing function of torch
    lint_method = 1U << 19      ///< a method that only tensors have
};

struct Operator {
    std::string_view name;       ///< "add_"
    std::string_view overloads;  ///< "Tensor,Scalar"
    Kind kind = Kind::compute;
    Sum sum = Sum::none;
    Magnitude magnitude = Magnitude::as_values;
    Element element = Element::other;
    uint32_t traits = 0;
    std::string_view dropout;  ///< "input/5": position of the argument that makes an overload random

    bool is(Trait trait) const { return (traits & static_cast<uint32_t>(trait)) != 0; }
};

/// By name without namespace and overload: "add_". Null where it is not listed.
const Operator* find(std::string_view name);
bool is(std::string_view name, Trait trait);

/// Of all lines.
std::vector<std::string_view> names();

/// Workers execute it. @param overload "" where it has no name
bool executed(std::string_view name, std::string_view overload);
/// Position of the argument that makes the overload random where it is not zero; -1: none does.
int dropout_position(std::string_view name, std::string_view overload);

}  // namespace tritonsmith::aten
