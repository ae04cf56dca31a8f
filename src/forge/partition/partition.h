#pragma once

#include <vector>

#include "forge/emit/kernel.h"
#include "forge/field/context.h"

namespace tritonsmith::forge {

/// Divides a graph of simple nodes (graph::expand) into kernels, from its outputs backward: a family takes a
/// value that must be in memory with as much as it can fuse, and what that reads must be in memory as well.
/// @return in the order in which forward launches them. @throws Refused
std::vector<Launch> write_kernels(Context& context);

}  // namespace tritonsmith::forge
