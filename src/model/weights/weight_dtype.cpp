#include "model/weights/weight_dtype.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "base/error.h"
#include "model/dtype_names.h"

namespace tritonsmith::model {

at::ScalarType weight_dtype(const std::string& name) {
    constexpr std::array types = {at::kFloat, at::kBFloat16, at::kHalf, at::kChar, at::kFloat8_e4m3fn};
    static_assert(types.size() == weight_dtype_names.size());
    for (size_t i = 0; i < types.size(); ++i)
        if (name == weight_dtype_names[i]) return types[i];
    throw InputError(
        fmt::format("dtype \"{}\" is unknown: give {}", name, fmt::join(weight_dtype_names, ", ")));
}

void check_fp8(const std::string& asked, const std::string& gpu, int major, int minor) {
    if (major * 10 + minor < 89)
        throw InputError(fmt::format("{} needs a GPU of compute capability 8.9 or later: {} has {}.{}", asked,
                                     gpu, major, minor));
}

}  // namespace tritonsmith::model
