#pragma once

#include <string>
#include <vector>

#include "forge/families/family.h"
#include "forge/field/field_writer.h"
#include "forge/field/reader.h"

namespace tritonsmith::forge {

/// The allocation of a value's tensor in forward.
Allocation allocation(Context& context, int value);
/// A name for the kernel that makes `value` of what was inlined: "linear_relu_mul".
std::string kernel_name(Context& context, int value, const std::set<int>& inlined);
/// The parameter for the tensor that a kernel writes: "out" where what it is called is read as well.
std::string output_pointer(Context& context, Kernel& kernel, int value);
/// A size of forward's, left open.
std::string size(Context& context, int64_t number);
/// Adds an integer parameter that stands for `number`, called `name` unless forward has a name for it.
std::string size_parameter(Context& context, Kernel& kernel, const std::string& name,
                           const std::string& expression);
/// 1 for an empty product; at least 1.
int64_t next_power_of_2(int64_t value);
/// Nodes that made a kernel, for its docstring: "relu, mul, add".
std::string operator_list(Context& context, int value, const std::set<int>& inlined);

/// Elements of the largest tensor that a kernel of this field reads, or writes as `value`.
int64_t largest_tensor(const Context& context, const Field& field, int value);

}  // namespace tritonsmith::forge
