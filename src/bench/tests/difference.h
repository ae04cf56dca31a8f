#pragma once

#include <optional>
#include <string>

#include "judge/services/program_run.h"

namespace tritonsmith::bench {

/// Of each element, relative to the larger of itself and its tensor's root mean square: KernelBench's first
/// tolerance, which products in TF32 keep too.
inline constexpr double kTestTolerance = 1e-2;

/// What tells an answer's values from the golden program's, in one sentence; nothing where they agree: the
/// same places, shapes and kinds of numbers, floats within the tolerance, all else equal. The type of a float
/// may differ.
std::optional<std::string> difference(const judge::ProgramResult& golden, const judge::ProgramResult& found);

}  // namespace tritonsmith::bench
