#pragma once

#include <string_view>

#include "plan/ir/plan.h"

/// What is known about the rounding of ATen operators by name (docs/judge.md, Numerics).
namespace tritonsmith::plan {

/// Results are elements of the arguments, or integers and booleans that follow from them without rounding.
/// Everything not listed rounds.
bool exact(std::string_view op);

/// Rounds to integers: round, floor, a cast from a floating type to an integer …: half of a unit decides.
bool rounds_to_integers(const AtenStep& step);

/// Names places of elements by comparing them: argmax, topk, sort, max-pool …
bool chooses(std::string_view op);
/// The same, and PyTorch does not promise which of several equal elements it is (argmax and max do: the
/// first).
bool chooses_any(const AtenStep& step);

/// A forward step chooses.
bool chooses(const Plan& plan);
/// A forward step chooses, compares, or rounds to integers: small errors may have large effects.
bool decides(const Plan& plan);
/// A forward step cuts what was summed to a fixed range: outputs are small beside the errors of what is not
/// cut.
bool clamps_sums(const Plan& plan);

}  // namespace tritonsmith::plan
