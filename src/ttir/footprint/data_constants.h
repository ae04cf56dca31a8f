#pragma once

#include <vector>

#include "ttir/interp/interpreter.h"
#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

/// Numbers that a kernel compares with what it loads, as they would have to lie in memory: `x * 2 > 3` gives
/// 1.5. Found through affine arithmetic with constants and with the launch's numbers, casts, absolute values,
/// blocks and their reductions; other functions of what is loaded end the search. A kernel that does another
/// thing for some data decides by such numbers.
struct DataConstants {
    std::vector<double> reals, integers;  ///< compared with floating numbers, and with integers
    bool with_each_other = false;         ///< two loaded numbers are compared, as `x > y`
};
/// @param most of each
DataConstants data_constants(const Module& module, const std::vector<Argument>& arguments, size_t most);

}  // namespace tritonsmith::ttir
