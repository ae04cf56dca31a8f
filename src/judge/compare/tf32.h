#pragma once

#include "base/error.h"

namespace tritonsmith::judge {

/// Where a wrong result is no further off than TF32 products are, and the candidate has such products: the
/// message names them and the fix.
void name_tf32(Finding& finding, bool has_products);

}  // namespace tritonsmith::judge
