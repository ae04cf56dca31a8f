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

/// What a step casts from reals to integers; null where it casts nothing so. Of what is not finite anything
/// may come, and nothing shows it.
const Tensor* cast_to_integers(const AtenStep& step);
/// A forward step does.
bool casts_to_integers(const Plan& plan);

/// Names places of elements by comparing them: argmax, topk, sort, max-pool …
bool chooses(std::string_view op);
/// The same, and PyTorch does not promise which of several equal elements it is (argmax and max do: the
/// first).
bool chooses_any(const AtenStep& step);

/// A forward step chooses.
bool chooses(const Plan& plan);
bool chooses_any(const Plan& plan);
/// A forward step works with places that another has chosen: takes what lies there, or counts them. Kernels
/// that compute what is compared by another formula choose others where numbers are far.
bool works_with_choices(const Plan& plan);
/// A forward step chooses, compares, or rounds to integers: small errors may have large effects. So does
/// attention in narrow types, whose rounded queries choose between keys where scores are large.
bool decides(const Plan& plan);
/// A forward step takes the sine, cosine or tangent of what another has computed: far angles are as wrong as
/// they are large, and so is the result.
bool turns_computed_angles(const Plan& plan);
/// A forward step takes the logarithm of what another has computed, or of what is left of one (a cross
/// entropy of probabilities): where that is small, each of its roundings shows.
bool takes_computed_logarithms(const Plan& plan);

}  // namespace tritonsmith::plan
