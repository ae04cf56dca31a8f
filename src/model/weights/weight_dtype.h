#pragma once

#include <c10/core/ScalarType.h>

#include <string>

namespace tritonsmith::model {

/// What weights are kept in, by the name that users and config.json give it: "float32", "bfloat16", "float16"
/// (not on the CPU), "int8" (on the CPU alone) or "fp8" (e4m3; on CUDA alone). @throws InputError
at::ScalarType weight_dtype(const std::string& name);

/// @param asked for, as in "--dtype fp8"  @param gpu its name, with compute capability `major`.`minor`
/// @throws InputError where it has no e4m3
void check_fp8(const std::string& asked, const std::string& gpu, int major, int minor);

}  // namespace tritonsmith::model
