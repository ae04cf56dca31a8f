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

/// A program that does another thing than most, and elements that it may write in doing so.
struct ProgramOfClass {
    int64_t program = 0;
    struct Place {
        int argument;
        int64_t offset;  ///< in bytes, of the argument's buffer
    };
    std::vector<Place> places;
};

/// Programs of a launch that do not all do the same: members of each class of programs, and of stores of a
/// program that has several, for which something that derives from their program_id comes out otherwise: a
/// comparison, or whether a number made of its bits is zero (OutcomeTree), by integer and float arithmetic,
/// in functions and loops, or through numbers that are loaded from known memory. What `if pid == 77` chooses
/// is a class of its own, and so are the partial tiles at an edge. The same of stores in different rounds of
/// a loop, by its counter, in the round of the store and in the two before it. Classes of few programs first;
/// nothing of a launch whose programs, and their rounds, are all alike.
///
/// Found without running programs: outcomes are worked out on ranges for whole boxes of the grid, which are
/// split where they are not one, and for single programs. Bounded work: a class may be missed where the
/// choice is as good as random.
/// @param most programs; at most two of a class
/// @param work operations that may be worked out, some 20 ns each; several times that where ranges tell
/// little
std::vector<ProgramOfClass> programs_of_classes(const Module& module, const std::array<int64_t, 3>& grid,
                                                const std::vector<Argument>& arguments,
                                                const KnownMemory& memory, size_t most, int64_t work,
                                                std::mt19937_64& random);

}  // namespace tritonsmith::ttir
