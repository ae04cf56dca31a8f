#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "ttir/interp/interpreter.h"
#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

/// A number that a program loads, for its control flow: `bytes` bytes at an offset of an argument's buffer,
/// little-endian. Nothing where it is not known before anything runs.
using KnownMemory = std::function<std::optional<uint64_t>(size_t argument, int64_t offset, int bytes)>;

/// Programs of a launch that do not all do the same: members of each class of programs for which some
/// comparison of what derives from their program_id (by integer and float arithmetic, or through numbers that
/// are loaded from known memory) comes out otherwise. What `if pid == 77` chooses is a class of its own, and
/// so are the partial tiles at an edge. Classes of few programs first; nothing of a launch whose programs are
/// all alike.
///
/// Found without running programs: comparisons are worked out on ranges for whole boxes of the grid, which
/// are split where the outcome is not one, and for single programs. Bounded work: a class may be missed where
/// the choice is as good as random.
/// @param most programs; at most two of a class
/// @param work operations that may be worked out, some 30 ns each
std::vector<int64_t> programs_of_classes(const Module& module, const std::array<int64_t, 3>& grid,
                                         const std::vector<Argument>& arguments, const KnownMemory& memory,
                                         size_t most, int64_t work, std::mt19937_64& random);

}  // namespace tritonsmith::ttir
