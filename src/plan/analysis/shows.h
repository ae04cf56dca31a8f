#pragma once

#include "plan/ir/plan.h"

/// What a call does that only inputs of a kind can show (docs/judge.md, Input sets).
namespace tritonsmith::plan {

/// A forward step makes one number of many reals: a norm of everything, a loss, an extreme of a tensor. What
/// becomes of it where all elements are small shows only where all are.
bool reduces_everything(const Plan& plan);

/// A forward step makes a few numbers of many reals, among its results or behind them (the statistics of a
/// norm): so few rows or samples that not all kinds of them are among those of one draw.
bool reduces_to_few(const Plan& plan);

/// The forward phase has a case for reals that are zero (x log y), or asks whether some are.
bool has_case_of_zero(const Plan& plan);

/// What comes from different inputs meets, otherwise than in sums, joins and products of matrices: in
/// differences, comparisons, quotients. Equal inputs are a case of their own there.
bool holds_inputs_together(const Plan& plan);

/// Inputs of integers or flags are more than indices to read from and labels of samples: they are counted,
/// compared, summed, or places to write to.
bool computes_with_integers(const Plan& plan);

/// A forward step takes a length, a deviation or a root, of which small numbers have theirs as large ones do.
bool measures_lengths(const Plan& plan);

/// A forward step multiplies matrices, convolves or attends in a type whose numbers go further than those of
/// float16, and none holds float16: kernels that round operands to it show where these pass 65504.
bool multiplies_beyond_half(const Plan& plan);

/// Terms of the longest sum of truths or integers in the forward phase, as they are or cast to floats: a
/// count, which float32 holds up to 2^24; 0: there is none.
int64_t longest_count(const Plan& plan);

}  // namespace tritonsmith::plan
