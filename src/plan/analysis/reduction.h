#pragma once

#include <cstdint>

#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// Terms summed for one element of the step's result; 1 where it sums nothing.
int64_t reduction_length(const AtenStep& step);

/// Each element of the results is a sum of products of the arguments' elements, or (`averages`) their mean.
bool sums_products(const AtenStep& step);
bool averages(const AtenStep& step);

/// A recurrent layer: what comes of one step of the sequence goes into the next.
bool recurrent(const AtenStep& step);
/// The forward phase has one.
bool recurs(const Plan& reference);

/// Longest sum behind one element in the forward phase: K of a product, C·kh·kw/groups of a convolution,
/// elements of a reduced dimension …; at least 1.
int64_t longest_reduction(const Plan& reference);

/// Terms of the longest sum in the forward phase that is divided by their number, or by that less one: of
/// means, variances, norms and losses, and of sums where the program itself divides by a number that is one
/// of these; at least 1.
int64_t longest_average(const Plan& reference);

}  // namespace tritonsmith::plan
