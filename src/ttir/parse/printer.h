#pragma once

#include <string>

#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

/// MLIR generic form with locations (file:line:column, call sites), accepted by Triton's own parser.
std::string print(const Module& module);

}  // namespace tritonsmith::ttir
