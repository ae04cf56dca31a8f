#pragma once

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <c10/core/Device.h>

#include <functional>
#include <vector>

#include "plan/ir/plan.h"

namespace tritonsmith::run {

using ViewOf = std::function<at::Tensor(const plan::Tensor&)>;

/// The operator's arguments in schema order: positional ones, named ones, defaults. Devices become
/// `device`, also where none is given and it is not the CPU, generators and pinned memory are dropped,
/// SymInts are integers. @param view makes a tensor of a plan's tensor.
/// @throws StepError plan_invalid naming the argument that does not fit its declared type.
std::vector<c10::IValue> to_ivalues(const c10::FunctionSchema& schema, const plan::AtenStep& step,
                                    const ViewOf& view, c10::Device device = c10::kCPU);

}  // namespace tritonsmith::run
