#pragma once

#include <vector>

#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// The largest number that the reference holds its values against: clamping, comparing with it, taking the
/// smaller or the larger of both. A known tensor of one element is a number (known_number.h).
double largest_threshold(const Plan& reference);

/// Small positive numbers in the forward phase, rising, each once: they keep a denominator, or the argument
/// of a logarithm, from zero (`eps`), whether they are added, or the least that is allowed. Factors are none.
std::vector<double> guards(const Plan& reference);

/// The forward phase has an exponential, a softmax or an attention.
bool takes_exponentials(const Plan& reference);

}  // namespace tritonsmith::plan
