#pragma once

#include <optional>

#include "base/error.h"
#include "plan/plan.h"
#include "run/memory.h"

namespace tritonsmith::run {

struct AtenOptions {
    /// Looks for reads of memory that nothing wrote, and records what the step writes.
    bool check_initialised = false;
    /// Operators that not every device and dtype has run as others that compute the same. Always on the CPU.
    bool equivalents = false;
};

/// Executes one ATen step that draws nothing where `memory` is, whatever device it was traced on: `empty` and
/// its kin make poisoned memory; the rest goes through the dispatcher. Results are checked against the
/// declared ones: those that alias a buffer must lie where the plan says, fresh ones become the declared
/// buffer.
/// @return a finding uninitialised_read.
/// @throws StepError aten_not_allowed, plan_invalid, aten_error, unsupported_operation, out_of_memory;
/// c10::AcceleratorError where the device failed
std::optional<Finding> run_aten(const plan::AtenStep& step, Memory& memory, const AtenOptions& options);

/// Places a result where the plan declares it: checks an alias, adopts or copies fresh memory.
/// @param ordinal of the result; @param made buffers that this step made.
void place(const plan::Tensor& declared, const at::Tensor& result, size_t ordinal, std::vector<int>& made,
           Memory& memory);

}  // namespace tritonsmith::run
