#pragma once

#include <c10/core/ScalarType.h>

#include <string>

namespace tritonsmith::model {

/// The dtype of weights by a name of weight_dtype_names. @throws InputError for other names
at::ScalarType weight_dtype(const std::string& name);

/// @param asked for, as in "--dtype fp8"  @param gpu its name, with compute capability `major`.`minor`
/// @throws InputError where it has no e4m3
void check_fp8(const std::string& asked, const std::string& gpu, int major, int minor);

}  // namespace tritonsmith::model
