#pragma once

#include <c10/core/ScalarType.h>

#include <string>

namespace tritonsmith::model {

/// What weights are kept in, by the name that users and config.json give it: "float32", "bfloat16", "float16"
/// (not on the CPU), "int8" (on the CPU alone) or "fp8" (e4m3; on CUDA alone). @throws InputError
at::ScalarType weight_dtype(const std::string& name);

}  // namespace tritonsmith::model
