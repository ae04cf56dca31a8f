#pragma once

#include <string_view>

#include "ttir/ir.h"

namespace tritonsmith::ttir {

/// The frame of `location` (an index into Module::locations, or -1) that lies in `filename`: the innermost
/// one, so the candidate's own line and not that of Triton's library code which was inlined there. A frame's
/// file matches if it is `filename` or ends in "/filename". Null where no frame is in that file.
const Location* own_frame(const Module& module, int location, std::string_view filename);

}  // namespace tritonsmith::ttir
