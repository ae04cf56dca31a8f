#pragma once

#include <string>
#include <vector>

#include "forge/emit/code.h"
#include "forge/emit/numbers.h"
#include "graph/index_map.h"

namespace tritonsmith::forge {

/// What the axes of a kernel's index space are called in its text, and how far they run.
struct Axes {
    std::vector<std::string> names;  ///< "row", "col[None, :]"
    graph::Extents extents;
    std::vector<std::string> sizes =
        {};  ///< what the kernel calls their extents; empty where it has no names
};

/// Address arithmetic of an integer expression; its numbers are left open. Triton divides towards zero, so
/// what may be negative is moved up before it is divided.
Code index_code(const graph::Index& index, const Axes& axes, Numbers& numbers);
/// "(y >= 0) & (y < height)"; a side that always holds is left out. "" where both do.
/// @param name of guard.at, where the kernel has one
std::string guard_code(const graph::Guard& guard, const Axes& axes, Numbers& numbers,
                       const std::string& name = "");

}  // namespace tritonsmith::forge
