#pragma once

#include <ATen/core/ivalue.h>

#include <optional>
#include <vector>

#include "base/error.h"
#include "numerics/precision.h"
#include "plan/ir/plan.h"
#include "run/worker/aten/schema_args.h"
#include "run/worker/memory/memory.h"

namespace tritonsmith::run {

struct AtenOptions {
    /// Looks for reads of memory that nothing wrote, and records what the step writes.
    bool check_initialised = false;
    /// Operators that not every device and dtype has run as others that compute the same. Always on the CPU.
    bool equivalents = false;
    /// On the CPU, which computes in IEEE: float32 operands of convolutions (and products) are rounded to
    /// TF32 first. On a GPU the library is told (reference_session.cpp).
    numerics::Precision precision = numerics::Precision::ieee;
};

/// Executes one ATen step that draws nothing where `memory` is, whatever device it was traced on: `empty` and
/// its kin make poisoned memory; the rest goes through the dispatcher. Results are checked against the
/// declared ones: those that alias a buffer must lie where the plan says, fresh ones become the declared
/// buffer.
/// @return a finding uninitialised_read.
/// @throws StepError aten_not_allowed, plan_invalid, aten_error, unsupported_operation, out_of_memory;
/// c10::AcceleratorError where the device failed
std::optional<Finding> run_aten(const plan::AtenStep& step, Memory& memory, const AtenOptions& options);

/// The step's arguments in schema order.
/// @throws StepError as run_aten
std::vector<c10::IValue> arguments_of(const plan::AtenStep& step, const ViewOf& view, c10::Device device);

/// The tensors that a step gives on other arguments than memory's; nothing is placed. Operators that work in
/// place change what `view` gave.
/// @throws as run_aten
std::vector<at::Tensor> evaluate(const plan::AtenStep& step, const ViewOf& view, c10::Device device,
                                 bool equivalents);

/// Places a result where the plan declares it: checks an alias, adopts or copies fresh memory.
/// @param ordinal of the result; @param made buffers that this step made.
void place(const plan::Tensor& declared, const at::Tensor& result, size_t ordinal, std::vector<int>& made,
           Memory& memory);

}  // namespace tritonsmith::run
