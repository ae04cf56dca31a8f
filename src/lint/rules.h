#pragma once

#include "lint/facts.h"
#include "lint/lint.h"

namespace tritonsmith::lint {

/// Applies the rules of docs/lint.md to what `gather` found: fills kernels, is_triton, functional and appends
/// diagnostics. Marks functions in `facts` that are made kernels by a call of triton.jit.
void apply_rules(Facts& facts, Report& report);

}  // namespace tritonsmith::lint
