#pragma once

#include <map>

#include "plan/ir/plan.h"

namespace tritonsmith::run {

/// What a floating draw of the phase `inputs` is among its task's inputs.
struct LeafRole {
    int rank = 0;  ///< among the task's floating draws
    /// What the inputs' later steps make of it, where each of them is affine (`rand() * 2 - 1`): the input is
    /// factor · drawn + offset. Variants are applied to that image.
    double factor = 1, offset = 0;
    bool affine() const { return factor != 1 || offset != 0; }
};

/// By the draws' ordinals.
std::map<int, LeafRole> leaf_roles(const plan::Plan& plan);

}  // namespace tritonsmith::run
