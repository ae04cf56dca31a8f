#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "plan/ir/plan.h"
#include "run/draw/draw.h"

namespace tritonsmith::run {

/// A draw of inputs that may hold what an earlier one holds: both are of one dtype, both of reals or of the
/// same integers, and their last dimensions are of one size.
struct AlikeDraw {
    int of = -1;  ///< the earlier draw's ordinal
    Distribution law;
    std::vector<int64_t> shape;
};

/// By the later draws' ordinals.
std::map<int, AlikeDraw> alike_draws(const plan::Plan& plan);

}  // namespace tritonsmith::run
