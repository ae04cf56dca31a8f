#pragma once

#include <optional>

#include "base/error.h"
#include "plan/plan.h"
#include "run/memory.h"

namespace tritonsmith::run {

/// Executes one ATen step that draws nothing, on the CPU, whatever device it was traced on: `empty` and its
/// kin make poisoned memory; operators that only CUDA has run as their CPU equivalents; the rest goes through
/// the dispatcher. Results are checked against the declared ones: those that alias a buffer must lie where
/// the plan says, fresh ones become the declared buffer.
/// @param check_initialised  look for reads of memory that nothing wrote, and record what the step writes.
/// @return a finding uninitialised_read.
/// @throws StepError aten_not_allowed, plan_invalid, aten_error, unsupported_operation, out_of_memory
std::optional<Finding> run_aten(const plan::AtenStep& step, Memory& memory, bool check_initialised);

/// Places a result where the plan declares it: checks an alias, adopts or copies fresh memory.
/// @param ordinal of the result; @param made buffers that this step made.
void place(const plan::Tensor& declared, const at::Tensor& result, size_t ordinal, std::vector<int>& made,
           Memory& memory);

}  // namespace tritonsmith::run
