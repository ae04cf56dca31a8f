#pragma once

#include <ATen/core/ivalue.h>

#include <string_view>
#include <vector>

namespace tritonsmith::run {

/// Computes an operator that exists for CUDA only (or not for every dtype on the CPU, or with less precision
/// than on the CPU) by others: takes the arguments in schema order (on the CPU) and returns the results in
/// schema order; results that nobody should read may be undefined tensors.
using Equivalent = std::vector<c10::IValue> (*)(const std::vector<c10::IValue>& arguments);

/// nullptr where the operator runs as it is.
Equivalent find_equivalent(std::string_view op);

}  // namespace tritonsmith::run
