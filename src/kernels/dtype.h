#pragma once

#include <cstdint>

namespace tritonsmith::kernels {

enum class DType : int32_t { bf16 = 0, fp16 = 1, fp32 = 2 };

}  // namespace tritonsmith::kernels
