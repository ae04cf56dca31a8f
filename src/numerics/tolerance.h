#pragma once

#include "numerics/format.h"

namespace tritonsmith::numerics {

/// What a task states that its outputs may be off by, relative (docs/judge.md, Numerics): KernelBench's rtol
/// = atol by precision, unless it is given.
struct Tolerance {
    double f32 = 1e-4;
    double low = 1e-2;  ///< float16, bfloat16 and narrower

    double of(plan::DType dtype) const { return narrow(dtype) ? low : f32; }
};

}  // namespace tritonsmith::numerics
