#include "model/weights/weight_dtype.h"

#include <fmt/format.h>

#include "base/error.h"

namespace tritonsmith::model {

at::ScalarType weight_dtype(const std::string& name) {
    if (name == "float32") return at::kFloat;
    if (name == "bfloat16") return at::kBFloat16;
    if (name == "float16") return at::kHalf;
    if (name == "int8") return at::kChar;
    if (name == "fp8") return at::kFloat8_e4m3fn;
    throw InputError("dtype \"" + name + "\" is not known: give float32, bfloat16, float16, int8 or fp8");
}

void check_fp8(const std::string& asked, const std::string& gpu, int major, int minor) {
    if (major * 10 + minor < 89)
        throw InputError(fmt::format("{} needs a GPU of compute capability 8.9 or later: {} has {}.{}", asked,
                                     gpu, major, minor));
}

}  // namespace tritonsmith::model
