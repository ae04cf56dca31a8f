#pragma once

#include <optional>

#include "plan/ir/plan.h"

/// Host steps that the sample can do itself.
namespace tritonsmith::run::sample {

/// The number that a factory or a fill writes everywhere; nothing where the step is none of these.
std::optional<double> constant_of(const plan::AtenStep& step);

/// A copy of one tensor into another, perhaps cast; from's shape is to's, or is broadcast to it.
struct Copy {
    plan::Tensor from, to;
};
std::optional<Copy> copy_of(const plan::AtenStep& step);

}  // namespace tritonsmith::run::sample
