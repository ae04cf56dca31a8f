#pragma once

#include "train/network/derivatives.h"

namespace tritonsmith::train {

/// This project's kernels; aten_derivatives() where they are not built. Links no CUDA.
const Derivatives& cuda_derivatives();

}  // namespace tritonsmith::train
