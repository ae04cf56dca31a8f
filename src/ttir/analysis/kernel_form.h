#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

/// A kernel's text without what a size changes: integers, shapes of tensors, and also names, places in the
/// source, and what parameters promise. Kernels of one form do the same thing at different sizes; those of
/// another form may do another thing (a maximum that is missing, a cast to float16).
std::string kernel_form(const Module& module);

/// What the form leaves out, in the order of the text.
struct KernelNumbers {
    std::vector<int64_t> dimensions;  ///< of tensors, behind those of each one the number of its elements
    std::vector<int64_t> constants;   ///< integers that the kernel computes with
};
KernelNumbers kernel_numbers(const Module& module);

/// How a launch of the kernel decides by nothing but its arguments and its grid: for each comparison of
/// integers that depend on no more than these its outcome, for each minimum and maximum of two which of them
/// it is, and for each that becomes a floating number whether it is 0, 1 or another one. Kernels that compare
/// sizes themselves have one form at all sizes, but different decisions.
/// @param arguments integers that the kernel is launched with, one entry for each parameter
std::string size_decisions(const Module& module, const std::array<int64_t, 3>& grid,
                           const std::vector<std::optional<int64_t>>& arguments);

/// Whether the kernel does more with a floating argument than to scale by it: compares or rounds it, adds to
/// it, takes its exponential, carries it through a loop. What the kernel does may then depend on the
/// argument's value.
bool decides_by_floats(const Module& module);

}  // namespace tritonsmith::ttir
