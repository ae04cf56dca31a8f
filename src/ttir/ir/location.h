#pragma once

#include <string_view>

#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

/// The frame of `location` (an index into Module::locations, or -1) that lies in `filename`: the innermost
/// one, so the candidate's own line and not that of Triton's library code which was inlined there. A frame's
/// file matches if it is `filename` or ends in "/filename". Null where no frame is in that file.
const Location* own_frame(const Module& module, int location, std::string_view filename);

/// What a message names: the frame in `filename`, if that is given and one is there, else the innermost frame
/// outside of Triton's own library, else the innermost of all. Null where there is no location.
const Location* user_frame(const Module& module, int location, std::string_view filename = {});

}  // namespace tritonsmith::ttir
