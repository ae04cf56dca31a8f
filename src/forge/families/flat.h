#pragma once

#include <functional>
#include <string>

#include "forge/families/common.h"

namespace tritonsmith::forge {

/// A kernel over the points of a one-dimensional space, one for each lane: `total` of them, as forward says
/// it.
/// @param term what is computed at each point @param store writes it: lines of the kernel, from the term's
/// text
Launch flat_kernel(Context& context, const Field& field, const std::string& name,
                   const std::string& docstring, const std::string& total, int term,
                   const std::function<void(Kernel&, FieldWriter&, const Space&, const Code&)>& store);

}  // namespace tritonsmith::forge
